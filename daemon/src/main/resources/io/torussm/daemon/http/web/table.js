// A table of any length: only the rows in sight are in the document. It is sorted by its heads, searched, and read and walked by keys.

import { element } from './dom.js';

const ROW_HEIGHT = 26;

// Rows beyond those in sight, so that scrolling shows no gap.
const SPARE = 8;

const order = new Intl.Collator(undefined, { numeric: true });

function compared(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : order.compare(String(a), String(b));
}

// A condition of a search: a word that a row has somewhere, or -word that it has not, or column:word, column>number, column<number.
function condition(word, columns) {
  const isNot = word.length > 1 && word.startsWith('-');
  const [, key, sign, value] = /^([a-z]+)([:<>=])(.+)$/i.exec(isNot ? word.slice(1) : word) ?? [];
  const at = columns.findIndex(column => column.key === key?.toLowerCase());
  const text = (isNot ? word.slice(1) : word).toLowerCase();
  const holds = at < 0
    ? row => row.text.includes(text)
    : sign === ':' ? row => String(row.cells[at]).toLowerCase().includes(value.toLowerCase())
      : sign === '=' ? row => String(row.cells[at]).toLowerCase() === value.toLowerCase()
        : row => (sign === '>' ? Number(row.cells[at]) > Number(value) : Number(row.cells[at]) < Number(value));
  return row => holds(row) !== isNot;
}

// Words, and "several words" in quotes.
function conditions(find, columns) {
  return [...find.matchAll(/"([^"]*)"?|\S+/g)].map(match => condition(match[1] ?? match[0], columns));
}

export class Table {
  // `on` takes what happens: opened(item), sorted(text)
  constructor(root, count, on) {
    this.root = root;
    this.count = count;
    this.on = on;
    this.active = 0;
    this.shown = [];
    this.table = element('table', '', 'rows');
    this.table.setAttribute('role', 'grid');
    this.head = element('thead');
    this.body = element('tbody');
    this.table.append(this.head, this.body);
    root.replaceChildren(this.table);
    root.addEventListener('scroll', () => this.draw(), { passive: true });
    this.body.addEventListener('keydown', event => this.key(event));
    this.body.addEventListener('click', event => this.click(event));
    new ResizeObserver(() => this.draw()).observe(root);
  }

  // Shows items: each column has a key, a title, a value of an item and, if it wants, a text of that value.
  show(title, columns, items, find, sort) {
    this.table.setAttribute('aria-label', title);
    this.columns = columns;
    this.rows = items.map(item => {
      const cells = columns.map(column => column.of(item));
      return { item, cells, text: cells.join(' ').toLowerCase() };
    });
    this.arrange(find, sort);
  }

  // Searches and sorts anew; what is not there yet is shown so when it comes.
  arrange(find, sort) {
    if (!this.columns) {
      return;
    }
    const wanted = conditions(find, this.columns);
    this.find = find;
    this.sort = sort;
    this.shown = this.rows.filter(row => wanted.every(holds => holds(row)));
    const isDown = sort.startsWith('-');
    const at = this.columns.findIndex(column => column.key === sort.replace(/^-/, ''));
    if (at >= 0) {
      this.shown.sort((a, b) => compared(a.cells[at], b.cells[at]) * (isDown ? -1 : 1));
    }
    this.active = Math.min(this.active, Math.max(0, this.shown.length - 1));
    this.table.setAttribute('aria-rowcount', this.shown.length + 1);
    this.count.textContent = find === '' ? `${this.shown.length}` : `${this.shown.length} of ${this.rows.length}`;
    this.heads(at, isDown);
    this.drawn = null;
    this.draw();
  }

  heads(sorted, isDown) {
    const focused = document.activeElement?.closest('th')?.cellIndex;
    const row = element('tr');
    row.setAttribute('aria-rowindex', '1');
    this.columns.forEach((column, i) => {
      const head = element('th', '', column.isNumber ? 'n' : '');
      head.scope = 'col';
      head.setAttribute('aria-sort', i !== sorted ? 'none' : isDown ? 'descending' : 'ascending');
      const button = element('button', column.title);
      button.type = 'button';
      button.addEventListener('click', () => this.on.sorted(i === sorted && !isDown ? `-${column.key}` : column.key));
      head.append(button);
      row.append(head);
    });
    this.head.replaceChildren(row);
    if (focused !== undefined && this.root.contains(this.table)) {
      row.cells[focused]?.firstChild.focus({ preventScroll: true });
    }
  }

  // Those in sight, between two empty rows as high as all others.
  draw() {
    if (!this.columns || this.root.clientHeight === 0) {
      return;
    }
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW_HEIGHT) - SPARE);
    const last = Math.min(this.shown.length, first + Math.ceil(this.root.clientHeight / ROW_HEIGHT) + 2 * SPARE);
    const key = `${first}-${last}`;
    if (this.drawn !== key) {
      const hadFocus = this.body.contains(document.activeElement);
      this.drawn = key;
      const rows = [];
      for (let index = first; index < last; index++) {
        rows.push(this.row(index));
      }
      this.body.replaceChildren(this.gap(first), ...rows, this.gap(this.shown.length - last));
      this.turn(hadFocus, first, last);
    }
  }

  gap(rows) {
    const gap = element('tr', '', 'gap');
    gap.setAttribute('aria-hidden', 'true');
    gap.append(element('td'));
    gap.firstChild.colSpan = this.columns.length;
    gap.style.height = `${rows * ROW_HEIGHT}px`;
    return gap;
  }

  row(index) {
    const { cells, item } = this.shown[index];
    const row = element('tr', '', item.className ?? '');
    row.dataset.index = index;
    row.setAttribute('aria-rowindex', index + 2);
    row.tabIndex = -1;
    this.columns.forEach((column, i) => {
      const cell = element('td', column.text ? column.text(cells[i]) : String(cells[i]), column.isNumber ? 'n' : '');
      cell.title = cell.textContent;
      cell.setAttribute('role', 'gridcell');
      row.append(cell);
    });
    return row;
  }

  // One row can be reached with Tab: the active one, or the first in sight.
  turn(hadFocus, first, last) {
    const index = this.active >= first && this.active < last ? this.active : Math.min(last - 1, first + SPARE);
    const row = this.body.querySelector(`[data-index="${index}"]`) ?? this.body.querySelector('[data-index]');
    if (row) {
      row.tabIndex = 0;
      if (hadFocus) {
        row.focus({ preventScroll: true });
      }
    }
  }

  key(event) {
    const at = Number(event.target.closest('tr')?.dataset.index);
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW_HEIGHT) - 2);
    const last = this.shown.length - 1;
    const to = {
      ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.go(Math.max(0, Math.min(last, to)));
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.on.opened(this.shown[at].item);
    }
  }

  // Makes a row the active one, and brings it into sight.
  go(index) {
    this.active = index;
    const top = index * ROW_HEIGHT;
    const head = this.head.offsetHeight;
    if (top < this.root.scrollTop) {
      this.root.scrollTop = top;
    } else if (top + ROW_HEIGHT + head > this.root.scrollTop + this.root.clientHeight) {
      this.root.scrollTop = top + ROW_HEIGHT + head - this.root.clientHeight;
    }
    this.draw();
    this.body.querySelectorAll('tr[tabindex="0"]').forEach(row => {
      row.tabIndex = -1;
    });
    const row = this.body.querySelector(`[data-index="${index}"]`);
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
  }

  click(event) {
    const row = event.target.closest('tr[data-index]');
    if (row) {
      this.go(Number(row.dataset.index));
      this.on.opened(this.shown[this.active].item);
    }
  }
}
