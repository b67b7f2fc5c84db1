// The path that is asked for: its ends, what the SM says of it, and where it is in the picture.

import { byId } from './dom.js';
import { pair } from './model.js';
import * as panels from './panels.js';
import { ask } from './server.js';

// The positions and edges that a path goes over.
function drawn(torus, found) {
  const positions = found.hops.map(hop => torus.positionOfHop(hop)).filter(position => position !== undefined);
  const last = found.to && torus.endOfLid.get(found.to.lid);
  if (last && found.hops.length > 0 && positions.at(-1) !== torus.positionOf.get(last.sw) && found.isGood) {
    positions.push(torus.positionOf.get(last.sw));
  }
  const steps = [];
  for (let i = 1; i < positions.length; i++) {
    const edge = torus.edgeOfPair.get(pair(positions[i - 1], positions[i]));
    if (edge) {
      steps.push({ edge, isForth: edge.from === positions[i - 1] });
    }
  }
  return { positions, steps };
}

export class Paths {
  // Ends that were picked in the picture, one after the other.
  picked = [];

  // Counts what was asked: an answer that comes late is none.
  turn = 0;

  // `on` takes what is to be looked at: go({ from, to, level })
  constructor(state, go) {
    this.state = state;
    this.go = go;
    byId('path-form').addEventListener('submit', event => {
      event.preventDefault();
      this.submit();
    });
    byId('level').addEventListener('change', () => go({ level: byId('level').value }));
    byId('clear').addEventListener('click', () => this.set([]));
  }

  // Asks for what is looked at.
  async show() {
    const { link, names } = this.state;
    this.turn++;
    const found = ['from', 'to'].map(key => (link[key] === '' ? null : names.find(link[key])));
    const bad = found.map((each, i) => ({ ...each, id: ['src', 'dst'][i] })).filter(each => each.problem);
    this.state.path = null;
    if (link.at !== '') {
      panels.path(found.some(each => each) ? { problem: 'paths exist for the present only; this is the past' } : null);
    } else if (bad.length > 0) {
      this.propose(bad);
    } else if (found.every(each => each)) {
      await this.ask(found.map(each => each.lid));
    } else {
      panels.path(null);
    }
  }

  async ask([src, dst]) {
    const { link, torus } = this.state;
    const { turn } = this;
    let found;
    try {
      found = (await ask(`api/path?${new URLSearchParams({ src, dst, level: link.level })}`)).body;
    } catch (problem) {
      found = { problem: problem.message };
    }
    if (turn === this.turn) {
      panels.path(found);
      this.state.path = found.hops ? { found, ...drawn(torus, found) } : null;
    }
  }

  propose(bad) {
    const proposals = bad.filter(each => each.proposals.length > 0).map(each => ({ id: each.id, words: each.proposals }));
    panels.path({ notes: bad.map(each => each.problem), proposals }, (id, word) => {
      byId(id).value = word;
      this.submit();
    });
  }

  // One end after the other; the third begins anew.
  take(name) {
    const isNew = this.picked.length === 2 || (this.picked.length === 0 && this.state.link.from !== '');
    this.set(isNew ? [name] : [...this.picked, name]);
  }

  set(ends) {
    this.picked = ends;
    this.go({ from: ends[0] ?? '', to: ends[1] ?? '' });
    this.fill();
  }

  submit() {
    this.picked = [];
    this.go({ from: byId('src').value.trim(), to: byId('dst').value.trim() });
  }

  // The form as the address has it.
  fill() {
    const { link } = this.state;
    byId('src').value = link.from;
    byId('dst').value = link.to;
    byId('level').value = link.level;
  }
}
