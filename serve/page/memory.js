// What stays in the browser: choices and scores; and, in this tab alone, the moves that were made. A frame
// of another page may be refused both.
const tried = run => { try { return run(); } catch { return null; } };

export const recall = name => tried(() => localStorage.getItem(name));
export const remember = (name, value) => tried(() => localStorage.setItem(name, value));
export const recallHere = name => tried(() => sessionStorage.getItem(name));
export const rememberHere = (name, value) => tried(() => sessionStorage.setItem(name, value));
