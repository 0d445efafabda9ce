// What a page shows when it opens: shared by the page and by early.js, which asks for it beforehand.

/** The newest frame of any part; -1: none yet. */
export function newestFrame(parts) {
  let newest = -1;
  for (const part of Object.values(parts ?? {})) for (const [, last] of part.frames) newest = Math.max(newest, last);
  return newest;
}

export const isGrowing = (index) => index?.status === 'running' || index?.status === 'starting';

export const firstFrame = (index) => (isGrowing(index) ? newestFrame(index.parts) : 0);

/** The part that a scene wants to be seen, or the first there is. */
export function firstPart(there, scene) {
  const look = scene.output?.look;
  if (look && there.includes(look)) return look;
  return ['surface', 'particles', 'tracers', 'volume'].find((p) => there.includes(p)) ?? 'surface';
}

/** Parts shown first. Tracers lie inside of the smoke that is made of them: one or the other. */
export function firstParts(there, scene) {
  const first = firstPart(there, scene);
  return [first, ...(first === 'volume' ? [] : ['tracers']), 'whitewater', 'solids'];
}

export const hasFrame = (parts, part, frame) => (parts?.[part]?.frames ?? []).some(([a, b]) => frame >= a && frame <= b);

/** The column that a part is fetched with when none is chosen: the liquid's own colours, or its speed, which shades water. */
export function plainColumn(parts, part) {
  const columns = parts?.[part]?.columns ?? [];
  if (columns.includes('color')) return 'color';
  if (part === 'surface') return '';
  return columns.includes('speed') ? 'speed' : columns[0] ?? '';
}

export function frameAddress(run, generation, part, frame, column) {
  const known = /^[A-Za-z0-9_.]+$/.test(column) ? `/${column}` : '';
  return `run/${run}/frame/${part}/${frame}${known}#${generation}`;
}

export const narrow = () => matchMedia('(max-width: 720px)').matches;

/** Pixels at the right that the panel covers when it is open. */
export const panelWidth = () => (narrow() ? 0 : 304);

/** What the canvas is, apart from liquid: the background, the lines of the domain. */
export const GROUND = { dark: { horizon: 0x1a232b, line: 0xc7d6e2 }, light: { horizon: 0xe6ebef, line: 0x3c5263 } };

export function firstTheme() {
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  try {
    const kept = localStorage.getItem('rill-theme');
    return kept in GROUND ? kept : system;
  } catch {
    return system;
  }
}

/** Asks for everything that a picture needs; without smooth edges, which cost a machine without a graphics processor four times
 * the work. */
export const CONTEXT = { alpha: true, depth: true, stencil: false, antialias: false, premultipliedAlpha: true, preserveDrawingBuffer: false, powerPreference: 'high-performance' };

/** Whether the browser draws without a graphics processor. */
export function drawsInSoftware(context) {
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software/i.test(String(info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : ''));
}
