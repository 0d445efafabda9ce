// The first picture, before the page's own scripts are there: the liquid and the lines of its domain by one small program,
// with the scene's camera. The page draws over it with the same context, which is left as it was found.
import { cameraMatrix, cameraOf, domainOf } from './camera.js';
import { CONTEXT, GROUND, drawsInSoftware, firstTheme, panelWidth } from './first.js';
import { LEVELS } from './wire.js';

// Light is added per vertex, on the side that is seen; a normal of zero is not lit. `tint.w`: whether it stands for the colours.
const VERTEX = `#version 300 es
  in vec3 position, normal; in float level; in vec3 color; in float scale;
  uniform mat4 camera; uniform vec3 eye; uniform vec4 tint; uniform vec2 levels; uniform float size, own;
  out vec3 shade;
  void main() {
    gl_Position = camera * vec4(position, 1.0);
    gl_PointSize = max(1.0, scale * size / gl_Position.w);
    float t = clamp(levels.x + levels.y * level, 0.0, 1.0);
    vec3 water = t < 0.5 ? mix(vec3(0.004, 0.04, 0.11), vec3(0.05, 0.3, 0.55), 2.0 * t) : mix(vec3(0.05, 0.3, 0.55), vec3(0.9, 0.97, 1.0), 2.0 * t - 1.0);
    vec3 c = tint.w > 0.5 ? tint.xyz : own > 0.5 ? color : water;
    vec3 n = dot(normal, eye - position) < 0.0 ? -normal : normal;
    float lit = dot(n, n) < 0.25 ? 1.0 : 0.6 + 0.2 * n.y + 0.45 * max(0.0, dot(n, vec3(0.34, 0.81, 0.47)));
    shade = pow(min(c * lit, 1.0), vec3(1.0 / 2.2));
  }`;
const FRAGMENT = (round) => `#version 300 es
  precision mediump float;
  in vec3 shade; out vec4 seen;
  void main() {
    ${round ? 'vec2 q = 2.0 * gl_PointCoord - 1.0; float r2 = dot(q, q); if (r2 > 1.0) discard; seen = vec4(shade * (1.08 - 0.4 * r2), 1.0);' : 'seen = vec4(shade, 1.0);'}
  }`;

const rgb = (hex) => [hex >> 16, hex >> 8 & 255, hex & 255].map((c) => c / 255);
const linear = (c) => c.map((x) => x ** 2.2);

function program(gl, round) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT(round)]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    gl.deleteShader(shader);
  }
  ['position', 'normal', 'level', 'color', 'scale'].forEach((name, k) => gl.bindAttribLocation(made, k, name));
  gl.linkProgram(made);
  return made;
}

/** The corners of the domain's twelve edges. */
function edges({ min, max }) {
  const corner = (k) => [0, 1, 2].map((a) => (k >> a & 1 ? max : min)[a]), out = [];
  for (let k = 0; k < 8; k++) for (let a = 0; a < 3; a++) if (!(k >> a & 1)) out.push(...corner(k), ...corner(k | 1 << a));
  return new Float32Array(out);
}

/** A canvas that is about to be drawn on. The context takes a while: it is made while the frame is fetched. */
export class Glimpse {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl2', CONTEXT);
  }

  /** Draws frame `parts`: { surface } or { particles }, decoded; false when there is nothing it can draw. */
  draw(scene, { surface, particles }) {
    const { gl, canvas } = this, data = surface?.count ? surface : particles;
    if (!gl || !data?.count || gl.isContextLost()) return false;
    const ratio = Math.min(devicePixelRatio, drawsInSoftware(gl) ? 1 : 2), inset = panelWidth();
    const width = Math.max(1, canvas.clientWidth), height = Math.max(1, canvas.clientHeight);
    canvas.width = Math.floor(width * ratio);
    canvas.height = Math.floor(height * ratio);
    const camera = cameraOf(scene, (width - inset) / height, data.time), { horizon, line } = GROUND[firstTheme()];
    const back = rgb(horizon);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...back, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const matrix = cameraMatrix(camera, width / height, inset / width), made = [];
    const begin = (round) => {
      const p = program(gl, round), at = (name) => gl.getUniformLocation(p, name);
      made.push(() => gl.deleteProgram(p));
      gl.useProgram(p);
      gl.uniformMatrix4fv(at('camera'), false, matrix);
      gl.uniform3fv(at('eye'), camera.eye);
      return at;
    };
    let at = begin(!surface?.count);
    if (data === surface) gl.uniform4f(at('tint'), ...linear(rgb(0x2380b4)), data.color ? 0 : 1);
    else this.#levels(at, scene, data, camera, canvas.height);
    gl.uniform1f(at('own'), data.color ? 1 : 0);
    this.#put(data, made);
    if (data.index) gl.drawElements(gl.TRIANGLES, data.index.length, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(gl.POINTS, 0, data.count);
    if (data !== surface) at = begin(false);
    const faint = rgb(line).map((c, k) => back[k] + 0.35 * (c - back[k]));
    gl.uniform4f(at('tint'), ...linear(faint), 1);
    this.#put({ position: edges(domainOf(scene)) }, made);
    gl.drawArrays(gl.LINES, 0, 24);
    this.#leave(made);
    return true;
  }

  /** Particles: how large they are, and the colours of water by their speed. */
  #levels(at, scene, data, camera, pixels) {
    const { gl } = this, { min, max } = domainOf(scene), fall = 0.8 * Math.sqrt(2 * 9.81 * (max[1] - min[1]));
    const step = (data.high - data.low) / LEVELS;
    gl.uniform2f(at('levels'), data.low / fall, step / fall);
    gl.uniform1f(at('size'), (1.05 * scene.spacing * (scene.method === 'grid' ? 0.5 : 1) * pixels) / 2 / Math.tan((camera.fov * Math.PI) / 360));
  }

  /** Arrays of vertices, in an object of their own: nothing is left enabled. */
  #put({ position, normal, level, color, size, index }, made) {
    const { gl } = this, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    made.push(() => gl.deleteVertexArray(array));
    const put = (target, data) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, data, gl.STATIC_DRAW);
      made.push(() => gl.deleteBuffer(buffer));
    };
    [[position, 3, gl.FLOAT, false], [normal, 4, gl.SHORT, true], [level, 1, gl.UNSIGNED_SHORT, false], [color, 4, gl.UNSIGNED_SHORT, true], [size, 1, gl.FLOAT, false]].forEach(([data, width, type, unit], k) => {
      if (!data) return;
      put(gl.ARRAY_BUFFER, data);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, width, type, unit, 0, 0);
    });
    if (!size) gl.vertexAttrib1f(4, 1); // all of one size
    if (index) put(gl.ELEMENT_ARRAY_BUFFER, index);
  }

  #leave(made) {
    const { gl } = this;
    gl.bindVertexArray(null);
    gl.vertexAttrib1f(4, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.useProgram(null);
    gl.disable(gl.DEPTH_TEST);
    for (const clear of made) clear();
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** When everything that was asked for has been drawn. */
  async drawn() {
    const { gl, fence } = this;
    while (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await new Promise((go) => setTimeout(go, 4));
    gl.deleteSync(fence);
  }
}
