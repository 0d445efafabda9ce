// Frames, tables and poses as src/serve/wire.h describes them, decoded into typed arrays.

const CHUNK = 256;
const HEADER = 80, SMOKE_HEADER = 72;
const NORMALS = 1, COLUMN = 2, COLORS = 4, SIZES = 8;
export const LEVELS = 4095;
const NORMAL_LEVELS = 2047;
const OCTAVE = 24;

/** The differences of one chunk, `bits` wide, into `out`; one kind of array in and out keeps it fast. */
function unpackChunk(words, at, bits, count, out) {
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  let word = at, shift = 0;
  for (let k = 0; k < count; k++) {
    let v = words[word] >>> shift;
    shift += bits;
    if (shift >= 32) {
      shift -= 32;
      word++;
      if (shift > 0) v |= words[word] << (bits - shift);
    }
    out[k] = v & mask;
  }
}

const scratch = new Uint32Array(CHUNK);

/** Reads a channel chunk by chunk: take(begin, count, base) finds the differences in `scratch`. Returns its end. */
function channel(words, at, count, take) {
  for (let begin = 0; begin < count; begin += CHUNK) {
    const n = Math.min(CHUNK, count - begin), base = words[at] | 0, bits = words[at + 1];
    if (!(bits <= 32)) throw new Error('a damaged frame');
    if (bits === 0) scratch.fill(0);
    else unpackChunk(words, at + 2, bits, n, scratch);
    take(begin, n, base);
    at += 2 + CHUNK / 32 * bits;
  }
  return at;
}

/** A channel as floats: base and differences times scale, plus add; every stride-th place from offset on. */
const floats = (words, at, count, out, stride, offset, scale, add) => channel(words, at, count, (begin, n, base) => {
  for (let k = 0, o = begin * stride + offset; k < n; k++, o += stride) out[o] = (base + scratch[k]) * scale + add;
});
const shorts = (words, at, count, out) => channel(words, at, count, (begin, n, base) => {
  for (let k = 0; k < n; k++) out[begin + k] = base + scratch[k];
});
const longs = (words, at, count, out) => channel(words, at, count, (begin, n, base) => {
  for (let k = 0; k < n; k++) out[begin + k] = base + scratch[k];
});

// Linear light, as normalised 16-bit numbers, of the levels of its square root.
const LIGHT = Uint16Array.from({ length: 256 }, (_, k) => Math.round(65535 * (k / 255) ** 2));

const light = (words, at, count, out, component) => channel(words, at, count, (begin, n, base) => {
  for (let k = 0; k < n; k++) out[4 * (begin + k) + component] = LIGHT[(base + scratch[k]) & 255];
});

/** Sizes of points in spacings of the scene, from their logarithms. */
const sizes = (words, at, count, out) => channel(words, at, count, (begin, n, base) => {
  for (let k = 0; k < n; k++) out[begin + k] = 2 ** ((base + (scratch[k] | 0)) / OCTAVE);
});

/** Octahedral coordinates back to unit vectors, as normalised 16-bit numbers. */
function unfold(coordinates, count) {
  const out = new Int16Array(4 * count);
  for (let i = 0; i < count; i++) {
    let x = coordinates[2 * i], y = coordinates[2 * i + 1];
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) {
      const fx = (1 - Math.abs(y)) * (x < 0 ? -1 : 1);
      y = (1 - Math.abs(x)) * (y < 0 ? -1 : 1);
      x = fx;
    }
    const s = 32767 / Math.sqrt(x * x + y * y + z * z);
    out[4 * i] = x * s;
    out[4 * i + 1] = y * s;
    out[4 * i + 2] = z * s;
  }
  return out;
}

/** A frame file: points, or a mesh when `triangle` is not null. */
function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint32(0, true) !== 0x574c4952 || view.getUint32(4, true) !== 1) throw new Error('not a frame');
  const flags = view.getUint32(8, true), count = view.getUint32(12, true), triangles = view.getUint32(16, true);
  const quantum = view.getFloat32(20, true);
  // A float32 of a decimal such as 1e-5 is off by 3e-8 of it: less than a thousandth of a quantum in the largest domain.
  const words = new Uint32Array(buffer);
  let at = HEADER / 4;
  const position = new Float32Array(3 * count);
  for (let axis = 0; axis < 3; axis++) at = floats(words, at, count, position, 3, axis, quantum, view.getFloat64(32 + 8 * axis, true));
  let normal = null, level = null, color = null, size = null, index = null;
  if (flags & NORMALS) {
    const folded = new Float32Array(2 * count);
    for (let k = 0; k < 2; k++) at = floats(words, at, count, folded, 2, k, 2 / NORMAL_LEVELS, -1);
    normal = unfold(folded, count);
  }
  if (flags & COLUMN) at = shorts(words, at, count, level = new Uint16Array(count));
  if (flags & COLORS) {
    color = new Uint16Array(4 * count).fill(65535);
    for (let k = 0; k < 3; k++) at = light(words, at, count, color, k);
  }
  if (flags & SIZES) at = sizes(words, at, count, size = new Float32Array(count));
  if (triangles) at = longs(words, at, 3 * triangles, index = new Uint32Array(3 * triangles));
  if (at > words.length) throw new Error('a frame that was cut off');
  return {
    count, triangles, position, normal, level, color, size, index,
    time: view.getFloat64(24, true),
    low: view.getFloat32(56, true), high: view.getFloat32(60, true),
    p02: view.getFloat32(64, true), p98: view.getFloat32(68, true),
    bytes: position.byteLength + (normal?.byteLength ?? 0) + (level?.byteLength ?? 0) + (color?.byteLength ?? 0) + (size?.byteLength ?? 0) + (index?.byteLength ?? 0),
  };
}

export function frameBuffers(frame) {
  return [frame.position, frame.normal, frame.level, frame.color, frame.size, frame.index].filter(Boolean).map((a) => a.buffer);
}

/** Smoke: levels of density in a box of samples, x fastest. */
function decodeSmoke(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < SMOKE_HEADER || view.getUint32(4, true) !== 1) throw new Error('not smoke');
  const samples = [8, 12, 16].map((at) => view.getUint32(at, true)), count = samples[0] * samples[1] * samples[2];
  if (!(count <= 2 ** 24)) throw new Error('a damaged frame');
  const level = new Uint8Array(count), words = new Uint32Array(buffer);
  if (shorts(words, SMOKE_HEADER / 4, count, level) > words.length) throw new Error('a frame that was cut off');
  return {
    count, samples, level, high: view.getFloat32(20, true), time: view.getFloat64(24, true),
    origin: [32, 40, 48].map((at) => view.getFloat64(at, true)), cell: view.getFloat64(56, true), p98: view.getFloat32(64, true),
    bytes: level.byteLength,
  };
}

/** What the bytes say they are. */
export function decode(buffer) {
  const smoke = buffer.byteLength >= 4 && new DataView(buffer).getUint32(0, true) === 0x564c4952;
  return smoke ? decodeSmoke(buffer) : decodeFrame(buffer);
}

/** A table: { start, rows, total, columns: [{ name, values }] }. */
export function decodeTable(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 24 || view.getUint32(0, true) !== 0x544c4952) throw new Error('not a table');
  const start = view.getUint32(4, true), rows = view.getUint32(8, true), count = view.getUint32(12, true);
  const columns = [];
  for (let k = 0; k < count; k++) {
    const name = new Uint8Array(buffer, 24 + 64 * k, 64);
    const end = name.indexOf(0);
    columns.push({
      name: new TextDecoder().decode(name.subarray(0, end < 0 ? 64 : end)),
      values: new Float32Array(buffer, 24 + 64 * count + 4 * rows * k, rows),
    });
  }
  return { start, rows, total: view.getUint32(16, true), columns };
}

/** Where the solids are: matrix(solid, frame) gives 12 numbers, row by row. */
export function decodePoses(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 16 || view.getUint32(0, true) !== 0x504c4952) throw new Error('not poses');
  const solids = view.getUint32(4, true), frames = view.getUint32(8, true);
  const values = new Float32Array(buffer, 16);
  return {
    solids, frames,
    matrix(solid, frame) {
      const k = Math.max(0, Math.min(frames - 1, frame));
      return values.subarray(12 * (solid * frames + k), 12 * (solid * frames + k) + 12);
    },
  };
}
