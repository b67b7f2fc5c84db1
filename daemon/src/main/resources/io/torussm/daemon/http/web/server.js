// Asks the SM: one document, or all pages of a list.

const PAGE = 10000;

// A connection may end without a word: the next request finds out whether the SM is there.
const TIMEOUT_MS = 60000;

// An answer that is none; status 0 if there was no answer at all.
export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

// A document. The browser keeps it and asks whether it is still good, if the SM says so.
export async function ask(address) {
  let answer;
  try {
    answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (problem) {
    throw new Refused(0, `the SM does not answer (${problem.message})`);
  }
  const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
  const body = isJson ? await answer.json() : { problem: (await answer.text()).trim() };
  if (!answer.ok) {
    throw new Refused(answer.status, body.problem ?? body.error ?? `status ${answer.status}`);
  }
  return { status: answer.status, body };
}

let lists = null;

// Whether the SM has a list at all.
export async function has(name) {
  lists ??= ask('api/v1/openapi.json').then(({ body }) => Object.keys(body.paths)).catch(problem => {
    lists = null;
    throw problem;
  });
  return (await lists).some(path => path.endsWith(`/${name}`));
}

// All items of a list under /api/v1/.
export async function list(name, parameters = {}) {
  if (!await has(name)) {
    throw new Refused(404, `there is no list of ${name}`);
  }
  const items = [];
  for (let total = 1; items.length < total;) {
    const query = new URLSearchParams({ ...parameters, offset: items.length, limit: PAGE });
    const { body } = await ask(`api/v1/${name}?${query}`);
    items.push(...body.items);
    total = body.items.length > 0 ? body.total : 0;
  }
  return items;
}
