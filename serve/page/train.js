// Training: guess moves against the tables. A move is right as long as the outcome holds, best if the
// distance does, too. Positions come from a search, or one is given; the score stays in the browser.
import {address} from './address.js';
import * as api from './api.js';
import {Board} from './board.js';
import {announce, make, mount} from './dom.js';
import {recall, remember} from './memory.js';
import {explained} from './refusal.js';
import {begin, clicked, data, dropped, moves, shownOnBoard, withAnswer} from './study-state.js';
import {choiceBar} from './study-view.js';
import {text} from './texts.js';
import {plant, withMove} from './tree.js';
import {forMover, isExpired, movePlies, sideMark} from './verdict.js';

const usual = {material: 'KMvK', outcome: 'win', only_move: '1', moves: '5-'};
const count = 20;   // exercises of a series
const enough = 5;   // moves that prove an exercise
const pause = 700;  // ms before the tables answer

export class TrainView {
  constructor(host, app) {
    this.app = app;
    this.score = readScore();
    const box = make('div.board-box');
    this.board = new Board(box, {onSquare: square => this.#follow(clicked(this.state, square)),
      onDrop: (from, to) => this.#follow(to === null ? {} : dropped(this.state, from, to))});
    [this.offered, this.panel] = [make('div.choice-box'), make('div.panel')];
    host.append(make('div.study.game', {}, box, make('div.under-board', {}, this.offered), this.panel));
  }

  close() {
    clearTimeout(this.timer);
    this.asked = null;
  }

  #set(change) {
    this.state = {...this.state, ...change};
    this.#draw();
  }

  async show({rules, fen, ...given}) {
    document.title = `${text('train_title')} · einspul`;
    this.close();
    const asked = this.asked = {};
    this.query = given.material ? given : usual;
    this.state = {...begin(this.app.rules, fen ?? '', null), list: [], number: 0, phase: 'loading'};
    this.#draw();
    if (fen) { this.#start([fen], 0); return; }
    const seed = given.seed ?? String(Math.floor(Math.random() * 1e6));
    if (!given.seed) { this.app.replace('/train', {...this.query, seed}); return; }
    try {
      const {positions} = await api.find(this.app.rules.rules, {...this.query, sample: count, seed});
      if (this.asked !== asked) return;
      if (positions.length) this.#start(positions.map(one => one.fen), 0);
      else this.#set({phase: 'none'});
    } catch (problem) {
      if (this.asked === asked) this.#set({problem, phase: 'problem'});
    }
  }

  #start(list, number) {
    this.state = {...begin(this.app.rules, list[number], null), list, number, right: 0, spoilt: false, told: null, hint: 0, phase: 'loading'};
    this.#ask();
  }

  async #ask() {
    const asked = this.asked = {};
    try {
      const answer = await api.position(this.app.rules.rules, this.state.fen);
      if (this.asked !== asked) return;
      const over = !answer.moves.length || ['undecided', 'unknown'].includes(answer.category) || isExpired(answer);
      this.state = {...withAnswer(this.state, answer), phase: over ? 'none' : 'guess'};
      if (over && this.state.right) this.#finish();
      this.#draw();
    } catch (problem) {
      if (this.asked === asked) this.#set({problem, phase: 'problem'});
    }
  }

  #follow({play, offered = null, chosen = null}) {
    if (this.state.phase !== 'guess') { this.#draw(); return; }
    if (play) this.#judge(play);
    else this.#set({offered, chosen});
  }

  // A wrong move may be taken back and tried again, but the exercise is no longer won.
  #judge(move) {
    const {state} = this;
    const best = moves(state)[0];
    const told = {san: move.san, best, outcome: forMover(move), right: forMover(move) === forMover(best), quickest: movePlies(move) === movePlies(best)};
    announce(verdictOf(told));
    if (!told.right) {
      this.#set({told, spoilt: true, chosen: null, offered: null});
      return;
    }
    const right = state.right + 1;
    this.#move(move, {told, right, phase: 'answer'});
    if (right >= enough || move.variant_loss) this.#finish();
    else this.timer = setTimeout(() => this.#answer(), pause);
    this.#draw();
  }

  #move(move, more) {
    const [tree, at] = withMove(plant(this.state.fen), 0, move);
    const {list, number, spoilt, told, right} = this.state;
    this.state = {...begin(this.app.rules, move.fen, {tree, at, tip: at}), list, number, spoilt, told, right, hint: 0, ...more};
  }

  // The tables' own move: the first of their list.
  async #answer() {
    const asked = this.asked = {};
    try {
      const answer = await api.position(this.app.rules.rules, this.state.fen);
      if (this.asked !== asked) return;
      if (!answer.moves.length) { this.#finish(); this.#draw(); return; }
      this.#move(answer.moves[0], {phase: 'loading'});
      this.#draw();
      this.#ask();
    } catch (problem) {
      if (this.asked === asked) this.#set({problem, phase: 'problem'});
    }
  }

  #finish() {
    const won = !this.state.spoilt;
    this.score = {right: this.score.right + (won ? 1 : 0), all: this.score.all + 1, row: won ? this.score.row + 1 : 0};
    remember('train', JSON.stringify(this.score));
    this.state = {...this.state, phase: 'done'};
  }

  // First where from, then where to.
  #hint() {
    const best = moves(this.state)[0];
    this.#set({hint: this.state.hint + 1, spoilt: true, chosen: {cands: [best], step: 0, squares: [best.path[0]]}});
  }

  #draw() {
    const {state} = this;
    const shown = shownOnBoard({...state, flip: false});
    this.board.show({...shown, targets: state.hint === 1 ? [] : shown.targets});
    mount(this.offered, choiceBar(state, {play: move => this.#judge(move), point: move => this.board.show({arrow: move})}));
    mount(this.panel, this.#task(), make('section.card', {}, make('p.score', {}, text('train_score', this.score)),
      make('p', {}, make('a', {href: address('/search', {rules: this.app.rules.rules, ...this.query, sample: null, seed: null})}, text('train_other')))));
  }

  #task() {
    const {state} = this;
    const {phase, list, number, told, problem, right} = state;
    const answer = data(state);
    const button = (key, onclick, more = {}) => make('button', {type: 'button', 'data-key': key, onclick, ...more}, text(key));
    const heading = phase === 'problem' ? text('no_answer') : phase === 'none' ? text('train_none') : phase === 'done' ? text(state.spoilt ? 'train_over' : 'train_won')
      : answer && phase === 'guess' ? text(`train_${answer.category}`, {side: text(answer.side)}) : text('loading');
    return make('section.card.verdict', {}, make('p.small.soft', {}, `${text('train_title')}${list.length > 1 ? ` · ${number + 1}/${list.length}` : ''}`),
      make('h1', {}, answer && phase === 'guess' && sideMark(answer.side), heading), phase === 'problem' && make('p', {}, explained(problem)),
      told && make(told.right ? 'p.win-ink' : 'p.error', {}, verdictOf(told)),
      phase === 'guess' && make('p.small.soft', {}, text('train_how', {n: enough - right})),
      make('div.bar', {}, phase === 'guess' && button('hint', () => this.#hint(), {disabled: state.hint > 1}),
        phase === 'guess' && button('train_show', () => { this.state = {...this.state, spoilt: true}; this.#judge(moves(this.state)[0]); }),
        number + 1 < list.length && button('train_next', () => this.#start(list, number + 1), {class: phase === 'done' ? 'main' : null}),
        list.length > 0 && make('a', {href: address('/', {rules: state.rules.rules, fen: list[number]})}, text('open_here'))));
  }
}

const zero = {right: 0, all: 0, row: 0};

function readScore() {
  try { return {...zero, ...JSON.parse(recall('train') || '{}')}; } catch { return zero; }
}

// What is said of a guess.
function verdictOf({san, right, quickest, outcome, best}) {
  if (!right) return text('guess_wrong', {san, outcome: text(outcome)});
  if (quickest) return text('guess_best', {san});
  return text('guess_right', {san, best: best.san, n: movePlies(best)});
}
