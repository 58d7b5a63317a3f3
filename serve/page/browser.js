// Browser services: URLs (path, query, a game in the fragment), links to other sites, storage.

// A plus in a URL stays a plus, because king runs are written with it.
const parsed = query => Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));

// A page without a server is one file, whose views are an argument.
const isSite = document.documentElement.dataset.site !== undefined;

// The base path of the page, to which all views are relative.
export const base = () => location.pathname.replace(/[^/]*$/, '');

export function readAddress() {
  const {view, ...args} = parsed(location.search);
  return {path: `/${isSite ? view ?? '' : location.pathname.slice(base().length)}`, args, fragment: parsed(`of=${location.hash.slice(1).replaceAll('&', '%26')}`).of};
}

const encoded = text => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2B/g, '+').replace(/%2F/g, '/');

export function address(path, args = {}, fragment = '') {
  const query = Object.entries({view: isSite && path.slice(1) || undefined, ...args}).filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => value === '' ? name : `${name}=${encoded(value)}`);
  return base() + (isSite ? '' : path.slice(1)) + (query.length ? `?${query.join('&')}` : '') + (fragment ? `#${encodeURIComponent(fragment)}` : '');
}

// The analysis board of lidraughts for a position.
const pages = {40: 'frisian', 20: 'standard', 26: 'brazilian'};

export function lidraughts(rules, fen) {
  const page = pages[rules.game_type];
  return page && fen ? `https://lidraughts.org/analysis/${page}/${fen}` : null;
}

// localStorage holds settings and scores, sessionStorage the moves made in this tab. Both may be denied in
// a third-party frame.
const tried = run => { try { return run(); } catch { return null; } };
export const recall = name => tried(() => localStorage.getItem(name));
// True if it was stored.
export const remember = (name, value) => tried(() => { localStorage.setItem(name, value); return true; }) ?? false;
export const forget = name => tried(() => localStorage.removeItem(name));
// Entries whose names begin alike: [[rest of the name, value], …].
export const recalled = prefix => tried(() => Object.entries(localStorage).filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value])) ?? [];
export const recallHere = name => tried(() => sessionStorage.getItem(name));
export const rememberHere = (name, value) => tried(() => sessionStorage.setItem(name, value));
