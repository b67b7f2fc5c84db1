// Everything around the picture: badges, path, what is missing, events, and what the picture shows as tables.

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
  const routing = status.routing?.state;
  if (routing && routing !== 'NONE') {
    add('routing', routing.toLowerCase(), { ROUTED: 'good', REFUSED: 'bad' }[routing] ?? 'warn');
  }
  if (status.state === 'STANDBY' && status.master) {
    add('of', status.master);
  }
  if (torus) {
    if (torus.json.isRouted) {
      add('engine', torus.json.engine);
      add('free of credit loops', status.proof ? 'proved' : 'not proved', status.proof ? 'good' : 'warn');
    }
    if (torus.json.isRouted && status.safeSls) {
      add('hosts with one SL', status.safeSls === 'none' ? 'credit loop' : `free with ${status.safeSls}`, status.safeSls === 'none' ? 'warn' : 'good');
    }
    if (torus.json.isRouted && !torus.json.multicast) {
      add('multicast', 'off', 'warn');
    }
    add('SL changes', String(status.slChanges ?? 0), status.slChanges ? 'bad' : 'good');
    add('switches', String(torus.switches.length));
    if (torus.json.isRouted) {
      add('sweep', String(torus.json.sweep));
    }
  }
  fill('badges', all);
}

const BANNERS = {
  REFUSED: 'Routing is REFUSED',
  DEGRADED: 'Routing is DEGRADED',
  ADOPTED: 'The routes in force are those that the switches held',
};

function time(text) {
  return text ? new Date(text).toLocaleString([], { hour12: false }) : 'before this SM was master';
}

// What somebody has to know first.
export function banner(status, torus) {
  const { state, since, reason, problem } = status.routing ?? {};
  const place = document.getElementById('banner');
  const title = BANNERS[state] ?? (problem ? 'The last sweep failed' : '');
  place.hidden = !title;
  place.className = state === 'REFUSED' || problem ? 'bad' : 'warn';
  const age = title && since ? ` since ${time(since)}` : '';
  const kept = state !== 'REFUSED' ? '' : torus?.json.isRouted
    ? `\nThe switches keep the routes of sweep ${torus.json.sweep}; the picture shows the fabric as it was found.`
    : '\nNo subnet is up; the picture shows the fabric as it was found.';
  place.replaceChildren(element('b', `${title}${age}:`), `${BANNERS[state] ? reason : problem}${kept}`);
}

export function conditions(status) {
  const all = status.conditions ?? [];
  document.getElementById('conditions-section').hidden = all.length === 0;
  document.getElementById('conditions-count').textContent = String(all.length);
  fill('conditions', all.map(condition => {
    const item = element('li', '', condition.level);
    item.append(element('span', `${condition.code} `, 'code'), condition.text);
    item.append(element('small', `since ${time(condition.since)}${condition.cure ? `. ${condition.cure}` : ''}`));
    return item;
  }));
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
  if (mode === 'load' && torus.json.isRouted) {
    entries.push(
      entry(loadColour(0, colours), 'few paths'), entry(loadColour(0.5, colours), 'some'),
      entry(loadColour(1, colours), `${Math.round(torus.maxLoad)} a cable, the most`),
    );
  } else if (mode === 'tree') {
    entries.push(entry(colours.tree, 'carries multicast'));
  }
  entries.push(entry(colours.bad, 'failed', '1 6'));
  if (torus.lattice) {
    entries.push(entry(colours.band, 'open ring'));
  }
  if (torus.rings.some(ring => ring.state === 'cut')) {
    entries.push(entry(colours.bad, 'cut ring'));
  }
  fill('legend', entries);
}

function end({ name, port }) {
  return `${name || 'a device'} port ${port}`;
}

// A line that shows its place in the picture when it is clicked.
function item(text, details, className, target, show) {
  const made = element('li', '', className);
  if (target) {
    const button = element('button', text);
    button.type = 'button';
    button.addEventListener('click', () => show(target));
    made.append(button);
  } else {
    made.append(text);
  }
  details.forEach(detail => made.append(element('small', detail)));
  return made;
}

function missing(torus, show) {
  const items = [];
  torus.absent.forEach(position => {
    const was = torus.absentAt(position);
    const name = torus.lattice && was ? `${was.name || was.guid}, ` : '';
    const details = was ? [`${name}last seen ${time(was.since)}`] : [];
    items.push(item(`switch ${torus.name(position)}`, details, 'bad', { positions: [position], edges: [] }, show));
  });
  torus.edges.filter(edge => torus.isFailed(edge) || (edge.link !== null && edge.lost.length > 0)).forEach(edge => {
    const lost = edge.lost.map(cable => `${end(cable.from)} – ${end(cable.to)}, lost ${time(cable.since)}`);
    const left = edge.link === null ? '' : `: ${edge.link.cables} left`;
    const text = `link ${torus.name(edge.from)} – ${torus.name(edge.to)}${left}`;
    items.push(item(text, lost, left ? 'note' : 'bad', { positions: [], edges: [edge] }, show));
  });
  torus.rings.forEach(ring => {
    const name = torus.at(ring.position).map((value, d) => (d === ring.d ? '*' : value)).join(',');
    const details = ring.state === 'thinned' ? ring.causes : [];
    const target = { positions: [], edges: torus.edgesOf(ring) };
    items.push(item(`ring (${name}) in ${DIMENSIONS[ring.d]} ${RING_TEXT[ring.state]}`, details, RING_CLASS[ring.state], target, show));
  });
  return items;
}

// Hosts that were there.
function absent(torus, show) {
  return torus.json.absent.filter(device => !device.isSwitch).map(device => {
    const position = torus.positionOfEnd(device.at);
    const target = position === undefined ? null : { positions: [position], edges: [] };
    return item(`host ${device.name || device.guid}`, [`was at ${`${device.at.place} ${end(device.at)}`.trim()}, last seen ${time(device.since)}`], 'note', target, show);
  });
}

export function hurt(torus, show) {
  const items = [...missing(torus, show), ...absent(torus, show)];
  fill('hurt', items.length > 0 ? items.slice(0, 200) : [element('li', 'nothing', 'good')]);
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
  if (!isGood) {
    notes.forEach(note => children.push(element('p', note, 'problem')));
  }
  if (levels.length > 0) {
    const title = element('p', `${from.name} → ${to.name}: `);
    title.append(element('strong', `SL ${levels[0].sl}`));
    children.push(title);
    const rows = hops.map(hop => [
      String(hop.hop), hop.place || hop.node, hop.in === null ? '' : String(hop.in), String(hop.out),
      hop.vls.length === 0 ? '?' : hop.vls.join('/'), hop.why,
    ]);
    children.push(table(['hop', 'at', 'in', 'out', 'VL', 'why'], rows, [0, 2, 3, 4]));
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

// Null for none.
export function list(torus) {
  if (!torus) {
    fill('list', []);
    return;
  }
  const rows = torus.links.map(link => [
    torus.switches[link.from].name, torus.switches[link.to].name, String(link.cables), String(link.there), String(link.back),
    link.tree ? 'yes' : '',
  ]);
  const switches = torus.switches.map((sw, index) => [sw.name, torus.where(index), sw.guid, String(sw.lid), String(sw.hosts.length)]);
  fill('list', [
    element('h2', 'Switches'), table(['name', 'place', 'GUID', 'LID', 'hosts'], switches, [3, 4]),
    element('h2', 'Links between switches'), table(['from', 'to', 'cables', 'paths there', 'paths back', 'multicast'], rows, [2, 3, 4]),
  ]);
}
