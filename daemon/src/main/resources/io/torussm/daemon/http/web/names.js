// Finds the end port that somebody means, by name, place, LID or GUID, and what else may have been meant.

const MAX_PROPOSALS = 6;
const MAX_TYPOS = 2;

// Edits between two words, as far as they are at most the limit.
function typos(a, b, limit) {
  if (Math.abs(a.length - b.length) > limit) {
    return limit + 1;
  }
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

export class Names {
  constructor(torus) {
    this.torus = torus;
    this.ends = [...torus.endOfLid.values()];
  }

  // The LID that some words mean, or why there is none, with what can be typed instead.
  find(words) {
    const text = words.trim();
    const place = /^\(?(\d+,\d+,\d+)\)?$/.exec(text.replaceAll(' ', ''));
    if (place) {
      const found = this.torus.switches.find(sw => sw.place === `(${place[1]})`);
      return found ? { lid: found.lid } : this.nothing(`no switch stands at (${place[1]})`, this.near(place[1]));
    }
    const named = this.ends.find(end => end.name === text || end.guid === text.toLowerCase());
    if (named) {
      return { lid: named.lid };
    }
    if (/^\d+$/.test(text) && this.torus.endOfLid.has(Number(text))) {
      return { lid: Number(text) };
    }
    const absent = this.torus.json.absent.find(device => device.name === text || device.guid === text);
    return absent
      ? this.nothing(`${text} is not there any more`, [])
      : this.nothing(`no end port has the name, place, GUID or LID ${text}`, this.similar(text.toLowerCase()));
  }

  nothing(problem, proposals) {
    return { lid: null, problem, proposals };
  }

  // Places that differ in one coordinate, the nearest first.
  near(place) {
    const at = place.split(',').map(Number);
    return this.torus.switches.filter(sw => sw.place !== '')
      .map(sw => ({ text: sw.place.slice(1, -1), distance: this.distance(sw.place, at) }))
      .sort((a, b) => a.distance - b.distance).slice(0, MAX_PROPOSALS).map(each => each.text);
  }

  distance(place, at) {
    return place.slice(1, -1).split(',').reduce((sum, value, d) => sum + Math.abs(Number(value) - at[d]), 0);
  }

  similar(text) {
    const rank = name => {
      const lower = name.toLowerCase();
      return lower.startsWith(text) ? 0 : lower.includes(text) ? 1 : 1 + typos(lower, text, MAX_TYPOS);
    };
    const ranked = this.ends.map(end => ({ name: end.name, rank: rank(end.name) })).filter(each => each.rank <= 1 + MAX_TYPOS);
    return [...new Set(ranked.sort((a, b) => a.rank - b.rank).map(each => each.name))].slice(0, MAX_PROPOSALS);
  }
}
