// The torus in three dimensions, seen from a point that the pointer moves; links that wrap are stubs.

export class Space {
  constructor(torus, view) {
    this.torus = torus;
    // Angles and zoom outlive a new torus.
    this.view = view;
  }

  layout(width, height) {
    this.centre = [width / 2, height / 2];
    const span = Math.hypot(...this.torus.sizes.map(size => size + 0.2));
    this.scale = (0.98 * Math.min(width, height) / span) * this.view.zoom;
    this.radius = Math.max(2.5, Math.min(11, this.scale * 0.12));
    this.sin = [Math.sin(this.view.turn), Math.sin(this.view.tilt)];
    this.cos = [Math.cos(this.view.turn), Math.cos(this.view.tilt)];
  }

  project(at) {
    const [x, y, z] = at.map((value, d) => value - (this.torus.sizes[d] - 1) / 2);
    const east = x * this.cos[0] - y * this.sin[0];
    const north = x * this.sin[0] + y * this.cos[0];
    const depth = north * this.cos[1] - z * this.sin[1];
    const up = north * this.sin[1] + z * this.cos[1];
    const near = 14 / (14 + depth * 5 / Math.max(...this.torus.sizes));
    return [this.centre[0] + east * this.scale * near, this.centre[1] - up * this.scale * near, depth];
  }

  point(position) {
    return this.project(this.torus.at(position));
  }

  depth(position) {
    return this.point(position)[2];
  }

  strokes(edge) {
    if (!edge.wraps) {
      return [[this.point(edge.from), this.point(edge.to)]];
    }
    const from = this.torus.at(edge.from);
    const to = this.torus.at(edge.to);
    const beyond = from.map((value, d) => value + (d === edge.d ? 0.4 : 0));
    const before = to.map((value, d) => value - (d === edge.d ? 0.4 : 0));
    return [[this.project(from), this.project(beyond)], [this.project(to), this.project(before)]];
  }

  draw(scene) {
    this.layout(scene.width, scene.height);
    const span = Math.max(...this.torus.sizes) || 1;
    scene.drawRings(this, () => true);
    scene.drawEdges(this, edge => 0.45 + 0.55 * Math.min(1, Math.max(0, 0.5 - this.depth(edge.from) / span)));
    const order = this.torus.lattice.switches.map((_, position) => position).sort((a, b) => this.depth(b) - this.depth(a));
    scene.drawSwitches(this, order);
    this.axes(scene);
  }

  drag(dx, dy) {
    this.view.turn += dx * 0.008;
    this.view.tilt = Math.min(1.55, Math.max(-1.55, this.view.tilt + dy * 0.008));
  }

  zoom(factor) {
    this.view.zoom = Math.min(6, Math.max(0.4, this.view.zoom * factor));
  }

  axes({ context, colours, height }) {
    const origin = [34, height - 34];
    const zero = this.project([0, 0, 0]);
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    ['x', 'y', 'z'].forEach((name, d) => {
      const tip = this.project([0, 1, 2].map(e => (e === d ? 1 : 0)));
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
