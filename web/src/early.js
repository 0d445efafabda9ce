// Loaded before the page itself, and small: while that is fetched and parsed, the server is asked for what the first
// picture needs, its frame too: a worker would not start before the page is idle. store.js and main.js take over what is here.
import { getIndex, getRuns, getScene } from './api.js';
import { fetchFrame } from './fetch.js';
import { firstFrame, firstParts, frameAddress, hasFrame, plainColumn } from './first.js';

const early = { frames: new Map(), runs: null }; // frames: address -> promise of what fetchFrame gives

function askFrame(id, index, scene) {
  const frame = firstFrame(index);
  for (const part of firstParts(Object.keys(index.parts), scene)) {
    if (!hasFrame(index.parts, part, frame)) continue;
    const address = frameAddress(id, index.generation, part, frame, plainColumn(index.parts, part));
    early.frames.set(address, fetchFrame(address.split('#')[0]));
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
