// The page: the runs as they grow, and the beginning.
import { drawRamp, viridis } from './colors.js';
import { afterControl, notice, setNow, setStatus, setTheme, setTrack, toggles } from './controls.js';
import { firstFrame, firstParts, firstTheme, narrow } from './first.js';
import { fold, listen } from './keys.js';
import { $, page } from './page.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Run } from './run.js';
import { isHere, loadSolids, look, partsOf, prefetch, showFrame } from './showing.js';
import { Stage } from './stage.js';
import { Store } from './store.js';
import { View } from './view.js';

let settled = false; // the tables of a finished run are complete
async function adopt(view) {
  if (view.ready) page.store.clear(); // frames of another run
  page.state.fitted.clear();
  page.state.begun = settled = false;
  view.build(page.stage.theme);
  page.stage.setViews(page.views);
  page.stage.setTheme(document.documentElement.dataset.theme);
  page.stage.reset();
  loadSolids(view);
}

let failures = 0, tables = 0;
async function refresh() {
  try {
    for (const view of page.views) {
      if (await view.run.refresh()) await adopt(view);
      else if (await view.run.refreshPoses()) {
        view.placeSolids(view.frame);
        page.stage.wake();
      }
    }
    failures = 0;
    if (page.state.lost) {
      page.state.lost = false;
      $('banner').hidden = true;
    }
  } catch (error) {
    if (error.code === 404 || error.code === 503) { /* being replaced just now */ }
    else if (++failures >= 2 && !page.state.lost) {
      page.state.lost = true;
      notice(`The viewer's server does not answer. A run that was going on is not affected. Start the viewer again with: rill view ${page.runs[0].index?.folder ?? 'DIR'}`);
    }
    if (page.runs[0].index) setStatus();
    return;
  }
  const ready = page.views.some((v) => v.ready) && page.runs[0].newest >= 0;
  if (ready && !page.state.begun) {
    page.state.show = new Set(firstParts(partsOf(), page.runs[0].scene));
    page.state.begun = true;
    page.player.live = page.runs[0].growing;
    page.player.last = page.runs[0].newest;
    page.player.frame = firstFrame(page.runs[0].index);
    toggles();
    page.player.go(page.player.frame, false);
  }
  if (ready) {
    toggles();
    page.player.grown(page.runs[0].newest, page.runs.some((r) => r.growing), page.runs[0].index.fps);
    setTrack();
    setNow(page.player.frame);
  }
  $('welcome').hidden = ready;
  $('welcome').textContent = page.runs[0].index.status === 'missing' ? 'There is no run in this folder. It appears here as soon as there is one.' : 'The run is starting. The first frame appears here.';
  setStatus();
  if (tables++ % 2 === 0 || !page.runs[0].growing) refreshPlots();
}

let plotting = false;
async function refreshPlots() {
  if (plotting || (settled && !page.runs.some((r) => r.growing))) return;
  plotting = true;
  try {
    for (const run of page.runs) if (run.scene) await run.refreshTables();
    page.plots.update(page.runs);
    settled = !page.runs.some((r) => r.growing);
  } catch { /* the next time */ }
  plotting = false;
}

async function poll() {
  await refresh();
  const growing = page.runs.some((r) => r.growing);
  setTimeout(poll, document.hidden ? 4000 : growing ? 500 : 1500);
}

async function begin() {
  performance.mark('page'); // what takes how long is read from these
  drawRamp($('ramp'));
  page.store = new Store();
  page.stage = new Stage($('view'), window.early.glimpsed);
  performance.mark('stage');
  page.plots = new Plots($('plots'), $('addplot'), $('noplots'));
  page.player = new Player((frame, onlyWait) => (onlyWait ? prefetch(frame - 1) : showFrame(frame)));
  fold(narrow());
  page.runs = (await window.early.runs).map(({ id, prepared }) => new Run(id, prepared));
  page.store.takeOver(window.early.frames);
  page.views = page.runs.map((r) => new View(r));
  page.stage.setViews(page.views);
  setTheme(firstTheme());
  performance.mark('runs');
  page.stage.onDraw = () => { for (const view of page.views) view.dress(page.stage.renderer, look(view)); };
  listen();
  afterControl(refresh);
  const turn = (now) => {
    page.player.tick(now, isHere);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  poll();
  // For tests and for the curious: what goes on inside.
  window.rill = { ...page, viridis };
}

begin().catch((error) => notice(`The page cannot start: ${error.message}`));
