// The view of a game: its moves with what each threw away, its positions on a board.
import * as api from './api.js';
import {Board} from './board.js';
import {announce, make} from './dom.js';
import {address} from './main.js';
import {findMove, parseGames} from './pdn.js';
import {parseFen} from './position.js';
import {text} from './texts.js';
import {sentence, sideMark} from './verdict.js';

const starts = {10: 'W:W31-50:B1-20', 8: 'W:W21-32:B1-12'};
const worth = {win: 2, draw: 1, loss: 0};
const flipped = {win: 'loss', draw: 'draw', loss: 'win'};

export class GameView {
  constructor(host, app) {
    this.app = app;
    const left = make('div.stack');
    this.board = new Board(left, {onSquare() {}, onDrop: () => this.#go(this.at)});
    const step = (label, sign, to) => make('button', {type: 'button', 'aria-label': label, title: label, onclick: () => this.#go(to())}, sign);
    left.append(make('div.bar', {}, step(text('first'), '«', () => 0), step(text('back'), '←', () => this.at - 1),
      step(text('forward'), '→', () => this.at + 1), step(text('last'), '»', () => this.plies.length - 1)));
    this.source = make('textarea', {id: 'pdn', spellcheck: 'false'});
    this.verdict = make('div.card.verdict', {hidden: true});
    this.list = make('div.card', {hidden: true});
    const form = make('form.card.stack', {onsubmit: event => { event.preventDefault(); this.#read(0); }},
      make('h1', {}, text('game_title')), make('p.soft', {}, text('game_hint')), make('label', {for: 'pdn'}, text('game_text')),
      this.source, make('div.bar', {}, make('button.main', {type: 'submit'}, text('game_read'))));
    host.append(make('div.two', {}, left, make('div.stack', {}, form, this.verdict, this.list)));
    this.plies = [];
    this.at = 0;
    this.keys = event => this.#key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    document.removeEventListener('keydown', this.keys);
  }

  show() {
    document.title = `${text('game_title')} · einspul`;
    if (this.shownRules === this.app.rules.rules) return;
    this.shownRules = this.app.rules.rules;
    this.plies = [{data: null, fen: starts[this.app.rules.rows], last: []}];
    this.#go(0);
    if (this.source.value.trim()) this.#read(this.number ?? 0);
  }

  // Plays a game through the server: {data: the position, san, last, thrown} for each ply.
  async #read(number) {
    this.games = parseGames(this.source.value);
    this.number = number;
    const game = this.games[number];
    const ticket = this.ticket = {};
    this.list.hidden = false;
    if (!game) {
      this.list.replaceChildren(make('p.error', {}, text('game_none')));
      return;
    }
    this.list.replaceChildren(make('p.soft', {role: 'status'}, text('loading')));
    let fen = game.tags.FEN ?? starts[this.app.rules.rows];
    const steps = [{fen, last: []}];
    let problem = null;
    try {
      for (let i = 0; i <= game.moves.length; i++) {
        const here = steps.at(-1);
        if (here.over) break;
        here.data = await api.position(this.app.rules.rules, here.fen);
        if (this.ticket !== ticket) return;
        if (i === game.moves.length) break;
        const move = findMove(here.data.moves, game.moves[i]);
        if (!move) { problem = text('game_bad', {n: i + 1, move: game.moves[i]}); break; }
        fen = move.fen;
        steps.push({fen, san: move.san, last: [move.path[0], move.path.at(-1)], thrown: thrown(here.data, move),
          over: /:[WB](:|$)/.test(fen), data: null});
      }
    } catch (error) {
      problem = text('failed', {error: error.message});
    }
    this.plies = steps;
    this.#drawList(game, problem);
    this.#go(game.tags.FEN || !steps.some(step => step.thrown) ? 0 : steps.findIndex(step => step.thrown));
  }

  #drawList(game, problem) {
    const black = /^b/i.test(this.plies[0].fen);
    const mistakes = this.plies.filter(step => step.thrown).length;
    const known = this.plies.some(step => step.data && step.data.category !== 'unknown');
    const names = [game.tags.White, game.tags.Black].filter(Boolean).join(' – ');
    this.list.replaceChildren(make('h2', {}, names || text('moves')));
    if (this.games.length > 1) {
      const select = make('select', {'aria-label': text('nav_game'), onchange: () => this.#read(Number(select.value))},
        this.games.map((one, i) => make('option', {value: i}, [one.tags.White, one.tags.Black].filter(Boolean).join(' – ') || text('game_number', {n: i + 1}))));
      select.value = this.number;
      this.list.append(select);
    }
    const summary = mistakes ? text('game_mistakes', {n: mistakes}) : known ? text('game_clean') : '';
    this.list.append(make(mistakes ? 'p.error' : 'p.soft', {}, summary), make('ol.line', {}, this.plies.map((step, i) => {
      const ply = i - 1 + (black ? 1 : 0);
      const prefix = i === 0 ? '' : ply % 2 === 0 ? `${ply / 2 + 1}. ` : i === 1 ? '1… ' : '';
      const label = i === 0 ? text('start') : `${prefix}${step.san}${step.thrown ? step.thrown.mark : ''}`;
      return make('li', {}, make(step.thrown ? 'button.mistake' : 'button', {type: 'button', title: step.thrown ? text(step.thrown.key) : null,
        onclick: () => this.#go(i)}, label));
    })));
    if (problem) this.list.append(make('p.error', {role: 'alert'}, problem));
    announce(summary);
  }

  #go(at) {
    if (at < 0 || at >= this.plies.length) return;
    const step = this.plies[this.at = at];
    const position = parseFen(step.fen);
    this.board.show({rows: this.app.rules.rows, pieces: position.pieces, runs: position.runs, last: step.last});
    this.list.querySelectorAll('.line button').forEach((item, i) => i === at ? item.setAttribute('aria-current', 'step') : item.removeAttribute('aria-current'));
    this.verdict.hidden = !step.data && !step.over;
    if (this.verdict.hidden) return;
    const data = step.data ?? {side: position.side, category: 'loss', variant_loss: true};
    this.verdict.className = `card verdict ${data.category}`;
    this.verdict.replaceChildren(make('h2', {}, sideMark(data.side), sentence(data)));
    if (step.thrown) this.verdict.append(make('p.error', {}, `${step.san}: ${text(step.thrown.key)}`));
    this.verdict.append(make('p', {}, make('a', {href: address('/', {rules: this.app.rules.rules, fen: step.fen})}, text('open_here'))));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    this.#go(this.at + (event.key === 'ArrowLeft' ? -1 : 1));
    event.preventDefault();
  }
}

// What a move gave away: {key, mark}, or null.
function thrown(before, move) {
  const after = flipped[move.category];
  if (!after || !(before.category in worth) || worth[after] >= worth[before.category]) return null;
  return {key: `threw_${before.category}_${after}`, mark: after === 'draw' ? '?' : '??'};
}
