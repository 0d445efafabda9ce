// What the pointer rests on.
import * as api from './api.js';
import { labelOf, short, unitOf } from './colors.js';
import { narrow } from './first.js';
import { fold } from './keys.js';
import { $, page } from './page.js';
import { pick } from './pick.js';
import { look } from './showing.js';

/** What the pointer rests on, with its values from the server. */
export function listenToPointer() {
  const canvas = page.stage.canvas, tip = $('tip');
  let timer = 0, question = 0;
  const hide = () => {
    clearTimeout(timer);
    question++;
    tip.hidden = true;
  };
  canvas.addEventListener('pointermove', (event) => {
    hide();
    if (event.buttons || page.player.playing) return;
    timer = setTimeout(() => point(event, ++question), 110);
  });
  let pressed = null; // where a finger came down: a tap asks what is there, a drag turns
  canvas.addEventListener('pointerdown', (event) => {
    hide();
    pressed = event.pointerType === 'touch' && event.isPrimary ? event : null;
    if (narrow()) fold(true);
  });
  canvas.addEventListener('pointerup', (event) => {
    if (pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < 8 && !page.player.playing) point(event, ++question);
    pressed = null;
  });
  canvas.addEventListener('pointerleave', (event) => { if (event.pointerType !== 'touch') hide(); });

  async function point(event, mine) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const k = Math.min(page.views.length - 1, Math.floor((x / box.width) * page.views.length)), view = page.views[k];
    if (!view?.ready) return;
    const found = pick(page.stage, view, x, y, page.stage.rectangle(k), look(view));
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
