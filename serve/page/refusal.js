// Why something could not be had, in the language of the user: the server gives a code and what it is
// about. Where that is not exact, the server's own words, which are English, stand behind.
import {make} from './dom.js';
import {language, text} from './texts.js';

const english = words => words && make('span.soft', {lang: 'en'}, `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`);

// A sentence of the page, and the server's words behind it; in English these suffice.
export const detailed = (key, words, values = {}) => make('span', {}, (language() !== 'en' || !words) && `${text(key, values)} `, english(words));

// Of what a code is about: a side, or a field of a form by its label.
const named = name => [name.toLowerCase(), `search_${name}`].map(key => [key, text(key)]).find(([key, words]) => words !== key)?.[1] ?? name;

export function explained({code, about = [], message}) {
  if (code === 'OFFLINE') return text('refused_OFFLINE');
  const [name = '', value = ''] = about;
  const key = text(`refused_${code}`) === `refused_${code}` ? 'refused_FAULT' : `refused_${code}`;
  const exact = language() !== 'en' && !['refused_BAD_FEN', 'refused_BAD_POSITION', 'refused_BAD_ARGUMENT', 'refused_FAULT'].includes(key);
  return detailed(key, exact ? '' : message, {name: named(name), value});
}
