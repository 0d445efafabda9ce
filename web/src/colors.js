// Colour maps as textures, and numbers as people read them.
import * as THREE from 'three';

// Viridis at ten places, as the pictures of rill render have it.
const VIRIDIS = [[68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]];
// Calm water dark, fast water light.
const WATER = [[12, 52, 92], [20, 84, 132], [32, 116, 168], [58, 148, 196], [104, 182, 216], [160, 212, 234], [214, 236, 246], [246, 251, 253]];

function mapTexture(stops) {
  const data = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at)), f = at - k;
    for (let c = 0; c < 3; c++) data[4 * i + c] = stops[k][c] + f * (stops[k + 1][c] - stops[k][c]);
    data[4 * i + 3] = 255;
  }
  const texture = new THREE.DataTexture(data, 256, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export const viridis = mapTexture(VIRIDIS);
export const water = mapTexture(WATER);

export function drawRamp(canvas) {
  const context = canvas.getContext('2d');
  const image = context.createImageData(256, 1);
  image.data.set(viridis.image.data);
  context.putImageData(image, 0, 0);
}

/** Three or four digits, whatever the size. */
export function short(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  if (size >= 1000) return value.toFixed(0);
  return String(Number(value.toPrecision(4)));
}

const UNITS = { speed: 'm/s', max_speed: 'm/s', pressure: 'Pa', density: 'kg/m³', volume: 'm³', kinetic: 'J', potential: 'J', t: 's', dt: 's', wall_s: 's', age: 's', temperature: 'K' };
export const unitOf = (name) => UNITS[name] ?? '';
export const labelOf = (name) => name.replace(/^stage_s\./, 'time: ').replaceAll('_', ' ');
