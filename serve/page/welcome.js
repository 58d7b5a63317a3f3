// The start view: introduction, famous positions, available tables. The help view: what the page shows, the rules of
// the current game, keyboard shortcuts.
import {address} from './browser.js';
import {api} from './api.js';
import {boardLink} from './board.js';
import {make, mount, setting} from './dom.js';
import {number, text} from './texts.js';

// How White would win the booklet's position if the king were free to move a fourth time in a row: 37-26.
const booklet = '[GameType "40"]\n[FEN "W:W28,K46:BK43"]\n\n1. 28-22 43-38 2. 46-41 38-16 3. 41-10 16-2 4. 22-18 2-35 5. 10-5 35-8 6. 5-28 8-30 7. 28-37 30-35 *';

// By the game's number in PDN: [FEN, key of the text, a game that shows it].
const famous = {
  40: [['W:W28,K46:BK43', 'famous_booklet', booklet], ['W:WK2,K4:BK23', 'famous_clock'], ['W:WK3,27:BK48', 'famous_only']],
  20: [['W:W46,47,48:BK1', 'famous_long'], ['W:W31:B4', 'famous_long']], 21: [['W:W29,30:BK7', 'famous_long'], ['W:W13,25:B3,4', 'famous_long']], 26: [['W:W23,29,31:BK3', 'famous_long'], ['W:W17:B3', 'famous_long']], };

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
      make('h2', {}, text('famous')), make('ul.famous', {}, famous[rules.game_type].map(one => this.#card(rules, ...one))), make('h2', {}, text('what_is_here')), this.holds);
    const shown = this.shown = {};
    const {materials} = await api.tables(rules.rules).catch(() => ({materials: []}));
    if (this.shown !== shown) return;
    const here = materials.filter(one => one.wdl_bytes !== null || one.dtw_bytes !== null);
    this.holds.textContent = text('holds', {n: number(here.length), most: Math.max(0, ...here.map(one => one.pieces)), rules: text(rules.rules)});
  }

  #card(rules, fen, key, game) {
    return make('li.card', {}, boardLink(rules.rules, fen, rules.rows), make('div', {}, make('p', {}, text(key)), make('p', {}, make('a', {href: address('/', {rules: rules.rules, fen})}, text('open_here'))),
        game && make('p', {}, make('a', {href: address('/game', {rules: rules.rules, ply: 0}, game)}, text('play_through')))));
  }
}

// By the game's number in PDN: its rules, and boards of three of them with a move: [FEN, path, rule].
const games = {
  40: {rules: ['rule_men', 'rule_capture_eight', 'rule_king_far', 'rule_must', 'rule_value', 'rule_removed', 'rule_promotion', 'help_3', 'help_4', 'rule_lost'],
    boards: [['W:W33:B23', [33, 13], 'rule_capture_eight'], ['W:W28,K46:BK43', [46, 37], 'help_3'], ['W:WK2,K4:BK23', [4, 36], 'help_4']]},
  20: {rules: ['rule_men', 'rule_capture_four', 'rule_king_far', 'rule_must', 'rule_most', 'rule_removed', 'rule_promotion', 'rule_lost'],
    boards: [['W:W28:B33', [28, 39], 'rule_capture_four'], ['W:W32:B27,28,19', [32, 23, 14], 'rule_most'], ['W:WK46:B28', [46, 14], 'rule_king_far']]},
  21: {rules: ['rule_men', 'rule_capture_forward', 'rule_king_near', 'rule_must', 'rule_any', 'rule_removed', 'rule_promotion_ends', 'rule_lost'],
    boards: [['W:W18:B15', [18, 11], 'rule_capture_forward'], ['W:WK18:B5', [18, 22], 'rule_king_near'], ['W:W6:B28', [6, 2], 'rule_promotion_ends']]}, };
games[26] = {...games[20], boards: [['W:W18:B22', [18, 25], 'rule_capture_four'], ['W:W22:B17,18,11', [22, 15, 8], 'rule_most'], ['W:WK29:B18', [29, 11], 'rule_king_far']]};

export class HelpView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
  }

  show() {
    document.title = `${text('help_title')} · einspul`;
    const {rules, rows, game_type: game} = this.app.rules;
    const key = (keys, words) => make('li', {}, keys.flatMap(name => [make('kbd', {}, name), ' ']), text(words));
    const board = ([fen, path, rule]) => make('li', {}, boardLink(rules, fen, rows, path), make('p.small', {}, text(rule)));
    this.host.replaceChildren(make('article.card.prose', {}, make('h1', {}, text('help_title')), make('p', {}, text('help_1')), make('p', {}, text('help_2')),
      make('h2', {}, `${text('help_rules')} · ${text(rules)}`), make('ol.rules', {}, games[game].rules.map(rule => make('li', {}, text(rule)))), make('ul.boards', {}, games[game].boards.map(board)),
      make('h2', {}, text('help_keys')), make('ul', {}, key(['␣'], 'key_best'), key(['←', '→'], 'key_history'), key(['f'], 'flip'), key(['m'], 'next_mistake'),
        key(['←', '↑', '↓', '→'], 'key_squares'), key(['⏎'], 'key_choose'), key(['Esc'], 'key_cancel')), make('p', {}, setting('keys', 'letter_keys', 'on'))));
  }
}
