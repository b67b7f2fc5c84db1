// Plans that were committed before: a slider over them, if the SM keeps them.

import { byId, time } from './dom.js';
import { Refused, list } from './server.js';

export class Timeline {
  // `on` takes the sweep that is to be looked at, '' for now
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
      this.changes = (await list('changes')).sort((a, b) => a.sweep - b.sweep);
    } catch (problem) {
      if (!(problem instanceof Refused)) {
        throw problem;
      }
      this.changes = [];
    }
    this.show(at);
  }

  // The sweep that is looked at; the end of the slider is now.
  show(at) {
    const index = this.changes.findIndex(change => String(change.sweep) === at);
    byId('timeline').hidden = this.changes.length === 0;
    this.slider.max = this.changes.length;
    this.slider.value = at === '' || index < 0 ? this.changes.length : index;
    byId('now').disabled = at === '';
    this.say();
  }

  chosen() {
    const change = this.changes[Number(this.slider.value)];
    this.on(change ? String(change.sweep) : '');
  }

  step(by) {
    this.slider.value = Math.max(0, Math.min(this.changes.length, Number(this.slider.value) + by));
    this.chosen();
  }

  // When the sweep was, null if nobody knows.
  at(sweep) {
    return this.changes.find(change => String(change.sweep) === sweep)?.at ?? null;
  }

  say() {
    const index = Number(this.slider.value);
    const change = this.changes[index];
    const text = change ? `sweep ${change.sweep}, ${time(change.at)}` : 'now';
    byId('when-text').textContent = text;
    this.slider.setAttribute('aria-valuetext', text);
    byId('earlier').disabled = index === 0;
    byId('later').disabled = index >= this.changes.length;
  }
}
