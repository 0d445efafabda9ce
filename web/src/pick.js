// What a ray meets first: particles, triangles of the surface, solids, gauges. By brute force over
// the arrays that are drawn: a million takes some milliseconds, and nothing has to be kept for it.
import * as THREE from 'three';

const caster = new THREE.Raycaster();

function kept(cut, x, y, z) {
  return !cut || cut.normal.x * x + cut.normal.y * y + cut.normal.z * z + cut.constant >= 0;
}

function pickDots(frame, radius, ray, cut) {
  const { origin: o, direction: d } = ray, p = frame.position, { size } = frame;
  let best = Infinity, index = -1;
  for (let i = 0, j = 0; i < frame.count; i++, j += 3) {
    const x = p[j] - o.x, y = p[j + 1] - o.y, z = p[j + 2] - o.z;
    const t = x * d.x + y * d.y + z * d.z;
    if (t <= 0 || t >= best) continue;
    const r = size ? size[i] * radius : radius;
    if (x * x + y * y + z * z - t * t > r * r || !kept(cut, p[j], p[j + 1], p[j + 2])) continue;
    best = t;
    index = i;
  }
  return { t: best, index };
}

/** Moeller and Trumbore 1997; gives the corner nearest to the point met. */
function pickMesh(frame, ray, cut) {
  const { origin: o, direction: d } = ray, p = frame.position, f = frame.index;
  let best = Infinity, index = -1;
  for (let k = 0; k < f.length; k += 3) {
    const a = 3 * f[k], b = 3 * f[k + 1], c = 3 * f[k + 2];
    const e1x = p[b] - p[a], e1y = p[b + 1] - p[a + 1], e1z = p[b + 2] - p[a + 2];
    const e2x = p[c] - p[a], e2y = p[c + 1] - p[a + 1], e2z = p[c + 2] - p[a + 2];
    const px = d.y * e2z - d.z * e2y, py = d.z * e2x - d.x * e2z, pz = d.x * e2y - d.y * e2x;
    const det = e1x * px + e1y * py + e1z * pz;
    if (Math.abs(det) < 1e-20) continue;
    const tx = o.x - p[a], ty = o.y - p[a + 1], tz = o.z - p[a + 2];
    const u = (tx * px + ty * py + tz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = ty * e1z - tz * e1y, qy = tz * e1x - tx * e1z, qz = tx * e1y - ty * e1x;
    const v = (d.x * qx + d.y * qy + d.z * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (e2x * qx + e2y * qy + e2z * qz) / det;
    if (t <= 0 || t >= best || !kept(cut, o.x + t * d.x, o.y + t * d.y, o.z + t * d.z)) continue;
    best = t;
    index = u > v ? (u > 1 - u - v ? f[k + 1] : f[k]) : v > 1 - u - v ? f[k + 2] : f[k];
  }
  return { t: best, index };
}

/** The site nearest to where the ray meets the plane of the cut. */
function pickCut(view, ray, look) {
  const part = view.frames.cells ? 'cells' : 'particles', frame = view.frames[part]?.data;
  if (!frame || !view.cut.object.visible) return null;
  const t = ray.distanceToPlane(look.cut.plane);
  if (t === null) return null;
  const at = ray.at(t, new THREE.Vector3()), p = frame.position;
  let best = (view.run.scene.spacing * view.cut.largest) ** 2, index = -1;
  for (let i = 0, j = 0; i < frame.count; i++, j += 3) {
    const x = p[j] - at.x, y = p[j + 1] - at.y, z = p[j + 2] - at.z, d2 = x * x + y * y + z * z;
    if (d2 < best) {
      best = d2;
      index = i;
    }
  }
  return index < 0 ? null : { part, index, t };
}

/** { part, index, t } of a frame's element, { name, t } of a solid or gauge, or null. */
export function pick(stage, view, x, y, rectangle, look) {
  const at = new THREE.Vector2((2 * (x - rectangle.x)) / rectangle.width - 1, 1 - (2 * (y - rectangle.y)) / rectangle.height);
  caster.setFromCamera(at, stage.camera);
  const { ray } = caster, cut = look.cut?.plane;
  let found = null;
  const nearer = (candidate) => { if (candidate && (!found || candidate.t < found.t)) found = candidate; };
  const h = view.run.scene.spacing;
  if (view.particles.object.visible) {
    const hit = pickDots(view.particles.frame, h / 2, ray, cut);
    if (hit.index >= 0) nearer({ part: 'particles', ...hit });
  }
  for (const part of ['tracers', 'whitewater']) {
    if (!view[part].object.visible) continue;
    const hit = pickDots(view[part].frame, h / 4, ray, cut);
    if (hit.index >= 0) nearer({ part, ...hit });
  }
  if (view.surface.object.visible && view.surface.frame.index) {
    const hit = pickMesh(view.surface.frame, ray, cut);
    if (hit.index >= 0) nearer({ part: 'surface', ...hit });
  }
  if (look.cut) nearer(pickCut(view, ray, look));
  for (const object of [...(look.solids ? view.solidMeshes : []), ...view.pins.children]) {
    if (!object) continue;
    const [hit] = caster.intersectObject(object, false);
    if (hit && kept(cut, hit.point.x, hit.point.y, hit.point.z)) nearer({ name: object.name, t: hit.distance });
  }
  return found;
}
