// Keys, buttons and the panel.
import { moveCut, readRange, screenshot, setColumn, setCut, setNow, setTheme, togglePart } from './controls.js';
import { narrow, panelWidth } from './first.js';
import { listenToPointer } from './pointer.js';
import { $, PARTS, page } from './page.js';
import { allColumns, showFrame } from './showing.js';

const KEYS = [
  [[' '], 'space', 'play, pause', () => { page.player.toggle(); setNow(page.player.frame); }],
  [['ArrowLeft', 'ArrowRight'], '← →', 'one frame; with shift ten', (e) => step((e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1))],
  [['Home', 'End'], 'Home End', 'first, newest frame', (e) => page.player.go(e.key === 'Home' ? 0 : page.player.last)],
  [['l'], 'L', 'stay at the newest frame', () => toggleLive()],
  [['+', '-'], '+ −', 'faster, slower', (e) => speed(e.key === '+' ? 1 : -1)],
  [['1', '2', '3', '4', '5', '6'], '1 – 6', 'surface, particles, tracers, white water, smoke, solids', (e) => togglePart(PARTS[Number(e.key) - 1])],
  [['c'], 'C', 'next colour', () => { const all = ['', ...allColumns()]; setColumn(all[(all.indexOf(page.state.column) + 1) % all.length]); }],
  [['x', 'y', 'z'], 'X Y Z', 'cut along that axis, or not', (e) => { const a = 'xyz'.indexOf(e.key); setCut(page.state.cut.axis === a ? -1 : a); }],
  [['[', ']'], '[ ]', 'move the cut', (e) => moveCut(page.state.cut.share + (e.key === '[' ? -0.02 : 0.02))],
  [['r'], 'R', 'reset the camera', () => page.stage.reset()],
  [['s'], 'S', 'save a picture', () => screenshot()],
  [['t'], 'T', 'dark or light', () => setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light')],
  [['p'], 'P', 'panel', () => fold()],
  [['?', 'h'], '?', 'this help', () => toggleHelp()],
];

function step(by) {
  page.player.playing = false;
  page.player.go(page.player.frame + by);
}

function speed(by) {
  const select = $('speed');
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
  page.player.speed = Number(select.value);
}

function toggleLive() {
  page.player.live = !page.player.live;
  if (page.player.live) {
    page.player.playing = false;
    page.player.go(page.player.last, false);
  }
  setNow(page.player.frame);
}

function toggleHelp() {
  if ($('helpbox').open) $('helpbox').close();
  else $('helpbox').showModal();
}

/** Shows or hides the panel; on wide windows the picture makes room for it. */
export function fold(folded = !$('panel').classList.contains('folded')) {
  $('panel').classList.toggle('folded', folded);
  const inset = folded ? 0 : panelWidth();
  page.stage.setInset(inset);
  $('names').style.right = `${inset}px`;
  page.plots.draw();
}

export function listen() {
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
  $('play').onclick = () => { page.player.toggle(); setNow(page.player.frame); };
  $('back').onclick = () => step(-1);
  $('next').onclick = () => step(1);
  $('scrub').oninput = () => {
    page.player.playing = false;
    page.store.forgetPrefetch();
    page.player.go(Number($('scrub').value));
  };
  $('speed').onchange = () => { page.player.speed = Number($('speed').value); };
  $('live').onclick = toggleLive;
  $('column').onchange = () => setColumn($('column').value);
  $('low').onchange = $('high').onchange = readRange;
  $('auto').onclick = () => {
    page.state.range = null;
    page.state.fitted.delete(page.state.column);
    showFrame(page.player.frame);
  };
  for (const button of $('axes').children) button.onclick = () => setCut(Number(button.dataset.axis));
  $('cut').oninput = () => moveCut(Number($('cut').value) / 1000);
  $('flip').onclick = () => {
    page.state.cut.side = -page.state.cut.side;
    page.stage.wake();
  };
  $('reset').onclick = () => page.stage.reset();
  $('shot').onclick = screenshot;
  $('theme').onclick = () => setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');
  $('help').onclick = toggleHelp;
  $('fold').onclick = () => fold();
  $('detail').onchange = () => page.stage.setDetail($('detail').value);
  let wasNarrow = narrow();
  addEventListener('resize', () => {
    fold((narrow() && !wasNarrow) || $('panel').classList.contains('folded'));
    wasNarrow = narrow();
  });
  listenToPointer();
}
