// Where the camera of a scene stands: plain numbers, shared by the page and by the glimpse that comes before it.

/** The corners of the domain; in two dimensions it is a spacing thick. */
export function domainOf(scene) {
  const two = scene.dimensions === 2, h = scene.spacing, { min, max } = scene.domain;
  return { min: [min[0], min[1], two ? -h / 2 : min[2] ?? 0], max: [max[0], max[1], two ? h / 2 : max[2] ?? 0] };
}

export const diagonal = ({ min, max }) => Math.hypot(...max.map((x, k) => x - min[k]));

/** A number or a vector at a time, or its keyframes there, between which it goes in straight lines. */
export function valueAt(value, time) {
  const keys = value?.keyframes;
  if (!keys?.length) return value;
  const next = keys.findIndex((key) => key.t > time), b = keys[next < 0 ? keys.length - 1 : next], a = keys[Math.max(0, (next < 0 ? keys.length : next) - 1)];
  const share = b.t > a.t ? Math.max(0, (time - a.t) / (b.t - a.t)) : 0, mix = (x, y) => x + share * (y - x);
  return Array.isArray(a.value) ? a.value.map((x, k) => mix(x, b.value[k])) : mix(a.value, b.value);
}

/** { eye, target, fov, near, far } as the scene wants it at a time, or so that the domain fits. aspect: of what a view has for itself. */
export function cameraOf(scene, aspect, time = 0) {
  const domain = domainOf(scene), { min, max } = domain, size = diagonal(domain);
  const own = Object.fromEntries(['eye', 'target', 'fov'].map((key) => [key, valueAt(scene.camera?.[key], time)]));
  const near = 0.005 * size, far = 40 * size;
  if (own.fov > 0) {
    // The scene's picture is 16:9; a narrow window steps back until it all fits.
    const back = Math.max(1, Math.min(4, 0.88 * (16 / 9) / aspect));
    return { eye: own.target.map((x, k) => x + back * (own.eye[k] - x)), target: own.target, fov: own.fov, near, far };
  }
  const fov = 32, tan = Math.tan((fov * Math.PI) / 360), target = min.map((x, k) => (x + max[k]) / 2);
  const flat = scene.dimensions === 2;
  const away = flat
    ? 1.18 * Math.max((max[1] - min[1]) / 2 / tan, (max[0] - min[0]) / 2 / tan / aspect)
    : 0.62 * size / tan / Math.min(1, aspect * 1.1);
  const way = flat ? [0, 0, 1] : [0.55, 0.42, 1], length = Math.hypot(...way);
  return { eye: target.map((x, k) => x + (away * way[k]) / length), target, fov, near, far };
}

/** Projection times view, column by column; the picture's middle is moved left by half of `shift`, a share of its width. */
export function cameraMatrix({ eye, target, fov, near, far }, aspect, shift) {
  const unit = (v) => v.map((x) => x / Math.hypot(...v));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const back = unit(eye.map((x, k) => x - target[k])), right = unit(cross([0, 1, 0], back)), up = cross(back, right);
  const y = 1 / Math.tan((fov * Math.PI) / 360), x = y / aspect;
  const rows = [
    right.map((r, k) => x * r + shift * back[k]),
    up.map((u) => y * u),
    back.map((b) => (-(far + near) / (far - near)) * b),
    back.map((b) => -b),
  ];
  const ends = [0, 0, (-2 * far * near) / (far - near), 0];
  const out = new Float32Array(16);
  rows.forEach((row, i) => {
    for (let k = 0; k < 3; k++) out[4 * k + i] = row[k];
    out[12 + i] = ends[i] - dot(row, eye);
  });
  return out;
}
