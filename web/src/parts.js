// What is drawn of a frame: the liquid's surface, particles, tracers. Each takes a decoded frame
// and a look (colours, range, cut), and gives back an object for the scene.
import * as THREE from 'three';
import { LEVELS } from './wire.js';
import { viridis, water } from './colors.js';

const LOOK = `
uniform sampler2D map;
uniform vec2 levels;   // value = levels.x + level * levels.y
uniform vec2 range;    // what is at the ends of the map
vec3 lookUp(float level) {
  float value = levels.x + level * levels.y;
  float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  return texture2D(map, vec2(t * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
}`;

/** The uniforms that colours need; shared by every material of a view. */
export function lookUniforms() {
  return {
    map: { value: viridis }, levels: { value: new THREE.Vector2(0, 1) }, range: { value: new THREE.Vector2(0, 1) },
    plane: { value: new THREE.Vector4(0, 0, 0, 1) }, // what is kept has dot(plane.xyz, x) + plane.w >= 0
  };
}

function setLevels(uniforms, frame) {
  uniforms.levels.value.set(frame.low, (frame.high - frame.low) / LEVELS);
}

function geometryOf(frame) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(frame.position, 3));
  if (frame.normal) geometry.setAttribute('normal', new THREE.BufferAttribute(frame.normal, 4, true));
  if (frame.level) geometry.setAttribute('level', new THREE.BufferAttribute(frame.level, 1));
  if (frame.color) geometry.setAttribute('color', new THREE.BufferAttribute(frame.color, 4, true));
  if (frame.size) geometry.setAttribute('size', new THREE.BufferAttribute(frame.size, 1));
  if (frame.index) geometry.setIndex(new THREE.BufferAttribute(frame.index, 1));
  return geometry;
}

/** An object whose geometry is that of the newest frame. */
class Part {
  constructor(object) {
    this.object = object;
    this.frame = null;
    object.frustumCulled = false;
    object.visible = false;
  }

  show(frame) {
    if (frame === this.frame) {
      this.object.visible = Boolean(frame?.count);
      return;
    }
    this.frame = frame;
    this.object.geometry.dispose();
    this.object.geometry = frame ? geometryOf(frame) : new THREE.BufferGeometry();
    this.object.visible = Boolean(frame?.count);
  }

  hide() { this.object.visible = false; }
}

export class Surface extends Part {
  constructor(size) {
    super(new THREE.Mesh(new THREE.BufferGeometry()));
    this.clipping = new THREE.Plane();
    // Water: light goes in, is bent, and loses red on its way.
    this.clear = new THREE.MeshPhysicalMaterial({
      color: 0xffffff, roughness: 0.06, metalness: 0, transmission: 1, ior: 1.33, thickness: 0.16 * size,
      attenuationColor: new THREE.Color(0.16, 0.53, 0.72), attenuationDistance: 0.2 * size, specularIntensity: 1, envMapIntensity: 1.25,
    });
    // For slow machines: the same colours without the second pass.
    this.plain = new THREE.MeshStandardMaterial({ color: 0x2a7fae, roughness: 0.16, metalness: 0, transparent: true, opacity: 0.84, envMapIntensity: 1.3, forceSinglePass: true });
    // For the first picture of such machines: a shader that is ready sooner.
    this.early = new THREE.MeshLambertMaterial({ color: 0x2a7fae, transparent: true, opacity: 0.84, forceSinglePass: true });
    // Liquid with colours of its own: paint more than water.
    this.tinted = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.2, metalness: 0, envMapIntensity: 1.1 });
    this.uniforms = lookUniforms();
    this.colored = new THREE.MeshStandardMaterial({ roughness: 0.38, metalness: 0 });
    this.colored.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader.replace('#include <common>', 'attribute float level; varying float vLevel;\n#include <common>')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvLevel = level;');
      shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `varying float vLevel;\n${LOOK}\n#include <common>`)
        .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb = lookUp(vLevel);');
    };
    this.object.castShadow = true;
    for (const material of [this.clear, this.plain, this.early, this.tinted, this.colored]) Object.assign(material, { side: THREE.DoubleSide, fog: false });
  }

  look({ colored, range, cut, fast, first }) {
    const material = colored && this.frame?.level ? this.colored : this.frame?.color ? this.tinted : first ? this.early : fast ? this.plain : this.clear;
    if (this.frame) setLevels(this.uniforms, this.frame);
    this.uniforms.range.value.set(range[0], range[1]);
    const planes = cut ? [cut] : [];
    if ((material.clippingPlanes?.length ?? 0) !== planes.length) material.needsUpdate = true;
    material.clippingPlanes = planes;
    this.object.material = material;
  }
}

/** Particles as balls, tracers as dots: sprites shaded as spheres would be. */
export class Dots extends Part {
  constructor({ size, soft }) {
    const uniforms = {
      ...lookUniforms(), radius: { value: size / 2 }, pixels: { value: 1 }, plain: { value: new THREE.Color(1, 1, 1) },
      opacity: { value: soft ? 0.55 : 1 }, coloured: { value: 1 }, own: { value: 0 },
      sized: { value: 0 }, // whether points have sizes of their own
    };
    super(new THREE.Points(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      uniforms, transparent: soft, depthWrite: !soft,
      vertexShader: `
        attribute float level, size; attribute vec3 color;
        uniform float radius, pixels, coloured, own, sized; uniform vec4 plane; uniform vec3 plain;
        varying vec3 vColor; varying float vSize;
        ${LOOK}
        void main() {
          vColor = own > 0.5 ? color : coloured > 0.5 ? lookUp(level) : plain;
          vec4 eye = modelViewMatrix * vec4(position, 1.0);
          gl_Position = projectionMatrix * eye;
          float r = sized > 0.5 ? size * radius : radius;
          vSize = max(2.0 * r * pixels * projectionMatrix[1][1] / gl_Position.w, ${soft ? '1.5' : '1.0'});
          gl_PointSize = vSize;
          // Balls that would stick out of the cut are left out; without a cut the plane has no normal.
          if (dot(plane.xyz, position) + plane.w < r * length(plane.xyz)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        }`,
      fragmentShader: `
        uniform float opacity;
        varying vec3 vColor; varying float vSize;
        void main() {
          vec2 q = 2.0 * gl_PointCoord - 1.0;
          float r2 = dot(q, q);
          if (vSize > 2.0 && r2 > 1.0) discard;
          ${soft ? 'gl_FragColor = vec4(vColor, opacity * (1.0 - 0.7 * r2));' : `
          vec3 n = vec3(q.x, -q.y, sqrt(max(0.0, 1.0 - r2)));
          float light = 0.5 + 0.5 * max(0.0, dot(n, normalize(vec3(0.35, 0.8, 0.5)))) + 0.12 * n.z;
          float shine = 0.22 * pow(max(0.0, dot(n, normalize(vec3(0.25, 0.6, 0.75)))), 24.0);
          gl_FragColor = vec4(vColor * light + shine, 1.0);`}
          #include <colorspace_fragment>
        }`,
    })));
    this.soft = soft;
  }

  /** colored: by the column; otherwise water by speed, or one colour where there is no column. */
  look({ colored, range, cut, pixels, speedRange, plain }) {
    const u = this.object.material.uniforms;
    if (this.frame) setLevels(u, this.frame);
    u.map.value = colored || this.soft ? viridis : water;
    const ends = colored ? range : speedRange;
    u.range.value.set(ends[0], ends[1]);
    u.coloured.value = this.frame?.level && (colored || !this.soft) ? 1 : 0;
    u.own.value = this.frame?.color ? 1 : 0;
    u.plain.value.set(plain);
    u.pixels.value = pixels / 2;
    u.plane.value.set(0, 0, 0, 1);
    if (cut) u.plane.value.set(cut.normal.x, cut.normal.y, cut.normal.z, cut.constant);
    u.sized.value = this.frame?.size ? 1 : 0;
  }
}
