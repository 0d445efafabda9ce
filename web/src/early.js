// Loaded before the page itself, and small: while that is fetched and parsed, the server is asked for what the first
// picture needs, and the worker decodes the frame. store.js and main.js take over what is here.
import { getIndex, getRuns, getScene } from './api.js';
import { firstFrame, firstParts, frameAddress, hasFrame, plainColumn } from './first.js';

const worker = new Worker('worker.js');
const early = { worker, arrived: [], asked: new Map(), software: null, runs: null };
worker.onmessage = (event) => early.arrived.push(event.data);

// Whether pictures are drawn without a graphics processor is known as soon as the browser has started its drawing
// process, which takes a while: begun here, beside the page.
const prober = new Worker('prober.js');
early.software = new Promise((resolve) => {
  prober.onmessage = (event) => resolve(event.data.software);
  prober.onerror = () => resolve(false);
});

let nextId = -1;
function askFrame(id, index, scene) {
  const frame = firstFrame(index);
  for (const part of firstParts(Object.keys(index.parts), scene)) {
    if (!hasFrame(index.parts, part, frame)) continue;
    const address = frameAddress(id, index.generation, part, frame, plainColumn(index.parts, part));
    early.asked.set(nextId, address);
    worker.postMessage({ id: nextId--, url: new URL(address.split('#')[0], document.baseURI).href });
  }
}

async function prepare(id) {
  const [index, scene] = await Promise.all([getIndex(id), getScene(id)]);
  askFrame(id, index, scene);
  return { index, scene };
}

const first = prepare(0).catch(() => null); // there is always a first run, with files or without
early.runs = getRuns().then(({ runs }) => Promise.all(runs.map(async ({ id }) => ({
  id, prepared: await (id === 0 ? first : prepare(id).catch(() => null)),
}))));
early.runs.catch(() => {});
window.early = early;
