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

const most = 500;
const kept = new Map();

async function getKept(path, args = {}, signal = undefined) {
  const key = `${path}?${query(args)}`;
  const answer = kept.get(key) ?? await get(path, args, {signal});
  kept.delete(key);
  kept.set(key, answer); // the last one asked for is the last one to go
  if (kept.size > most) kept.delete(kept.keys().next().value);
  return answer;
}

const positionPath = rules => `/v1/${rules}/position`;

export const ruleSets = () => get('/v1/rules');
export const position = (rules, fen) => getKept(positionPath(rules), {partial: 1, fen});
export const mainline = (rules, fen, plies) => getKept(`/v1/${rules}/mainline`, {fen, plies});
export const compare = (rules, fen) => getKept(`/v1/${rules}/compare`, {fen});
export const squareMap = (rules, fen, square) => getKept(`/v1/${rules}/map`, {fen, square});
export const tables = rules => getKept(`/v1/${rules}/tables`);
export const material = (rules, name) => getKept(`/v1/${rules}/material/${encodeURIComponent(name)}`);

// An answer that is here already, or undefined: what needs no waiting is not to flicker.
export const knownPosition = (rules, fen) => kept.get(`${positionPath(rules)}?${query({partial: 1, fen})}`);

// Only what has been filled in is asked.
const filled = args => Object.fromEntries(Object.entries(args).filter(([, value]) => value));

export const find = (rules, args, signal) => getKept(`/v1/${rules}/find`, filled(args), signal);
export const progress = (rules, args, signal) => get(`/v1/${rules}/progress`, filled(args), {signal});
export const lists = rules => get(`/v1/${rules}/lists`);
export const list = (rules, name, from, limit, signal) => get(`/v1/${rules}/list`, {name, from, limit}, {signal});

// A text with games, read by the server, and one of them judged; the first has number 1.
export const annotate = (rules, text, game) => get(`/v1/${rules}/annotate`, {game}, {method: 'POST', body: text});
