// Calls of the server's API. An answer that is no success is an Error with the server's text.
async function get(path, args = {}) {
  const query = new URLSearchParams(args).toString();
  const response = await fetch(query ? `${path}?${query}` : path);
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

export const ruleSets = () => get('/v1/rules');
export const position = (rules, fen) => get(`/v1/${rules}/position`, {partial: 1, fen});
export const mainline = (rules, fen) => get(`/v1/${rules}/mainline`, {fen, plies: 40});
export const compare = (rules, fen) => get(`/v1/${rules}/compare`, {fen});
export const squareMap = (rules, fen, square) => get(`/v1/${rules}/map`, {fen, square});
export const tables = rules => get(`/v1/${rules}/tables`);
export const material = (rules, name) => get(`/v1/${rules}/material/${encodeURIComponent(name)}`);

// Only what has been filled in is asked.
export const find = (rules, query) => get(`/v1/${rules}/find`, Object.fromEntries(Object.entries(query).filter(([, value]) => value)));
