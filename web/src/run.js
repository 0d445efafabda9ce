// One run: its index as it grows, its scene, its tables, and which frames there are.
import * as api from './api.js';
import { frameAddress, hasFrame, isGrowing, newestFrame } from './first.js';
import { decodePoses, decodeTable } from './wire.js';

export class Run {
  /** prepared: { index, scene } that were asked for early, or null. */
  constructor(id, prepared) {
    this.id = id;
    this.prepared = prepared;
    this.index = null;
    this.scene = null;
    this.generation = null;
    this.solids = [];
    this.poses = null;
    this.tables = { stats: null, gauges: null };
  }

  /** Asks again; true when another run is in the folder now (or the first one is). */
  async refresh() {
    const early = this.prepared;
    this.prepared = null;
    this.index = early?.index ?? await api.getIndex(this.id);
    if (this.index.status === 'missing' || this.index.generation === this.generation) return false;
    this.scene = early?.scene ?? await api.getScene(this.id);
    this.generation = this.index.generation;
    this.tables = { stats: null, gauges: null };
    this.solids = [];
    this.poses = null;
    return true;
  }

  get name() { return this.scene?.name || this.index?.folder?.split('/').filter(Boolean).pop() || 'run'; }
  get growing() { return isGrowing(this.index); }
  get parts() { return this.index?.parts ?? {}; }

  /** The newest frame of any part; -1: none yet. */
  get newest() { return newestFrame(this.parts); }

  has(part, frame) { return hasFrame(this.parts, part, frame); }

  columns(part) { return this.parts[part]?.columns ?? []; }

  address(part, frame, column) {
    return frameAddress(this.id, this.generation, part, frame, column && this.columns(part).includes(column) ? column : '');
  }

  /** Rows of the tables that are new; true when there were any. */
  async refreshTables() {
    let more = false;
    for (const which of ['stats', 'gauges']) {
      const have = this.tables[which];
      try {
        const got = decodeTable(await api.getBytes(`run/${this.id}/${which}/${have?.rows ?? 0}`));
        if (have && got.start === have.rows && got.columns.length === have.columns.length) {
          if (got.rows === 0) continue;
          have.columns.forEach((column, k) => {
            const joined = new Float32Array(have.rows + got.rows);
            joined.set(column.values);
            joined.set(got.columns[k].values, have.rows);
            column.values = joined;
          });
          have.rows += got.rows;
        } else if (got.start === 0) {
          this.tables[which] = { rows: got.rows, columns: got.columns };
        } else {
          this.tables[which] = null; // other columns than before: everything anew, next time
          continue;
        }
        more = true;
      } catch (error) {
        if (!error.code) throw error; // no server; a run without gauges is no failure
      }
    }
    return more;
  }

  async loadSolids() {
    const { solids } = await api.getSolids(this.id);
    this.solids = solids;
    if (!solids.length) return;
    this.posed = this.newest;
    this.poses = decodePoses(await api.getBytes(`run/${this.id}/poses`));
  }

  /** Where bodies are in frames that are new; true when there were any. Other solids are known from the start. */
  async refreshPoses() {
    if (!this.poses || this.posed === this.newest || !this.scene.solids?.some((s) => s.body)) return false;
    const newest = this.newest;
    this.poses = decodePoses(await api.getBytes(`run/${this.id}/poses`));
    this.posed = newest;
    return true;
  }

  solidAddress(k, frame) { return `run/${this.id}/solid/${k}/${this.solids[k].deforms ? frame : 0}#${this.generation}`; }

  /** Values of a table's column by name, or undefined. */
  series(table, name) { return this.tables[table]?.columns.find((c) => c.name === name)?.values; }
}
