// Plans that were committed before: a slider over them, if the SM keeps them.

import { byId, time } from './dom.js';
import { Refused, has, list } from './server.js';

const DIFFERENCES = [
  ['nodesRemoved', 'nodes gone'], ['nodesAdded', 'nodes new'], ['cablesRemoved', 'cables gone'], ['cablesAdded', 'cables new'],
  ['entries', 'forwarding entries'], ['sls', 'SLs'], ['rings', 'rings'],
];

// How much a change changed.
function difference(change) {
  const all = DIFFERENCES.filter(([key]) => change[key] > 0).map(([key, words]) => `${change[key]} ${words}`);
  return change.isFirst || all.length === 0 ? '' : `: ${all.join(', ')}`;
}

export class Timeline {
  // `on` takes the moment that is to be looked at, '' for now
  constructor(on) {
    this.on = on;
    this.changes = [];
    this.slider = byId('when');
    this.slider.addEventListener('input', () => this.say());
    this.slider.addEventListener('change', () => this.chosen());
    byId('earlier').addEventListener('click', () => this.step(-1));
    byId('later').addEventListener('click', () => this.step(1));
    ['now', 'past-now'].forEach(id => byId(id).addEventListener('click', () => on('')));
  }

  async refresh(at) {
    try {
      // It is there from the beginning, so that the picture does not move when the first change comes.
      byId('timeline').hidden = !await has('changes');
      this.changes = byId('timeline').hidden ? [] : await list('changes');
    } catch (problem) {
      if (!(problem instanceof Refused)) {
        throw problem;
      }
      this.changes = [];
    }
    this.show(at);
  }

  // The moment that is looked at; what was committed last is now.
  show(at) {
    const last = this.changes.length - 1;
    const index = this.changes.findIndex(change => change.at === at);
    this.slider.disabled = last < 1;
    this.slider.max = Math.max(0, last);
    this.slider.value = at === '' || index < 0 ? last : index;
    byId('now').disabled = at === '';
    this.say();
  }

  chosen() {
    const index = Number(this.slider.value);
    this.on(index >= this.changes.length - 1 ? '' : this.changes[index].at);
  }

  step(by) {
    this.slider.value = Math.max(0, Math.min(this.changes.length - 1, Number(this.slider.value) + by));
    this.chosen();
  }

  // What was committed at a moment, in words.
  words(at) {
    const change = this.changes.find(each => each.at === at);
    return change ? `sweep ${change.sweep}, ${time(change.at)}${difference(change)}` : at;
  }

  say() {
    const index = Number(this.slider.value);
    const last = this.changes.length - 1;
    const text = index < last ? this.words(this.changes[index].at) : 'now';
    byId('when-text').textContent = text;
    this.slider.setAttribute('aria-valuetext', text);
    byId('earlier').disabled = index === 0;
    byId('later').disabled = index >= last;
  }
}
