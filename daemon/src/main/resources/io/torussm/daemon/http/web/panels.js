// Everything around the picture: badges, banner, legend, path, what is missing, conditions, events.

import { button, byId, drawing, element, fill, moment, table, time } from './dom.js';
import { DIMENSIONS } from './model.js';
import { MODES, meanings, objection, showsMarks } from './palette.js';

const RING_TEXT = {
  thinned: 'is thinned: parallel cables are lost',
  open: 'is open: packets go the long way',
  cut: 'is cut: in pieces',
};
const RING_CLASS = { thinned: 'note', open: 'warn', cut: 'bad' };

// Lines of what is missing; the tables have all.
const MAX_MISSING = 200;

// How many there are, of how many if some are missing.
function count(there, missing) {
  return missing === 0 ? String(there) : `${there} of ${there + missing}`;
}

export function badges(status, torus) {
  const all = [];
  // Nothing is green while something is missing or faulty.
  const isWhole = torus?.isWhole ?? true;
  const add = (name, value, className) => {
    const badge = element('li', `${name} `, className === 'good' && !isWhole ? '' : className);
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
      // No fault of the fabric: on a torus hosts take the SL of the path record, or the one that host-sls.md names.
      const isNone = status.safeSls === 'none';
      add('hosts that use one SL', isNone ? 'need path records' : `free with ${status.safeSls}`, isNone ? '' : 'good');
      if (isNone) {
        all[all.length - 1].append(' ', button('settings', 'link', () => {
          byId('hint').hidden = !byId('hint').hidden;
        }));
      }
    }
    byId('hint').hidden ||= status.safeSls !== 'none';
    if (torus.json.isRouted && !torus.json.multicast) {
      add('multicast', 'off', 'warn');
    }
    add('SL changes', String(status.slChanges ?? 0), status.slChanges ? 'bad' : 'good');
    const gone = torus.json.absent.filter(device => device.isSwitch).length;
    add('switches', count(torus.switches.length, gone), gone === 0 ? '' : 'bad');
    add('cables', count(torus.cables, torus.lostCables), torus.lostCables === 0 ? '' : 'bad');
    if (torus.json.isRouted) {
      add('sweep', String(torus.json.sweep));
    }
  }
  fill('badges', all);
}

const BANNERS = {
  REFUSED: 'Routing is REFUSED',
  DEGRADED: 'Routing is DEGRADED',
  ADOPTED: 'The active routes were found in the switches',
  DRIFTED: 'Devices differ from their programmed tables',
};

// What somebody has to know first.
export function banner(status, torus) {
  const { state, since, reason, problem } = status.routing ?? {};
  const place = byId('banner');
  const fallback = state === 'ROUTED' && reason ? 'Another engine than the first routes' : undefined;
  const title = BANNERS[state] ?? (problem ? 'The last sweep failed' : fallback ?? '');
  place.hidden = !title;
  place.className = state === 'REFUSED' || problem ? 'bad' : 'warn';
  const age = title && since ? ` since ${time(since)}` : '';
  const kept = state !== 'REFUSED' ? '' : torus?.json.isRouted
    ? `\nThe switches keep the routes of sweep ${torus.json.sweep}; the picture shows the fabric as it was found.`
    : '\nNo subnet is up; the picture shows the fabric as it was found.';
  place.replaceChildren(element('b', `${title}${age}:`), `${BANNERS[state] || (fallback && !problem) ? reason : problem}${kept}`);
}

export function conditions(status) {
  const all = status.conditions ?? [];
  byId('conditions-section').hidden = all.length === 0;
  byId('conditions-count').textContent = String(all.length);
  fill('conditions', all.map(condition => {
    const item = element('li', '', condition.level);
    item.append(element('span', `${condition.code} `, 'code'), condition.text);
    item.append(element('small', `since ${time(condition.since)}${condition.cure ? `. ${condition.cure}` : ''}`));
    return item;
  }));
}

function swatch(colour, dash) {
  return drawing('svg', { width: 22, height: 10 }, drawing('line', {
    x1: 2, x2: 20, y1: 5, y2: 5, stroke: colour, 'stroke-width': 3, 'stroke-dasharray': dash, 'stroke-linecap': dash === '1 6' ? 'round' : 'butt',
  }));
}

// A stripe, as it is behind a ring.
function stripe(colour) {
  return drawing('svg', { width: 22, height: 12 }, drawing('rect', { x: 1, y: 1, width: 20, height: 10, rx: 5, fill: colour, opacity: 0.5 }));
}

function cross(colour) {
  return drawing('svg', { width: 22, height: 12 },
    drawing('path', { d: 'M1 6H21', stroke: colour, 'stroke-width': 2.5, 'stroke-dasharray': '4 3' }),
    drawing('path', { d: 'M7 2L15 10M15 2L7 10', stroke: colour, 'stroke-width': 2.5 }));
}

// A switch as it is drawn: whole, as a hop of a path, or missing.
function disc(attributes, ...signs) {
  return drawing('svg', { width: 16, height: 14 }, drawing('circle', { cx: 7, cy: 7, r: 5.5, ...attributes }), ...signs);
}

function missingSwitch(colour) {
  return disc({ fill: 'none', stroke: colour, 'stroke-width': 2 },
    drawing('path', { d: 'M4.5 4.5L9.5 9.5M9.5 4.5L4.5 9.5', stroke: colour, 'stroke-width': 2 }));
}

function dots(colour) {
  return drawing('svg', { width: 22, height: 10 }, ...[4, 10, 16].map(x => drawing('rect', { x, y: 3, width: 4, height: 4, fill: colour })));
}

export function legend({ torus, counters, path: found, link }, colours) {
  const entry = (sign, text) => {
    const made = element('span');
    made.append(sign, text);
    return made;
  };
  const entries = meanings(torus, link.links, counters, colours).map(([colour, text, dash]) => entry(swatch(colour, dash), text));
  if (showsMarks({ torus, counters, link })) {
    entries.push(entry(disc({ fill: 'none', stroke: colours['load-high'], 'stroke-width': 2.5 }), 'marks packets to hosts'));
    entries.push(entry(disc({ fill: 'none', stroke: colours['error-high'], 'stroke-width': 2.5, 'stroke-dasharray': '4 2' }), 'hosts slowed down'));
  }
  if (found) {
    entries.push(entry(disc({ fill: colours.path }), 'path'));
  }
  if (link.hosts === '1' && !torus.lattice) {
    entries.push(entry(dots(showsMarks({ torus, counters, link }) ? colours.link : colours.node), 'hosts'));
  }
  if (torus.absent.length > 0) {
    entries.push(entry(missingSwitch(colours.bad), 'missing switch'));
  }
  entries.push(entry(cross(colours.bad), 'failed'));
  if (torus.lost.some(edge => !torus.isFailed(edge))) {
    entries.push(entry(swatch(colours.faint, '4 5'), 'its switch is missing'));
  }
  if (torus.wrong.length > 0) {
    entries.push(entry(swatch(colours.bad, ''), 'wrong cable'));
  }
  if (torus.lattice) {
    entries.push(entry(stripe(colours.band), 'open ring'));
  }
  if (torus.rings.some(ring => ring.state === 'cut')) {
    entries.push(entry(stripe(colours.bad), 'cut ring'));
  }
  fill('legend', entries);
}

// What links can be coloured by, and why not.
export function modes({ torus, counters, link }) {
  const options = Object.entries(MODES).map(([name, mode]) => {
    const problem = objection(name, torus, counters);
    const option = element('option', problem ? `${mode.title} (${problem})` : mode.title);
    option.value = name;
    option.disabled = problem !== '' && name !== link.links;
    return option;
  });
  byId('colour').replaceChildren(...options);
  byId('colour').value = link.links;
}

// Levels are levels of QoS.
export function levels(torus) {
  byId('level').disabled = !torus.json.qos;
  byId('level').title = torus.json.qos ? '' : 'QoS is off: there is one level';
}

// That one looks at the past, and at what; empty for now.
export function past(words) {
  byId('past').hidden = words === '';
  byId('past-text').textContent = words === '' ? '' : `You look at the past: ${words}.`;
  document.body.classList.toggle('is-past', words !== '');
}

function end({ name, port }) {
  return `${name || 'a device'} port ${port}`;
}

// A line that shows its place in the picture when it is clicked.
function item(text, details, className, target, show) {
  const made = element('li', '', className);
  if (target) {
    made.append(button(text, 'link', () => show(target)));
  } else {
    made.append(text);
  }
  details.forEach(detail => {
    const line = element('small');
    // A time is not broken at its hyphens.
    line.append(...detail.split(/(\d{4}-\d\d-\d\dT\S*Z)/).map((part, i) => i % 2 === 1 ? element('time', part) : part));
    made.append(line);
  });
  return made;
}

function missing(torus, show) {
  const items = [];
  torus.absent.forEach(position => {
    const was = torus.absentAt(position);
    const name = torus.lattice && was ? `${was.name || was.guid}, ` : '';
    const details = was ? [`${name}last seen ${time(was.since)}`] : [];
    items.push(item(`switch ${torus.name(position)}`, details, 'bad', { positions: [position], edges: [], select: was?.guid ?? '' }, show));
  });
  torus.edges.filter(edge => torus.isFailed(edge) || (edge.link !== null && edge.lost.length > 0)).forEach(edge => {
    const lost = edge.lost.map(cable => `${end(cable.from)} – ${end(cable.to)}, lost ${time(cable.since)}`);
    const left = edge.link === null ? '' : `: ${edge.link.cables} left`;
    const text = `link ${torus.name(edge.from)} – ${torus.name(edge.to)}${left}`;
    const first = edge.lost[0]?.from;
    const select = first ? `${first.guid}/${first.port}` : '';
    items.push(item(text, lost, left ? 'note' : 'bad', { positions: [], edges: [edge], select }, show));
  });
  torus.wrong.forEach(edge => {
    const text = `cable ${torus.name(edge.from)} – ${torus.name(edge.to)} ${torus.fault(edge)}`;
    const cable = torus.portOf(edge);
    items.push(item(text, [], 'bad', { positions: [], edges: [edge], select: `${cable.guid}/${cable.port}` }, show));
  });
  torus.rings.forEach(ring => {
    const name = torus.at(ring.position).map((value, d) => (d === ring.d ? '*' : value)).join(',');
    const details = ring.state === 'thinned' ? ring.causes : [];
    const target = { positions: [], edges: torus.edgesOf(ring), select: '' };
    items.push(item(`ring (${name}) in ${DIMENSIONS[ring.d]} ${RING_TEXT[ring.state]}`, details, RING_CLASS[ring.state], target, show));
  });
  return items;
}

// Hosts that were there.
function absent(torus, show) {
  return torus.json.absent.filter(device => !device.isSwitch).map(device => {
    const position = torus.positionOfEnd(device.at);
    const target = { positions: position === undefined ? [] : [position], edges: [], select: device.guid };
    return item(`host ${device.name || device.guid}`, [`was at ${`${device.at.place} ${end(device.at)}`.trim()}, last seen ${time(device.since)}`], 'note', target, show);
  });
}

export function hurt(torus, show) {
  const items = [...missing(torus, show), ...absent(torus, show)];
  const more = items.length > MAX_MISSING ? [element('li', `and ${items.length - MAX_MISSING} more`, 'note')] : [];
  fill('hurt', items.length > 0 ? [...items.slice(0, MAX_MISSING), ...more] : [element('li', 'nothing', 'good')]);
}

// A path, or why there is none, with what can be typed instead; null for nothing.
export function path(found, take) {
  if (found === null) {
    fill('path', []);
    return;
  }
  const children = [];
  const { from, to, levels = [], hops = [], notes = [found.problem], isGood = false } = found;
  if (!isGood) {
    notes.forEach(note => children.push(element('p', note, 'problem')));
  }
  (found.proposals ?? []).forEach(({ id, words }) => {
    const line = element('p', 'did you mean ', 'proposals');
    words.forEach(word => line.append(button(word, 'link', () => take(id, word)), ' '));
    children.push(line);
  });
  if (levels.length > 0) {
    const title = element('p', `${from.name} → ${to.name}: `);
    title.append(element('strong', `SL ${levels[0].sl}`));
    children.push(title);
    const rows = hops.map(hop => [
      String(hop.hop), hop.place.startsWith('(') ? hop.place : hop.node, hop.in === null ? '' : String(hop.in), String(hop.out),
      hop.vls.length === 0 ? '?' : hop.vls.join('/'), hop.why,
    ]);
    children.push(table(['hop', 'at', 'in', 'out', 'VL', 'why'], rows, [0, 2, 3, 4]));
  }
  fill('path', children);
}

// Lines beside the picture; the table has more.
const MAX_EVENTS = 100;

export function event(line) {
  const list = byId('events');
  const item = element('li', '', line.level);
  const at = element('time', moment(line.timeMs).slice(11));
  at.title = moment(line.timeMs);
  const code = element('span', line.code ? `${line.code} ` : '', 'code');
  item.append(at, code, line.text);
  list.prepend(item);
  while (list.childElementCount > MAX_EVENTS) {
    list.lastElementChild.remove();
  }
}

export function live(text) {
  byId('live').textContent = text;
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
