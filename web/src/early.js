// Loaded before the page itself, and small: asks the server for what the first picture needs, its frame too (a worker would
// not start before the page is idle), draws a glimpse of it, and loads the page. store.js and main.js take over what is here.
import { getIndex, getRuns, getScene } from './api.js';
import { fetchFrame } from './fetch.js';
import { firstFrame, firstParts, firstTheme, frameAddress, hasFrame, plainColumn } from './first.js';
import { Glimpse } from './glimpse.js';

const early = { frames: new Map(), runs: null, glimpsed: false }; // frames: address -> promise of what fetchFrame gives

/** The parts of a run's first frame: part -> promise of what fetchFrame gives. */
function askFrame(id, index, scene) {
  const frame = firstFrame(index), asked = {};
  for (const part of firstParts(Object.keys(index.parts), scene)) {
    if (!hasFrame(index.parts, part, frame)) continue;
    const address = frameAddress(id, index.generation, part, frame, plainColumn(index.parts, part));
    asked[part] = fetchFrame(address.split('#')[0]);
    early.frames.set(address, asked[part]);
  }
  return asked;
}

async function prepare(id) {
  const [index, scene] = await Promise.all([getIndex(id), getScene(id)]);
  return { index, scene, parts: askFrame(id, index, scene) };
}

const first = prepare(0).catch(() => null); // there is always a first run, with files or without
early.runs = getRuns().then(({ runs }) => Promise.all(runs.map(async ({ id }) => ({
  id, prepared: await (id === 0 ? first : prepare(id).catch(() => null)),
}))));
early.runs.catch(() => {});
window.early = early;

/** One run, whose liquid is here as a surface or as particles; anything else is left to the page. */
async function glimpse() {
  const drawing = new Glimpse(document.getElementById('view'));
  performance.mark('context');
  const runs = await early.runs, prepared = runs[0]?.prepared;
  if (runs.length !== 1 || !prepared) return;
  const [surface, particles] = await Promise.all(['surface', 'particles'].map(async (part) => (await prepared.parts[part])?.frame));
  performance.mark('data');
  early.glimpsed = drawing.draw(prepared.scene, { surface, particles });
  if (!early.glimpsed) return;
  const drawn = drawing.drawn().then(() => performance.mark('first picture'));
  // Seen before the page's scripts keep the browser busy; a slow machine prepares the page meanwhile.
  await Promise.race([drawn, new Promise((go) => setTimeout(go, 400))]);
}

document.documentElement.dataset.theme = firstTheme();
glimpse().catch(() => {}).then(() => document.body.append(Object.assign(document.createElement('script'), { src: 'app.js' })));
