// What stays in the browser: choices and scores. A frame of another page may be refused it.
export function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

export function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* not kept, then */ }
}
