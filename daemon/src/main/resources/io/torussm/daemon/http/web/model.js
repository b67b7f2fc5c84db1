// What /api/torus says, prepared for drawing: positions where a switch is or was, links by their two ends.

class Fabric {
  constructor(json) {
    this.json = json;
    this.switches = json.switches;
    this.links = json.links;
    this.root = json.root;
    this.lattice = json.lattice ?? null;
    // Cables that go where none should in a tree.
    this.wrong = [];
    this.hosts = this.switches.reduce((sum, sw) => sum + sw.hosts.length, 0);
    this.maxLoad = Math.max(1, ...this.links.map(link => this.load(link)));
    this.byPair = new Map(this.links.map(link => [pair(link.from, link.to), link]));
    this.byGuid = new Map(this.switches.map((sw, index) => [sw.guid, index]));
    this.endOfLid = new Map();
    this.hostByGuid = new Map();
    this.switches.forEach((sw, index) => {
      this.endOfLid.set(sw.lid, { name: sw.name, guid: sw.guid, lid: sw.lid, sw: index });
      sw.hosts.forEach(host => {
        const end = { ...host, sw: index };
        this.endOfLid.set(host.lid, end);
        this.hostByGuid.set(host.guid, end);
      });
    });
  }

  // What edges need once they are all there.
  finish() {
    this.edges.forEach((edge, index) => {
      edge.index = index;
    });
    this.lost = this.edges.filter(edge => edge.link === null);
    // Of two between the same switches, in a ring of two, the first.
    this.edgeOfPair = new Map([...this.edges].reverse().map(edge => [pair(edge.from, edge.to), edge]));
    this.edgeOfPort = new Map();
    this.edges.filter(edge => edge.link !== null).forEach(edge => edge.link.ports.forEach(([near, far]) => {
      this.edgeOfPort.set(`${this.switches[edge.link.from].guid}/${near}`, edge);
      this.edgeOfPort.set(`${this.switches[edge.link.to].guid}/${far}`, edge);
    }));
    this.takeLost();
    this.cables = this.links.reduce((sum, link) => sum + link.cables, 0);
    this.lostCables = this.edges.reduce((sum, edge) => sum + edge.lost.length, 0);
  }

  // Whether nothing is missing and no cable is wrong: then the list of missing and faulty parts is empty.
  get isWhole() {
    return this.json.absent.length === 0 && this.absent.length === 0 && this.lost.length === 0
      && this.lostCables === 0 && this.wrong.length === 0 && this.rings.length === 0;
  }

  // Of cables that are lost, their ports too.
  takeLost() {
    this.edges.forEach(edge => edge.lost.flatMap(cable => [cable.from, cable.to]).forEach(end => {
      this.edgeOfPort.set(`${end.guid}/${end.port}`, edge);
    }));
  }

  // Where a device is in the picture, or the cable at a port of it: positions and edges to be marked.
  target(guid, port = null) {
    const edge = port === null ? undefined : this.edgeOfPort.get(`${guid}/${port}`);
    if (edge) {
      return { positions: [], edges: [edge] };
    }
    const sw = this.byGuid.get(guid) ?? this.hostByGuid.get(guid)?.sw;
    const position = sw === undefined ? this.absentPosition(guid) : this.positionOf.get(sw);
    return { positions: position === undefined ? [] : [position], edges: [] };
  }

  // Where a switch was that is absent.
  absentPosition(guid) {
    const device = this.json.absent.find(each => each.guid === guid);
    return device && this.positionOfEnd(device.isSwitch ? { place: device.place, guid: device.guid } : device.at);
  }

  // How a device is named that the picture has; empty if it has none.
  nameOf(guid) {
    const sw = this.byGuid.get(guid);
    return sw === undefined ? this.hostByGuid.get(guid)?.name ?? '' : this.switches[sw].name;
  }

  // A cable of an edge, as the port of one of its switches; null if there is none.
  portOf({ link }) {
    return link === null ? null : { guid: this.switches[link.from].guid, port: link.ports[0][0] };
  }

  // The switch at each position, -1 where there is none now.
  place(positions) {
    this.positions = positions;
    this.positionOf = new Map(positions.map((sw, position) => [sw, position]));
    this.positionOf.delete(-1);
    this.absent = [...positions.keys()].filter(position => positions[position] < 0);
  }

  // Paths over a cable of a link, in the busier direction.
  load(link) {
    return Math.max(link.there, link.back) / link.cables;
  }

  switchAt(position) {
    return this.positions[position];
  }

  // Where the switch of a hop stands; undefined if it is no switch, or has no position.
  positionOfHop(hop) {
    return this.positionOf.get(this.byGuid.get(hop.guid));
  }

  // Where a switch stands, in words.
  where(sw) {
    return this.switches[sw].place;
  }

  // Whether both switches of an edge are there and the cable between them is not.
  isFailed(edge) {
    return edge.link === null && this.switchAt(edge.from) >= 0 && this.switchAt(edge.to) >= 0;
  }

  // The end port that stands for a switch: its first host, or itself.
  endOf(sw) {
    const host = this.switches[sw].hosts[0];
    return host ?? { name: this.switches[sw].name, lid: this.switches[sw].lid };
  }
}

// A torus: positions are those of the lattice.
class Torus extends Fabric {
  constructor(json) {
    super(json);
    const { sizes, switches, missing, rings } = this.lattice;
    this.sizes = sizes;
    this.rings = rings;
    this.place(switches);
    this.positionOfPlace = new Map(this.switches.map((sw, index) => [sw.place, this.positionOf.get(index)]));
    this.positionOfPlace.delete('');
    const lost = new Map(missing.map(link => [`${link.from}/${link.d}`, link.lost]));
    this.edges = [];
    for (let position = 0; position < switches.length; position++) {
      for (let d = 0; d < 3; d++) {
        const next = this.next(position, d);
        if (next !== null) {
          const link = this.byPair.get(pair(switches[position], switches[next])) ?? null;
          const wraps = this.at(next)[d] < this.at(position)[d];
          this.edges.push({ from: position, to: next, d, link, wraps, lost: lost.get(`${position}/${d}`) ?? [] });
        }
      }
    }
    this.finish();
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

  // The edges of a ring, or of a line.
  edgesOf(ring) {
    const first = this.at(ring.position);
    return this.edges.filter(edge => edge.d === ring.d
      && this.at(edge.from).every((value, d) => d === ring.d || value === first[d]));
  }

  // What people call a position.
  name(position) {
    return `(${this.at(position).join(',')})`;
  }

  // What was at a place where no switch is now; null if nobody knows.
  absentAt(position) {
    return this.json.absent.find(device => device.isSwitch && device.place === this.name(position)) ?? null;
  }

  // Where the end of a lost cable is.
  positionOfEnd(end) {
    return this.positionOfPlace.get(end.place);
  }

  // Where an arrow key leads.
  moved(position, key) {
    const [d, step] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], PageUp: [2, 1], PageDown: [2, -1] }[key];
    const at = this.at(position);
    at[d] = (at[d] + step + this.sizes[d]) % this.sizes[d];
    return this.position(at);
  }
}

// A tree in levels, or any other graph, as the SM has laid it out: positions are its nodes.
class Graph extends Fabric {
  constructor(json) {
    super(json);
    const { levels, nodes, missing } = json.layout;
    this.levels = levels;
    this.nodes = nodes;
    this.rings = [];
    this.place(nodes.map(node => node.switch));
    this.positionOfGuid = new Map(nodes.map((node, position) => [node.guid, position]));
    const lost = new Map(missing.map(({ from, to, lost: cables }) => [pair(from, to), { from, to, cables }]));
    // The busiest are drawn last.
    this.edges = [...this.links].sort((a, b) => this.load(a) - this.load(b)).map(link => {
      const [from, to] = [this.positionOf.get(link.from), this.positionOf.get(link.to)];
      const key = pair(from, to);
      const cables = lost.get(key)?.cables ?? [];
      lost.delete(key);
      return { from, to, link, lost: cables };
    });
    lost.forEach(({ from, to, cables }) => this.edges.push({ from, to, link: null, lost: cables }));
    this.finish();
    this.faults = new Map(json.layout.wrong.map(({ from, to, text }) => [pair(from, to), text]));
    const isWrong = edge => edge.link !== null
      && (this.faults.has(pair(edge.link.from, edge.link.to)) || Math.abs(this.level(edge.from) - this.level(edge.to)) !== 1);
    this.wrong = json.layout.isTree ? this.edges.filter(isWrong) : [];
    this.wrong.forEach(edge => {
      edge.isWrong = true;
    });
  }

  // Where the level of a switch is drawn; of a plane there are none.
  level(position) {
    return this.levels.length > 0 ? this.nodes[position].y : 0;
  }

  // What is wrong with a cable: what the SM says, or that it does not join two neighbouring levels.
  fault(edge) {
    const said = this.faults.get(pair(edge.link.from, edge.link.to));
    if (said) {
      return said;
    }
    const [low, high] = [this.level(edge.from), this.level(edge.to)].sort((a, b) => a - b);
    return low === high ? `joins two switches of level ${low}` : `goes from level ${low} to level ${high}`;
  }

  // How far a node is along its level, and the level, or its place on the plane.
  at(position) {
    const { x, y } = this.nodes[position];
    return this.levels.length > 0 ? [(x + 0.5) / this.levels[y], y] : [x, y];
  }

  where(sw) {
    return this.levels.length > 0 ? `level ${this.nodes[this.positionOf.get(sw)].y}` : super.where(sw);
  }

  position([name]) {
    return this.nodes.findIndex((_, position) => this.name(position) === name);
  }

  edgesOf() {
    return [];
  }

  name(position) {
    const { switch: sw, guid } = this.nodes[position];
    return (sw < 0 ? this.absentAt(position) : this.switches[sw])?.name || guid;
  }

  absentAt(position) {
    return this.json.absent.find(device => device.isSwitch && device.guid === this.nodes[position].guid) ?? null;
  }

  positionOfEnd(end) {
    return this.positionOfGuid.get(end.guid);
  }

  // The nearest node that way; levels are far apart, so that left and right stay in one.
  moved(position, key) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [0, 0];
    const far = this.levels.length > 0 ? 10 : 1;
    const [x, y] = this.at(position);
    let best = position;
    let least = Infinity;
    this.nodes.forEach((_, other) => {
      const [dx, dy] = [this.at(other)[0] - x, (this.at(other)[1] - y) * far];
      const along = dx * way[0] + dy * way[1];
      const cost = along + 2 * Math.abs(dx * way[1] - dy * way[0]);
      if (along > 0 && cost < least) {
        [best, least] = [other, cost];
      }
    });
    return best;
  }
}

// The fabric that the SM tells of.
export function fabric(json) {
  return json.lattice ? new Torus(json) : new Graph(json);
}

export function pair(a, b) {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

export const DIMENSIONS = ['x', 'y', 'z'];
