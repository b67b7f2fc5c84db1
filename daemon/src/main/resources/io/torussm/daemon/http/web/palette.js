// Colours. How much of something a link has is a ramp of one hue, blue; what is wrong has other hues, and a dash or a cross as well, so that
// neither depends on the eyes of who looks. The ramp of errors is violet and dashed: errors are both.

const NAMES = ['page', 'card', 'ink', 'faint', 'line', 'accent', 'good', 'warn', 'bad', 'path', 'node', 'link', 'tree', 'band',
  'load-low', 'load-mid', 'load-high', 'error-low', 'error-high'];

const STEPS = 12;

// Errors an hour that are drawn as the most.
const MANY_ERRORS = 1000;

// Those of the style sheet.
export function palette() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
}

function rgb(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

function mixed(stops, share) {
  const at = Math.min(0.999, Math.max(0, share)) * (stops.length - 1);
  const [low, high] = [rgb(stops[Math.floor(at)]), rgb(stops[Math.floor(at) + 1])];
  return `rgb(${low.map((value, i) => Math.round(value + (high[i] - value) * (at % 1))).join(',')})`;
}

function loadColour(share, colours) {
  return mixed([colours['load-low'], colours['load-mid'], colours['load-high']], share);
}

function errorColour(share, colours) {
  return mixed([colours['error-low'], colours['error-high']], share);
}

// What links can be coloured by. `of` is a share of 0 to 1 of a link, or null where nobody knows.
export const MODES = {
  load: {
    title: 'Paths', isOf: torus => torus.json.isRouted,
    of: (torus, edge) => torus.load(edge.link) / torus.maxLoad,
    ends: torus => ['few paths', `${Math.round(torus.maxLoad)} a cable, the most`],
  },
  traffic: {
    title: 'Traffic', isCounted: true,
    of: (torus, edge, counters) => counters.traffic(torus, edge), ends: () => ['idle', 'all of the link'],
  },
  congestion: {
    title: 'Congestion', isCounted: true,
    of: (torus, edge, counters) => counters.congestion(torus, edge), ends: () => ['never waits', 'always waits for credits'],
  },
  marks: {
    title: 'Marked packets', isCounted: true, isMarked: true,
    of: (torus, edge, counters) => counters.marks.share(torus, edge),
    ends: () => ['marks, at a switch with few events', 'most events'],
  },
  errors: {
    title: 'Errors', isCounted: true, isTrouble: true,
    of: (torus, edge, counters) => {
      const errors = counters.errors(torus, edge);
      return errors === null ? null : Math.log10(1 + errors) / Math.log10(1 + MANY_ERRORS);
    },
    ends: () => ['an error an hour', `${MANY_ERRORS} and more`],
  },
  tree: { title: 'Multicast tree', isOf: torus => torus.json.multicast },
  plain: { title: 'Plain' },
};

// Why a mode says nothing now; empty if it does.
export function objection(name, torus, counters) {
  const mode = MODES[name];
  if (mode.isCounted) {
    return torus.json.at ? 'counters exist for the present only' : mode.isMarked ? counters.marks.problem : counters.problem;
  }
  return !mode.isOf || mode.isOf(torus) ? '' : name === 'tree' ? 'multicast is off' : 'no routes are active';
}

// Whether marks are drawn, at switches and hosts, too.
export function showsMarks({ torus, counters, link }) {
  return MODES[link.links].isMarked === true && objection(link.links, torus, counters) === '';
}

// How links are drawn: a few styles, and which of them each edge has. Edges without a link have none.
export function linkStyles(torus, name, counters, colours) {
  const mode = objection(name, torus, counters) === '' ? MODES[name] : MODES.plain;
  const styles = [
    { colour: colours.link, width: 2, dash: [] }, { colour: mode.of ? colours.line : colours.tree, width: mode.of ? 1.5 : 3.5, dash: [] },
    { colour: colours.line, width: 1.5, dash: [] },
  ];
  for (let step = 0; mode.of && step < STEPS; step++) {
    const share = step / (STEPS - 1);
    styles.push(mode.isTrouble
      ? { colour: errorColour(share, colours), width: 2.5 + 2 * share, dash: [7, 3] }
      : { colour: loadColour(share, colours), width: 1.5 + 3 * share, dash: [] });
  }
  const of = new Uint8Array(torus.edges.length);
  torus.edges.forEach((edge, i) => {
    if (edge.link !== null && mode.of) {
      const share = mode.of(torus, edge, counters);
      of[i] = share === null || (mode.isTrouble && share === 0) ? 1 : 3 + Math.round(Math.min(1, share) * (STEPS - 1));
    } else if (edge.link !== null && name === 'tree' && mode !== MODES.plain) {
      of[i] = edge.link.tree ? 1 : 2;
    }
  });
  return { styles, of };
}

// What the colours of links mean: colour, words, dash.
export function meanings(torus, name, counters, colours) {
  if (objection(name, torus, counters) !== '') {
    return [];
  }
  const mode = MODES[name];
  if (mode.of) {
    const colour = mode.isTrouble ? errorColour : loadColour;
    const dash = mode.isTrouble ? '6 3' : '';
    const [few, many] = mode.ends(torus);
    return [[colour(0, colours), few, dash], [colour(0.5, colours), '', dash], [colour(1, colours), many, dash]];
  }
  return name === 'tree' ? [[colours.tree, 'carries multicast; a ring: its root', '']] : [];
}
