// The start view: introduction, famous positions, available tables.
import {address} from './browser.js';
import {api} from './api.js';
import {boardLink} from './board.js';
import {make, mount} from './dom.js';
import {number, text} from './texts.js';

// How White would win the booklet's position if the king were free to move a fourth time in a row: 37-26.
const booklet = '[GameType "40"]\n[FEN "W:W28,K46:BK43"]\n\n1. 28-22 43-38 2. 46-41 38-16 3. 41-10 16-2 4. 22-18 2-35 5. 10-5 35-8 6. 5-28 8-30 7. 28-37 30-35 *';

// By the game's number in PDN: [FEN, key of the text, a game that shows it].
const famous = {
  40: [['W:W28,K46:BK43', 'famous_booklet', booklet], ['W:WK2,K4:BK23', 'famous_clock'], ['W:WK3,27:BK48', 'famous_only']],
  20: [['W:W46,47,48:BK1', 'famous_long'], ['W:W31:B4', 'famous_long']],
  21: [['W:W29,30:BK7', 'famous_long'], ['W:W13,25:B3,4', 'famous_long']],
  26: [['W:W23,29,31:BK3', 'famous_long'], ['W:W17:B3', 'famous_long']], };

export class WelcomeView {
  constructor(host, app) {
    this.app = app;
    this.host = make('div.stack.welcome');
    host.append(this.host);
  }

  async show() {
    const {rules} = this.app;
    document.title = 'einspul';
    const path = (key, to, args = {}) => make('li', {}, make('a.button', {href: address(to, {rules: rules.rules, ...args})}, text(key)));
    this.holds = make('p.soft');
    mount(this.host, make('h1', {}, text('welcome')), make('p', {}, text('help_1')),
      make('ul.names', {}, path('do_position', '/', {fen: this.app.example()}), path('do_game', '/game'), path('nav_train', '/train'), path('search_title', '/search')),
      make('h2', {}, text('famous')), make('ul.famous', {}, famous[rules.game_type].map(one => this.#card(rules, ...one))),
      make('h2', {}, text('what_is_here')), this.holds);
    const shown = this.shown = {};
    const {materials} = await api.tables(rules.rules).catch(() => ({materials: []}));
    if (this.shown !== shown) return;
    const here = materials.filter(one => one.wdl_bytes !== null || one.dtw_bytes !== null);
    this.holds.textContent = text('holds', {n: number(here.length), most: Math.max(0, ...here.map(one => one.pieces)), rules: text(rules.rules)});
  }

  #card(rules, fen, key, game) {
    return make('li.card', {}, boardLink(rules.rules, fen, rules.rows),
      make('div', {}, make('p', {}, text(key)), make('p', {}, make('a', {href: address('/', {rules: rules.rules, fen})}, text('open_here'))),
        game && make('p', {}, make('a', {href: address('/game', {rules: rules.rules, ply: 0}, game)}, text('play_through')))));
  }
}
