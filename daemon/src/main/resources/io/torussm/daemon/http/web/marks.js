// Which ports of switches mark packets, and which ports of hosts are slowed down, by the logs of congestion control.

import { Refused, ask } from './server.js';

const OFF = 'congestion control is off, or this SM is not master';

function events(count) {
  return `${count} ${count === 1 ? 'event' : 'events'}`;
}

export class Marks {
  // Why there are none; empty if there are, or may be.
  problem = OFF;

  // Devices with events, by the GUID of a switch, and by the GUID and port of a host.
  switches = new Map();

  hosts = new Map();

  // The most events of a switch.
  most = 1;

  async refresh() {
    try {
      const { body } = await ask('api/congestion');
      this.problem = body.isOn ? '' : OFF;
      this.take(body.congested);
    } catch (problem) {
      if (!(problem instanceof Refused)) {
        throw problem;
      }
      this.problem = problem.message;
      this.take([]);
    }
  }

  take(devices) {
    const switches = devices.filter(device => device.port === 0);
    this.switches = new Map(switches.map(device => [device.guid, device]));
    this.hosts = new Map(devices.filter(device => device.port !== 0).map(device => [`${device.guid}/${device.port}`, device]));
    this.most = Math.max(1, ...switches.map(device => device.events));
  }

  // Whether a port of a switch marked packets.
  isMarking(guid, port) {
    return this.switches.get(guid)?.ports.includes(port) ?? false;
  }

  // Whether flows of a host, as the picture has it, reached Trigger_Threshold.
  isSlow(host) {
    return this.hosts.has(`${host.guid}/${host.hostPort}`);
  }

  // Which ends of a link marked: switch and port.
  ends(torus, { link }) {
    return link.ports.flatMap(([near, far]) => [[torus.switches[link.from], near], [torus.switches[link.to], far]])
      .filter(([sw, port]) => this.isMarking(sw.guid, port));
  }

  // The events of the switch that marked most at a link, as a share of the most, on a logarithmic scale; null if none did. A log counts the
  // events of a switch, and names its ports.
  share(torus, edge) {
    const counts = this.ends(torus, edge).map(([sw]) => this.switches.get(sw.guid).events);
    return counts.length === 0 ? null : Math.log(1 + Math.max(...counts)) / Math.log(1 + this.most);
  }

  // The same in words.
  wordsOfLink(torus, edge) {
    return this.ends(torus, edge).map(([sw, port]) => `${sw.name} port ${port} marks; ${events(this.switches.get(sw.guid).events)} of the switch`).join('\n');
  }

  // A switch and its hosts in words, a line each; empty if none has events.
  wordsOfSwitch({ guid, hosts }) {
    const marking = this.switches.get(guid);
    return [
      ...(marking ? [`marks at ${marking.ports.length === 1 ? 'port' : 'ports'} ${marking.ports.join(', ')}; ${events(marking.events)}`] : []),
      ...hosts.filter(host => this.isSlow(host)).map(host => `${host.name} is slowed down`),
    ];
  }

  // A port in words; empty without events.
  wordsOfPort(guid, port) {
    const host = this.hosts.get(`${guid}/${port}`);
    return host ? `slowed down, SL ${host.sls.join(', ')}` : this.isMarking(guid, port) ? 'marks' : '';
  }
}
