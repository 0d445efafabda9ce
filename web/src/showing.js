// Which frames and parts are shown, what is fetched for them, and how they look.
import * as THREE from 'three';
import { legend, notice, setNow, timeOf, toggles } from './controls.js';
import { plainColumn } from './first.js';
import { $, DRAWN, PARTS, page } from './page.js';

const AHEAD = 8; // frames fetched in advance while playing

export const partsOf = () => PARTS.filter((p) => (p === 'solids' ? page.runs.some((r) => r.solids.length) : page.runs.some((r) => r.parts[p])));
export const allColumns = () => [...new Set(page.runs.flatMap((r) => [...DRAWN, 'cells'].flatMap((p) => r.columns(p))))].filter((c) => c !== 'color'); // its own colours: what liquid has when no column is chosen

/** The column to ask for with a part: the chosen one, or speed for looks of water. */
function columnFor(run, part) {
  if (page.state.column && run.columns(part).includes(page.state.column)) return page.state.column;
  return plainColumn(run.parts, part);
}

/** Parts of a run that have to be fetched: those drawn, and the sites of a cut. */
function wanted(run, frame) {
  const list = [];
  for (const part of DRAWN) if (page.state.show.has(part) && run.has(part, frame)) list.push(part);
  if (page.state.cut.axis >= 0) {
    const sites = run.has('cells', frame) ? 'cells' : 'particles';
    if (run.has(sites, frame) && !list.includes(sites)) list.push(sites);
  }
  return list;
}

/** The frame of a run that is shown at frame k of the first: that of the same time. */
function sameMoment(run, k) {
  if (run === page.runs[0]) return k;
  const frame = Math.round((k / (page.runs[0].index?.fps || 30)) * (run.index?.fps || 30));
  return Math.max(0, Math.min(run.newest, frame));
}

const addresses = (k) => page.runs.flatMap((run) => {
  const frame = sameMoment(run, k);
  return run.scene ? wanted(run, frame).map((part) => run.address(part, frame, columnFor(run, part))) : [];
});

export const isHere = (k) => addresses(k).every((a) => page.store.kept.has(a));

let asked = 0;
export async function showFrame(k) {
  const mine = ++asked;
  setNow(k);
  await Promise.all(page.views.map(async (view) => {
    const { run } = view;
    if (!view.ready) return;
    const frame = sameMoment(run, k), shown = {};
    let cutOff = false;
    await Promise.all(wanted(run, frame).map(async (part) => {
      try {
        shown[part] = { data: await page.store.get(run.address(part, frame, columnFor(run, part))), shown: page.state.show.has(part), column: columnFor(run, part) };
      } catch (error) {
        if (error.code) notice(`Frame ${frame}: ${error.message}`, 4000);
        else cutOff = true;
      }
    }));
    if (cutOff) return; // without a connection the picture stays
    if (mine !== asked && !page.player.playing) return;
    view.show(frame, shown);
    for (const [part, { data, column }] of Object.entries(shown)) if (data.level && part !== 'volume') fit(column, data);
    updateSolids(view, frame);
  }));
  if (mine !== asked && !page.player.playing) return;
  legend();
  page.plots.setTime(timeOf(k));
  $('welcome').hidden = true;
  page.stage.wake();
  prefetch(k);
}

export function prefetch(k) {
  const ahead = page.player.playing ? AHEAD : 2;
  let bytes = 0;
  for (let i = 1; i <= ahead && k + i <= page.player.last; i++)
    for (const address of addresses(k + i)) {
      const frame = page.store.kept.get(address);
      bytes += frame ? frame.bytes : 0;
      if (bytes > page.store.budget / 3) return;
      if (!frame) page.store.get(address, false).catch(() => {});
    }
}

/** Widens the range of a column; what 96 of 100 values fit into. */
function fit(column, frame) {
  const seen = page.state.fitted.get(column);
  const low = frame.p02, high = Math.max(frame.p98, frame.p02 + 1e-12);
  if (!seen) page.state.fitted.set(column, [column === 'speed' ? 0 : low, high]);
  else {
    seen[0] = Math.min(seen[0], low);
    seen[1] = Math.max(seen[1], high);
  }
}

const fittedRange = (column) => page.state.fitted.get(column) ?? [0, 1];
/** The column that the legend is about: the one chosen, or that of a cut through water; '': none. */
export function legendColumn() {
  if (page.state.column || page.state.cut.axis < 0) return page.state.column;
  return page.views.find((view) => view.sites?.data.level)?.sites.column ?? '';
}

export const range = () => (page.state.column && page.state.range) || fittedRange(legendColumn());

export function look(view) {
  let cut = null;
  if (page.state.cut.axis >= 0 && view.ready) {
    const { min, max } = view.domain, axis = page.state.cut.axis, names = ['x', 'y', 'z'], n = names[axis];
    const at = min[n] + page.state.cut.share * (max[n] - min[n]);
    const normal = new THREE.Vector3();
    normal[n] = -page.state.cut.side;
    cut = { axis, at, plane: new THREE.Plane(normal, page.state.cut.side * at) };
  }
  const fall = Math.sqrt(2 * 9.81 * (view.domain ? view.domain.max.y - view.domain.min.y : 1));
  return {
    colored: Boolean(page.state.column), range: range(), cut, fast: page.stage.fast, first: page.stage.software && page.stage.pictures === 0 && !page.stage.glimpsed, solids: page.state.show.has('solids'),
    pixels: page.stage.renderer.getDrawingBufferSize(new THREE.Vector2()).y, speedRange: [0, 0.8 * fall], cutRange: fittedRange(view.sites?.column ?? 'speed'),
  };
}

async function updateSolids(view, frame) {
  const { run } = view;
  for (let k = 0; k < run.solids.length; k++) {
    if (!run.solids[k].deforms) continue;
    try {
      const mesh = await page.store.get(run.solidAddress(k, frame));
      if (view.frame === frame && view.solidMeshes[k]?.userData.frame !== frame) {
        view.setSolid(k, mesh);
        view.solidMeshes[k].userData.frame = frame;
        page.stage.wake();
      }
    } catch { /* the frame is shown without it */ }
  }
}

export async function loadSolids(view) {
  try {
    await view.run.loadSolids();
    for (let k = 0; k < view.run.solids.length; k++) view.setSolid(k, await page.store.get(view.run.solidAddress(k, Math.max(0, view.frame))));
  } catch (error) {
    if (error.code) notice(`The solids cannot be shown: ${error.message}`, 8000);
  }
  toggles();
  page.stage.wake();
}
