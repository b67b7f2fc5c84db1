// Everything around the picture: badges, path, what is missing, events, and the list of a fabric that is no torus.

import { DIMENSIONS, loadColour } from './model.js';

const RING_TEXT = {
  thinned: 'is thinned: parallel cables are lost',
  open: 'is open: packets go the long way',
  cut: 'is cut: in pieces',
};
const RING_CLASS = { thinned: 'note', open: 'warn', cut: 'bad' };

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? '';
  if (className) {
    made.className = className;
  }
  return made;
}

function fill(id, children) {
  document.getElementById(id).replaceChildren(...children);
}

export function badges(status, torus) {
  const all = [];
  const add = (name, value, className) => {
    const badge = element('li', `${name} `, className);
    badge.append(element('b', value));
    all.push(badge);
  };
  const isReady = status.state === 'MASTER' || status.state === 'STANDBY';
  add('SM', status.state, isReady ? 'good' : 'warn');
  if (status.state === 'STANDBY' && status.master) {
    add('of', status.master);
  }
  if (torus) {
    add('engine', torus.json.engine);
    add('free of credit loops', status.proof ? 'proved' : 'not proved', status.proof ? 'good' : 'warn');
    add('SL changes', String(status.slChanges ?? 0), status.slChanges ? 'bad' : 'good');
    add('switches', String(torus.switches.length));
    add('sweep', String(torus.json.sweep));
  }
  fill('badges', all);
}

function swatch(colour, dash) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', '22');
  svg.setAttribute('height', '10');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  const shape = { x1: 2, x2: 20, y1: 5, y2: 5, stroke: colour, 'stroke-width': 3, 'stroke-dasharray': dash ?? '', 'stroke-linecap': 'round' };
  Object.entries(shape).forEach(([name, value]) => line.setAttribute(name, value));
  svg.append(line);
  return svg;
}

export function legend(mode, torus, colours) {
  const entry = (colour, text, dash) => {
    const made = element('span');
    made.append(swatch(colour, dash), text);
    return made;
  };
  const entries = [];
  if (mode === 'load') {
    entries.push(entry(loadColour(0), 'few paths'), entry(loadColour(0.5), 'some'), entry(loadColour(1), `${Math.round(torus.maxLoad)} a cable`));
  } else if (mode === 'tree') {
    entries.push(entry(colours.tree, 'carries multicast'));
  }
  entries.push(entry(colours.bad, 'failed', '1 6'), entry(colours.band, 'open ring'));
  fill('legend', entries);
}

function place(torus, position) {
  return `(${torus.at(position).join(',')})`;
}

export function hurt(torus) {
  const items = [];
  if (torus.lattice) {
    torus.absent.forEach(position => items.push(element('li', `switch ${place(torus, position)}`, 'bad')));
    torus.edges.filter(edge => torus.isFailed(edge))
      .forEach(edge => items.push(element('li', `link ${place(torus, edge.from)} – ${place(torus, edge.to)}`, 'bad')));
    torus.lattice.rings.forEach(ring => {
      const at = torus.at(ring.position).map((value, d) => (d === ring.d ? '*' : value)).join(',');
      const text = RING_TEXT[ring.state];
      items.push(element('li', `ring (${at}) in ${DIMENSIONS[ring.d]} ${text}`, RING_CLASS[ring.state]));
    });
  }
  fill('hurt', items.length > 0 ? items.slice(0, 200) : [element('li', torus.lattice ? 'nothing' : 'no torus to compare with', 'good')]);
}

function table(head, rows, numeric) {
  const made = element('table');
  const line = (cells, name) => {
    const row = element('tr');
    cells.forEach((cell, i) => row.append(element(name, cell, numeric.includes(i) ? 'n' : '')));
    return row;
  };
  const top = element('thead');
  top.append(line(head, 'th'));
  const body = element('tbody');
  body.append(...rows.map(row => line(row, 'td')));
  made.append(top, body);
  return made;
}

export function path(found) {
  if (found === null) {
    fill('path', []);
    return;
  }
  const children = [];
  const { from, to, levels = [], hops = [], notes = [found.problem], isGood = false } = found;
  if (levels.length > 0) {
    const title = element('p', `${from.name} → ${to.name}: `);
    title.append(element('strong', `SL ${levels[0].sl}`));
    children.push(title);
    const rows = hops.map(hop => [
      String(hop.hop), hop.place || hop.node, hop.in < 0 ? '' : String(hop.in), String(hop.out), hop.vl, hop.why,
    ]);
    children.push(table(['hop', 'at', 'in', 'out', 'VL', 'why'], rows, [0, 2, 3, 4]));
  }
  if (!isGood) {
    notes.forEach(note => children.push(element('p', note, 'problem')));
  }
  fill('path', children);
}

const MAX_EVENTS = 300;

export function event(line) {
  const list = document.getElementById('events');
  const item = element('li', '', line.level);
  const time = element('time', new Date(line.timeMs).toLocaleTimeString([], { hour12: false }));
  const code = element('span', line.code ? `${line.code} ` : '', 'code');
  item.append(time, code, line.text);
  list.prepend(item);
  while (list.childElementCount > MAX_EVENTS) {
    list.lastElementChild.remove();
  }
}

export function live(text) {
  document.getElementById('live').textContent = text;
}

// The ends that can be typed; more than a browser can propose are left out, and can be typed nevertheless.
export function ends(torus) {
  const options = [...torus.endOfLid.values()].slice(0, 4096).map(end => {
    const option = element('option', `LID ${end.lid}`);
    option.value = end.name;
    return option;
  });
  fill('ends', options);
}

export function list(torus) {
  const rows = torus.links.map(link => [
    torus.switches[link.from].name, torus.switches[link.to].name, String(link.cables), String(link.there), String(link.back),
    link.tree ? 'yes' : '',
  ]);
  const switches = torus.switches.map(sw => [sw.name, sw.guid, String(sw.lid), String(sw.hosts.length)]);
  fill('list', [
    element('h2', 'Switches'), table(['name', 'GUID', 'LID', 'hosts'], switches, [2, 3]),
    element('h2', 'Links between switches'), table(['from', 'to', 'cables', 'paths there', 'paths back', 'multicast'], rows, [2, 3, 4]),
  ]);
}
