// What is looked at, in the part of the address after #: whoever opens it sees the same.

const KEYS = ['view', 'links', 'select', 'from', 'to', 'level', 'table', 'find', 'sort', 'at', 'hosts'];

// Nothing chosen.
const USUAL = { view: '', links: 'load', select: '', from: '', to: '', level: '0', table: 'switches', find: '', sort: '', at: '', hosts: '' };

export function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(KEYS.map(key => [key, given.get(key) ?? USUAL[key]]));
}

function text(link) {
  const parts = new URLSearchParams();
  KEYS.filter(key => link[key] !== USUAL[key]).forEach(key => parts.set(key, link[key]));
  // Commas and slashes need no code there, and people read them.
  return parts.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');
}

// What is typed letter by letter is no step back of its own.
export function write(link, isStep) {
  const address = `${location.pathname}#${text(link)}`;
  if (address !== `${location.pathname}${location.hash || '#'}`) {
    history[isStep ? 'pushState' : 'replaceState'](null, '', address);
  }
}
