// The gauges of a scene: units of their columns, and marks where they measure.
import * as THREE from 'three';

const KINDS = ['pressure', 'height', 'velocity', 'flow', 'force'];
const kindOf = (gauge) => KINDS.find((kind) => gauge[kind] !== undefined) ?? 'pressure';

/** The unit of a column of gauges.csv: "P1", "wake.x", "push.tz". */
export function gaugeUnit(scene, column) {
  const gauge = (scene?.gauges ?? []).find(({ name }) => column === name || (column.startsWith(`${name}.`) && /^t?[xyz]$/.test(column.slice(name.length + 1))));
  if (!gauge) return '';
  const torque = /\.t[xyz]$/.test(column);
  return { pressure: 'Pa', height: 'm', velocity: 'm/s', flow: scene.dimensions === 2 ? 'm²/s' : 'm³/s', force: torque ? 'N m' : 'N' }[kindOf(gauge)];
}

function shapeOf(kind, gauge, size, domain, flat) {
  const r = 0.006 * size;
  if (kind === 'height') return new THREE.CylinderGeometry(r / 3, r / 3, domain.max.y - domain.min.y, 8);
  if (kind !== 'flow') return new THREE.SphereGeometry(r, 20, 12);
  // A ring around the disc; in two dimensions a bar as long as the line.
  return flat ? new THREE.BoxGeometry(2 * gauge.flow.radius, r / 2, r / 2) : new THREE.TorusGeometry(gauge.flow.radius, r / 3, 8, 48);
}

function placeOf(kind, gauge, domain) {
  if (kind === 'height') return [gauge.height[0], (domain.min.y + domain.max.y) / 2, gauge.height[1] ?? 0];
  const at = kind === 'flow' ? gauge.flow.center : gauge[kind];
  return [at[0], at[1], at[2] ?? 0];
}

/** Marks of a scene's gauges: meshes with a name and, in userData.with, the solid that one moves along with. Forces have none:
 * what they measure is the solid. */
export function gaugePins(scene, domain, size) {
  const material = new THREE.MeshBasicMaterial({ color: 0xff8a3c, toneMapped: false, fog: false }), pins = [];
  for (const gauge of scene.gauges ?? []) {
    const kind = kindOf(gauge), flat = scene.dimensions === 2;
    if (kind === 'force') continue;
    const mesh = new THREE.Mesh(shapeOf(kind, gauge, size, domain, flat), material);
    mesh.position.set(...placeOf(kind, gauge, domain));
    if (kind === 'flow') {
      const [x, y, z = 0] = gauge.flow.normal;
      if (flat) mesh.rotation.z = Math.atan2(y, x) + Math.PI / 2;
      else mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(x, y, z).normalize());
    }
    mesh.name = `${gauge.name} (${kind})`;
    mesh.userData.with = gauge.with ? (scene.solids ?? []).findIndex((solid) => solid.name === gauge.with) : -1;
    mesh.updateMatrix();
    mesh.userData.start = mesh.matrix.clone();
    mesh.matrixAutoUpdate = false;
    pins.push(mesh);
  }
  return pins;
}
