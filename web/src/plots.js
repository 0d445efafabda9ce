// Plots over time: statistics and gauges, with the moment of the frame shown. Wheel zooms, drag
// moves, double click shows all; all plots share their span of time.
import { labelOf, short, unitOf } from './colors.js';
import { gaugeUnit } from './gauges.js';

const LEFT = 44, BOTTOM = 15, TOP = 6, RIGHT = 4;

/** Round numbers that cut a span into about `count` parts. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return out;
}

/** First place in an ascending list whose value is not below x. */
function lowerBound(list, x) {
  let a = 0, b = list.length;
  while (a < b) {
    const m = (a + b) >> 1;
    if (list[m] < x) a = m + 1;
    else b = m;
  }
  return a;
}

export class Plots {
  constructor(holder, adder, empty) {
    this.holder = holder;
    this.adder = adder;
    this.empty = empty;
    this.shown = []; // { key, element, canvas, value }
    this.span = null; // [from, to] in seconds; null: all
    this.time = 0;
    this.runs = [];
    this.chosen = false; // the user has chosen plots
    adder.addEventListener('change', () => {
      if (adder.value) {
        this.chosen = true;
        this.add(adder.value);
      }
      adder.value = '';
    });
    new ResizeObserver(() => this.draw()).observe(holder);
  }

  /** What can be plotted: "gauges:P1", "stats:kinetic". */
  available() {
    const keys = [];
    for (const table of ['gauges', 'stats'])
      for (const run of this.runs)
        for (const { name } of run.tables[table]?.columns ?? [])
          if (!['t', 'frame', 'step'].includes(name) && !keys.includes(`${table}:${name}`)) keys.push(`${table}:${name}`);
    return keys;
  }

  update(runs) {
    this.runs = runs;
    const keys = this.available();
    const wanted = ['', ...keys].join();
    if (this.adder.dataset.keys !== wanted) {
      this.adder.dataset.keys = wanted;
      this.adder.replaceChildren(new Option('add…', ''));
      for (const [table, title] of [['gauges', 'Gauges'], ['stats', 'Statistics']]) {
        const mine = keys.filter((k) => k.startsWith(`${table}:`));
        if (!mine.length) continue;
        const group = document.createElement('optgroup');
        group.label = title;
        for (const key of mine) group.append(new Option(labelOf(key.split(':')[1]), key));
        this.adder.append(group);
      }
    }
    // Another run took the folder: what it does not have goes.
    if (keys.length) for (const plot of this.shown.filter((p) => !keys.includes(p.key))) this.#remove(plot);
    if (!this.chosen && keys.length && !this.shown.length) {
      const gauges = keys.filter((k) => k.startsWith('gauges:')).slice(0, 2);
      for (const key of [...gauges, 'stats:kinetic', 'stats:max_speed'].filter((k) => keys.includes(k)).slice(0, 3)) this.add(key);
    }
    this.adder.hidden = !keys.length;
    this.empty.hidden = keys.length > 0;
    this.draw();
  }

  setTime(time) {
    this.time = time;
    this.draw();
  }

  add(key) {
    if (this.shown.some((p) => p.key === key)) return;
    const element = document.createElement('div');
    element.className = 'plot';
    element.dataset.key = key;
    const name = document.createElement('div');
    name.className = 'name';
    const title = document.createElement('span');
    const quantity = key.split(':')[1];
    title.textContent = labelOf(quantity) + this.#unit(key);
    const value = document.createElement('output');
    const close = document.createElement('button');
    close.className = 'close';
    close.textContent = '×';
    close.title = close.ariaLabel = 'Remove this plot';
    name.append(title, value, close);
    const canvas = document.createElement('canvas');
    element.append(name, canvas);
    this.holder.append(element);
    const plot = { key, element, canvas, value, hover: null };
    close.onclick = () => {
      this.chosen = true;
      this.#remove(plot);
    };
    this.#listen(plot);
    this.shown.push(plot);
    this.draw();
  }

  #remove(plot) {
    plot.element.remove();
    this.shown = this.shown.filter((p) => p !== plot);
  }

  #unit(key) {
    const [table, name] = key.split(':');
    const unit = table === 'gauges' ? this.runs.map((r) => gaugeUnit(r.scene, name)).find(Boolean) : unitOf(name);
    return unit ? ` (${unit})` : '';
  }

  #listen(plot) {
    const { canvas } = plot;
    const timeAt = (event) => {
      const box = canvas.getBoundingClientRect(), [from, to] = this.visible();
      return from + ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * (to - from);
    };
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const [from, to] = this.visible(), at = timeAt(event), f = Math.exp(event.deltaY * 0.0015);
      this.#zoom(at - (at - from) * f, at + (to - at) * f);
    }, { passive: false });
    let drag = null;
    canvas.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, span: this.visible() };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (drag) {
        const [from, to] = drag.span, way = ((event.clientX - drag.x) / (canvas.clientWidth - LEFT - RIGHT)) * (to - from);
        this.#zoom(from - way, to - way);
      }
      plot.hover = timeAt(event);
      this.#drawOne(plot);
    });
    canvas.addEventListener('pointerup', () => { drag = null; });
    canvas.addEventListener('pointerleave', () => {
      plot.hover = null;
      this.#drawOne(plot);
    });
    canvas.addEventListener('dblclick', () => {
      this.span = null;
      this.draw();
    });
  }

  #zoom(from, to) {
    const [low, high] = this.whole(), least = (high - low) / 2000;
    if (to - from < least) return;
    if (to - from >= high - low) this.span = null;
    else {
      const shift = Math.max(0, low - from) - Math.max(0, to - high);
      this.span = [from + shift, to + shift];
    }
    this.draw();
  }

  whole() {
    let low = 0, high = 1e-6;
    for (const run of this.runs) {
      const t = run.series('stats', 't');
      if (!t?.length) continue;
      low = Math.min(low, t[0]);
      high = Math.max(high, t[t.length - 1]);
    }
    return [low, high];
  }

  visible() { return this.span ?? this.whole(); }

  draw() { for (const plot of this.shown) this.#drawOne(plot); }

  #drawOne(plot) {
    const { canvas } = plot;
    const scale = devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const g = canvas.getContext('2d');
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    const [table, name] = plot.key.split(':'), [from, to] = this.visible();
    const lines = this.runs.map((run, k) => ({ t: run.series(table, 't'), v: run.series(table, name), color: color(k ? '--second' : '--accent') })).filter((l) => l.t && l.v);
    let low = Infinity, high = -Infinity;
    for (const { t, v } of lines)
      for (let i = Math.max(0, lowerBound(t, from) - 1), end = Math.min(t.length, lowerBound(t, to) + 1); i < end; i++)
        if (v[i] === v[i]) {
          low = Math.min(low, v[i]);
          high = Math.max(high, v[i]);
        }
    if (!(low <= high)) return;
    if (high - low < 1e-12 + 1e-6 * Math.abs(high)) {
      low -= 0.5 * Math.abs(low) + 1e-9;
      high += 0.5 * Math.abs(high) + 1e-9;
    }
    const margin = 0.06 * (high - low);
    low -= margin;
    high += margin;
    const x = (t) => LEFT + ((t - from) / (to - from)) * (width - LEFT - RIGHT);
    const y = (v) => TOP + (1 - (v - low) / (high - low)) * (height - TOP - BOTTOM);
    g.font = '10px system-ui, sans-serif';
    g.fillStyle = color('--quiet');
    g.strokeStyle = color('--line');
    g.lineWidth = 1;
    g.beginPath();
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const v of ticks(low, high, 3)) {
      g.moveTo(LEFT, y(v));
      g.lineTo(width - RIGHT, y(v));
      g.fillText(short(v), LEFT - 5, y(v));
    }
    g.textAlign = 'center';
    g.textBaseline = 'alphabetic';
    for (const t of ticks(from, to, 4)) {
      g.moveTo(x(t), TOP);
      g.lineTo(x(t), height - BOTTOM);
      g.fillText(`${short(t)}s`, Math.min(width - 14, Math.max(LEFT, x(t))), height - 3);
    }
    g.stroke();
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, width - LEFT - RIGHT, height - BOTTOM + 1);
    g.clip();
    for (const { t, v, color: stroke } of lines) this.#line(g, t, v, from, to, x, y, stroke, width);
    g.strokeStyle = color('--text');
    g.globalAlpha = 0.7;
    g.beginPath();
    g.moveTo(x(this.time), TOP);
    g.lineTo(x(this.time), height - BOTTOM);
    g.stroke();
    g.restore();
    const at = plot.hover ?? this.time;
    plot.value.textContent = lines.map(({ t, v }) => short(v[Math.min(v.length - 1, lowerBound(t, at - 1e-9))])).join(' | ') + (plot.hover === null ? '' : ` at ${short(at)} s`);
  }

  /** Columns of pixels get their least and largest value, so that no peak is lost. */
  #line(g, t, v, from, to, x, y, stroke, width) {
    g.strokeStyle = stroke;
    g.lineWidth = 1.4;
    g.beginPath();
    const first = Math.max(0, lowerBound(t, from) - 1), end = Math.min(t.length, lowerBound(t, to) + 1);
    if (end - first < 2 * width) {
      for (let i = first; i < end; i++) if (v[i] === v[i]) g.lineTo(x(t[i]), y(v[i]));
    } else {
      for (let i = first; i < end;) {
        const column = Math.floor(x(t[i]));
        let low = Infinity, high = -Infinity;
        for (; i < end && Math.floor(x(t[i])) <= column; i++) {
          if (v[i] < low) low = v[i];
          if (v[i] > high) high = v[i];
        }
        g.lineTo(column, y(high));
        g.lineTo(column, y(low));
      }
    }
    g.stroke();
  }
}
