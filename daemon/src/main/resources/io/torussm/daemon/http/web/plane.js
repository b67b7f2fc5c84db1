// A tree in levels, hosts at the bottom, or a graph whose distances are hops; it can be moved and enlarged.

import { HOST_PITCH } from './scene.js';
import { FlatShape } from './shape.js';

const MARGIN = 46;

// More hosts than that are not drawn; the card and the tables have them.
export const MAX_HOSTS = 2000;

const HOST_ROWS = 2;

export class Plane extends FlatShape {
  constructor(torus, view) {
    super(torus, view);
    this.hasLevels = torus.levels.length > 0;
  }

  layout(width, height) {
    this.room = [Math.max(1, width - 2 * MARGIN), Math.max(1, height - 2 * MARGIN)];
    if (this.hasLevels) {
      this.gaps = this.torus.levels.map(slots => this.room[0] / slots * this.view.zoom);
      this.named = this.gaps.map((gap, level) => Math.ceil(this.widest(level) / gap));
    } else {
      this.box();
    }
    const gap = this.hasLevels ? Math.min(...this.gaps) : this.scale * this.view.zoom;
    this.radius = Math.max(2.5, Math.min(11, gap * (this.hasLevels ? 0.32 : 0.16)));
    this.thin = Math.min(1, Math.max(0.25, 24 * this.view.zoom / Math.sqrt(this.torus.edges.length + 1)));
  }

  // What is to be seen of a plane, as large as there is room, and stretched a little if that fills it.
  box() {
    const all = this.torus.nodes.map((_, position) => this.torus.at(position));
    const ends = [0, 1].map(d => [Math.min(...all.map(at => at[d])), Math.max(...all.map(at => at[d]))]);
    this.middle = ends.map(([low, high]) => (low + high) / 2);
    const fits = ends.map(([low, high], d) => this.room[d] / Math.max(0.01, high - low));
    this.scale = Math.min(240, ...fits);
    this.scales = fits.map(fit => Math.min(fit, this.scale * 1.4));
  }

  project(position) {
    const at = this.torus.at(position);
    const { zoom, east, south } = this.view;
    const [x, y] = this.hasLevels ? this.onLevel(position, at) : at.map((value, d) => (value - this.middle[d]) * this.scales[d]);
    return [this.centre[0] + x * zoom + east, this.centre[1] - (this.hasLevels ? y : y * zoom) + south];
  }

  // From the middle; switches that stand too close for a pointer take turns in height.
  onLevel(position, [along, level]) {
    const rows = Math.min(5, Math.ceil(9 / this.gaps[level]));
    const turn = (this.torus.nodes[position].x % rows) - (rows - 1) / 2;
    const height = this.torus.levels.length > 1 ? level / (this.torus.levels.length - 1) - 0.5 : 0;
    return [(along - 0.5) * this.room[0], height * this.room[1] + turn * 9];
  }

  draw(scene) {
    this.hasHosts = scene.state.link.hosts === '1' && scene.state.torus.hosts <= MAX_HOSTS;
    scene.drawEdges(this);
    scene.drawSwitches(this);
    if (this.hasHosts && !scene.isCoarse) {
      scene.drawHosts(this);
    }
  }

  // How many hosts have room below a switch: in a row, and rows.
  hostRoom(position, hosts) {
    const gap = this.hasLevels ? this.gaps[this.torus.at(position)[1]] : 5 * this.radius;
    const columns = Math.max(1, Math.min(hosts, Math.floor((gap - 2) / HOST_PITCH)));
    return { columns, rows: Math.min(HOST_ROWS, Math.ceil(hosts / columns)) };
  }

  // How far below a switch its hosts reach.
  hostDepth(position) {
    const hosts = this.torus.switches[this.torus.switchAt(position)]?.hosts.length ?? 0;
    return this.hasHosts && hosts > 0 ? this.hostRoom(position, hosts).rows * HOST_PITCH + 10 : 0;
  }

  // Levels become only wider, so that all are seen.
  drag(dx, dy) {
    super.drag(dx, this.hasLevels ? 0 : dy);
  }

  zoom(factor, x, y) {
    super.zoom(factor, x, y);
    this.view.south = this.hasLevels ? 0 : this.view.south;
  }

  // Room for the longest name of a level.
  widest(level) {
    const names = this.torus.nodes.map((node, position) => (node.y === level ? this.torus.name(position).length : 0));
    return 6.2 * Math.max(...names) + (this.isMiddle(level) ? 30 : 8);
  }

  // The name: on a level of each switch, or of each second, third, .. as far as there is room; below hosts' switches, above those on top,
  // else beside.
  label(position) {
    const name = this.torus.name(position);
    if (this.hasLevels) {
      const { x, y } = this.torus.nodes[position];
      return x % this.named[y] === 0 ? name : '';
    }
    return name.length * 6.2 + 2 * this.radius + 8 < this.scale * this.view.zoom * 0.9 ? name : '';
  }

  isBeside(position) {
    return !this.hasLevels || this.isMiddle(this.torus.at(position)[1]);
  }

  isMiddle(level) {
    return level > 0 && level < this.torus.levels.length - 1;
  }

  labelPoint(position) {
    const [x, y] = this.point(position);
    if (this.isBeside(position)) {
      const isLeft = x > 2 * this.centre[0] - MARGIN - 20;
      return [x + (isLeft ? -1 : 1) * (this.radius + 4), y - this.radius - 3, isLeft ? 'right' : 'left'];
    }
    return [x, this.torus.at(position)[1] === 0 ? y + this.radius + 12 + this.hostDepth(position) : y - this.radius - 12, 'center'];
  }
}
