// What the page shows, its keys, and the rules of the game in use.
import {recall, remember} from './memory.js';
import {make} from './dom.js';
import {text} from './texts.js';

export class HelpView {
  constructor(host) {
    const key = (keys, words) => make('li', {}, keys.flatMap(name => [make('kbd', {}, name), ' ']), text(words));
    const letters = make('input', {type: 'checkbox', onchange: event => remember('keys', event.target.checked ? 'on' : 'off')});
    letters.checked = recall('keys') !== 'off';
    const api = make('a', {href: '/frisian?fen=W:W28,K46:BK43', target: '_blank'}, '/frisian?fen=W:W28,K46:BK43');
    const [before, after] = text('help_api', {link: '|'}).split('|');
    host.append(make('article.card.prose', {}, make('h1', {}, text('help_title')), make('p', {}, text('help_1')), make('p', {}, text('help_2')),
      make('h2', {}, text('help_rules')), make('p', {}, text('help_3')), make('p', {}, text('help_4')),
      make('h2', {}, text('help_keys')), make('ul', {}, key(['␣'], 'key_best'), key(['←', '→'], 'key_history'), key(['f'], 'key_flip'), key(['m'], 'next_mistake'),
        key(['←', '↑', '↓', '→'], 'key_squares'), key(['⏎'], 'key_choose'), key(['Esc'], 'key_cancel')), make('p', {}, make('label', {}, letters, ` ${text('letter_keys')}`)),
      make('p', {}, before, api, after)));
  }

  show() {
    document.title = `${text('help_title')} · einspul`;
  }
}
