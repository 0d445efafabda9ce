// The renderer, the camera that all views share, light and surroundings. Draws when something has
// changed, and not otherwise: the machine's time belongs to the simulation.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { cameraOf } from './camera.js';
import { CONTEXT, GROUND, drawsInSoftware } from './first.js';

const THEMES = {
  dark: { ...GROUND.dark, floor: 0x36424b, dust: 0xdfe9f0, exposure: 1.2 },
  light: { ...GROUND.light, floor: 0xb4bec6, dust: 0x3d4d5a, exposure: 0.86 },
};

const SLOW = 6; // slow pictures in a row before detail is left out

/** The canvas with its context, and whether the browser draws without a graphics processor. Smooth edges are chosen with
 * the context: they come with a canvas in place of this one where there is a processor for them. `old` is the canvas below it
 * that keeps its picture until there is another. */
function prepare(canvas) {
  const context = canvas.getContext('webgl2', CONTEXT), software = drawsInSoftware(context);
  if (software || !context) return { canvas, context, software, old: null };
  const smooth = canvas.cloneNode();
  canvas.after(smooth);
  return { canvas: smooth, context: smooth.getContext('webgl2', { ...CONTEXT, antialias: true }), software, old: canvas };
}

/** Soft lamps in a pale room: what water mirrors. Made here, so that nothing is loaded. */
function surroundings(renderer) {
  const room = new THREE.Scene();
  const sky = new THREE.Mesh(new THREE.SphereGeometry(50, 32, 16), new THREE.ShaderMaterial({
    side: THREE.BackSide,
    vertexShader: 'varying vec3 way; void main() { way = normalize(position); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: `varying vec3 way;
      void main() {
        float h = normalize(way).y;
        vec3 c = mix(vec3(0.62, 0.72, 0.8), vec3(0.28, 0.46, 0.66), smoothstep(0.0, 0.9, h));
        c = mix(vec3(0.2, 0.21, 0.22), c, smoothstep(-0.15, 0.12, h));
        gl_FragColor = vec4(c, 1.0);
      }`,
  }));
  room.add(sky);
  const lamp = (x, y, z, w, h, power) => {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(w, h), new THREE.MeshBasicMaterial({ color: new THREE.Color(power, power, power * 0.97), side: THREE.DoubleSide }));
    mesh.position.set(x, y, z);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  lamp(0, 30, 4, 26, 12, 5);
  lamp(28, 14, 18, 9, 16, 3.5);
  lamp(-30, 12, 10, 7, 18, 2.6);
  lamp(-6, 10, -34, 24, 6, 2.2);
  const generator = new THREE.PMREMGenerator(renderer);
  const texture = generator.fromScene(room, 0.02).texture;
  generator.dispose();
  return texture;
}

export class Stage {
  /** glimpsed: the canvas has a picture already (glimpse.js), which stays until there is a better one. */
  constructor(element, glimpsed = false) {
    const { canvas, context, software, old } = prepare(element);
    this.canvas = canvas;
    this.old = old;
    this.glimpsed = glimpsed;
    this.software = software;
    document.documentElement.classList.toggle('rich', !software);
    this.renderer = new THREE.WebGLRenderer({ canvas, context: context ?? undefined });
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.localClippingEnabled = true;
    this.renderer.autoClear = false;
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => this.wake());
    this.moved = false; // by hand
    this.controls.addEventListener('start', () => { this.moved = true; });
    this.views = [];
    this.dirty = true;
    this.detail = 'auto'; // or 'fine', 'fast'
    this.slow = this.software ? SLOW : 0; // slow pictures in a row
    this.inset = 0; // pixels at the right that the panel covers
    this.pictures = 0; // drawn so far
    this.onDraw = () => {};
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => this.wake());
    const turn = () => {
      requestAnimationFrame(turn);
      this.controls.update();
      if (this.dirty && !document.hidden) this.#draw();
    };
    requestAnimationFrame(turn);
  }

  wake() { this.dirty = true; }

  /** Without refraction and shadows: on machines that draw slowly, or when asked. */
  get fast() { return this.detail === 'fast' || (this.detail === 'auto' && this.slow >= SLOW); }

  setDetail(detail) {
    this.detail = detail;
    if (detail === 'auto') this.slow = this.software ? SLOW : 0;
    this.resize();
  }

  setInset(pixels) {
    this.inset = pixels;
    if (!this.moved) this.reset();
    this.wake();
  }

  /** The surroundings take a while on slow machines: after the first picture. */
  #furnish() {
    if (this.environment) return;
    this.environment = surroundings(this.renderer);
    for (const view of this.views) {
      view.scene.environment = this.environment;
      view.scene.remove(view.glow);
    }
    this.wake();
  }

  setViews(views) {
    this.views = views;
    for (const view of views) {
      if (view.sun) continue;
      view.scene.environment = this.environment ?? null;
      view.glow = new THREE.HemisphereLight(0xcfe3f2, 0x5b5f63, 1.6); // until the surroundings are there
      if (!this.environment) view.scene.add(view.glow);
      view.sun = new THREE.DirectionalLight(0xfff4e4, 2.1);
      view.sun.shadow.mapSize.set(1024, 1024);
      view.sun.shadow.intensity = 0.55;
      view.scene.add(view.sun, view.sun.target);
    }
    this.resize();
  }

  setTheme(name) {
    const t = THEMES[name];
    this.theme = { ...t, background: new THREE.Color(t.horizon) }; // what the ground fades into
    this.renderer.toneMappingExposure = t.exposure;
    for (const view of this.views) view.setTheme(this.theme);
    this.wake();
  }

  resize() {
    const width = Math.max(1, this.canvas.clientWidth), height = Math.max(1, this.canvas.clientHeight);
    const ratio = Math.min(devicePixelRatio, this.fast ? 1 : 2), { renderer, canvas } = this;
    // A canvas loses its picture with its size, even when that stays the same.
    if (renderer.getPixelRatio() !== ratio || canvas.width !== Math.floor(width * ratio) || canvas.height !== Math.floor(height * ratio)) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(width, height, false);
    }
    if (!this.moved) this.reset();
    this.wake();
  }

  /** Puts the camera where the scene wants it, or so that the domain fits. */
  reset() {
    const view = this.views.find((v) => v.ready);
    if (!view) return;
    this.moved = false;
    for (const v of this.views) if (v.ready) this.#light(v);
    const { eye, target, fov, near, far } = cameraOf(view.run.scene, this.aspect, Math.max(0, view.frame) / (view.run.index?.fps || 30));
    Object.assign(this.camera, { fov, near, far });
    this.controls.minDistance = 0.02 * view.size;
    this.controls.maxDistance = 8 * view.size;
    this.controls.target.set(...target);
    this.camera.position.set(...eye);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.wake();
  }

  /** Of what a view has for itself, without the panel. */
  get aspect() {
    const width = this.canvas.clientWidth - this.inset;
    return width / Math.max(1, this.views.length) / Math.max(1, this.canvas.clientHeight);
  }

  #light(view) {
    const middle = view.domain.getCenter(new THREE.Vector3()), s = view.size;
    view.sun.position.copy(middle).add(new THREE.Vector3(0.5 * s, 1.2 * s, 0.7 * s));
    view.sun.target.position.copy(middle);
    const c = view.sun.shadow.camera;
    Object.assign(c, { left: -0.75 * s, right: 0.75 * s, top: 0.75 * s, bottom: -0.75 * s, near: 0.1 * s, far: 3 * s });
    c.updateProjectionMatrix();
    view.sun.shadow.normalBias = 0.004 * s;
    view.sun.shadow.radius = 4;
  }

  /** Where view k is on the canvas, in its pixels from the top left. A single view goes on behind the panel. */
  rectangle(k) {
    const count = this.views.length, all = this.canvas.clientWidth, width = (all - this.inset) / count;
    return { x: k * width, y: 0, width: count === 1 ? all : width, height: this.canvas.clientHeight };
  }

  /** The camera for a view in this rectangle. */
  #aim(r) {
    const { camera } = this;
    camera.aspect = r.width / r.height;
    // The middle of the picture is that of the part beside the panel.
    if (this.views.length === 1 && this.inset) camera.setViewOffset(r.width, r.height, this.inset / 2, 0, r.width, r.height);
    else camera.clearViewOffset();
    camera.updateProjectionMatrix();
  }

  #draw() {
    this.dirty = false;
    if ((this.software || this.glimpsed) && this.views.some((v) => v.ready) && !this.views.some((v) => v.frame >= 0)) return; // soon
    if (this.glimpsed && this.software && !this.environment) this.#furnish();
    const begin = performance.now(), { renderer, camera, fast } = this;
    renderer.shadowMap.enabled = !fast;
    this.onDraw();
    renderer.setScissorTest(true);
    this.views.forEach((view, k) => {
      const r = this.rectangle(k);
      if (view.sun) view.sun.castShadow = !fast;
      this.#aim(r);
      if (view.ready) view.volume.prepare(renderer, view.scene, camera, r);
      renderer.setViewport(r.x, r.y, r.width, r.height);
      renderer.setScissor(r.x, r.y, r.width, r.height);
      renderer.clear();
      renderer.render(view.scene, camera);
    });
    if (this.views.some((view) => view.frame >= 0)) {
      if (++this.pictures === 1) {
        performance.mark(this.glimpsed ? 'full picture' : 'first picture');
        this.old?.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
        this.old?.remove();
        setTimeout(() => this.#furnish(), 30);
      }
      this.#watch(begin);
    }
  }

  /** Pictures that take long cost the simulation as well: then refraction is left out. */
  #watch(begin) {
    if (this.detail !== 'auto' || this.fast || this.pictures < 4) return;
    this.renderer.getContext().finish();
    this.slow = performance.now() - begin > 120 ? this.slow + 1 : 0;
    if (this.fast) this.resize();
  }

  /** The picture as a file. */
  async picture() {
    this.#draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}
