// One run in three dimensions: its domain, solids, gauges, and the parts of the frame shown.
import * as THREE from 'three';
import { domainOf } from './camera.js';
import { Cut } from './cut.js';
import { gaugePins } from './gauges.js';
import { Dots, Surface } from './parts.js';
import { DRAWN } from './page.js';
import { Smoke } from './smoke.js';

export class View {
  constructor(run) {
    this.run = run;
    this.scene = new THREE.Scene();
    this.group = new THREE.Group();
    this.scene.add(this.group);
    this.frame = -1; // shown now
    this.frames = {}; // part -> decoded frame shown now
    this.solidMeshes = [];
    this.ready = false;
  }

  /** Everything that depends on the scene alone. */
  build(theme) {
    const scene = this.run.scene;
    this.group.clear();
    const two = scene.dimensions === 2, h = scene.spacing, corners = domainOf(scene);
    const min = new THREE.Vector3(...corners.min), max = new THREE.Vector3(...corners.max);
    this.domain = new THREE.Box3(min, max);
    this.size = min.distanceTo(max);
    this.surface = new Surface(this.size);
    this.particles = new Dots({ size: 1.05 * h * (scene.method === 'grid' ? 0.5 : 1), soft: false });
    this.tracers = new Dots({ size: 0.35 * h, soft: true });
    this.whitewater = new Dots({ size: 0.22 * h, soft: true });
    this.volume = new Smoke(this.size);
    this.cut = new Cut(this.domain, h, scene.method === 'grid' && Boolean(this.run.parts.cells));
    this.solids = new THREE.Group();
    this.pins = new THREE.Group();
    const box = new THREE.LineSegments(new THREE.EdgesGeometry(new THREE.BoxGeometry(...max.clone().sub(min).toArray())), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35, fog: false }));
    box.position.copy(min).add(max).multiplyScalar(0.5);
    this.box = box;
    this.floor = two ? null : floor(this.domain, this.size);
    if (this.floor) this.group.add(this.floor);
    for (const object of [box, this.solids, this.pins, this.surface.object, this.particles.object, this.tracers.object, this.whitewater.object, this.volume.object, this.cut.object]) this.group.add(object);
    this.pins.add(...gaugePins(scene, this.domain, this.size));
    this.solidMeshes = [];
    this.ready = true;
    this.setTheme(theme);
  }

  setTheme(theme) {
    this.scene.background = theme.background;
    // For the ground alone.
    this.scene.fog = this.ready && this.floor ? new THREE.Fog(theme.horizon, 2.2 * this.size, 7 * this.size) : null;
    if (!this.ready) return;
    this.box.material.color.set(theme.line);
    if (this.floor) this.floor.material.color.set(theme.floor);
    this.plain = theme.dust;
  }

  /** A solid's triangles, in its own coordinates; replaces what it had. */
  setSolid(k, frame) {
    this.solidMeshes[k]?.removeFromParent();
    let geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(frame.position, 3));
    if (frame.index) geometry.setIndex(new THREE.BufferAttribute(frame.index, 1));
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x96918a, roughness: 0.85, side: THREE.DoubleSide, fog: false }));
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.name = this.run.solids[k].name;
    this.solidMeshes[k] = mesh;
    this.solids.add(mesh);
    this.placeSolids(this.frame);
  }

  /** From the coordinates of solid k to the world. */
  #pose(k, frame) {
    const m = this.run.poses.matrix(k, Math.max(0, frame));
    return new THREE.Matrix4(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
  }

  /** Solids, and the gauges that move along with one. */
  placeSolids(frame) {
    if (!this.run.poses) return;
    this.solidMeshes.forEach((mesh, k) => mesh.matrix.copy(this.#pose(k, frame)));
    for (const pin of this.pins.children) {
      const k = pin.userData.with;
      if (k >= 0 && k < this.run.poses.solids) pin.matrix.copy(this.#pose(k, frame)).multiply(this.#pose(k, 0).invert()).multiply(pin.userData.start);
    }
  }

  /** The decoded frame of each part that is to be seen. */
  show(frame, parts) {
    this.frame = frame;
    this.frames = parts;
    for (const name of DRAWN) this[name].show(parts[name] && parts[name].shown !== false ? parts[name].data : null);
    this.placeSolids(frame);
  }

  /** What the cut is through: { data, column } of the cells, or of the particles; undefined: nothing. */
  get sites() { return this.frames.cells ?? this.frames.particles; }

  /** Colours, cut and sizes, before a picture is drawn. */
  dress(renderer, look) {
    if (!this.ready) return;
    const clip = look.cut ? look.cut.plane : null;
    const shared = { ...look, cut: clip, plain: this.plain };
    this.surface.look(shared);
    this.particles.look(shared);
    this.tracers.look(shared);
    this.whitewater.look({ ...shared, plain: 0xffffff });
    this.volume.look(shared);
    // Each kind of material is a shader to be compiled: the first picture does without the ground and the pins.
    this.pins.visible = !look.first;
    if (this.floor) this.floor.visible = !look.first;
    this.solids.visible = look.solids;
    for (const mesh of this.solidMeshes) if (mesh) {
      const planes = clip ? [clip] : [];
      if ((mesh.material.clippingPlanes?.length ?? 0) !== planes.length) mesh.material.needsUpdate = true;
      mesh.material.clippingPlanes = planes;
    }
    const sites = this.sites?.data;
    if (look.cut && sites?.count) this.cut.draw(renderer, sites, look.cut.axis, look.cut.at, look.colored ? look.range : look.cutRange);
    else this.cut.hide();
  }
}

/** The ground the domain stands on: takes shadows and fades into the distance. */
function floor(domain, size) {
  const mesh = new THREE.Mesh(new THREE.CircleGeometry(9 * size, 96), new THREE.MeshLambertMaterial({ envMapIntensity: 0 }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.set((domain.min.x + domain.max.x) / 2, domain.min.y - 0.002 * size, (domain.min.z + domain.max.z) / 2);
  mesh.receiveShadow = true;
  return mesh;
}
