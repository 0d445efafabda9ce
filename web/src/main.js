// The page: wires the runs, the stage and the controls together.
import * as THREE from 'three';
import * as api from './api.js';
import { drawRamp, labelOf, short, unitOf, viridis } from './colors.js';
import { pick } from './pick.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Run } from './run.js';
import { Stage } from './stage.js';
import { Store } from './store.js';
import { View } from './view.js';

const $ = (id) => document.getElementById(id);
const DRAWN = ['surface', 'particles', 'tracers', 'whitewater'];
const PARTS = [...DRAWN, 'solids'];
const AHEAD = 8; // frames fetched in advance while playing

const state = {
  show: new Set(['surface', 'tracers', 'whitewater', 'solids']), // names of parts
  begun: false, // a frame of this run has been shown
  column: '', // '': water
  range: null, // by hand; null: fitted
  fitted: new Map(), // column -> [low, high] of the frames seen
  cut: { axis: -1, share: 0.5, side: 1 },
  lost: false,
};
let stage, store, plots, player;
let runs = [], views = [];

// ---- what is to be shown ----

const partsOf = () => PARTS.filter((p) => (p === 'solids' ? runs.some((r) => r.solids.length) : runs.some((r) => r.parts[p])));
const allColumns = () => [...new Set(runs.flatMap((r) => [...DRAWN, 'cells'].flatMap((p) => r.columns(p))))];

/** The column to ask for with a part: the chosen one, or speed for looks of water. */
function columnFor(run, part) {
  if (state.column && run.columns(part).includes(state.column)) return state.column;
  if (part === 'surface') return '';
  return run.columns(part).includes('speed') ? 'speed' : run.columns(part)[0] ?? '';
}

/** Parts of a run that have to be fetched: those drawn, and the sites of a cut. */
function wanted(run, frame) {
  const list = [];
  for (const part of DRAWN) if (state.show.has(part) && run.has(part, frame)) list.push(part);
  if (state.cut.axis >= 0) {
    const sites = run.has('cells', frame) ? 'cells' : 'particles';
    if (run.has(sites, frame) && !list.includes(sites)) list.push(sites);
  }
  return list;
}

/** The frame of a run that is shown at frame k of the first: that of the same time. */
function sameMoment(run, k) {
  if (run === runs[0]) return k;
  const frame = Math.round((k / (runs[0].index?.fps || 30)) * (run.index?.fps || 30));
  return Math.max(0, Math.min(run.newest, frame));
}

const addresses = (k) => runs.flatMap((run) => {
  const frame = sameMoment(run, k);
  return run.scene ? wanted(run, frame).map((part) => run.address(part, frame, columnFor(run, part))) : [];
});

const isHere = (k) => addresses(k).every((a) => store.kept.has(a));

let asked = 0;
async function showFrame(k) {
  const mine = ++asked;
  setNow(k);
  await Promise.all(views.map(async (view) => {
    const { run } = view;
    if (!view.ready) return;
    const frame = sameMoment(run, k), shown = {};
    let cutOff = false;
    await Promise.all(wanted(run, frame).map(async (part) => {
      try {
        shown[part] = { data: await store.get(run.address(part, frame, columnFor(run, part))), shown: state.show.has(part), column: columnFor(run, part) };
      } catch (error) {
        if (error.code) notice(`Frame ${frame}: ${error.message}`, 4000);
        else cutOff = true;
      }
    }));
    if (cutOff) return; // without a connection the picture stays
    if (mine !== asked && !player.playing) return;
    view.show(frame, shown);
    for (const { data, column } of Object.values(shown)) if (data.level) fit(column, data);
    updateSolids(view, frame);
  }));
  if (mine !== asked && !player.playing) return;
  legend();
  plots.setTime(timeOf(k));
  $('welcome').hidden = true;
  stage.wake();
  prefetch(k);
}

function prefetch(k) {
  const ahead = player.playing ? AHEAD : 2;
  let bytes = 0;
  for (let i = 1; i <= ahead && k + i <= player.last; i++)
    for (const address of addresses(k + i)) {
      const frame = store.kept.get(address);
      bytes += frame ? frame.bytes : 0;
      if (bytes > store.budget / 3) return;
      if (!frame) store.get(address, false).catch(() => {});
    }
}

/** Widens the range of a column; what 96 of 100 values fit into. */
function fit(column, frame) {
  const seen = state.fitted.get(column);
  const low = frame.p02, high = Math.max(frame.p98, frame.p02 + 1e-12);
  if (!seen) state.fitted.set(column, [column === 'speed' ? 0 : low, high]);
  else {
    seen[0] = Math.min(seen[0], low);
    seen[1] = Math.max(seen[1], high);
  }
}

const fittedRange = (column) => state.fitted.get(column) ?? [0, 1];
const range = () => state.range ?? fittedRange(state.column);

function look(view) {
  let cut = null;
  if (state.cut.axis >= 0 && view.ready) {
    const { min, max } = view.domain, axis = state.cut.axis, names = ['x', 'y', 'z'], n = names[axis];
    const at = min[n] + state.cut.share * (max[n] - min[n]);
    const normal = new THREE.Vector3();
    normal[n] = -state.cut.side;
    cut = { axis, at, plane: new THREE.Plane(normal, state.cut.side * at) };
  }
  const fall = Math.sqrt(2 * 9.81 * (view.domain ? view.domain.max.y - view.domain.min.y : 1));
  return {
    colored: Boolean(state.column), range: range(), cut, fast: stage.fast, solids: state.show.has('solids'),
    pixels: stage.renderer.getDrawingBufferSize(new THREE.Vector2()).y, speedRange: [0, 0.8 * fall], cutRange: fittedRange('speed'),
  };
}

async function updateSolids(view, frame) {
  const { run } = view;
  for (let k = 0; k < run.solids.length; k++) {
    if (!run.solids[k].deforms) continue;
    try {
      const mesh = await store.get(run.solidAddress(k, frame));
      if (view.frame === frame && view.solidMeshes[k]?.userData.frame !== frame) {
        view.setSolid(k, mesh);
        view.solidMeshes[k].userData.frame = frame;
        stage.wake();
      }
    } catch { /* the frame is shown without it */ }
  }
}

async function loadSolids(view) {
  try {
    await view.run.loadSolids();
    for (let k = 0; k < view.run.solids.length; k++) view.setSolid(k, await store.get(view.run.solidAddress(k, Math.max(0, view.frame))));
  } catch (error) {
    if (error.code) notice(`The solids cannot be shown: ${error.message}`, 8000);
  }
  toggles();
  stage.wake();
}

// ---- the controls ----

function notice(message, forMs = 0) {
  const box = $('banner');
  box.textContent = message;
  box.hidden = false;
  clearTimeout(notice.timer);
  if (forMs) notice.timer = setTimeout(() => { if (!state.lost) box.hidden = true; }, forMs);
}

function toggles() {
  const holder = $('parts');
  const there = partsOf();
  holder.replaceChildren(...there.map((part) => {
    const button = document.createElement('button');
    button.textContent = part === 'whitewater' ? 'White water' : part[0].toUpperCase() + part.slice(1);
    button.dataset.part = part;
    button.ariaPressed = String(state.show.has(part));
    button.title = `Show or hide (${PARTS.indexOf(part) + 1})`;
    button.onclick = () => togglePart(part);
    return button;
  }));
  const columns = allColumns(), select = $('column'), wantedList = columns.join();
  if (select.dataset.columns !== wantedList) {
    select.dataset.columns = wantedList;
    select.replaceChildren(new Option('Water', ''), ...columns.map((c) => new Option(labelOf(c) + (unitOf(c) ? ` (${unitOf(c)})` : ''), c)));
    if (state.column && !columns.includes(state.column)) state.column = '';
    select.value = state.column;
  }
}

function togglePart(part) {
  if (!partsOf().includes(part)) return;
  if (state.show.has(part)) state.show.delete(part);
  else {
    // Surface and particles cover each other: one or the other, unless both are asked for one after the other.
    state.show.add(part);
    if (part === 'particles' && state.show.has('surface')) state.show.delete('surface');
    else if (part === 'surface' && state.show.has('particles')) state.show.delete('particles');
  }
  toggles();
  showFrame(player.frame);
}

function setColumn(column) {
  state.column = column;
  state.range = null;
  $('column').value = column;
  const visible = DRAWN.filter((p) => state.show.has(p));
  // A column that nothing visible has: show what has it.
  if (column && !runs.some((r) => visible.some((p) => r.columns(p).includes(column)))) {
    const part = ['particles', 'tracers', 'whitewater', 'surface'].find((p) => runs.some((r) => r.columns(p).includes(column)));
    if (part) {
      state.show.add(part);
      if (part === 'particles') state.show.delete('surface');
      toggles();
    }
  }
  showFrame(player.frame);
}

function legend() {
  $('legend').hidden = !state.column;
  if (!state.column) return;
  const [low, high] = range();
  for (const [id, value] of [['low', low], ['high', high]]) if (document.activeElement !== $(id)) $(id).value = short(value);
  $('auto').setAttribute('aria-pressed', String(!state.range));
}

function readRange() {
  const low = Number($('low').value.replace(',', '.')), high = Number($('high').value.replace(',', '.'));
  if (Number.isFinite(low) && Number.isFinite(high) && high > low) state.range = [low, high];
  legend();
  stage.wake();
}

function setCut(axis) {
  state.cut.axis = axis;
  for (const button of $('axes').children) button.classList.toggle('on', Number(button.dataset.axis) === axis);
  $('cutting').hidden = axis < 0;
  moveCut(state.cut.share);
  showFrame(player.frame);
}

function moveCut(share) {
  state.cut.share = Math.max(0, Math.min(1, share));
  $('cut').value = Math.round(1000 * state.cut.share);
  const view = views.find((v) => v.ready);
  if (view && state.cut.axis >= 0) {
    const n = 'xyz'[state.cut.axis], { min, max } = view.domain;
    $('cutplace').textContent = `${n} = ${short(min[n] + state.cut.share * (max[n] - min[n]))} m`;
  }
  stage.wake();
}

const timeOf = (k) => k / (runs[0]?.index?.fps || 30);

function setNow(k) {
  $('scrub').value = k;
  const all = runs[0]?.index?.wanted ?? player.last;
  $('now').textContent = `${k} / ${all}  ·  ${timeOf(k).toFixed(2)} s`;
  $('play').textContent = player.playing ? '❚❚' : '▶';
  $('play').ariaLabel = player.playing ? 'Pause' : 'Play';
  $('live').setAttribute('aria-pressed', String(player.live));
}

function setTrack() {
  const all = Math.max(player.last, runs[0]?.index?.wanted ?? 0, 1);
  $('scrub').max = all;
  const share = (100 * player.last) / all;
  $('there').style.background = `linear-gradient(90deg, color-mix(in srgb, var(--accent) 55%, transparent) ${share}%, var(--line) ${share}%)`;
}

const STATUS = { running: 'running', starting: 'starting…', finished: 'finished', stopped: 'stopped', failed: 'failed', missing: 'no run here' };

function setStatus() {
  const index = runs[0].index, run = runs.find((r) => r.index?.can_stop) ?? runs.find((r) => r.index?.can_resume && r.index?.started_here) ?? runs[0];
  $('title').textContent = runs.map((r) => r.name).join(' | ');
  document.title = `${runs.map((r) => r.name).join(' | ')} – Rill`;
  const done = Math.max(0, runs[0].newest), share = index.wanted ? Math.floor((100 * done) / index.wanted) : 0;
  $('status').dataset.is = state.lost ? 'missing' : index.status;
  $('status').textContent = state.lost ? 'no connection' : STATUS[index.status] + (index.status === 'running' || index.status === 'stopped' ? ` · ${share} %` : '');
  $('stop').hidden = !run.index?.can_stop || state.lost;
  $('resume').hidden = !run.index?.can_resume || state.lost;
  $('stop').onclick = () => control(run, 'stop');
  $('resume').onclick = () => control(run, 'resume');
  if (index.status === 'failed' && index.message) notice(`The run failed: ${index.message}`);
  $('live').hidden = !runs.some((r) => r.growing) && !player.live;
  $('version').textContent = `Rill ${index.rill}`;
  const names = $('names');
  names.hidden = runs.length < 2;
  if (runs.length > 1 && names.dataset.of !== document.title) {
    names.dataset.of = document.title;
    names.replaceChildren(...runs.map((r) => Object.assign(document.createElement('div'), { textContent: `${r.name} · ${r.scene?.method ?? ''}` })));
  }
}

async function control(run, what) {
  for (const id of ['stop', 'resume']) $(id).disabled = true;
  try {
    await api.post(run.id, what);
    notice(what === 'stop' ? 'The run stops after its step and leaves a checkpoint.' : 'The run goes on from its checkpoint.', 3000);
  } catch (error) {
    notice(`That did not work: ${error.message}`, 6000);
  }
  for (const id of ['stop', 'resume']) $(id).disabled = false;
  await refresh();
}

async function screenshot() {
  const blob = await stage.picture();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${runs[0].name.replace(/[^A-Za-z0-9]+/g, '_')}_${String(player.frame).padStart(4, '0')}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem('rill-theme', name); } catch { /* not kept then */ }
  stage.setTheme(name);
  plots.draw();
}

const KEYS = [
  [[' '], 'space', 'play, pause', () => { player.toggle(); setNow(player.frame); }],
  [['ArrowLeft', 'ArrowRight'], '← →', 'one frame; with shift ten', (e) => step((e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1))],
  [['Home', 'End'], 'Home End', 'first, newest frame', (e) => player.go(e.key === 'Home' ? 0 : player.last)],
  [['l'], 'L', 'stay at the newest frame', () => toggleLive()],
  [['+', '-'], '+ −', 'faster, slower', (e) => speed(e.key === '+' ? 1 : -1)],
  [['1', '2', '3', '4', '5'], '1 – 5', 'surface, particles, tracers, white water, solids', (e) => togglePart(PARTS[Number(e.key) - 1])],
  [['c'], 'C', 'next colour', () => { const all = ['', ...allColumns()]; setColumn(all[(all.indexOf(state.column) + 1) % all.length]); }],
  [['x', 'y', 'z'], 'X Y Z', 'cut along that axis, or not', (e) => { const a = 'xyz'.indexOf(e.key); setCut(state.cut.axis === a ? -1 : a); }],
  [['[', ']'], '[ ]', 'move the cut', (e) => moveCut(state.cut.share + (e.key === '[' ? -0.02 : 0.02))],
  [['r'], 'R', 'reset the camera', () => stage.reset()],
  [['s'], 'S', 'save a picture', () => screenshot()],
  [['t'], 'T', 'dark or light', () => setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light')],
  [['p'], 'P', 'panel', () => fold()],
  [['?', 'h'], '?', 'this help', () => toggleHelp()],
];

function step(by) {
  player.playing = false;
  player.go(player.frame + by);
}

function speed(by) {
  const select = $('speed');
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
  player.speed = Number(select.value);
}

function toggleLive() {
  player.live = !player.live;
  if (player.live) {
    player.playing = false;
    player.go(player.last, false);
  }
  setNow(player.frame);
}

function toggleHelp() {
  if ($('helpbox').open) $('helpbox').close();
  else $('helpbox').showModal();
}

const narrow = () => matchMedia('(max-width: 720px)').matches;

/** Shows or hides the panel; on wide windows the picture makes room for it. */
function fold(folded = !$('panel').classList.contains('folded')) {
  $('panel').classList.toggle('folded', folded);
  const inset = folded || narrow() ? 0 : 304;
  stage.setInset(inset);
  $('names').style.right = `${inset}px`;
  plots.draw();
}

function listen() {
  for (const [, shown, what] of KEYS) $('keys').append(Object.assign(document.createElement('dt'), { textContent: shown }), Object.assign(document.createElement('dd'), { textContent: what }));
  addEventListener('keydown', (event) => {
    const target = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || (target === 'INPUT' && event.target.type === 'text') || target === 'SELECT') return;
    if (target === 'BUTTON' && event.key === ' ') return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = KEYS.find(([keys]) => keys.includes(key));
    if (!found || ($('helpbox').open && key !== '?' && key !== 'h')) return;
    event.preventDefault();
    found[3]({ key, shiftKey: event.shiftKey });
  });
  $('play').onclick = () => { player.toggle(); setNow(player.frame); };
  $('back').onclick = () => step(-1);
  $('next').onclick = () => step(1);
  $('scrub').oninput = () => {
    player.playing = false;
    store.forgetPrefetch();
    player.go(Number($('scrub').value));
  };
  $('speed').onchange = () => { player.speed = Number($('speed').value); };
  $('live').onclick = toggleLive;
  $('column').onchange = () => setColumn($('column').value);
  $('low').onchange = $('high').onchange = readRange;
  $('auto').onclick = () => {
    state.range = null;
    state.fitted.delete(state.column);
    showFrame(player.frame);
  };
  for (const button of $('axes').children) button.onclick = () => setCut(Number(button.dataset.axis));
  $('cut').oninput = () => moveCut(Number($('cut').value) / 1000);
  $('flip').onclick = () => {
    state.cut.side = -state.cut.side;
    stage.wake();
  };
  $('reset').onclick = () => stage.reset();
  $('shot').onclick = screenshot;
  $('theme').onclick = () => setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');
  $('help').onclick = toggleHelp;
  $('fold').onclick = () => fold();
  $('detail').onchange = () => stage.setDetail($('detail').value);
  let wasNarrow = narrow();
  addEventListener('resize', () => {
    fold((narrow() && !wasNarrow) || $('panel').classList.contains('folded'));
    wasNarrow = narrow();
  });
  listenToPointer();
}

/** What the pointer rests on, with its values from the server. */
function listenToPointer() {
  const canvas = stage.canvas, tip = $('tip');
  let timer = 0, question = 0;
  const hide = () => {
    clearTimeout(timer);
    question++;
    tip.hidden = true;
  };
  canvas.addEventListener('pointermove', (event) => {
    hide();
    if (event.buttons || player.playing) return;
    timer = setTimeout(() => point(event, ++question), 110);
  });
  canvas.addEventListener('pointerdown', () => {
    hide();
    if (narrow()) fold(true);
  });
  canvas.addEventListener('pointerleave', hide);

  async function point(event, mine) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const k = Math.min(views.length - 1, Math.floor((x / box.width) * views.length)), view = views[k];
    if (!view?.ready) return;
    const found = pick(stage, view, x, y, stage.rectangle(k), look(view));
    if (!found) return;
    let values = null;
    if (found.part) values = await api.getPick(view.run.id, found.part, view.frame, found.index).catch(() => null);
    if (mine !== question) return;
    tip.replaceChildren(...describe(found, values));
    tip.hidden = false;
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
  }
}

function describe(found, values) {
  const title = document.createElement('b');
  if (!found.part) {
    title.textContent = found.name;
    return [title];
  }
  const kind = { surface: 'surface, vertex', particles: 'particle', tracers: 'tracer', whitewater: 'white water', cells: 'cell' }[found.part];
  title.textContent = `${kind} ${values ? values.id : found.index}`;
  if (!values) return [title];
  const table = document.createElement('table');
  const row = (name, value) => {
    const r = table.insertRow();
    r.insertCell().textContent = name;
    r.insertCell().textContent = value;
  };
  row('at', `${values.position.map(short).join(', ')} m`);
  if (values.velocity) row('speed', `${short(Math.hypot(...values.velocity))} m/s`);
  for (const [name, value] of Object.entries(values.values)) row(labelOf(name), `${short(value)} ${unitOf(name)}`);
  return [title, table];
}

// ---- the run as it grows ----

async function adopt(view) {
  store.clear();
  state.fitted.clear();
  state.begun = false;
  view.build(stage.theme);
  stage.setViews(views);
  stage.setTheme(document.documentElement.dataset.theme);
  stage.reset();
  loadSolids(view);
}

function firstLook() {
  const output = runs[0].scene.output ?? {};
  const there = partsOf();
  const first = output.look && there.includes(output.look) ? output.look : ['surface', 'particles', 'tracers'].find((p) => there.includes(p)) ?? 'surface';
  state.show = new Set([first, 'tracers', 'whitewater', 'solids']);
}

let failures = 0, tables = 0;
async function refresh() {
  try {
    for (const view of views) {
      if (await view.run.refresh()) await adopt(view);
      else if (await view.run.refreshPoses()) {
        view.placeSolids(view.frame);
        stage.wake();
      }
    }
    failures = 0;
    if (state.lost) {
      state.lost = false;
      $('banner').hidden = true;
    }
  } catch (error) {
    if (error.code === 404 || error.code === 503) { /* being replaced just now */ }
    else if (++failures >= 2 && !state.lost) {
      state.lost = true;
      notice(`The viewer's server does not answer. A run that was going on is not affected. Start the viewer again with: rill view ${runs[0].index?.folder ?? 'DIR'}`);
    }
    if (runs[0].index) setStatus();
    return;
  }
  const ready = views.some((v) => v.ready) && runs[0].newest >= 0;
  if (ready && !state.begun) {
    firstLook();
    state.begun = true;
    player.live = runs[0].growing;
    player.last = runs[0].newest;
    player.frame = player.live ? player.last : 0;
    toggles();
    player.go(player.frame, false);
  }
  if (ready) {
    toggles();
    player.grown(runs[0].newest, runs.some((r) => r.growing), runs[0].index.fps);
    setTrack();
    setNow(player.frame);
  }
  $('welcome').hidden = ready;
  $('welcome').textContent = runs[0].index.status === 'missing' ? 'There is no run in this folder. It appears here as soon as there is one.' : 'The run is starting. The first frame appears here.';
  setStatus();
  if (tables++ % 2 === 0 || !runs[0].growing) refreshPlots();
}

let plotting = false, settled = false;
async function refreshPlots() {
  if (plotting || (settled && !runs.some((r) => r.growing))) return;
  plotting = true;
  try {
    for (const run of runs) if (run.scene) await run.refreshTables();
    plots.update(runs);
    settled = !runs.some((r) => r.growing);
  } catch { /* the next time */ }
  plotting = false;
}

async function poll() {
  await refresh();
  const growing = runs.some((r) => r.growing);
  setTimeout(poll, document.hidden ? 4000 : growing ? 500 : state.lost ? 1500 : 1500);
}

async function begin() {
  // The server is asked while the browser gets its graphics ready, which may take longer.
  const asked = api.getRuns().then(async (list) => {
    runs = list.runs.map((r) => new Run(r.id));
    await Promise.allSettled(runs.map((r) => r.prepare()));
  });
  asked.catch(() => {});
  drawRamp($('ramp'));
  store = new Store();
  stage = new Stage($('view'));
  plots = new Plots($('plots'), $('addplot'), $('noplots'));
  player = new Player((frame, onlyWait) => (onlyWait ? prefetch(frame - 1) : showFrame(frame)));
  let theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  try { theme = localStorage.getItem('rill-theme') ?? theme; } catch { /* the system's then */ }
  fold(narrow());
  await asked;
  views = runs.map((r) => new View(r));
  stage.setViews(views);
  setTheme(theme);
  stage.onDraw = () => { for (const view of views) view.dress(stage.renderer, look(view)); };
  listen();
  const turn = (now) => {
    player.tick(now, isHere);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  poll();
  // For tests and for the curious: what goes on inside.
  window.rill = { stage, store, player, state, runs, views, plots, viridis };
}

begin().catch((error) => notice(`The page cannot start: ${error.message}`));
