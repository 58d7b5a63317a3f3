// Texts in the language of the user.
import {recall, remember} from './browser.js';
import {words} from './words.js';

export const languages = ['en', 'nl', 'fy']; // in the order of the words
let chosen = [recall('language'), ...navigator.languages.map(tag => tag.slice(0, 2))].find(tag => languages.includes(tag)) ?? 'en';

export const language = () => chosen;

export function setLanguage(tag) {
  chosen = tag;
  remember('language', tag);
}

// The text of a key, with {names} filled in; if `n` is 1, in the form for one.
export function text(key, values = {}) {
  const [many, one = many] = words[key]?.[languages.indexOf(chosen)].split(' ¦ ') ?? [key];
  return (values.n === 1 ? one : many).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const heading = key => text(key)[0].toUpperCase() + text(key).slice(1);
export const number = value => value.toLocaleString(chosen === 'fy' ? 'nl' : chosen);

// Formats a share as a percentage; a positive share is never shown as 0 %.
export function percent(value) {
  const format = new Intl.NumberFormat(chosen === 'fy' ? 'nl' : chosen, {style: 'percent', maximumFractionDigits: 1});
  return value > 0 && value < .0005 ? `< ${format.format(.001)}` : format.format(value);
}
