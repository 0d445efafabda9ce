// A cut through the cells: on the plane, every point has the colour of the nearest site.
//
// Sites near the plane are drawn into a picture of it as discs whose depth is the distance from the
// site, so that the depth test finds the nearest: the exact Voronoi diagram of the sites, cut by
// the plane. Cubes of a grid use the distance of a cube. Lines are where neighbours differ.
import * as THREE from 'three';
import { LEVELS } from './wire.js';
import { viridis } from './colors.js';
import { lookUniforms } from './parts.js';

const PIXELS = 1024;

export class Cut {
  constructor(domain, spacing, cubes) {
    this.domain = domain;
    this.spacing = spacing;
    this.target = new THREE.WebGLRenderTarget(16, 16, { minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
    this.camera = new THREE.OrthographicCamera();
    this.sites = new THREE.Points(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      uniforms: {
        ...lookUniforms(), axis: { value: new THREE.Vector3(1, 0, 0) }, at: { value: 0 },
        reach: { value: spacing * (cubes ? 0.5 : 0.8) }, perMetre: { value: 1 }, own: { value: 0 }, sized: { value: 0 }, largest: { value: 1 }, cubes: { value: cubes ? 1 : 0 },
      },
      vertexShader: `
        attribute float level, size; attribute vec3 color;
        uniform vec3 axis; uniform float at, reach, perMetre, own, sized, largest;
        uniform sampler2D map; uniform vec2 levels, range;
        varying vec3 vColor; varying float vAway, vName, vDepth;
        void main() {
          float value = levels.x + level * levels.y;
          float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
          vColor = own > 0.5 ? color : texture2D(map, vec2(t * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
          float r = sized > 0.5 ? size * reach : reach;
          vAway = (dot(axis, position) - at) / r;
          vDepth = r / (sized > 0.5 ? largest * reach : reach); // distances are compared in metres
          vName = 0.25 + 0.75 * fract(float(gl_VertexID) * 0.61803398875);
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_Position.z = 0.0;
          if (abs(vAway) >= 1.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
          gl_PointSize = 2.0 * r * perMetre;
        }`,
      fragmentShader: `
        uniform float cubes;
        varying vec3 vColor; varying float vAway, vName, vDepth;
        void main() {
          vec2 q = 2.0 * gl_PointCoord - 1.0;
          float d = cubes > 0.5 ? max(abs(vAway), max(abs(q.x), abs(q.y))) : sqrt(dot(q, q) + vAway * vAway);
          if (d > 1.0) discard;
          gl_FragDepth = d * vDepth;
          gl_FragColor = vec4(vColor, vName);
        }`,
    }));
    this.sites.frustumCulled = false;
    this.scene = new THREE.Scene();
    this.scene.add(this.sites);
    this.object = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShaderMaterial({
      uniforms: { picture: { value: this.target.texture }, pixel: { value: new THREE.Vector2() }, edge: { value: new THREE.Color(0.04, 0.07, 0.1) } },
      side: THREE.DoubleSide,
      vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: `
        uniform sampler2D picture; uniform vec2 pixel; uniform vec3 edge; varying vec2 at;
        void main() {
          vec4 here = texture2D(picture, at);
          if (here.a < 0.1) discard;
          float line = 0.0;
          line += step(0.002, abs(here.a - texture2D(picture, at + vec2(pixel.x, 0.0)).a));
          line += step(0.002, abs(here.a - texture2D(picture, at + vec2(0.0, pixel.y)).a));
          gl_FragColor = vec4(mix(here.rgb, edge, min(1.0, line) * 0.35), 1.0);
          #include <colorspace_fragment>
        }`,
    }));
    this.object.visible = false;
    this.frame = null;
    this.largest = 1; // of the sites, in spacings
  }

  /** Draws the picture anew; axis 0, 1, 2 and the place on it. */
  draw(renderer, frame, axis, at, range) {
    const { min, max } = this.domain;
    if (frame !== this.frame) {
      this.frame = frame;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(frame.position, 3));
      geometry.setAttribute('level', new THREE.BufferAttribute(frame.level ?? new Uint16Array(frame.count), 1));
      if (frame.color) geometry.setAttribute('color', new THREE.BufferAttribute(frame.color, 4, true));
      if (frame.size) geometry.setAttribute('size', new THREE.BufferAttribute(frame.size, 1));
      this.largest = frame.size ? frame.size.reduce((a, b) => Math.max(a, b), 0) : 1;
      this.sites.geometry.dispose();
      this.sites.geometry = geometry;
    }
    // The picture's right and up; its normal is axis.
    const u = axis === 0 ? 2 : 0, v = axis === 1 ? 2 : 1;
    const pad = this.spacing, low = [min.x - pad, min.y - pad, min.z - pad], high = [max.x + pad, max.y + pad, max.z + pad];
    const width = high[u] - low[u], height = high[v] - low[v];
    const perMetre = PIXELS / Math.max(width, height);
    this.target.setSize(Math.max(16, Math.round(width * perMetre)), Math.max(16, Math.round(height * perMetre)));
    this.object.material.uniforms.pixel.value.set(1 / this.target.width, 1 / this.target.height);
    const right = [0, 0, 0], up = [0, 0, 0];
    right[u] = 1;
    up[v] = 1;
    const middle = [0, 1, 2].map((k) => (low[k] + high[k]) / 2);
    middle[axis] = at;
    const basis = new THREE.Matrix4().makeBasis(new THREE.Vector3(...right), new THREE.Vector3(...up), new THREE.Vector3(...right).cross(new THREE.Vector3(...up)));
    basis.setPosition(...middle);
    Object.assign(this.camera, { left: -width / 2, right: width / 2, top: height / 2, bottom: -height / 2, near: -1e3, far: 1e3 });
    this.camera.matrixAutoUpdate = false;
    this.camera.matrix.copy(basis);
    this.camera.matrixWorld.copy(basis);
    this.camera.matrixWorldInverse.copy(basis).invert();
    this.camera.matrixWorldAutoUpdate = false;
    this.camera.updateProjectionMatrix();
    const uniforms = this.sites.material.uniforms;
    uniforms.map.value = viridis;
    uniforms.levels.value.set(frame.low, (frame.high - frame.low) / LEVELS);
    uniforms.range.value.set(range[0], range[1]);
    uniforms.axis.value.set(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0);
    uniforms.own.value = frame.color ? 1 : 0;
    uniforms.sized.value = frame.size ? 1 : 0;
    uniforms.largest.value = this.largest;
    uniforms.at.value = at;
    uniforms.perMetre.value = perMetre;
    this.object.matrixAutoUpdate = false;
    this.object.matrix.copy(basis).scale(new THREE.Vector3(width, height, 1));
    this.object.visible = true;

    const before = { target: renderer.getRenderTarget(), color: renderer.getClearColor(new THREE.Color()), alpha: renderer.getClearAlpha() };
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(before.target);
    renderer.setClearColor(before.color, before.alpha);
  }

  hide() { this.object.visible = false; }
}
