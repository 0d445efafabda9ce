// The controls: what they show, and what they change.
import * as api from './api.js';
import { labelOf, short, unitOf } from './colors.js';
import { $, DRAWN, PARTS, page } from './page.js';
import { allColumns, legendColumn, partsOf, range, showFrame } from './showing.js';

export function notice(message, forMs = 0) {
  const box = $('banner');
  box.textContent = message;
  box.hidden = false;
  clearTimeout(notice.timer);
  if (forMs) notice.timer = setTimeout(() => { if (!page.state.lost) box.hidden = true; }, forMs);
}

const NAMES = { whitewater: 'White water', volume: 'Smoke' };

export function toggles() {
  const holder = $('parts');
  const there = partsOf();
  holder.replaceChildren(...there.map((part) => {
    const button = document.createElement('button');
    button.textContent = NAMES[part] ?? part[0].toUpperCase() + part.slice(1);
    button.dataset.part = part;
    button.ariaPressed = String(page.state.show.has(part));
    button.title = `Show or hide (${PARTS.indexOf(part) + 1})`;
    button.onclick = () => togglePart(part);
    return button;
  }));
  const columns = allColumns(), select = $('column'), wantedList = columns.join();
  if (select.dataset.columns !== wantedList) {
    select.dataset.columns = wantedList;
    select.replaceChildren(new Option(page.runs.some((r) => DRAWN.some((p) => r.columns(p).includes('color'))) ? 'Own colours' : 'Water', ''), ...columns.map((c) => new Option(labelOf(c) + (unitOf(c) ? ` (${unitOf(c)})` : ''), c)));
    if (page.state.column && !columns.includes(page.state.column)) page.state.column = '';
    select.value = page.state.column;
  }
}

export function togglePart(part) {
  if (!partsOf().includes(part)) return;
  if (page.state.show.has(part)) page.state.show.delete(part);
  else {
    // Of parts that cover each other the one asked for last is shown.
    page.state.show.add(part);
    for (const [one, other] of [['surface', 'particles'], ['tracers', 'volume']])
      if (part === one) page.state.show.delete(other);
      else if (part === other) page.state.show.delete(one);
  }
  toggles();
  showFrame(page.player.frame);
}

export function setColumn(column) {
  page.state.column = column;
  page.state.range = null;
  $('column').value = column;
  const visible = DRAWN.filter((p) => page.state.show.has(p));
  // A column that nothing visible has: show what has it.
  if (column && !page.runs.some((r) => visible.some((p) => r.columns(p).includes(column)))) {
    const part = ['particles', 'tracers', 'whitewater', 'surface'].find((p) => page.runs.some((r) => r.columns(p).includes(column)));
    if (part) {
      page.state.show.add(part);
      if (part === 'particles') page.state.show.delete('surface');
      toggles();
    }
  }
  showFrame(page.player.frame);
}

export function legend() {
  const column = legendColumn();
  $('legend').hidden = !column;
  if (!column) return;
  const [low, high] = range(), unit = unitOf(column);
  // Water has no scale of its own; what is cut open shows its speed, whose range is not chosen here.
  $('scale').hidden = Boolean(page.state.column);
  $('scale').textContent = `The cut shows ${labelOf(column)}${unit ? ` (${unit})` : ''}.`;
  for (const id of ['low', 'high', 'auto']) $(id).disabled = !page.state.column;
  for (const [id, value] of [['low', low], ['high', high]]) if (document.activeElement !== $(id)) $(id).value = short(value);
  $('auto').setAttribute('aria-pressed', String(!page.state.range));
}

export function readRange() {
  const low = Number($('low').value.replace(',', '.')), high = Number($('high').value.replace(',', '.'));
  if (Number.isFinite(low) && Number.isFinite(high) && high > low) page.state.range = [low, high];
  legend();
  page.stage.wake();
}

export function setCut(axis) {
  page.state.cut.axis = axis;
  for (const button of $('axes').children) button.classList.toggle('on', Number(button.dataset.axis) === axis);
  $('cutting').hidden = axis < 0;
  moveCut(page.state.cut.share);
  showFrame(page.player.frame);
}

export function moveCut(share) {
  page.state.cut.share = Math.max(0, Math.min(1, share));
  $('cut').value = Math.round(1000 * page.state.cut.share);
  const view = page.views.find((v) => v.ready);
  if (view && page.state.cut.axis >= 0) {
    const n = 'xyz'[page.state.cut.axis], { min, max } = view.domain;
    $('cutplace').textContent = `${n} = ${short(min[n] + page.state.cut.share * (max[n] - min[n]))} m`;
  }
  page.stage.wake();
}

export const timeOf = (k) => k / (page.runs[0]?.index?.fps || 30);

export function setNow(k) {
  $('scrub').value = k;
  const all = page.runs[0]?.index?.wanted ?? page.player.last;
  $('now').textContent = `${k} / ${all}  ·  ${timeOf(k).toFixed(2)} s`;
  $('play').textContent = page.player.playing ? '❚❚' : '▶';
  $('play').ariaLabel = page.player.playing ? 'Pause' : 'Play';
  $('live').setAttribute('aria-pressed', String(page.player.live));
}

export function setTrack() {
  const all = Math.max(page.player.last, page.runs[0]?.index?.wanted ?? 0, 1);
  $('scrub').max = all;
  const share = (100 * page.player.last) / all;
  $('there').style.background = `linear-gradient(90deg, color-mix(in srgb, var(--accent) 55%, transparent) ${share}%, var(--line) ${share}%)`;
}

const STATUS = { running: 'running', starting: 'starting…', finished: 'finished', stopped: 'stopped', failed: 'failed', missing: 'no run here' };

/** Names of the runs; those of the same scene are told apart by their folders. */
function namesOf(runs) {
  const alike = runs.length > 1 && runs.every((r) => r.name === runs[0].name);
  return runs.map((r) => (alike ? r.index?.folder?.split('/').filter(Boolean).pop() : '') || r.name);
}

export function setStatus() {
  const index = page.runs[0].index, run = page.runs.find((r) => r.index?.can_stop) ?? page.runs.find((r) => r.index?.can_resume && r.index?.started_here) ?? page.runs[0];
  const titles = namesOf(page.runs);
  $('title').textContent = titles.join(' | ');
  document.title = `${titles.join(' | ')} – Rill`;
  const done = Math.max(0, page.runs[0].newest), share = index.wanted ? Math.floor((100 * done) / index.wanted) : 0;
  $('status').dataset.is = page.state.lost ? 'missing' : index.status;
  $('status').textContent = page.state.lost ? 'no connection' : STATUS[index.status] + (index.status === 'running' || index.status === 'stopped' ? ` · ${share} %` : '');
  $('stop').hidden = !run.index?.can_stop || page.state.lost;
  $('resume').hidden = !run.index?.can_resume || page.state.lost;
  $('stop').onclick = () => control(run, 'stop');
  $('resume').onclick = () => control(run, 'resume');
  if (index.status === 'failed' && index.message) notice(`The run failed: ${index.message}`);
  $('live').hidden = !page.runs.some((r) => r.growing) && !page.player.live;
  $('version').textContent = `Rill ${index.rill}`;
  const names = $('names');
  names.hidden = page.runs.length < 2;
  if (page.runs.length > 1 && names.dataset.of !== document.title) {
    names.dataset.of = document.title;
    names.replaceChildren(...page.runs.map((r, k) => Object.assign(document.createElement('div'), { textContent: `${titles[k]} · ${r.scene?.method ?? ''}` })));
  }
}

let onControl = async () => {}; // what is done after a run was stopped or resumed
export const afterControl = (call) => { onControl = call; };

async function control(run, what) {
  for (const id of ['stop', 'resume']) $(id).disabled = true;
  try {
    await api.post(run.id, what);
    notice(what === 'stop' ? 'The run stops after its step and leaves a checkpoint.' : 'The run goes on from its checkpoint.', 3000);
  } catch (error) {
    notice(`That did not work: ${error.message}`, 6000);
  }
  for (const id of ['stop', 'resume']) $(id).disabled = false;
  await onControl();
}

export async function screenshot() {
  const blob = await page.stage.picture();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${page.runs[0].name.replace(/[^A-Za-z0-9]+/g, '_')}_${String(page.player.frame).padStart(4, '0')}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function setTheme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem('rill-theme', name); } catch { /* not kept then */ }
  page.stage.setTheme(name);
  page.plots.draw();
}
