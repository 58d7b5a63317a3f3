// The help view: what the page shows, the rules of the current game, keyboard shortcuts.
import {boardLink} from './board.js';
import {make, setting} from './dom.js';
import {text} from './texts.js';

// By the game's number in PDN: its rules, and boards of three of them with a move: [FEN, path, rule].
const games = {
  40: {rules: ['rule_men', 'rule_capture_eight', 'rule_king_far', 'rule_must', 'rule_value', 'rule_removed', 'rule_promotion', 'help_3', 'help_4', 'rule_lost'],
    boards: [['W:W33:B23', [33, 13], 'rule_capture_eight'], ['W:W28,K46:BK43', [46, 37], 'help_3'], ['W:WK2,K4:BK23', [4, 36], 'help_4']]},
  20: {rules: ['rule_men', 'rule_capture_four', 'rule_king_far', 'rule_must', 'rule_most', 'rule_removed', 'rule_promotion', 'rule_lost'],
    boards: [['W:W28:B33', [28, 39], 'rule_capture_four'], ['W:W32:B27,28,19', [32, 23, 14], 'rule_most'], ['W:WK46:B28', [46, 14], 'rule_king_far']]},
  21: {rules: ['rule_men', 'rule_capture_forward', 'rule_king_near', 'rule_must', 'rule_any', 'rule_removed', 'rule_promotion_ends', 'rule_lost'],
    boards: [['W:W18:B15', [18, 11], 'rule_capture_forward'], ['W:WK18:B5', [18, 22], 'rule_king_near'], ['W:W6:B28', [6, 2], 'rule_promotion_ends']]},
};
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
