// Why something could not be had, in the language of the user: the server gives a code and what it is
// about. The server's own words, which are English and more exact, stand behind.
import {make} from './dom.js';
import {language, text} from './texts.js';

const english = words => words && make('span.soft', {lang: 'en'}, `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`);

// A sentence of the page, and the server's words behind it; in English these suffice.
export const detailed = (key, words, values = {}) => make('span', {}, (language() !== 'en' || !words) && `${text(key, values)} `, english(words));

export function explained({code, about = [], message}) {
  if (code === 'OFFLINE') return text('refused_OFFLINE');
  const [name, value = ''] = about;
  const [key, label] = [`refused_${code}`, `search_${name}`];
  return detailed(text(key) === key ? 'refused_FAULT' : key, message, {name: text(label) === label ? name : text(label), value});
}
