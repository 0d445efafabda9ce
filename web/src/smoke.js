// Smoke: the density of tracers or soot as a texture in three dimensions, through which rays are marched.
import * as THREE from 'three';

const STEPS = 72, FEW_STEPS = 28;

const VERTEX = `
out vec3 vPlace;
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

// Light that is scattered once towards the eye: of the sun, through the smoke between, and of the sky.
const FRAGMENT = `
precision highp sampler3D;
uniform sampler3D field;
uniform sampler2D depths;
uniform vec3 low, size, plain, sun;
uniform vec4 plane;       // what is kept has dot(plane.xyz, x) + plane.w >= 0
uniform vec2 pixels;      // of the picture
uniform vec2 corner;      // its first pixel
uniform float density;    // optical depth over a metre at level 1
uniform float near, far;
uniform int steps;
in vec3 vPlace;
out vec4 outColor;

float at(vec3 x) {
  float level = texture(field, (x - low) / size).r;
  return dot(plane.xyz, x) + plane.w < 0.0 ? 0.0 : level * level;
}

float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }

void main() {
  vec3 way = normalize(vPlace - cameraPosition);
  vec3 a = (low - cameraPosition) / way, b = (low + size - cameraPosition) / way;
  vec3 first = min(a, b), last = max(a, b);
  float begin = max(max(first.x, max(first.y, first.z)), 0.0), end = min(last.x, min(last.y, last.z));
  // Not through what is solid: the depth along the camera's axis, as a way along this ray.
  float z = 2.0 * texture(depths, (gl_FragCoord.xy - corner) / pixels).r - 1.0;
  float deep = 2.0 * near * far / (far + near - z * (far - near));
  vec3 axis = -vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
  end = min(end, deep / max(dot(way, axis), 1e-4));
  if (end <= begin) discard;
  float h = (end - begin) / float(steps), through = 1.0, lightStep = 0.06 * max(size.x, max(size.y, size.z));
  vec3 light = vec3(0.0);
  for (int k = 0; k < steps; k++) {
    vec3 x = cameraPosition + (begin + (float(k) + noise(gl_FragCoord.xy)) * h) * way;
    float here = at(x);
    if (here < 1e-5) continue;
    float lit = exp(-density * lightStep * (0.5 * at(x + 0.5 * lightStep * sun) + at(x + 1.5 * lightStep * sun)));
    float taken = exp(-density * here * h);
    light += through * (1.0 - taken) * plain * (0.35 + 0.75 * lit);
    through *= taken;
    if (through < 0.01) break;
  }
  outColor = vec4(light, 1.0 - through); // colours as the screen has them, each with its share
}`;

export class Smoke {
  constructor(domainSize) {
    this.frame = null;
    this.brightest = 0; // density that is drawn as thick smoke: the most of the frames seen
    this.domainSize = domainSize;
    this.target = null; // depths of what is solid
    const blank = new THREE.Data3DTexture(new Uint8Array(1), 1, 1, 1);
    blank.format = THREE.RedFormat;
    blank.needsUpdate = true;
    this.object = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.BackSide,
      transparent: true, premultipliedAlpha: true, depthTest: false, depthWrite: false,
      blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneMinusSrcAlphaFactor,
      uniforms: {
        field: { value: blank }, depths: { value: null }, low: { value: new THREE.Vector3() }, size: { value: new THREE.Vector3(1, 1, 1) },
        plain: { value: new THREE.Color() }, sun: { value: new THREE.Vector3(0.34, 0.81, 0.47) }, plane: { value: new THREE.Vector4(0, 0, 0, 1) },
        pixels: { value: new THREE.Vector2(1, 1) }, corner: { value: new THREE.Vector2() }, density: { value: 1 }, near: { value: 0.1 }, far: { value: 100 }, steps: { value: STEPS },
      },
    }));
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.renderOrder = 10;
  }

  show(frame) {
    this.object.visible = Boolean(frame?.count);
    if (frame === this.frame || !frame?.count) return;
    this.frame = frame;
    const u = this.object.material.uniforms, [nx, ny, nz] = frame.samples;
    u.field.value.dispose();
    const texture = new THREE.Data3DTexture(frame.level, nx, ny, nz);
    texture.format = THREE.RedFormat;
    texture.minFilter = texture.magFilter = THREE.LinearFilter;
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    u.field.value = texture;
    // Samples lie in the middle of the texture's cells.
    u.low.value.set(...frame.origin).subScalar(frame.cell / 2);
    u.size.value.set(nx, ny, nz).multiplyScalar(frame.cell);
    this.object.scale.copy(u.size.value);
    this.object.position.copy(u.low.value).addScaledVector(u.size.value, 0.5);
    this.brightest = Math.max(this.brightest, frame.p98);
  }

  look({ cut, fast, plain }) {
    const u = this.object.material.uniforms;
    u.steps.value = fast ? FEW_STEPS : STEPS;
    u.plain.value.set(plain).convertLinearToSRGB();
    u.plane.value.set(0, 0, 0, 1);
    if (cut) u.plane.value.set(cut.normal.x, cut.normal.y, cut.normal.z, cut.constant);
    // An eighth of the domain of the thickest smoke lets a twentieth of the light through.
    if (this.frame && this.brightest > 0) u.density.value = (3 * 8 * (this.frame.high / this.brightest)) / this.domainSize;
  }

  /** The depths of everything else in the scene, before the picture. */
  prepare(renderer, scene, camera, { x, width, height }) {
    if (!this.object.visible) return;
    const ratio = renderer.getPixelRatio(), w = Math.max(1, Math.floor(width * ratio)), h = Math.max(1, Math.floor(height * ratio));
    if (!this.target || this.target.width !== w || this.target.height !== h) {
      this.target?.dispose();
      this.target = new THREE.WebGLRenderTarget(w, h, { depthTexture: new THREE.DepthTexture(w, h) });
    }
    const u = this.object.material.uniforms;
    u.depths.value = null;
    this.object.visible = false;
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    this.object.visible = true;
    u.depths.value = this.target.depthTexture;
    u.pixels.value.set(w, h);
    u.corner.value.set(Math.floor(x * ratio), 0);
    u.near.value = camera.near;
    u.far.value = camera.far;
  }
}
