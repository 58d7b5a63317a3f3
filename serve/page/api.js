// Calls of the server's API. Failed calls throw an Error with the server's English message, `code`, the
// code's arguments (`about`) and the HTTP `status` (0 if the server did not answer). Values do not change
// while a server runs, so responses are cached. Paths are relative to the page's folder.
const refusal = (status, {error, code, arguments: about = []}) => Object.assign(new Error(error), {status, code, about});
const query = args => new URLSearchParams(args).toString();

async function get(path, args = {}, options = {}) {
  let response;
  try {
    response = await (globalThis.askSite ?? fetch)(query(args) ? `${path}?${query(args)}` : path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw refusal(0, {error: error.message, code: 'OFFLINE'});
  }
  if (!response.ok) throw refusal(response.status, await response.json().catch(() => ({error: response.statusText, code: 'FAULT'})));
  return response.json();
}

const maxCached = 500;
const cache = new Map(); // cache of promises; a settled one has its result in `value`

const keyOf = (path, args) => `${path}?${query(args)}`;

// Do not share a pending request that can be aborted.
function getCached(path, args = {}, signal = undefined) {
  const key = keyOf(path, args);
  const known = cache.get(key);
  const answer = known && (known.value || !signal) ? known : get(path, args, {signal});
  cache.delete(key);
  cache.set(key, answer); // least recently used entries are evicted first
  answer.then(value => { answer.value = value; }, () => cache.delete(key));
  if (cache.size > maxCached) cache.delete(cache.keys().next().value);
  return answer;
}

// A position with its best line (12 plies if drawn) and the verdicts of other rule sets.
const positionCall = (rules, fen) => [`v1/${rules}/position`, {partial: 1, line: 12, compare: 1, fen}];

// The same without what needs further blocks or tables, which a page without a server has to fetch: the
// value alone, and with it the moves.
const valueCall = (rules, fen) => [`v1/${rules}/position`, {partial: 1, moves: 0, fen}];
const verdictCall = (rules, fen) => [`v1/${rules}/position`, {partial: 1, fen}];

const filled = args => Object.fromEntries(Object.entries(args).filter(([, value]) => value));

export const api = {
  ruleSets: () => get('v1/rules'), position: (rules, fen) => getCached(...positionCall(rules, fen)), value: (rules, fen) => getCached(...valueCall(rules, fen)),
  verdict: (rules, fen) => getCached(...verdictCall(rules, fen)),
  // Prefetches a position before the page can show it.
  prefetch: (rules, fen) => {
    const call = globalThis.askSite ? valueCall(rules, fen) : positionCall(rules, fen);
    const answer = get(...call);
    answer.catch(() => {}); // reported when the position is displayed
    cache.set(keyOf(...call), answer);
  },
  // The cached answer, or undefined; avoids flicker when no request is needed.
  knownPosition: (rules, fen) => cache.get(keyOf(...positionCall(rules, fen)))?.value, squareMap: (rules, fen, square) => getCached(`v1/${rules}/map`, {fen, square}), tables: rules => getCached(`v1/${rules}/tables`),
  material: (rules, name, signal) => getCached(`v1/${rules}/material/${encodeURIComponent(name)}`, {}, signal), find: (rules, args, signal) => getCached(`v1/${rules}/find`, filled(args), signal),
  progress: (rules, args, signal) => get(`v1/${rules}/progress`, filled(args), {signal}), lists: rules => getCached(`v1/${rules}/lists`),
  list: (rules, name, from, limit, signal) => getCached(`v1/${rules}/list`, {name, from, limit}, signal),
  // A proof beyond the tables, within `seconds`; 0: known results only.
  solve: (rules, fen, seconds, signal) => get(`v1/${rules}/solve`, {fen, seconds}, {signal}),
  // Keeps the proofs of a file, once they are checked.
  proof: (rules, text) => get(`v1/${rules}/proof`, {}, {method: 'POST', body: text}),
  // Games in a text, read by the server, with one of them annotated; the first has number 1.
  annotate: (rules, text, game) => get(`v1/${rules}/annotate`, {game}, {method: 'POST', body: text}), };
