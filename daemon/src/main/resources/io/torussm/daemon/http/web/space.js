// The torus in three dimensions, seen from a point that the pointer moves; links that wrap are stubs.

import { Shape } from './shape.js';

export class Space extends Shape {
  constructor(torus, view) {
    super(torus, view);
    this.opacities = [0.45, 0.63, 0.81, 1];
    this.depths = new Float32Array(torus.positions.length);
    torus.edges.forEach((edge, i) => {
      this.pieces[i] = edge.wraps ? 2 : 1;
    });
  }

  layout(width, height) {
    const span = Math.hypot(...this.torus.sizes.map(size => size + 0.2));
    this.scale = (0.98 * Math.min(width, height) / span) * this.view.zoom;
    this.radius = Math.max(2.5, Math.min(11, this.scale * 0.12));
    this.thin = Math.min(1, Math.max(0.5, this.scale / 40));
    this.sin = [Math.sin(this.view.turn), Math.sin(this.view.tilt)];
    this.cos = [Math.cos(this.view.turn), Math.cos(this.view.tilt)];
    this.middle = this.torus.sizes.map(size => (size - 1) / 2);
    this.far = 5 / Math.max(...this.torus.sizes);
  }

  // East and down on the screen, and how far away.
  projected(atX, atY, atZ) {
    const [x, y, z] = [atX - this.middle[0], atY - this.middle[1], atZ - this.middle[2]];
    const east = x * this.cos[0] - y * this.sin[0];
    const north = x * this.sin[0] + y * this.cos[0];
    const depth = north * this.cos[1] - z * this.sin[1];
    const up = north * this.sin[1] + z * this.cos[1];
    const near = this.scale * 14 / (14 + depth * this.far);
    return [this.centre[0] + east * near, this.centre[1] - up * near, depth];
  }

  project(position) {
    const [sizeX, sizeY] = this.torus.sizes;
    const row = Math.floor(position / sizeX);
    const point = this.projected(position % sizeX, row % sizeY, Math.floor(row / sizeY));
    this.depths[position] = point[2];
    return point;
  }

  line(edge, i) {
    const span = Math.max(...this.torus.sizes);
    this.shades[i] = Math.round(3 * Math.min(1, Math.max(0, 0.5 - this.depths[edge.from] / span)));
    if (!edge.wraps) {
      super.line(edge, i);
      return;
    }
    [edge.from, edge.to].forEach((position, piece) => {
      const at = this.torus.at(position);
      at[edge.d] += piece === 0 ? 0.4 : -0.4;
      const [x, y] = this.projected(...at);
      this.set(8 * i + 4 * piece, this.xs[position], this.ys[position], x, y);
    });
  }

  draw(scene) {
    scene.drawRings(this, () => true);
    scene.drawEdges(this);
    scene.drawSwitches(this, this.farFirst());
    this.axes(scene);
  }

  // Positions, the farthest first.
  farFirst() {
    const order = Uint32Array.from(this.depths.keys());
    return order.sort((a, b) => this.depths[b] - this.depths[a]);
  }

  drag(dx, dy) {
    this.view.turn += dx * 0.008;
    this.view.tilt = Math.min(1.55, Math.max(-1.55, this.view.tilt + dy * 0.008));
  }

  zoom(factor) {
    this.view.zoom = Math.min(6, Math.max(0.4, this.view.zoom * factor));
  }

  axes({ context, colours }) {
    const origin = [34, this.height - 34];
    const zero = this.projected(0, 0, 0);
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    ['x', 'y', 'z'].forEach((name, d) => {
      const tip = this.projected(...[0, 1, 2].map(e => (e === d ? 1 : 0)));
      const length = 24 / this.scale;
      const end = [origin[0] + (tip[0] - zero[0]) * length, origin[1] + (tip[1] - zero[1]) * length];
      context.strokeStyle = colours.faint;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(...origin);
      context.lineTo(...end);
      context.stroke();
      context.fillStyle = colours.ink;
      context.fillText(name, origin[0] + (end[0] - origin[0]) * 1.4, origin[1] + (end[1] - origin[1]) * 1.4);
    });
  }

  // Those on the axes, and all where there is room.
  label(position) {
    const at = this.torus.at(position);
    const isOnAxis = at.filter(value => value === 0).length >= 2;
    return this.scale > 140 || (isOnAxis && this.scale > 40) ? at.join(',') : '';
  }
}
