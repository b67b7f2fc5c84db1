// What all shapes are drawn with: edges, switches, the path that was asked for.

import { linkStyle } from './model.js';

export class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
  }

  // Draws anew, with sharp lines on any screen.
  draw(shape, state, colours) {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.context.lineCap = 'round';
    this.state = state;
    this.colours = colours;
    shape.draw(this);
  }

  drawEdges(shape, opacity) {
    const { torus, mode, path } = this.state;
    const onPath = new Map((path?.steps ?? []).map(step => [step.edge, step]));
    const later = [];
    for (const edge of torus.edges) {
      this.context.globalAlpha = opacity(edge) * (onPath.size > 0 ? 0.4 : 1);
      if (edge.link !== null) {
        const style = linkStyle(torus, edge, mode, this.colours);
        shape.strokes(edge).forEach(line => this.line(line, style.colour, style.width * (shape.thin ?? 1), []));
        const step = onPath.get(edge);
        if (step) {
          later.push(step);
        }
      } else {
        const isCable = torus.isFailed(edge);
        const colour = isCable ? this.colours.bad : this.colours.faint;
        shape.strokes(edge).forEach(line => this.broken(line, colour, isCable));
      }
    }
    this.context.globalAlpha = 1;
    later.forEach(step => this.step(shape, step));
    this.drawMarks(shape);
  }

  // What was pointed at in the list of what is missing.
  drawMarks(shape) {
    const { marked } = this.state;
    (marked?.edges ?? []).forEach(edge => shape.strokes(edge).forEach(line => this.glow(line, this.colours.accent, 14)));
    (marked?.positions ?? []).forEach(position => {
      const [x, y] = shape.point(position);
      this.ring(x, y, shape.radius + 8, this.colours.accent, 4);
    });
  }

  // Behind the cables of rings that are open or cut.
  drawRings(shape, isShown) {
    const { torus } = this.state;
    torus.rings.filter(ring => ring.state !== 'thinned' && isShown(ring)).forEach(ring => {
      const colour = ring.state === 'cut' ? this.colours.bad : this.colours.band;
      torus.edgesOf(ring).forEach(edge => shape.strokes(edge).forEach(line => this.glow(line, colour, 12)));
    });
  }

  glow(line, colour, width) {
    this.context.globalAlpha = 0.35;
    this.line(line, colour, width, []);
    this.context.globalAlpha = 1;
  }

  line([from, to], colour, width, dash) {
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.setLineDash(dash);
    this.context.beginPath();
    this.context.moveTo(from[0], from[1]);
    this.context.lineTo(to[0], to[1]);
    this.context.stroke();
    this.context.setLineDash([]);
  }

  // A cable that is not there is crossed out, what only lacks its switch is dashed.
  broken([from, to], colour, isCrossed) {
    this.line([from, to], colour, isCrossed ? 2.5 : 1.2, [4, 5]);
    if (isCrossed) {
      this.cross([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], 5, colour);
    }
  }

  cross([x, y], size, colour) {
    this.line([[x - size, y - size], [x + size, y + size]], colour, 3, []);
    this.line([[x - size, y + size], [x + size, y - size]], colour, 3, []);
  }

  // A hop, with an arrow; of a link that is drawn as stubs each has one.
  step(shape, { edge, isForth }) {
    const strokes = shape.strokes(edge);
    const lines = strokes.length === 1
      ? [isForth ? strokes[0] : [strokes[0][1], strokes[0][0]]]
      : isForth
        ? [strokes[0], [strokes[1][1], strokes[1][0]]]
        : [strokes[1], [strokes[0][1], strokes[0][0]]];
    for (const line of lines) {
      this.line(line, this.colours.path, 5, []);
      this.arrow(line);
    }
  }

  arrow([from, to]) {
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const [x, y] = [from[0] + (to[0] - from[0]) * 0.62, from[1] + (to[1] - from[1]) * 0.62];
    this.context.fillStyle = this.colours.path;
    this.context.beginPath();
    for (const [turn, length] of [[0, 9], [2.5, 9], [-2.5, 9]]) {
      this.context.lineTo(x + Math.cos(angle + turn) * length, y + Math.sin(angle + turn) * length);
    }
    this.context.fill();
  }

  drawSwitches(shape, positions) {
    const { torus, path, cursor } = this.state;
    const hops = new Map((path?.positions ?? []).map((position, i) => [position, i + 1]));
    for (const position of positions) {
      const [x, y] = shape.point(position);
      const sw = torus.switchAt(position);
      if (sw < 0) {
        this.absent(x, y, shape.radius);
      } else {
        this.context.globalAlpha = hops.size > 0 && !hops.has(position) ? 0.45 : 1;
        this.switch(x, y, shape.radius, hops.get(position), sw === torus.root && this.state.mode === 'tree');
        this.context.globalAlpha = 1;
      }
      const label = shape.label(position);
      if (label) {
        this.label(label, ...(shape.labelPoint?.(position) ?? [x - shape.radius - 2, y - shape.radius - 5, 'right']));
      }
      if (position === cursor) {
        this.ring(x, y, shape.radius + 6, this.colours.accent, 2);
      }
    }
  }

  switch(x, y, radius, hop, isRoot) {
    this.context.fillStyle = hop ? this.colours.path : this.colours.node;
    this.context.strokeStyle = this.colours.card;
    this.context.lineWidth = 2;
    this.context.beginPath();
    this.context.arc(x, y, hop ? Math.max(radius, 9) : radius, 0, 2 * Math.PI);
    this.context.fill();
    this.context.stroke();
    if (isRoot) {
      this.ring(x, y, radius + 4, this.colours.tree, 3);
    }
    if (hop) {
      this.context.fillStyle = this.colours.card;
      this.text(String(hop), x, y + 0.5, '700 11px');
    }
  }

  absent(x, y, radius) {
    this.context.fillStyle = this.colours.card;
    this.ring(x, y, radius, this.colours.bad, 2.5);
    this.context.fill();
    this.cross([x, y], radius * 0.5, this.colours.bad);
  }

  ring(x, y, radius, colour, width) {
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.stroke();
  }

  label(text, x, y, align) {
    this.context.lineWidth = 3;
    this.context.strokeStyle = this.colours.card;
    this.context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    this.context.textAlign = align;
    this.context.textBaseline = 'middle';
    this.context.strokeText(text, x, y);
    this.context.fillStyle = this.colours.faint;
    this.context.fillText(text, x, y);
  }

  text(text, x, y, font) {
    this.context.font = `${font} system-ui, "DejaVu Sans", sans-serif`;
    this.context.textAlign = 'center';
    this.context.textBaseline = 'middle';
    this.context.fillText(text, x, y);
  }
}
