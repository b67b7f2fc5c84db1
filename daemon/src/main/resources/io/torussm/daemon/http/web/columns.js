// The tables: which lists they are of, and what is in their columns. What a row opens is its `select`: a GUID, or a GUID and a port.

import { bits, moment, percent, time } from './dom.js';
import { list } from './server.js';

function column(key, title, of, more = {}) {
  return { key, title, of, ...more };
}

function number(key, title, of, text) {
  return column(key, title, of, { isNumber: true, text });
}

function siteOf(torus, guid) {
  const sw = torus.switches[torus.byGuid.get(guid)] ?? torus.hostByGuid.get(guid);
  return sw?.site ?? { rack: '', row: '', unit: '' };
}

// What is counted at a port, where anything is.
function counted(counters, guid, port) {
  const blank = value => (value === '' ? '' : value);
  const of = name => item => counters.of(item[guid], item[port])?.[name] ?? '';
  return counters.problem !== '' ? [] : [
    number('sent', 'sent', of('xmitBytesPerSecond'), value => (blank(value) === '' ? '' : bits(value))),
    number('waits', 'waits', of('xmitWaitShare'), value => (blank(value) === '' ? '' : percent(value))),
    number('errors', 'errors/h', of('errorsPerHour'), value => (blank(value) === '' ? '' : String(Math.round(value * 10) / 10))),
  ];
}

function switches({ torus }) {
  const where = item => (torus.byGuid.has(item.guid) ? torus.where(torus.byGuid.get(item.guid)) : item.place);
  return [
    column('name', 'name', item => item.name), column('place', 'place', where),
    column('rack', 'rack', item => siteOf(torus, item.guid).rack), column('guid', 'GUID', item => item.guid),
    number('lid', 'LID', item => item.lid), number('ports', 'ports', item => item.ports),
    number('hosts', 'hosts', item => torus.switches[torus.byGuid.get(item.guid)]?.hosts.length ?? 0),
    column('device', 'device', item => `${item.vendorId} ${item.deviceId}`), column('revision', 'revision', item => item.revision),
  ];
}

function hosts({ torus }) {
  const guid = item => torus.endOfLid.get(item.lid)?.guid ?? item.portGuid;
  return [
    column('name', 'name', item => item.name), number('lid', 'LID', item => item.lid), column('guid', 'port GUID', item => item.portGuid),
    column('rack', 'rack', item => siteOf(torus, guid(item)).rack), column('switch', 'switch', item => item.leaf.name),
    number('port', 'its port', item => item.leaf.port), column('place', 'place', item => item.place.join(',')),
  ];
}

function ports({ torus, counters }) {
  return [
    column('device', 'device', item => item.device), number('port', 'port', item => item.number),
    column('place', 'place', item => torus.switches[torus.byGuid.get(item.deviceGuid)]?.place ?? ''),
    column('state', 'state', item => item.state), column('width', 'width', item => item.width),
    number('speed', 'Gb/s a lane', item => (item.speed === '' ? '' : Number(item.speed))), number('mtu', 'MTU', item => item.mtu || ''),
    column('peer', 'leads to', item => (item.peerGuid === '' ? '' : `${torus.nameOf(item.peerGuid) || item.peerGuid} port ${item.peerNumber}`)),
    ...counted(counters, 'deviceGuid', 'number'),
    ...(counters.marks.problem !== '' ? [] : [column('marks', 'marks', item => counters.marks.wordsOfPort(item.deviceGuid, item.number))]),
  ];
}

function links({ torus, counters }) {
  const edge = item => torus.edgeOfPort.get(`${item.fromGuid}/${item.fromPort}`);
  const place = guid => torus.switches[torus.byGuid.get(guid)]?.place ?? '';
  return [
    column('from', 'from', item => item.from), column('fromplace', 'place', item => place(item.fromGuid)),
    number('fromport', 'port', item => item.fromPort), column('to', 'to', item => item.to),
    column('toplace', 'place', item => place(item.toGuid)), number('toport', 'port', item => item.toPort),
    column('width', 'width', item => item.width), number('speed', 'Gb/s a lane', item => (item.speed === '' ? '' : Number(item.speed))),
    number('paths', 'paths', item => (edge(item) ? Math.round(torus.load(edge(item).link)) : '')),
    column('tree', 'multicast', item => (edge(item)?.link.tree ? 'yes' : '')),
    ...counted(counters, 'fromGuid', 'fromPort'),
  ];
}

function conditions() {
  return [
    column('level', 'level', item => item.level), column('code', 'code', item => item.code),
    column('since', 'since', item => item.since ?? '', { text: value => (value === '' ? '' : time(value)) }),
    column('place', 'place', item => item.place), column('text', 'what', item => item.text), column('cure', 'remedy', item => item.cure),
  ];
}

function events() {
  return [
    column('time', 'time', item => item.timeMs, { text: value => moment(value) }),
    column('level', 'level', item => item.level), column('code', 'code', item => item.code), column('text', 'what', item => item.text),
  ];
}

// The device that a condition is about, by the place or the name that it has; empty if it names none.
export function about(torus, words) {
  const named = [...torus.endOfLid.values()].find(end => end.name === words);
  return words === '' ? '' : torus.switches.find(sw => sw.place === words)?.guid ?? named?.guid ?? '';
}

// `items` is asked each time that the state of the fabric is another.
export const TABLES = {
  switches: {
    title: 'Switches', columns: switches, items: async () => (await list('systems')).filter(item => item.type === 'switch'),
    select: item => item.guid,
  },
  hosts: { title: 'Hosts', columns: hosts, items: () => list('hosts'), select: (item, { torus }) => torus.endOfLid.get(item.lid)?.guid ?? item.portGuid },
  ports: { title: 'Ports', columns: ports, items: () => list('ports'), select: item => `${item.deviceGuid}/${item.number}` },
  links: { title: 'Links', columns: links, items: () => list('links'), select: item => `${item.fromGuid}/${item.fromPort}` },
  conditions: { title: 'Conditions', columns: conditions, items: () => list('conditions'), select: (item, { torus }) => about(torus, item.place) },
  events: { title: 'Events', columns: events, items: async ({ events: lines }) => [...lines], select: () => '' },
};
