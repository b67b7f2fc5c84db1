// The torus as slices of constant z, each a grid; links that wrap, and links to other slices, are stubs.

import { DIMENSIONS } from './model.js';

export class Slices {
  constructor(torus) {
    this.torus = torus;
    // A torus of two dimensions is one slice, whichever they are.
    const order = [0, 1, 2].sort((a, b) => (torus.sizes[a] === 1) - (torus.sizes[b] === 1) || a - b);
    [this.across, this.up, this.through] = order;
    this.count = torus.sizes[this.through];
  }

  layout(width, height) {
    const columns = this.torus.sizes[this.across];
    const rows = this.torus.sizes[this.up];
    let best = { cell: 0 };
    for (let wide = 1; wide <= this.count; wide++) {
      const high = Math.ceil(this.count / wide);
      const cell = Math.min(width / wide / (columns + 1), (height - 20 * high) / high / (rows + 0.3));
      if (cell > best.cell) {
        best = { cell, wide, high };
      }
    }
    this.cell = Math.min(best.cell, 110);
    this.wide = best.wide;
    this.sliceWidth = width / best.wide;
    this.sliceHeight = height / best.high;
    this.radius = Math.max(2.5, Math.min(13, this.cell * 0.16));
    this.rows = rows;
    this.columns = columns;
  }

  // Where a position is drawn.
  point(position) {
    const at = this.torus.at(position);
    const slice = at[this.through];
    const left = (slice % this.wide) * this.sliceWidth + (this.sliceWidth - (this.columns - 1) * this.cell) / 2;
    const top = Math.floor(slice / this.wide) * this.sliceHeight + (this.sliceHeight - (this.rows - 1) * this.cell) / 2 + 10;
    return [left + at[this.across] * this.cell, top + (this.rows - 1 - at[this.up]) * this.cell];
  }

  // The lines that an edge is drawn as: one, or a stub at each end.
  strokes(edge) {
    const from = this.point(edge.from);
    const to = this.point(edge.to);
    if (edge.d === this.through) {
      const step = this.cell * 0.3;
      return [[from, [from[0] + step, from[1] - step]], [to, [to[0] - step, to[1] + step]]];
    }
    if (!edge.wraps) {
      return [[from, to]];
    }
    const step = this.cell * 0.44;
    return edge.d === this.across
      ? [[from, [from[0] + step, from[1]]], [to, [to[0] - step, to[1]]]]
      : [[from, [from[0], from[1] - step]], [to, [to[0], to[1] + step]]];
  }

  draw(scene) {
    const { context, colours, width, height } = scene;
    this.layout(width, height);
    this.titles(context, colours);
    this.bands(context, colours);
    scene.drawRings(this, ring => ring.d === this.through);
    scene.drawEdges(this, edge => edge.d === this.through ? 0.75 : 1);
    scene.drawSwitches(this, this.torus.lattice.switches.map((_, position) => position));
  }

  titles(context, colours) {
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.fillStyle = colours.faint;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let slice = 0; slice < this.count && this.count > 1; slice++) {
      const x = ((slice % this.wide) + 0.5) * this.sliceWidth;
      const y = Math.floor(slice / this.wide) * this.sliceHeight + 12;
      context.fillText(`${DIMENSIONS[this.through]} = ${slice}`, x, y);
    }
  }

  // A stripe behind every ring that is open or cut.
  bands(context, colours) {
    for (const ring of this.torus.lattice.rings) {
      if (ring.d === this.through || ring.state === 'thinned') {
        continue;
      }
      const [x, y] = this.point(ring.position);
      const half = this.radius * 1.7;
      const reach = this.cell * 0.5;
      context.fillStyle = ring.state === 'cut' ? colours.bad : colours.band;
      context.globalAlpha = 0.28;
      context.beginPath();
      if (ring.d === this.across) {
        context.roundRect(x - reach, y - half, (this.columns - 1) * this.cell + 2 * reach, 2 * half, half);
      } else {
        context.roundRect(x - half, y - (this.rows - 1) * this.cell - reach, 2 * half, (this.rows - 1) * this.cell + 2 * reach, half);
      }
      context.fill();
      context.globalAlpha = 1;
    }
  }

  // What a switch is called beside its place in the grid, up and to the left, where no link is; empty if there is no room.
  label(position) {
    const at = this.torus.at(position);
    return this.cell > 40 ? `${at[this.across]},${at[this.up]}` : '';
  }
}
