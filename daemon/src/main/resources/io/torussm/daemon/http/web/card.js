// The card of what was clicked: a switch, a host, or a cable.

import { bits, button, byId, drawing, element, fill, percent, table, time } from './dom.js';
import { ask } from './server.js';

// Ports of which a card shows how much they sent.
const MAX_SPARKS = 12;

const WAIT_MS = 400;

const KINDS = { switch: 'switch', ca: 'host', router: 'router' };

function facts(rows) {
  const made = element('dl');
  rows.filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== 0).forEach(([name, value]) => {
    const fact = element('dd');
    fact.append(typeof value === 'number' ? String(value) : value);
    made.append(element('dt', name), fact);
  });
  return made;
}

// What was sent, sample by sample, as a line; in words for those who do not see it.
function spark(samples) {
  const values = samples.map(sample => sample.xmitBytesPerSecond ?? 0);
  const most = Math.max(1, ...values);
  const points = values.map((value, i) => `${(i / Math.max(1, values.length - 1) * 88 + 1).toFixed(1)},${(19 - value / most * 17).toFixed(1)}`);
  const title = `sent: ${bits(values.at(-1) ?? 0)} now, at most ${bits(Math.max(0, ...values))} in ${values.length} samples`;
  return drawing('svg', { class: 'spark', viewBox: '0 0 90 20', width: 90, height: 20, role: 'img', 'aria-label': title },
    drawing('polyline', { points: points.join(' ') }));
}

function vportText(vports) {
  const names = (vports.described ?? []).map(each => `vport ${each.index} "${each.description}"`);
  return [`${vports.count}, in ACTIVE ${vports.active}`, ...names].join('; ');
}

function errors(item) {
  return Object.entries(item.errors ?? {}).filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`).join(', ');
}

// "port 1" is not in "port 12".
function isAboutPort(condition, number) {
  return new RegExp(`\\bport ${number}\\b`).test(condition.text);
}

export class Card {
  // `on` takes what happens: select(text), from(device), to(device), closed()
  constructor(root, state, on) {
    this.root = root;
    this.state = state;
    this.on = on;
    this.shown = '';
    this.text = '';
    byId('card-close').addEventListener('click', () => on.closed());
  }

  isPast() {
    return this.state.link.at !== '';
  }

  // What is chosen: "0x..", a device, or "0x../3", the cable at a port of it; empty for nothing.
  async show(select) {
    this.shown = select;
    this.open(select !== '');
    if (select === '') {
      this.text = '';
      return;
    }
    const [guid, port] = select.split('/');
    let card;
    try {
      card = (await ask(`api/device?guid=${encodeURIComponent(guid)}`)).body;
    } catch (problem) {
      card = { problem: problem.message };
    }
    // What is as it was stays, with what was asked there.
    const text = JSON.stringify([select, card, this.isPast()]);
    if (this.shown === select && text !== this.text) {
      this.text = text;
      this.draw(card, port === undefined ? null : Number(port));
    } else if (this.shown === select) {
      this.recount();
    }
  }

  // There are newer counters.
  recount() {
    const place = this.root.querySelector('.counted');
    if (place && this.ends) {
      place.replaceChildren(...this.counters(this.ends));
    }
  }

  // A condition or an event, which have no device.
  note(item) {
    this.shown = '';
    this.text = '';
    this.open(true);
    byId('card-title').textContent = item.code || 'event';
    fill('card', [facts([
      ['since', item.since ? time(item.since) : ''], ['at', item.timeMs ? time(item.timeMs) : ''], ['level', item.level], ['what', item.text],
      ['about', item.place], ['remedy', item.cure], ...Object.entries(item.fields ?? {}),
    ])]);
  }

  open(isOpen) {
    this.root.hidden = !isOpen;
    document.body.classList.toggle('has-card', isOpen);
  }

  draw(card, port) {
    if (card.problem) {
      byId('card-title').textContent = this.shown;
      fill('card', [element('p', card.problem, 'problem')]);
      return;
    }
    const cable = port === null ? null : card.ports.find(each => each.number === port);
    const parts = cable ? this.cable(card, cable) : this.device(card);
    fill('card', parts);
  }

  device(card) {
    byId('card-title').textContent = `${KINDS[card.kind] ?? card.kind} ${card.name || card.guid}`;
    const site = card.site ? [card.site.rack && `rack ${card.site.rack}`, card.site.row && `row ${card.site.row}`, card.site.unit && `unit ${card.site.unit}`] : [];
    const shown = [
      this.loss(card),
      facts([
        ['place', card.place], ['stands in', site.filter(Boolean).join(', ')], ['GUID', card.guid], ['LID', card.lid],
        ['says it is', card.description === card.name ? '' : card.description],
        ['device', card.vendorId && `vendor ${card.vendorId}, device ${card.deviceId}, revision ${card.revision}`],
        ['virtual ports', card.vports && vportText(card.vports)],
      ]),
      this.buttons(card),
      ...this.ports(card),
      this.counted(card.ports.filter(each => each.peer && !each.isLost).map(each => [card.guid, each.number, `port ${each.number}`])),
      ...this.conditions(card.conditions),
      ...this.history(card.history),
    ];
    return shown.filter(each => each !== null);
  }

  loss(card) {
    return card.isThere ? null : element('p', `not there any more, last seen ${time(card.since)}`, 'problem');
  }

  cable(card, port) {
    byId('card-title').textContent = `cable at ${card.name || card.guid} port ${port.number}`;
    const { peer } = port;
    const ends = [[card.guid, port.number, `${card.name} ${port.number}`]];
    if (peer) {
      ends.push([peer.guid, peer.port, `${peer.name} ${peer.port}`]);
    }
    const state = port.isLost ? element('p', `lost ${time(port.lostSince)}`, 'problem') : null;
    const shown = [
      state,
      facts([
        ['from', this.link(`${card.name || card.guid} ${card.place}`.trim(), card.guid)], ['its port', port.number],
        [port.isLost ? 'led to' : 'to', peer ? this.link(`${peer.name || peer.guid} ${peer.place}`.trim(), peer.guid) : 'nothing'],
        ['its port', peer ? peer.port : ''], ['label', port.cable], ['state', port.state], ['width', port.width],
        ['speed', port.speed && `${port.speed} Gb/s a lane`], ['MTU', port.mtu],
      ]),
      card.kind === 'switch' && peer?.isSwitch && !port.isLost ? this.question(card.guid, port.number, 'What if it were lost?') : null,
      port.isLost ? null : this.counted(ends),
      ...this.conditions(card.conditions.filter(each => isAboutPort(each, port.number))),
      ...this.history(card.history.filter(each => each.port === port.number)),
    ];
    return shown.filter(each => each !== null);
  }

  link(text, select) {
    return button(text, 'link', () => this.on.select(select));
  }

  buttons(card) {
    const made = element('p', '', 'buttons');
    if (card.isThere && card.lid !== 0 && !this.isPast()) {
      made.append(
        button('Path from here', '', () => this.on.from(card)), button('Path to here', '', () => this.on.to(card)),
      );
      if (card.kind === 'switch') {
        made.append(this.question(card.guid, '', 'What if it were lost?'));
      }
    }
    return made.childElementCount > 0 ? made : null;
  }

  ports(card) {
    const rows = card.ports.filter(port => port.peer).map(port => {
      const { peer } = port;
      const to = `${peer.name || peer.guid} ${peer.place}`.trim();
      const state = port.isLost ? element('span', `lost ${time(port.lostSince)}`, 'problem') : port.state;
      return [
        button(String(port.number), 'link', () => this.on.select(`${card.guid}/${port.number}`)), state,
        port.width && `${port.width} ${port.speed}`, this.link(to, peer.guid), String(peer.port), port.cable,
      ];
    });
    const unused = card.ports.length - rows.length;
    const heads = ['port', 'state', 'link', 'leads to', 'its port', 'label'];
    return [
      element('h3', unused > 0 && card.isThere ? `Ports; ${unused} more without a cable` : 'Ports'),
      rows.length > 0 ? table(heads, rows, [0, 4]) : element('p', 'none has a cable', 'faint'),
    ];
  }

  // Counters of some ports, each a GUID, a number and a name.
  counted(ends) {
    const place = element('div', '', 'counted');
    this.ends = ends;
    place.append(...this.counters(ends));
    return place;
  }

  counters(ends) {
    const { counters } = this.state;
    const title = element('h3', 'Counters');
    if (counters.problem !== '') {
      return [title, element('p', `none: ${counters.problem}`, 'faint')];
    }
    const rows = ends.map(([guid, port, name]) => {
      const item = counters.of(guid, port);
      if (!item) {
        return [name, 'not counted', '', '', '', ''];
      }
      const place = element('span', '', 'spark');
      place.dataset.port = `${guid}/${port}`;
      return [name, bits(item.xmitBytesPerSecond ?? 0), bits(item.rcvBytesPerSecond ?? 0), percent(item.xmitWaitShare ?? 0), errors(item) || 'none', place];
    });
    const made = table(['port', 'sent', 'received', 'waits', 'errors', 'sent lately'], rows, [1, 2, 3]);
    this.sparks(made, this.shown);
    return [title, made];
  }

  // One after the other, as long as the card is there.
  async sparks(made, shown) {
    const places = [...made.querySelectorAll('[data-port]')].slice(0, MAX_SPARKS);
    for (const place of places) {
      if (this.shown !== shown) {
        return;
      }
      try {
        const [guid, port] = place.dataset.port.split('/');
        const samples = await this.state.counters.history(guid, port);
        place.replaceChildren(samples.length > 1 ? spark(samples) : 'nothing yet');
      } catch (problem) {
        place.textContent = problem.message;
      }
    }
  }

  conditions(all) {
    return all.length === 0 ? [] : [element('h3', 'Conditions'), this.lines(all.map(each => [`${each.code} ${each.text}`, `since ${time(each.since)}. ${each.cure}`, each.level]))];
  }

  history(all) {
    const words = { DOWN: 'went down', UP: 'came back', REPLACED: 'got another cable', OFF: 'lost with its switch', RESTARTED: 'switch restarted' };
    return all.length === 0 ? [] : [
      element('h3', 'What happened to its cables'),
      this.lines(all.map(each => [`port ${each.port} ${words[each.kind] ?? each.kind}`, `${time(each.at)}, to ${each.far}`, ''])),
    ];
  }

  lines(all) {
    const made = element('ul', '', 'lines');
    all.forEach(([text, detail, level]) => {
      const item = element('li', text, level);
      item.append(element('small', detail));
      made.append(item);
    });
    return made;
  }

  // Asks what would become of the routes, as often as it takes until the SM knows.
  question(guid, port, text) {
    const place = element('span', '', 'question');
    const answer = element('div', '', 'answer');
    answer.setAttribute('role', 'status');
    const objection = this.isPast() ? 'only for the present' : this.state.torus?.json.isRouted ? '' : 'no routes are active';
    const asking = button(text, '', async () => {
      asking.disabled = true;
      answer.textContent = 'being routed and proved on paper ...';
      await this.answer(guid, port, answer);
      asking.disabled = false;
    });
    asking.disabled = objection !== '';
    asking.title = objection;
    place.append(asking, answer);
    return place;
  }

  async answer(guid, port, place) {
    const shown = this.shown;
    try {
      for (;;) {
        const { status, body } = await ask(`api/what-if?${new URLSearchParams({ guid, port })}`);
        if (this.shown !== shown) {
          return;
        }
        if (status !== 202) {
          place.replaceChildren(...this.outcome(body));
          return;
        }
        place.textContent = body.isMine ? 'being routed and proved on paper ...' : 'waits for another question ...';
        await new Promise(then => {
          setTimeout(then, WAIT_MS);
        });
      }
    } catch (problem) {
      place.textContent = problem.message;
    }
  }

  outcome(found) {
    if (!found.isRouted) {
      return [element('p', `There would be no routes: ${found.reason}`, 'problem')];
    }
    const warning = found.degraded ? [element('p', `DEGRADED: ${found.degraded}`, 'problem')] : [];
    return [
      ...warning,
      facts([
        ['pairs of hosts', String(found.pairs)], ['take another way', String(found.changedPairs)],
        ['have no path', element('span', String(found.lostPairs), found.lostPairs > 0 ? 'problem' : '')],
        ['get another SL', String(found.changedSls)],
        ['paths over the busiest cable', `${found.maxLoadBefore}, then ${found.maxLoadAfter}${found.mostLoaded ? ` at ${found.mostLoaded}` : ''}`],
        ['multicast', found.isMulticastRouted ? 'stays' : 'would be off'], ['proof', found.proof],
      ]),
      element('p', `Of sweep ${found.sweep}; nothing was changed.`, 'faint'),
    ];
  }
}
