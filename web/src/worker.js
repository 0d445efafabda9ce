// Fetches and decodes frames beside the page, so that it stays smooth.
import { decode, frameBuffers } from './wire.js';

self.onmessage = async (event) => {
  const { id, url } = event.data;
  try {
    const reply = await fetch(url);
    if (!reply.ok) {
      const said = await reply.json().catch(() => ({}));
      self.postMessage({ id, error: said.error ?? `code ${reply.status}`, code: reply.status });
      return;
    }
    const buffer = await reply.arrayBuffer();
    const begin = performance.now();
    const frame = decode(buffer);
    frame.wire = buffer.byteLength;
    frame.decodeTime = performance.now() - begin;
    self.postMessage({ id, frame }, frameBuffers(frame));
  } catch (error) {
    self.postMessage({ id, error: String(error.message ?? error), code: 0 });
  }
};
