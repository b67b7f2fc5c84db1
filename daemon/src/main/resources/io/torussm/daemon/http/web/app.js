// Puts the parts together: fetches what the SM publishes, shows it anew when it changes, and goes where the operator wants to look.

import { Card } from './card.js';
import { TABLES } from './columns.js';
import { Counters } from './counters.js';
import { button, byId, time } from './dom.js';
import { fabric } from './model.js';
import { Names } from './names.js';
import { MODES } from './palette.js';
import * as panels from './panels.js';
import { Paths } from './paths.js';
import * as permalink from './permalink.js';
import { Picture } from './picture.js';
import { ask } from './server.js';
import { Table } from './table.js';
import { Timeline } from './timeline.js';

// Events that the table has.
const MAX_EVENTS = 2000;

const COUNTERS_MS = 5000;

// What is looked at, and what is known of it: the fabric, its names, the path, and what is marked: by a list, by a card, by the keys.
const state = {
  link: permalink.read(), torus: null, names: null, counters: new Counters(), path: null, marked: null, chosen: null, cursor: null, events: [], styleKey: 0,
};

function say(text) {
  byId('notice').textContent = text;
  byId('notice').hidden = text === '';
}

// --- what the SM says ---

async function tried(address) {
  try {
    return { body: (await ask(address)).body, problem: '' };
  } catch (problem) {
    return { body: null, problem: problem.message };
  }
}

let isStale = false;
let refreshing = null;

// Shows what the SM says now; of many changes at once, the last.
function refresh() {
  isStale = true;
  refreshing ??= load().finally(() => {
    refreshing = null;
    if (isStale) {
      refresh();
    }
  });
  return refreshing;
}

async function load() {
  isStale = false;
  const { at } = state.link;
  const [status, torus] = [await tried('api/status'), await tried(at === '' ? 'api/torus' : `api/torus?at=${encodeURIComponent(at)}`)];
  if (isStale) {
    return;
  }
  if (!status.body) {
    say(status.problem);
    return;
  }
  state.torus = torus.body ? fabric(torus.body) : null;
  state.names = state.torus && new Names(state.torus);
  state.marked = null;
  say(state.torus ? '' : status.body.state === 'STANDBY' ? 'This SM stands by; the master has the picture.' : torus.problem);
  panels.badges(status.body, state.torus);
  panels.banner(status.body, state.torus);
  panels.conditions(status.body);
  document.body.dataset.routing = status.body.routing?.state ?? '';
  await Promise.all([timeline.refresh(at), wantsCounters() ? state.counters.refresh() : state.counters.look()]);
  panels.past(at === '' ? '' : timeline.words(at));
  if (state.torus) {
    panels.hurt(state.torus, point);
    panels.ends(state.torus);
    panels.levels(state.torus);
  }
  picture.take();
  await Promise.all([state.torus ? paths.show() : null, choose(), showTable()]);
  redraw();
}

function wantsCounters() {
  return MODES[state.link.links]?.isCounted || state.link.select !== '' || state.link.view === 'tables';
}

// Asks for counters, if anybody looks at them.
async function count() {
  if (state.torus && wantsCounters() && !document.hidden) {
    await state.counters.refresh();
    card.recount();
    picture.restyle();
  }
}

// --- what is looked at ---

// Changes that, in the address as well.
async function go(change, isStep = true) {
  const before = state.link;
  state.link = { ...before, ...change };
  permalink.write(state.link, isStep);
  await follow(before);
}

// Brings the page to what is looked at.
async function follow(before) {
  const { link } = state;
  const isOther = (...keys) => keys.some(key => link[key] !== before[key]);
  if (isOther('at')) {
    await refresh();
    return;
  }
  if (isOther('view', 'hosts')) {
    picture.take();
  }
  if (isOther('links', 'view') || (isOther('select') && state.counters.byPort.size === 0)) {
    await count();
  }
  if (isOther('view', 'table')) {
    await showTable();
  } else if (isOther('find', 'sort') && !byId('tables').hidden) {
    table.arrange(link.find, link.sort);
  }
  if (isOther('select')) {
    await choose();
  }
  if (state.torus && isOther('from', 'to', 'level')) {
    await paths.show();
  }
  redraw();
}

// The address is another: it was typed, or a step back.
function read() {
  const before = state.link;
  state.link = permalink.read();
  paths.fill();
  byId('find').value = state.link.find;
  follow(before);
}

// For tests and style sheets: what is drawn. Then draws it.
function redraw() {
  const { torus, path } = state;
  Object.assign(document.body.dataset, {
    switches: torus ? torus.switches.length : 0,
    absent: torus ? torus.absent.length : 0,
    wrong: torus ? torus.wrong.length : 0,
    failed: torus ? torus.edges.filter(edge => torus.isFailed(edge)).length : 0,
    hops: path ? path.found.hops.length : 0,
  });
  picture.restyle();
}

// Shows where something is, and its card.
function point(target) {
  state.marked = target;
  picture.reveal(target);
  if (target.select) {
    go({ select: target.select });
  }
}

// --- the parts ---

// A click on the picture, or Enter: a card, or an end of a path.
function pick(position, edge, isEnd) {
  const { torus } = state;
  const sw = position === null ? -1 : torus.switchAt(position);
  state.marked = null;
  if (isEnd && sw >= 0) {
    paths.take(torus.endOf(sw).name);
  } else if (sw >= 0) {
    go({ select: torus.switches[sw].guid });
  } else if (position !== null) {
    go({ select: torus.absentAt(position)?.guid ?? '' });
  } else if (edge !== null) {
    const cable = torus.portOf(edge) ?? edge.lost[0]?.from;
    go({ select: cable ? `${cable.guid}/${cable.port}` : '' });
  }
}

const picture = new Picture(state, { picked: pick });
const paths = new Paths(state, go);
const timeline = new Timeline(at => go({ at }));
const card = new Card(byId('card-section'), state, {
  select: select => go({ select }),
  from: ({ name }) => go({ from: name }).then(() => paths.fill()),
  to: ({ name }) => go({ to: name }).then(() => paths.fill()),
  closed: () => {
    card.show('');
    go({ select: '' });
    (byId('tables').hidden ? byId('canvas') : byId('find')).focus();
  },
});
const table = new Table(byId('rows'), byId('count'), {
  opened: item => {
    const select = TABLES[state.link.table].select(item, state);
    if (select !== '') {
      go({ select });
    } else {
      card.note(item);
    }
  },
  sorted: sort => go({ sort }, false),
});

async function choose() {
  const [guid, port] = state.link.select.split('/');
  state.chosen = guid && state.torus ? state.torus.target(guid, port ?? null) : null;
  if (state.link.select !== '' || card.shown !== '') {
    await card.show(state.link.select);
  }
}

async function showTable() {
  const { torus, link } = state;
  const wanted = TABLES[link.table] ?? TABLES.switches;
  document.querySelectorAll('#table-names button').forEach(each => each.setAttribute('aria-pressed', TABLES[each.dataset.value] === wanted));
  if (byId('tables').hidden || !torus) {
    return;
  }
  byId('table-note').textContent = link.at === '' ? '' : 'Tables show the present.';
  try {
    const items = await wanted.items(state);
    if (TABLES[state.link.table] === wanted) {
      table.show(wanted.title, wanted.columns(state), items, state.link.find, state.link.sort);
      document.body.dataset.rows = items.length;
    }
  } catch (problem) {
    byId('table-note').textContent = problem.message;
  }
}

// --- what is chosen ---

byId('table-names').append(...Object.entries(TABLES).map(([name, { title }]) => {
  const made = button(title, '', () => {
    byId('find').value = '';
    go({ table: name, find: '', sort: '' });
  });
  made.dataset.value = name;
  return made;
}));
byId('find').addEventListener('input', () => go({ find: byId('find').value }, false));
byId('find').addEventListener('keydown', event => {
  if (event.key === 'ArrowDown') {
    event.preventDefault();
    table.go(0);
  }
});
byId('to-tables').addEventListener('click', event => {
  event.preventDefault();
  go({ view: 'tables' }).then(() => byId('find').focus());
});
byId('shape').addEventListener('click', event => {
  const { value } = event.target.dataset;
  if (value) {
    picture.reset();
    go({ view: value });
  }
});
byId('hosts').addEventListener('click', () => go({ hosts: state.link.hosts === '1' ? '' : '1' }));
byId('colour').addEventListener('change', () => go({ links: byId('colour').value }));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => picture.restyle());
addEventListener('popstate', read);
addEventListener('keydown', event => {
  if (event.key === 'Escape' && !byId('card-section').hidden) {
    byId('card-close').click();
  }
});

// Where a switch is drawn, in the coordinates of the window; for tests.
window.placeOnScreen = at => {
  const [x, y] = picture.shape.point(state.torus.position(at));
  const box = byId('canvas').getBoundingClientRect();
  return { x: Math.round(box.left + x), y: Math.round(box.top + y) };
};

// --- events ---

// Many lines at once are one change of the table.
let tableDue = 0;

function take(line) {
  const event = JSON.parse(line.data);
  state.events.unshift({ ...event, className: event.level });
  state.events.length = Math.min(state.events.length, MAX_EVENTS);
  panels.event(event);
  if (state.link.table === 'events') {
    clearTimeout(tableDue);
    tableDue = setTimeout(showTable, 100);
  }
}

const news = new EventSource('events');
news.onopen = () => {
  panels.live('live');
  refresh();
};
news.onerror = () => panels.live('not connected');
news.addEventListener('line', take);
news.addEventListener('view', refresh);
paths.fill();
byId('find').value = state.link.find;
setInterval(count, COUNTERS_MS);
