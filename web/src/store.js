// Frames by address: fetched and decoded by a worker, kept up to a number of bytes, the least
// recently used dropped first.

const BUDGET = ((navigator.deviceMemory ?? 8) <= 4 ? 128 : 384) * 2 ** 20;
const AT_ONCE = 3;

export class Store {
  constructor() {
    this.kept = new Map(); // address -> frame, in the order of use
    this.bytes = 0;
    this.waiting = new Map(); // address -> { resolve, reject, promise, urgent }
    this.asked = new Map(); // id of a request -> address
    this.queue = [];
    this.nextId = 1;
    this.wire = { bytes: 0, decodeTime: 0 }; // of the newest frame, for the curious and for tests
    this.worker = new Worker('worker.js');
    this.worker.onmessage = (event) => this.#arrived(event.data);
  }

  /** Frames that early.js has asked for: address -> promise. */
  takeOver(frames) {
    for (const [address, promise] of frames) {
      const id = this.nextId++;
      this.asked.set(id, address);
      this.#expect(address);
      promise.then((said) => this.#arrived({ id, ...said }));
    }
  }

  #expect(address) {
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    entry.promise.catch(() => {});
    this.waiting.set(address, entry);
    return entry;
  }

  /** The frame if it is here already. */
  peek(address) {
    const frame = this.kept.get(address);
    if (frame) {
      this.kept.delete(address);
      this.kept.set(address, frame);
    }
    return frame;
  }

  /** The frame, sooner or later. What is urgent goes before what may be needed soon. */
  get(address, urgent = true) {
    const here = this.peek(address);
    if (here) return Promise.resolve(here);
    let entry = this.waiting.get(address);
    if (!entry) {
      entry = this.#expect(address);
      if (urgent) this.queue.unshift(address);
      else this.queue.push(address);
    } else if (urgent && this.queue.includes(address)) {
      this.queue.splice(this.queue.indexOf(address), 1);
      this.queue.unshift(address);
    }
    this.#send();
    return entry.promise;
  }

  /** Drops what was asked for in advance and is not on its way yet. */
  forgetPrefetch() {
    for (const address of this.queue.splice(0)) {
      this.waiting.get(address)?.reject(new Error('not needed'));
      this.waiting.delete(address);
    }
  }

  clear() {
    this.forgetPrefetch();
    this.kept.clear();
    this.bytes = 0;
  }

  get budget() { return BUDGET; }

  #send() {
    while (this.asked.size < AT_ONCE && this.queue.length) {
      const address = this.queue.shift();
      const id = this.nextId++;
      this.asked.set(id, address);
      // Addresses carry the run's generation after '#', which the server does not see.
      this.worker.postMessage({ id, url: new URL(address.split('#')[0], document.baseURI).href });
    }
  }

  #arrived({ id, frame, error, code }) {
    const address = this.asked.get(id);
    this.asked.delete(id);
    const entry = this.waiting.get(address);
    this.waiting.delete(address);
    if (frame) {
      this.kept.set(address, frame);
      this.bytes += frame.bytes;
      this.wire = { bytes: frame.wire, decodeTime: frame.decodeTime };
      for (const [old, dropped] of this.kept) {
        if (this.bytes <= BUDGET || old === address) break;
        this.kept.delete(old);
        this.bytes -= dropped.bytes;
      }
      entry?.resolve(frame);
    } else {
      entry?.reject(Object.assign(new Error(error), { code }));
    }
    this.#send();
  }
}
