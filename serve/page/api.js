// Calls of the server's API. An answer that is no success is an error with the server's English text,
// its code and what the code is about; its status is 0 where there was no answer at all. Values never
// change while a server runs, so answers are kept.
const refusal = (status, {error, code, arguments: about = []}) => Object.assign(new Error(error), {status, code, about});

const query = args => new URLSearchParams(args).toString();

async function get(path, args = {}, options = {}) {
  let response;
  try {
    response = await fetch(query(args) ? `${path}?${query(args)}` : path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw refusal(0, {error: error.message, code: 'OFFLINE'});
  }
  if (!response.ok) throw refusal(response.status, await response.json().catch(() => ({error: response.statusText, code: 'FAULT'})));
  return response.json();
}

const mostKept = 500;
const kept = new Map(); // promises of answers; what has come is their `value`

const keyOf = (path, args) => `${path}?${query(args)}`;

// What can be stopped is not shared before it has come.
function getKept(path, args = {}, signal = undefined) {
  const key = keyOf(path, args);
  const known = kept.get(key);
  const answer = known && (known.value || !signal) ? known : get(path, args, {signal});
  kept.delete(key);
  kept.set(key, answer); // the last one asked for is the last one to go
  answer.then(value => { answer.value = value; }, () => kept.delete(key));
  if (kept.size > mostKept) kept.delete(kept.keys().next().value);
  return answer;
}

// A position with all that stands beside it: its line, 12 plies of a draw, and the other rule sets.
const positionCall = (rules, fen) => [`/v1/${rules}/position`, {partial: 1, line: 12, compare: 1, fen}];

// Only what has been filled in is asked.
const filled = args => Object.fromEntries(Object.entries(args).filter(([, value]) => value));

export const api = {
  ruleSets: () => get('/v1/rules'),
  position: (rules, fen) => getKept(...positionCall(rules, fen)),
  // Asks for a position before the page is ready to show it.
  begin: (rules, fen) => {
    const call = positionCall(rules, fen);
    const answer = get(...call);
    answer.catch(() => {}); // told to whom it is shown to
    kept.set(keyOf(...call), answer);
  },
  // An answer that is here already, or undefined: what needs no waiting is not to flicker.
  knownPosition: (rules, fen) => kept.get(keyOf(...positionCall(rules, fen)))?.value,
  squareMap: (rules, fen, square) => getKept(`/v1/${rules}/map`, {fen, square}),
  tables: rules => getKept(`/v1/${rules}/tables`),
  material: (rules, name) => getKept(`/v1/${rules}/material/${encodeURIComponent(name)}`),
  find: (rules, args, signal) => getKept(`/v1/${rules}/find`, filled(args), signal),
  progress: (rules, args, signal) => get(`/v1/${rules}/progress`, filled(args), {signal}),
  lists: rules => getKept(`/v1/${rules}/lists`),
  list: (rules, name, from, limit, signal) => getKept(`/v1/${rules}/list`, {name, from, limit}, signal),
  // A proof beyond the tables, in so many seconds at most; 0: what is known at once.
  solve: (rules, fen, seconds, signal) => get(`/v1/${rules}/solve`, {fen, seconds}, {signal}),
  // A text with games, read by the server, and one of them judged; the first has number 1.
  annotate: (rules, text, game) => get(`/v1/${rules}/annotate`, {game}, {method: 'POST', body: text}),
};
