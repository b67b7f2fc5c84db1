// What all shapes have in common: where switches and cables are on the screen, in arrays, so that thousands can be drawn and searched in
// the time of a frame.

const MAX_ZOOM = 20;

export class Shape {
  constructor(torus, view) {
    this.torus = torus;
    // Where one looks outlives a new picture.
    this.view = view;
    this.xs = new Float32Array(torus.positions.length);
    this.ys = new Float32Array(torus.positions.length);
    // An edge is a line, or a stub at each end: x and y of both ends of each.
    this.lines = new Float32Array(8 * torus.edges.length);
    this.pieces = new Uint8Array(torus.edges.length).fill(1);
    // How far in front edges are, as an index of the opacities.
    this.shades = new Uint8Array(torus.edges.length);
    this.opacities = [1];
    this.thin = 1;
  }

  // Places all of it anew.
  update(width, height) {
    this.width = width;
    this.height = height;
    this.centre = [width / 2, height / 2];
    this.layout(width, height);
    for (let position = 0; position < this.xs.length; position++) {
      const [x, y] = this.project(position);
      this.xs[position] = x;
      this.ys[position] = y;
    }
    this.torus.edges.forEach((edge, i) => this.line(edge, i));
  }

  // An edge as a line.
  line(edge, i) {
    this.set(8 * i, this.xs[edge.from], this.ys[edge.from], this.xs[edge.to], this.ys[edge.to]);
  }

  set(at, x, y, toX, toY) {
    this.lines[at] = x;
    this.lines[at + 1] = y;
    this.lines[at + 2] = toX;
    this.lines[at + 3] = toY;
  }

  // Where a position is drawn.
  point(position) {
    return [this.xs[position], this.ys[position]];
  }

  // The lines that an edge is drawn as.
  strokes(edge) {
    return Array.from({ length: this.pieces[edge.index] }, (_, piece) => {
      const at = 8 * edge.index + 4 * piece;
      return [[this.lines[at], this.lines[at + 1]], [this.lines[at + 2], this.lines[at + 3]]];
    });
  }

  // Whether a line can be seen at all.
  isInSight(at) {
    const { lines, width, height } = this;
    return !((lines[at] < 0 && lines[at + 2] < 0) || (lines[at] > width && lines[at + 2] > width)
      || (lines[at + 1] < 0 && lines[at + 3] < 0) || (lines[at + 1] > height && lines[at + 3] > height));
  }

  // The switch under the pointer, null if none is near.
  nearest(x, y) {
    let best = null;
    let least = Math.max(10, this.radius + 4) ** 2;
    for (let position = 0; position < this.xs.length; position++) {
      const distance = (this.xs[position] - x) ** 2 + (this.ys[position] - y) ** 2;
      if (distance < least) {
        [best, least] = [position, distance];
      }
    }
    return best;
  }

  // The edge under the pointer, null if none is near.
  nearestEdge(x, y) {
    let best = null;
    let least = 36;
    for (let i = 0; i < this.pieces.length; i++) {
      for (let at = 8 * i; at < 8 * i + 4 * this.pieces[i]; at += 4) {
        const distance = this.distance(at, x, y);
        if (distance < least) {
          [best, least] = [i, distance];
        }
      }
    }
    return best === null ? null : this.torus.edges[best];
  }

  // The square of how far a point is from a line.
  distance(at, x, y) {
    const [ax, ay] = [this.lines[at], this.lines[at + 1]];
    const [dx, dy] = [this.lines[at + 2] - ax, this.lines[at + 3] - ay];
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return (ax + along * dx - x) ** 2 + (ay + along * dy - y) ** 2;
  }
}

// A shape that can be moved and enlarged like paper.
export class FlatShape extends Shape {
  onScreen(x, y) {
    const { zoom, east, south } = this.view;
    return [this.centre[0] + (x - this.centre[0]) * zoom + east, this.centre[1] + (y - this.centre[1]) * zoom + south];
  }

  drag(dx, dy) {
    this.view.east += dx;
    this.view.south += dy;
  }

  // What is under the pointer stays there.
  zoom(factor, x, y) {
    const zoom = Math.min(MAX_ZOOM, Math.max(1, this.view.zoom * factor));
    const change = zoom / this.view.zoom;
    this.view.zoom = zoom;
    this.view.east = zoom === 1 ? 0 : this.view.east * change + (x - this.centre[0]) * (1 - change);
    this.view.south = zoom === 1 ? 0 : this.view.south * change + (y - this.centre[1]) * (1 - change);
  }

  // Moves the picture as far as it takes to see a position. It may have been moved since it was drawn.
  reveal(position) {
    const margin = 46;
    this.update(this.width, this.height);
    const [dx, dy] = this.point(position).map((value, d) => {
      const most = 2 * this.centre[d] - margin;
      return Math.max(0, margin - value) + Math.min(0, most - value);
    });
    this.drag(dx, dy);
    this.update(this.width, this.height);
  }
}
