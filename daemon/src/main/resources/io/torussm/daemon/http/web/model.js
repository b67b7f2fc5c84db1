// What /api/torus says, prepared for drawing: links by their two ends, positions as coordinates.

export class Torus {
  constructor(json) {
    this.json = json;
    this.switches = json.switches;
    this.links = json.links;
    this.root = json.root;
    this.lattice = json.lattice ?? null;
    this.maxLoad = Math.max(1, ...this.links.map(link => Math.max(link.there, link.back) / link.cables));
    this.byPair = new Map(this.links.map(link => [pair(link.from, link.to), link]));
    this.endOfLid = new Map();
    this.switches.forEach((sw, index) => {
      this.endOfLid.set(sw.lid, { name: sw.name, lid: sw.lid, sw: index });
      sw.hosts.forEach(host => this.endOfLid.set(host.lid, { ...host, sw: index }));
    });
    if (this.lattice) {
      this.place();
    }
  }

  place() {
    const { sizes, switches, missing } = this.lattice;
    this.sizes = sizes;
    this.positionOf = new Map(switches.map((sw, position) => [sw, position]));
    this.positionOfPlace = new Map(this.switches.map((sw, index) => [sw.place, this.positionOf.get(index)]));
    this.positionOfPlace.delete('');
    this.lost = new Map(missing.map(link => [`${link.from}/${link.d}`, link.lost]));
    this.absent = [];
    this.edges = [];
    for (let position = 0; position < switches.length; position++) {
      if (switches[position] < 0) {
        this.absent.push(position);
      }
      for (let d = 0; d < 3; d++) {
        const next = this.next(position, d);
        if (next !== null) {
          const link = this.byPair.get(pair(switches[position], switches[next])) ?? null;
          this.edges.push({ from: position, to: next, d, link, wraps: this.at(next)[d] < this.at(position)[d] });
        }
      }
    }
  }

  // Coordinates of a position.
  at(position) {
    const [x, y] = this.sizes;
    return [position % x, Math.floor(position / x) % y, Math.floor(position / x / y)];
  }

  position(at) {
    return at[0] + this.sizes[0] * (at[1] + this.sizes[1] * at[2]);
  }

  // The neighbour in +d, null where there is none.
  next(position, d) {
    const at = this.at(position);
    const size = this.sizes[d];
    if (size === 1 || (at[d] === size - 1 && !this.lattice.wraps[d])) {
      return null;
    }
    at[d] = (at[d] + 1) % size;
    return this.position(at);
  }

  switchAt(position) {
    return this.lattice.switches[position];
  }

  // Whether both switches of an edge are there and the cable between them is not.
  isFailed(edge) {
    return edge.link === null && this.switchAt(edge.from) >= 0 && this.switchAt(edge.to) >= 0;
  }

  // Cables that were between the ends of an edge and are not, with the names of both ends.
  lostOf(edge) {
    return this.lost.get(`${edge.from}/${edge.d}`) ?? [];
  }

  // The edges of a ring, or of a line.
  edgesOf(ring) {
    const first = this.at(ring.position);
    return this.edges.filter(edge => edge.d === ring.d
      && this.at(edge.from).every((value, d) => d === ring.d || value === first[d]));
  }

  // What was at a place where no switch is now; null if nobody knows.
  absentAt(position) {
    const place = `(${this.at(position).join(',')})`;
    return this.json.absent.find(device => device.isSwitch && device.place === place) ?? null;
  }

  // The end port that stands for a switch: its first host, or itself.
  endOf(sw) {
    const host = this.switches[sw].hosts[0];
    return host ?? { name: this.switches[sw].name, lid: this.switches[sw].lid };
  }

  // The LID that some words mean: a LID, a place, or the name of a node or switch; null if none.
  lid(words) {
    const text = words.trim();
    const place = /^\(?(\d+,\d+,\d+)\)?$/.exec(text.replaceAll(' ', ''));
    const placed = place && this.switches.find(sw => sw.place === `(${place[1]})`);
    if (placed) {
      return placed.lid;
    }
    if (/^\d+$/.test(text) && this.endOfLid.has(Number(text))) {
      return Number(text);
    }
    for (const end of this.endOfLid.values()) {
      if (end.name === text) {
        return end.lid;
      }
    }
    return null;
  }
}

export function pair(a, b) {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

export const DIMENSIONS = ['x', 'y', 'z'];

// Colours of the page's style sheet, and those of load: light to dark, even in grey.
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colours = {};
  for (const name of ['page', 'card', 'ink', 'faint', 'line', 'accent', 'good', 'warn', 'bad', 'path', 'node', 'link', 'tree', 'band', 'load-low', 'load-mid', 'load-high']) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
  return colours;
}

function rgb(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

// The colour of a share of the greatest load: one hue, weak to strong, so that it is no alarm. Red and amber are for damage.
export function loadColour(share, colours) {
  const ramp = [colours['load-low'], colours['load-mid'], colours['load-high']].map(rgb);
  const at = Math.min(0.999, Math.max(0, share)) * (ramp.length - 1);
  const low = ramp[Math.floor(at)];
  const high = ramp[Math.floor(at) + 1];
  const mixed = low.map((value, i) => Math.round(value + (high[i] - value) * (at % 1)));
  return `rgb(${mixed.join(',')})`;
}

// How a link is drawn in a mode.
export function linkStyle(torus, edge, mode, colours) {
  if (mode === 'load' && torus.json.isRouted) {
    const share = Math.max(edge.link.there, edge.link.back) / edge.link.cables / torus.maxLoad;
    return { colour: loadColour(share, colours), width: 1.5 + 3 * share };
  } else if (mode === 'tree') {
    return edge.link.tree ? { colour: colours.tree, width: 3.5 } : { colour: colours.line, width: 1.5 };
  }
  return { colour: colours.link, width: 2 };
}
