// What all shapes are drawn with. Two layers: the fabric, which is drawn when it changes or is moved, and above it what the operator points
// at, which changes often and is little.

import { linkStyles, showsMarks } from './palette.js';

// Lines that are drawn with one stroke: many are faster than one by one, too many are slower again.
const BATCH = 160;

// Beyond so many links, lines are as thin as can be, and stubs and labels are left out, while the picture is moved.
const MANY = 2500;

// Wrong cables that have a word beside them.
const MAX_WORDS = 20;

export const HOST_PITCH = 5;

const FONT = 'system-ui, "DejaVu Sans", sans-serif';

export class Scene {
  constructor(canvas, over) {
    this.canvas = canvas;
    this.over = over;
    this.fabric = canvas.getContext('2d');
    this.pointed = over.getContext('2d');
    this.context = this.fabric;
  }

  // Sharp lines on any screen.
  size() {
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
  }

  clear(canvas, context) {
    const [width, height] = [Math.round(this.width * this.ratio), Math.round(this.height * this.ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineCap = 'butt';
    this.context = context;
  }

  // The fabric. While it is moved, a large one is drawn with less care.
  draw(shape, state, colours, isMoving) {
    this.size();
    this.state = state;
    this.colours = colours;
    this.isCoarse = isMoving && state.torus.edges.length > MANY;
    if (this.styled !== state.styleKey) {
      this.styled = state.styleKey;
      this.links = linkStyles(state.torus, state.link.links, state.counters, colours);
    }
    this.hasMarks = showsMarks(state);
    shape.update(this.width, this.height);
    this.clear(this.canvas, this.fabric);
    shape.draw(this);
    this.drawOver(shape);
  }

  // What is pointed at: the path, what was chosen in a list, what has a card, and where the keys are.
  drawOver(shape) {
    const { path, marked, chosen, cursor } = this.state;
    this.clear(this.over, this.pointed);
    const isBehind = (path?.positions.length ?? 0) > 0;
    this.canvas.classList.toggle('behind', isBehind);
    if (isBehind) {
      this.drawLost(shape);
    }
    (path?.steps ?? []).forEach(step => this.step(shape, step));
    (path?.positions ?? []).forEach((position, i) => this.hop(shape, position, i + 1));
    [marked, chosen].filter(each => each).forEach(({ positions, edges }) => {
      edges.forEach(edge => shape.strokes(edge).forEach(line => this.glow(line, this.colours.accent, 14)));
      positions.forEach(position => this.ring(...shape.point(position), shape.radius + 8, this.colours.accent, 4));
    });
    if (cursor !== null && cursor < shape.xs.length) {
      this.context.setLineDash([4, 3]);
      this.ring(...shape.point(cursor), shape.radius + 6, this.colours.ink, 2);
      this.context.setLineDash([]);
    }
  }

  drawEdges(shape) {
    const { styles, of } = this.links;
    const { shades, opacities } = shape;
    const kinds = opacities.length * styles.length;
    const byKind = Array.from({ length: kinds }, () => []);
    for (let i = 0; i < of.length; i++) {
      // Stubs can wait until the picture rests.
      if (this.state.torus.edges[i].link !== null && !this.state.torus.edges[i].isWrong && !(this.isCoarse && shape.pieces[i] > 1)) {
        byKind[shades[i] * styles.length + of[i]].push(i);
      }
    }
    byKind.forEach((edges, kind) => {
      const style = styles[kind % styles.length];
      this.context.globalAlpha = opacities[Math.floor(kind / styles.length)];
      this.context.strokeStyle = style.colour;
      this.context.lineWidth = this.isCoarse ? 1 : style.width * shape.thin;
      this.context.setLineDash(this.isCoarse ? [] : style.dash);
      this.strokes(shape, edges);
    });
    this.context.setLineDash([]);
    this.context.globalAlpha = 1;
    this.drawLost(shape);
    this.drawWrong(shape);
  }

  // Cables that no tree has, with a word; those within a level pass above the switches between.
  drawWrong(shape) {
    const { context } = this;
    this.state.torus.wrong.forEach((edge, i) => shape.strokes(edge).forEach(([[x, y], [toX, toY]]) => {
      const lift = Math.abs(y - toY) < 4 * shape.radius ? Math.min(60, 10 + Math.abs(toX - x) / 5) : 0;
      const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2 - lift];
      context.strokeStyle = this.colours.bad;
      context.lineWidth = 3;
      context.beginPath();
      context.moveTo(x, y);
      context.quadraticCurveTo(middleX, middleY - lift, toX, toY);
      context.stroke();
      if (i < MAX_WORDS) {
        this.label('wrong cable', middleX, middleY - 9, 'center');
      }
    }));
  }

  // Hosts as dots below their switches, with a number where there is no room for all.
  drawHosts(shape) {
    const { torus } = this.state;
    for (let position = 0; position < shape.xs.length; position++) {
      const sw = torus.switches[torus.switchAt(position)];
      const hosts = sw?.hosts.length ?? 0;
      const { columns, rows } = shape.hostRoom(position, hosts);
      const [x, y] = [shape.xs[position], shape.ys[position] + shape.radius + 6];
      const shown = Math.min(hosts, columns * rows);
      for (let i = 0; i < shown; i++) {
        this.context.fillStyle = this.hostColour(sw, sw.hosts[i]);
        const inRow = Math.min(columns, shown - Math.floor(i / columns) * columns);
        this.context.fillRect(x + ((i % columns) - (inRow - 1) / 2) * HOST_PITCH - 1.5, y + Math.floor(i / columns) * HOST_PITCH, 3, 3);
      }
      if (shown < hosts) {
        this.label(`+${hosts - shown}`, x, y + rows * HOST_PITCH + 3, 'center');
      }
    }
  }

  // Cables that are not there; a path does not hide them.
  drawLost(shape) {
    this.state.torus.lost.forEach(edge => {
      const isCable = this.state.torus.isFailed(edge);
      shape.strokes(edge).forEach(line => this.broken(line, isCable ? this.colours.bad : this.colours.faint, isCable));
    });
  }

  strokes(shape, edges) {
    const { context } = this;
    const { lines, pieces } = shape;
    let count = 0;
    context.beginPath();
    for (const i of edges) {
      for (let at = 8 * i; at < 8 * i + 4 * pieces[i]; at += 4) {
        if (shape.isInSight(at)) {
          context.moveTo(lines[at], lines[at + 1]);
          context.lineTo(lines[at + 2], lines[at + 3]);
          count++;
        }
      }
      if (count >= BATCH) {
        context.stroke();
        context.beginPath();
        count = 0;
      }
    }
    context.stroke();
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
    this.context.globalAlpha = 0.4;
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
      this.line(line, this.colours.card, 9, []);
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

  // A switch of the path, with its number.
  hop(shape, position, number) {
    const [x, y] = shape.point(position);
    this.disc(this.context, x, y, Math.max(shape.radius, 9), this.colours.path);
    this.context.fillStyle = this.colours.card;
    this.text(String(number), x, y + 0.5, '700 11px');
  }

  disc(context, x, y, radius, colour) {
    context.fillStyle = colour;
    context.strokeStyle = this.colours.card;
    context.lineWidth = Math.min(2, radius / 2);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  // A switch is drawn once and then copied.
  stamp(radius) {
    const key = `${radius} ${this.ratio} ${this.colours.node} ${this.colours.card}`;
    if (this.stamped !== key) {
      this.stamped = key;
      const size = Math.ceil(radius + 2) * 2;
      this.sprite = new OffscreenCanvas(Math.ceil(size * this.ratio), Math.ceil(size * this.ratio));
      const context = this.sprite.getContext('2d');
      context.scale(this.ratio, this.ratio);
      this.disc(context, size / 2, size / 2, radius, this.colours.node);
      this.spriteSize = size;
    }
  }

  // In an order, or as they are numbered.
  drawSwitches(shape, order = shape.xs.keys()) {
    const { torus, link } = this.state;
    const hasLabels = !this.isCoarse;
    this.stamp(shape.radius);
    for (const position of order) {
      const [x, y] = [shape.xs[position], shape.ys[position]];
      if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 20) {
        continue;
      }
      const sw = torus.switchAt(position);
      if (sw < 0) {
        this.absent(x, y, shape.radius);
      } else {
        this.context.drawImage(this.sprite, x - this.spriteSize / 2, y - this.spriteSize / 2, this.spriteSize, this.spriteSize);
        if (sw === torus.root && link.links === 'tree') {
          this.ring(x, y, shape.radius + 4, this.colours.tree, 3);
        } else if (this.hasMarks) {
          this.drawMarks(torus.switches[sw], x, y, shape.radius);
        }
      }
      const label = hasLabels ? shape.label(position) : '';
      if (label) {
        this.label(label, ...(shape.labelPoint?.(position) ?? [x - shape.radius - 2, y - shape.radius - 5, 'right']));
      }
    }
  }

  // Ports that no line stands for: a ring around a switch that marks packets to hosts, a dashed one around a switch of slow hosts.
  drawMarks({ guid, hosts }, x, y, radius) {
    const { marks } = this.state.counters;
    if (hosts.some(host => marks.isMarking(guid, host.port))) {
      this.ring(x, y, radius + 3, this.colours['load-high'], 3);
    }
    if (hosts.some(host => marks.isSlow(host))) {
      this.context.setLineDash([5, 3]);
      this.ring(x, y, radius + 7, this.colours['error-high'], 3);
      this.context.setLineDash([]);
    }
  }

  // A host: slowed down, or at a port that marks, or as others.
  hostColour(sw, host) {
    const { marks } = this.state.counters;
    if (!this.hasMarks) {
      return this.colours.node;
    }
    return this.colours[marks.isSlow(host) ? 'error-high' : marks.isMarking(sw.guid, host.port) ? 'load-high' : 'link'];
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
    this.context.font = `11px ${FONT}`;
    this.context.textAlign = align;
    this.context.textBaseline = 'middle';
    this.context.strokeText(text, x, y);
    this.context.fillStyle = this.colours.faint;
    this.context.fillText(text, x, y);
  }

  text(text, x, y, font) {
    this.context.font = `${font} ${FONT}`;
    this.context.textAlign = 'center';
    this.context.textBaseline = 'middle';
    this.context.fillText(text, x, y);
  }
}
