// Texts in the language of the user; a missing one is taken from English.
import en from './texts-en.js';
import fy from './texts-fy.js';
import nl from './texts-nl.js';
import {recall, remember} from './memory.js';

export const languages = {en, fy, nl};
const wanted = recall('language') ??
  navigator.languages.map(tag => tag.slice(0, 2)).find(tag => tag in languages) ?? 'en';
let chosen = wanted in languages ? wanted : 'en';

export const language = () => chosen;

export function setLanguage(tag) {
  chosen = tag;
  remember('language', tag);
}

// The text of a key, with {names} filled in. With a number `n` the form for one is `key_1`.
export function text(key, values = {}) {
  const one = values.n === 1 ? languages[chosen][`${key}_1`] ?? en[`${key}_1`] : undefined;
  const pattern = one ?? languages[chosen][key] ?? en[key] ?? key;
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const number = value => value.toLocaleString(chosen === 'fy' ? 'nl' : chosen);

// A share, never rounded to nothing.
export function percent(value) {
  const format = new Intl.NumberFormat(chosen === 'fy' ? 'nl' : chosen, {style: 'percent', maximumFractionDigits: 1});
  return value > 0 && value < .0005 ? `< ${format.format(.001)}` : format.format(value);
}
