// What the performance manager counted last, by port, and how busy links are by that.

import { Marks } from './marks.js';
import { Refused, ask, has, list } from './server.js';

// Bits that a lane carries for each bit of data: 8b/10b up to QDR, 64b/66b beyond.
const CODED_SPEED = 10;

const OFF = 'the performance manager is off';

// Data bytes a second that fit on a link; 0 if nobody knows.
function capacity({ width, speed }) {
  const signalled = parseInt(width, 10) * Number(speed) * 1e9 / 8;
  return Number.isFinite(signalled) ? signalled * (Number(speed) <= CODED_SPEED ? 8 / 10 : 64 / 66) : 0;
}

export class Counters {
  // Why there are none; empty if there are, or may be.
  problem = '';

  byPort = new Map();

  marks = new Marks();

  // Whether the SM counts at all: asked in passing.
  async look() {
    await this.marks.refresh();
    await this.tried(async () => (await has('counters') ? (await ask('api/v1/counters?limit=1')).body.total : 0));
  }

  async refresh() {
    await this.marks.refresh();
    await this.tried(async () => {
      const items = await list('counters');
      this.byPort = new Map(items.map(item => [`${item.guid}/${item.port}`, item]));
      return items.length;
    });
  }

  async tried(count) {
    try {
      this.problem = await count() > 0 ? '' : OFF;
    } catch (problem) {
      if (!(problem instanceof Refused)) {
        throw problem;
      }
      this.problem = problem.status === 404 || problem.status === 503 ? OFF : problem.message;
    }
  }

  of(guid, port) {
    return this.byPort.get(`${guid}/${port}`) ?? null;
  }

  // Samples of a port, the oldest first.
  async history(guid, port) {
    const { body } = await ask(`api/v1/counter-history?${new URLSearchParams({ guid, port })}`);
    return body.samples ?? [];
  }

  // The counters of all ports of a link, null if none has any.
  ends(torus, { link }) {
    const found = link.ports.flatMap(([near, far]) => [
      this.of(torus.switches[link.from].guid, near), this.of(torus.switches[link.to].guid, far),
    ]).filter(each => each !== null);
    return found.length > 0 ? found : null;
  }

  // The busiest cable and direction, as a share of what fits.
  traffic(torus, edge) {
    const fits = capacity(edge.link);
    const ends = this.ends(torus, edge);
    return ends === null || fits === 0 ? null : Math.max(...ends.map(each => each.xmitBytesPerSecond ?? 0)) / fits;
  }

  // The share of time in which a port had something to send and no credits.
  congestion(torus, edge) {
    const ends = this.ends(torus, edge);
    return ends && Math.max(...ends.map(each => each.xmitWaitShare ?? 0));
  }

  // An hour, of all ports together.
  errors(torus, edge) {
    const ends = this.ends(torus, edge);
    return ends && ends.reduce((sum, each) => sum + (each.errorsPerHour ?? 0), 0);
  }
}
