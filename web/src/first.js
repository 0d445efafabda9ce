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

/** The column that a part is fetched with when none is chosen: its speed, which shades water. */
export function plainColumn(parts, part) {
  const columns = parts?.[part]?.columns ?? [];
  if (part === 'surface') return '';
  return columns.includes('speed') ? 'speed' : columns[0] ?? '';
}

export function frameAddress(run, generation, part, frame, column) {
  const known = /^[A-Za-z0-9_.]+$/.test(column) ? `/${column}` : '';
  return `run/${run}/frame/${part}/${frame}${known}#${generation}`;
}
