// Fetches what the SM publishes, draws it anew when it changes, and takes what the operator picks.

import { fabric, palette } from './model.js';
import { Plane } from './plane.js';
import { Scene } from './scene.js';
import { Slices } from './slices.js';
import { Space } from './space.js';
import * as panels from './panels.js';

const canvas = document.getElementById('canvas');
const tip = document.getElementById('tip');
const notice = document.getElementById('notice');
const scene = new Scene(canvas);
const views = { space: { turn: -0.55, tilt: 0.5, zoom: 1 }, plane: { zoom: 1, east: 0, south: 0 } };
const state = { torus: null, mode: 'load', path: null, cursor: null, picked: [], marked: null };
let wanted = '';
let shape = null;
let isDue = false;

function say(text) {
  notice.textContent = text;
  notice.hidden = text === '';
}

// --- what the SM says ---

async function get(address) {
  const answer = await fetch(address);
  return { isGood: answer.ok, json: await answer.json() };
}

async function refresh() {
  try {
    const [status, torus] = [await get('api/status'), await get('api/torus')];
    state.torus = torus.isGood ? fabric(torus.json) : null;
    say(torus.isGood ? '' : status.json.state === 'STANDBY' ? 'This SM stands by; the master has the picture.' : torus.json.problem);
    panels.badges(status.json, state.torus);
    panels.banner(status.json, state.torus);
    panels.conditions(status.json);
    document.body.dataset.routing = status.json.routing?.state ?? '';
    await show();
  } catch (problem) {
    say(`The SM does not answer (${problem.message}).`);
  }
}

async function show() {
  const { torus } = state;
  state.marked = null;
  if (torus) {
    panels.hurt(torus, point);
    panels.ends(torus);
    await showPath();
  }
  makeShape();
  mark();
  draw();
}

// Shows where something is.
function point(target) {
  state.marked = target;
  [...target.positions, ...target.edges.map(edge => edge.from)].slice(0, 1).forEach(position => shape?.reveal?.(position));
  draw();
  canvas.scrollIntoView({ block: 'nearest' });
}

// The shapes that fit what is there; the first is drawn until another is asked for.
function fitting(torus) {
  return torus.lattice ? ['slices', 'space', 'tables'] : torus.nodes.length > 0 ? ['plane', 'tables'] : ['tables'];
}

function makeShape() {
  const { torus } = state;
  const shapes = torus ? fitting(torus) : [];
  const kind = shapes.includes(wanted) ? wanted : shapes[0];
  shape = {
    slices: () => new Slices(torus), space: () => new Space(torus, views.space), plane: () => new Plane(torus, views.plane),
  }[kind]?.() ?? null;
  document.querySelectorAll('#shape button').forEach(button => {
    button.hidden = !shapes.includes(button.dataset.value);
    button.setAttribute('aria-pressed', button.dataset.value === kind);
  });
  document.querySelector('[data-value=plane]').textContent = torus?.levels?.length > 0 ? 'Levels' : 'Graph';
  document.getElementById('shape').hidden = !torus;
  const hasTables = kind === 'tables';
  document.getElementById('list').hidden = !hasTables;
  // Of a large fabric it is work that nobody looks at.
  panels.list(hasTables ? torus : null);
  canvas.hidden = !shape;
  ['colour', 'legend'].forEach(id => {
    document.getElementById(id).hidden = !shape;
  });
  // A click may come before it is drawn.
  shape?.layout(canvas.clientWidth, canvas.clientHeight);
}

// For tests and style sheets: what is drawn.
function mark() {
  const { torus, path } = state;
  const data = document.body.dataset;
  data.switches = torus ? torus.switches.length : 0;
  data.absent = torus ? torus.absent.length : 0;
  data.failed = torus ? torus.edges.filter(edge => torus.isFailed(edge)).length : 0;
  data.hops = path ? path.found.hops.length : 0;
}

function draw() {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      if (shape) {
        const colours = palette();
        scene.draw(shape, state, colours);
        panels.legend(state.mode, state.torus, colours);
      }
    });
  }
}

function follow() {
  const events = new EventSource('events');
  events.onopen = () => {
    panels.live('live');
    refresh();
  };
  events.onerror = () => panels.live('not connected');
  events.addEventListener('line', line => panels.event(JSON.parse(line.data)));
  events.addEventListener('view', refresh);
}

// --- paths ---

async function showPath() {
  const { torus } = state;
  const words = ['src', 'dst'].map(id => document.getElementById(id).value.trim());
  const [src, dst] = words.map(word => torus.lid(word));
  const unknown = words.filter((word, i) => word !== '' && [src, dst][i] === null);
  state.path = null;
  if (src !== null && dst !== null) {
    const level = document.getElementById('level').value;
    const { json } = await get(`api/path?src=${src}&dst=${dst}&level=${level}`);
    panels.path(json);
    if (json.hops) {
      state.path = { found: json, ...drawn(torus, json) };
    }
  } else {
    panels.path(unknown.length > 0 ? { problem: `no end port has the name, place or LID ${unknown.join(', ')}` } : null);
  }
  mark();
  draw();
}

// The positions and edges that a path goes over.
function drawn(torus, found) {
  const positions = found.hops.map(hop => torus.positionOfHop(hop)).filter(position => position !== undefined);
  const last = found.to && torus.endOfLid.get(found.to.lid);
  if (last && found.hops.length > 0 && positions.at(-1) !== torus.positionOf.get(last.sw) && found.isGood) {
    positions.push(torus.positionOf.get(last.sw));
  }
  const steps = [];
  for (let i = 1; i < positions.length; i++) {
    const [a, b] = [positions[i - 1], positions[i]];
    const edge = torus.edges.find(each => (each.from === a && each.to === b) || (each.from === b && each.to === a));
    if (edge) {
      steps.push({ edge, isForth: edge.from === a });
    }
  }
  return { positions, steps };
}

function pick(position) {
  const sw = state.torus.switchAt(position);
  if (sw < 0) {
    return;
  }
  if (state.picked.length === 2) {
    clearPath();
  }
  const end = state.torus.endOf(sw);
  document.getElementById(state.picked.length === 0 ? 'src' : 'dst').value = end.name;
  state.picked.push(position);
  state.cursor = position;
  showPath();
}

function clearPath() {
  state.picked = [];
  document.getElementById('src').value = '';
  document.getElementById('dst').value = '';
}

// --- pointer and keys ---

function nearest(x, y) {
  let best = null;
  let least = Math.max(12, shape.radius + 6) ** 2;
  state.torus.positions.forEach((_, position) => {
    const [px, py] = shape.point(position);
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance < least) {
      [best, least] = [position, distance];
    }
  });
  return best;
}

function nearestEdge(x, y) {
  let best = null;
  let least = 36;
  for (const edge of state.torus.edges) {
    for (const [[ax, ay], [bx, by]] of shape.strokes(edge)) {
      const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
      const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
      const distance = (ax + along * (bx - ax) - x) ** 2 + (ay + along * (by - ay) - y) ** 2;
      if (distance < least) {
        [best, least] = [edge, distance];
      }
    }
  }
  return best;
}

function describe(position) {
  const { torus } = state;
  const sw = torus.switchAt(position);
  if (sw < 0) {
    const was = torus.absentAt(position);
    return `${torus.name(position)}\nno switch${was ? `; ${was.name || was.guid} was here` : ''}`;
  }
  const { name, guid, lid, hosts } = torus.switches[sw];
  const shown = hosts.slice(0, 4).map(host => host.name).join(', ') + (hosts.length > 4 ? ', ...' : '');
  const title = torus.lattice ? `${name} ${torus.name(position)}` : torus.name(position);
  return `${title}\nGUID ${guid}, LID ${lid}\n${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}${shown ? `: ${shown}` : ''}`;
}

function describeEdge(edge) {
  const { torus } = state;
  const ends = `${torus.name(edge.from)} – ${torus.name(edge.to)}`;
  if (edge.link === null) {
    const lost = edge.lost.map(cable => `\n${cable.from.name} port ${cable.from.port} – ${cable.to.name} port ${cable.to.port}`);
    return `${ends}\n${torus.isFailed(edge) ? 'failed' : 'a switch is missing'}${lost.join('')}`;
  }
  const { cables, from, there, back, tree } = edge.link;
  const isForth = torus.switchAt(edge.from) === from;
  return `${ends}\n${cables} ${cables === 1 ? 'cable' : 'cables'}; paths there ${isForth ? there : back}, back ${isForth ? back : there}`
    + (tree ? '\ncarries multicast' : '');
}

function hover(x, y) {
  const position = nearest(x, y);
  const edge = position === null ? nearestEdge(x, y) : null;
  tip.hidden = position === null && edge === null;
  if (!tip.hidden) {
    tip.textContent = position === null ? describeEdge(edge) : describe(position);
    tip.style.left = `${Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.min(y + 14, canvas.clientHeight - tip.offsetHeight - 4)}px`;
  }
}

let dragged = null;
canvas.addEventListener('pointerdown', event => {
  dragged = { x: event.offsetX, y: event.offsetY, isMoved: false };
});
canvas.addEventListener('pointermove', event => {
  if (!shape) {
    return;
  }
  if (dragged && shape.drag) {
    const [dx, dy] = [event.offsetX - dragged.x, event.offsetY - dragged.y];
    if (dragged.isMoved || Math.hypot(dx, dy) > 4) {
      shape.drag(dx, dy);
      dragged = { x: event.offsetX, y: event.offsetY, isMoved: true };
      draw();
    }
  } else {
    hover(event.offsetX, event.offsetY);
  }
});
canvas.addEventListener('pointerup', event => {
  const position = shape && dragged && !dragged.isMoved ? nearest(event.offsetX, event.offsetY) : null;
  dragged = null;
  if (position !== null) {
    pick(position);
  }
});
canvas.addEventListener('pointerleave', () => {
  tip.hidden = true;
  dragged = null;
});
canvas.addEventListener('wheel', event => {
  if (shape?.zoom) {
    event.preventDefault();
    shape.zoom(Math.exp(-event.deltaY * 0.001), event.offsetX, event.offsetY);
    draw();
  }
}, { passive: false });

const MOVES = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];
canvas.addEventListener('keydown', event => {
  const isMove = MOVES.includes(event.key);
  if (!shape || (!isMove && event.key !== 'Enter')) {
    return;
  }
  event.preventDefault();
  if (isMove) {
    state.cursor = state.torus.moved(Math.min(state.cursor ?? 0, state.torus.positions.length - 1), event.key);
    shape.reveal?.(state.cursor);
    hover(...shape.point(state.cursor));
    draw();
  } else if (state.cursor !== null) {
    pick(state.cursor);
  }
});

// --- what is chosen ---

function choose(id, then) {
  document.getElementById(id).addEventListener('click', event => {
    const { value } = event.target.dataset;
    if (value) {
      document.querySelectorAll(`#${id} button`).forEach(button => button.setAttribute('aria-pressed', button.dataset.value === value));
      then(value);
      draw();
    }
  });
}

choose('shape', value => {
  wanted = value;
  // All of it again.
  Object.assign(views.plane, { zoom: 1, east: 0, south: 0 });
  makeShape();
});
choose('colour', value => {
  state.mode = value;
});
document.getElementById('path-form').addEventListener('submit', event => {
  event.preventDefault();
  state.picked = [0, 0];
  if (state.torus) {
    showPath();
  }
});
document.getElementById('level').addEventListener('change', () => state.torus && showPath());
document.getElementById('clear').addEventListener('click', () => {
  clearPath();
  if (state.torus) {
    showPath();
  }
});
new ResizeObserver(draw).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

// Where a switch is drawn, in the coordinates of the window; for tests.
window.placeOnScreen = at => {
  const [x, y] = shape.point(state.torus.position(at));
  const box = canvas.getBoundingClientRect();
  return { x: Math.round(box.left + x), y: Math.round(box.top + y) };
};

follow();
