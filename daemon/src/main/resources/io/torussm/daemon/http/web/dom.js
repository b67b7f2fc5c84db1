// Small things that all parts of the page are made of. Whatever comes from the fabric goes in as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export function byId(id) {
  return document.getElementById(id);
}

export function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? '';
  if (className) {
    made.className = className;
  }
  return made;
}

// Puts other children in; the keys stay where they were among the buttons.
export function fill(id, children) {
  const root = byId(id);
  const at = [...root.querySelectorAll('button')].indexOf(document.activeElement);
  root.replaceChildren(...children);
  if (at >= 0) {
    root.querySelectorAll('button')[at]?.focus({ preventScroll: true });
  }
}

export function button(text, className, then) {
  const made = element('button', text, className);
  made.type = 'button';
  made.addEventListener('click', then);
  return made;
}

export function drawing(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

// A table of cells, each a text or an element; numeric columns are aligned to the right.
export function table(head, rows, numeric = []) {
  const made = element('table');
  const line = (cells, name) => {
    const row = element('tr');
    cells.forEach((cell, i) => {
      const one = element(name, '', numeric.includes(i) ? 'n' : '');
      one.append(cell);
      if (name === 'th') {
        one.scope = 'col';
      }
      row.append(one);
    });
    return row;
  };
  const top = element('thead');
  top.append(line(head, 'th'));
  const body = element('tbody');
  body.append(...rows.map(row => line(row, 'td')));
  made.append(top, body);
  return made;
}

// A time as the log and the console have it: ISO 8601 in UTC, without parts of seconds.
export function moment(value) {
  return `${new Date(value).toISOString().slice(0, 19)}Z`;
}

export function time(text) {
  return text ? moment(text) : 'before this SM was master';
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

// A rate of bytes as bits, which is what links are measured in.
export function bits(bytesPerSecond) {
  let value = bytesPerSecond * 8;
  let prefix = 0;
  while (value >= 1000 && prefix < PREFIXES.length - 1) {
    value /= 1000;
    prefix++;
  }
  return `${value >= 100 || prefix === 0 ? Math.round(value) : value.toFixed(1)} ${PREFIXES[prefix]}bit/s`;
}

export function percent(share) {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
