// The torus as slices of constant z, each a grid; links that wrap, and links to other slices, are stubs.

import { DIMENSIONS } from './model.js';
import { FlatShape } from './shape.js';

// Of links to other slices, which would hide those within.
const FAINT = 1;

export class Slices extends FlatShape {
  constructor(torus, view) {
    super(torus, view);
    // A torus of two dimensions is one slice, whichever they are.
    const order = [0, 1, 2].sort((a, b) => (torus.sizes[a] === 1) - (torus.sizes[b] === 1) || a - b);
    [this.across, this.up, this.through] = order;
    this.count = torus.sizes[this.through];
    this.opacities = [1, 0.75];
    torus.edges.forEach((edge, i) => {
      this.pieces[i] = edge.wraps || edge.d === this.through ? 2 : 1;
      this.shades[i] = edge.d === this.through ? FAINT : 0;
    });
  }

  layout(width, height) {
    this.columns = this.torus.sizes[this.across];
    this.rows = this.torus.sizes[this.up];
    let best = { cell: 0 };
    for (let wide = 1; wide <= this.count; wide++) {
      const high = Math.ceil(this.count / wide);
      const cell = Math.min(width / wide / (this.columns + 1), (height - 20 * high) / high / (this.rows + 0.3));
      if (cell > best.cell) {
        best = { cell, wide, high };
      }
    }
    this.grid = Math.min(best.cell, 110);
    this.cell = this.grid * this.view.zoom;
    this.wide = best.wide;
    this.sliceWidth = width / best.wide;
    this.sliceHeight = height / best.high;
    this.radius = Math.max(2.5, Math.min(13, this.cell * 0.16));
    this.thin = Math.min(1, Math.max(0.5, this.cell / 40));
  }

  project(position) {
    const at = this.torus.at(position);
    const slice = at[this.through];
    const left = (slice % this.wide) * this.sliceWidth + (this.sliceWidth - (this.columns - 1) * this.grid) / 2;
    const top = Math.floor(slice / this.wide) * this.sliceHeight + (this.sliceHeight - (this.rows - 1) * this.grid) / 2 + 10;
    return this.onScreen(left + at[this.across] * this.grid, top + (this.rows - 1 - at[this.up]) * this.grid);
  }

  line(edge, i) {
    if (this.pieces[i] === 1) {
      super.line(edge, i);
      return;
    }
    const step = this.cell * (edge.d === this.through ? 0.3 : 0.44);
    const [dx, dy] = edge.d === this.through ? [step, -step] : edge.d === this.across ? [step, 0] : [0, -step];
    const [x, y, farX, farY] = [this.xs[edge.from], this.ys[edge.from], this.xs[edge.to], this.ys[edge.to]];
    this.set(8 * i, x, y, x + dx, y + dy);
    this.set(8 * i + 4, farX, farY, farX - dx, farY - dy);
  }

  draw(scene) {
    this.titles(scene.context, scene.colours);
    this.bands(scene.context, scene.colours);
    scene.drawRings(this, ring => ring.d === this.through);
    scene.drawEdges(this);
    scene.drawSwitches(this);
  }

  titles(context, colours) {
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.fillStyle = colours.faint;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let slice = 0; slice < this.count && this.count > 1; slice++) {
      const x = ((slice % this.wide) + 0.5) * this.sliceWidth;
      const y = Math.floor(slice / this.wide) * this.sliceHeight + 12;
      context.fillText(`${DIMENSIONS[this.through]} = ${slice}`, ...this.onScreen(x, y));
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
      context.globalAlpha = ring.state === 'cut' ? 0.28 : 0.45;
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
