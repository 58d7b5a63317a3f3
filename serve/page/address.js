// Addresses of the page: a path, what is asked after `?`, a game after `#`.

// A plus in an address is a plus here, as king runs are written with it.
export function readAddress(at = location) {
  const args = {};
  for (const part of at.search.slice(1).split('&').filter(Boolean)) {
    const cut = part.indexOf('=');
    const [name, value] = cut < 0 ? [part, ''] : [part.slice(0, cut), part.slice(cut + 1)];
    args[decoded(name)] = decoded(value);
  }
  return {path: at.pathname, args, fragment: decoded(at.hash.slice(1))};
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

const encoded = text => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2B/g, '+').replace(/%2F/g, '/');

export function address(path, args = {}, fragment = '') {
  const query = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => value === '' ? name : `${name}=${encoded(value)}`);
  return path + (query.length ? `?${query.join('&')}` : '') + (fragment ? `#${encodeURIComponent(fragment)}` : '');
}
