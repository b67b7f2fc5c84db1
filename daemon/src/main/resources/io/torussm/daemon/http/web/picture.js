// The picture: which shape, when it is drawn, and what the pointer and the keys find in it.

import { byId } from './dom.js';
import { MODES, palette, showsMarks } from './palette.js';
import * as panels from './panels.js';
import { MAX_HOSTS, Plane } from './plane.js';
import { listen } from './pointer.js';
import { Scene } from './scene.js';
import { Slices } from './slices.js';
import { Space } from './space.js';

// It is drawn with care again when it has not been moved for so long.
const REST_MS = 140;

const HOSTS_NAMED = 4;

const SHAPES = { slices: Slices, space: Space, plane: Plane };

export class Picture {
  views = { slices: { zoom: 1, east: 0, south: 0 }, space: { turn: -0.55, tilt: 0.5, zoom: 1 }, plane: { zoom: 1, east: 0, south: 0 } };

  shape = null;

  due = '';

  moved = -Infinity;

  resting = 0;

  // `state` is what is to be seen; `on` takes what happens: picked(position, edge, isEnd)
  constructor(state, on) {
    this.state = state;
    this.on = on;
    this.canvas = byId('canvas');
    this.tip = byId('tip');
    this.scene = new Scene(this.canvas, byId('over'));
    listen(this.canvas, () => this.shape, {
      moved: () => this.move(),
      hovered: (position, edge, x, y) => this.hover(position, edge, x, y),
      left: () => {
        this.tip.hidden = true;
      },
      picked: on.picked,
      stepped: key => this.step(key),
      chosen: isEnd => state.cursor !== null && on.picked(state.cursor, null, isEnd),
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  // The shapes that fit what is there; the first is drawn until another is asked for.
  fitting() {
    const { torus } = this.state;
    return !torus ? [] : torus.lattice ? ['slices', 'space', 'tables'] : torus.nodes.length > 0 ? ['plane', 'tables'] : ['tables'];
  }

  // Takes the shape that is asked for, of what is there now.
  take() {
    const { torus, link } = this.state;
    const shapes = this.fitting();
    const kind = shapes.includes(link.view) ? link.view : shapes[0];
    this.shape = SHAPES[kind] ? new SHAPES[kind](torus, this.views[kind]) : null;
    document.querySelectorAll('#shape button').forEach(each => {
      const { value } = each.dataset;
      each.hidden = value === 'plane' && !shapes.includes('plane');
      each.disabled = !shapes.includes(value);
      each.title = each.disabled ? 'no engine has placed the switches in a torus' : '';
      each.setAttribute('aria-pressed', value === kind);
    });
    document.querySelector('[data-value=plane]').textContent = torus?.levels?.length > 0 ? 'Levels' : 'Graph';
    byId('controls').hidden = !torus;
    const isTooMany = torus !== null && torus.hosts > MAX_HOSTS;
    Object.assign(byId('hosts'), {
      hidden: kind !== 'plane', disabled: isTooMany, title: isTooMany ? `more than ${MAX_HOSTS} hosts are not drawn` : '',
    });
    byId('hosts').setAttribute('aria-pressed', link.hosts === '1' && !isTooMany);
    byId('tables').hidden = kind !== 'tables';
    ['colour-label', 'legend', 'canvas', 'over'].forEach(id => {
      byId(id).hidden = !this.shape;
    });
    this.tip.hidden = true;
    // A click may come before it is drawn.
    this.shape?.update(this.canvas.clientWidth, this.canvas.clientHeight);
  }

  // All of it again.
  reset() {
    ['plane', 'slices'].forEach(kind => Object.assign(this.views[kind], { zoom: 1, east: 0, south: 0 }));
    this.draw();
  }

  // Colours, counters or the fabric are others.
  restyle() {
    const { state } = this;
    state.styleKey++;
    if (state.torus) {
      panels.modes(state);
      panels.legend(state, palette());
    }
    this.draw();
  }

  // Draws in the next frame: all, or only what is pointed at.
  draw(what = 'all') {
    if (this.due === '') {
      requestAnimationFrame(() => {
        const isAll = this.due === 'all';
        this.due = '';
        if (this.shape && isAll) {
          this.scene.draw(this.shape, this.state, palette(), performance.now() - this.moved < REST_MS);
        } else if (this.shape) {
          this.scene.drawOver(this.shape);
        }
      });
    }
    this.due = this.due === 'all' ? 'all' : what;
  }

  move() {
    this.moved = performance.now();
    this.tip.hidden = true;
    this.draw();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.draw(), REST_MS + 10);
  }

  // Moves the picture as far as it takes to see something.
  reveal({ positions, edges }) {
    const position = positions[0] ?? edges[0]?.from;
    if (position !== undefined) {
      this.shape?.reveal?.(position);
    }
    this.draw();
  }

  step(key) {
    const { state } = this;
    state.cursor = state.torus.moved(Math.min(state.cursor ?? 0, state.torus.positions.length - 1), key);
    this.reveal({ positions: [state.cursor], edges: [] });
    this.hover(state.cursor, null, ...this.shape.point(state.cursor));
    byId('said').textContent = this.describe(state.cursor);
  }

  hover(position, edge, x, y) {
    const { tip, canvas } = this;
    tip.hidden = position === null && edge === null;
    if (!tip.hidden) {
      tip.textContent = position === null ? this.describeEdge(edge) : this.describe(position);
      tip.style.left = `${Math.max(0, Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 4))}px`;
      tip.style.top = `${Math.max(0, Math.min(y + 14, canvas.clientHeight - tip.offsetHeight - 4))}px`;
    }
  }

  describe(position) {
    const { torus, counters } = this.state;
    const sw = torus.switchAt(position);
    if (sw < 0) {
      const was = torus.absentAt(position);
      return `${torus.name(position)}\nno switch${was ? `; ${was.name || was.guid} was here` : ''}`;
    }
    const { name, guid, lid, hosts } = torus.switches[sw];
    const shown = hosts.slice(0, HOSTS_NAMED).map(host => host.name).join(', ') + (hosts.length > HOSTS_NAMED ? ', ...' : '');
    const marks = showsMarks(this.state) ? counters.marks.wordsOfSwitch(torus.switches[sw]).map(line => `\n${line}`).join('') : '';
    const title = torus.lattice ? `${name} ${torus.name(position)}` : torus.name(position);
    return `${title}\nGUID ${guid}, LID ${lid}\n${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}${shown ? `: ${shown}` : ''}${marks}`;
  }

  describeShare(mode, edge, share) {
    const { torus, counters } = this.state;
    if (mode.isMarked) {
      return counters.marks.wordsOfLink(torus, edge);
    }
    return `${mode.title}: ${mode.isTrouble ? counters.errors(torus, edge) : `${(100 * share).toFixed(1)} %`}`;
  }

  describeEdge(edge) {
    const { torus, counters, link } = this.state;
    const fault = edge.isWrong ? `\nwrong cable: ${torus.fault(edge)}` : '';
    const title = `${torus.name(edge.from)} – ${torus.name(edge.to)}${fault}`;
    if (edge.link === null) {
      const lost = edge.lost.map(cable => `\n${cable.from.name} port ${cable.from.port} – ${cable.to.name} port ${cable.to.port}`);
      return `${title}\n${torus.isFailed(edge) ? 'failed' : 'a switch is missing'}${lost.join('')}`;
    }
    const { cables, from, there, back, tree } = edge.link;
    const isForth = torus.switchAt(edge.from) === from;
    const mode = MODES[link.links];
    const share = mode.isCounted ? mode.of(torus, edge, counters) : null;
    return `${title}\n${cables} ${cables === 1 ? 'cable' : 'cables'}; paths there ${isForth ? there : back}, back ${isForth ? back : there}`
      + (share === null ? '' : `\n${this.describeShare(mode, edge, share)}`)
      + (tree ? '\ncarries multicast' : '');
  }
}
