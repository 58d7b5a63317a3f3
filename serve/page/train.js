// Training: guess moves against the tables. A move is right as long as the outcome holds, best if the
// distance does, too. Positions come from a search, from a lesson (a list of one's own, which stands in the
// address behind `#`), or one is given. The place in the list stands in the address; the score stays in the
// browser.
import {address} from './address.js';
import {api} from './api.js';
import {Board} from './board.js';
import {announce, copy, make, mount} from './dom.js';
import {recall, remember} from './memory.js';
import {explained} from './refusal.js';
import {begin, clicked, data, dropped, moves, session, shownOnBoard, withAnswer} from './study-state.js';
import {choiceBar} from './study-view.js';
import {text} from './texts.js';
import {plant, withMove} from './tree.js';
import {forMover, isExpired, movePlies, sideMark} from './verdict.js';

const usual = {material: 'KMvK', outcome: 'win', only_move: '1', moves: '5-'};
const seriesLength = 20;
const enough = 5;   // moves that prove an exercise
const pause = 700;  // ms before the tables answer

export class TrainView {
  constructor(host, app) {
    this.app = app;
    this.score = readScore();
    this.solved = new Map(); // of this series: whether an exercise was solved
    const box = make('div.board-box');
    this.board = new Board(box, {onSquare: square => this.#follow(clicked(this.state, square)),
      onDrop: (from, to) => this.#follow(to === null ? {} : dropped(this.state, from, to))});
    [this.task, this.offered, this.panel] = ['verdict-box', 'choice-box', 'panel'].map(name => make(`div.${name}`));
    this.hint = make('p.hint.small', {'aria-live': 'polite'});
    this.lesson = make('textarea', {id: 'lesson', spellcheck: 'false'});
    this.form = make('details.card', {}, make('summary', {}, text('lesson_own')), make('form.stack', {onsubmit: event => { event.preventDefault(); app.go('/train', {}, null, this.lesson.value.trim()); }},
      make('label', {for: 'lesson'}, text('lesson_how')), this.lesson, make('div.bar', {}, make('button.main', {type: 'submit'}, text('lesson_go')),
        make('button', {type: 'button', onclick: event => copy(location.href, event.currentTarget, text('copied'))}, text('link')))));
    host.append(make('div.study.train', {}, this.task, box, make('div.under-board', {}, this.offered, this.hint), make('div.panel', {}, this.panel, this.form)));
  }

  close() {
    clearTimeout(this.timer);
    this.asked = null;
  }

  #set(change) {
    this.state = {...this.state, ...change};
    this.#draw();
  }

  async show({rules, fen, n, embed, ...given}, saved, lesson) {
    document.title = `${text('train_title')} · einspul`;
    const number = Math.max(0, Number(n ?? 1) - 1);
    const key = JSON.stringify([this.app.rules.rules, fen, given, lesson]);
    this.close();
    if (this.key === key && this.list) { this.#start(number); return; }
    this.key = key;
    this.list = null;
    this.solved.clear();
    const asked = this.asked = {};
    this.query = given.material ? given : usual;
    this.lesson.value = lesson;
    this.state = {...begin(this.app.rules, fen ?? ''), phase: 'loading'};
    this.#draw();
    if (fen || lesson) {
      this.list = fen ? [fen] : lesson.split('\n').map(line => line.trim()).filter(Boolean);
      this.#start(number);
      return;
    }
    const seed = given.seed ?? String(Math.floor(Math.random() * 1e6));
    if (!given.seed) { this.app.replace('/train', {...this.query, seed}); return; }
    try {
      const {positions} = await api.find(this.app.rules.rules, {...this.query, sample: seriesLength, seed});
      if (this.asked !== asked) return;
      this.list = positions.map(one => one.fen);
      if (positions.length) this.#start(number);
      else this.#set({phase: 'none'});
    } catch (problem) {
      if (this.asked === asked) this.#set({problem, phase: 'problem'});
    }
  }

  // Goes to an exercise of the list; the one after the last is the end.
  #goTo(number) {
    const {rules, ...args} = this.given();
    this.app.go('/train', {...args, n: number + 1}, null, this.lesson.value);
  }

  given() {
    const [, fen, given] = JSON.parse(this.key);
    return {fen, ...given};
  }

  #start(number) {
    const fen = this.list[number] ?? this.list[0];
    this.state = {...begin(this.app.rules, fen), number, right: 0, spoilt: false, told: null, hint: 0, phase: number < this.list.length ? 'loading' : 'end'};
    this.#draw();
    if (number < this.list.length) this.#ask();
  }

  async #ask() {
    const asked = this.asked = {};
    try {
      const answer = await api.position(this.app.rules.rules, this.state.fen);
      if (this.asked !== asked) return;
      const over = !answer.moves.length || ['undecided', 'unknown'].includes(answer.category) || isExpired(answer);
      this.state = {...withAnswer({...this.state, fen: answer.fen}, answer), phase: over ? 'none' : 'guess'};
      if (over && this.state.right) this.#finish();
      this.#draw();
    } catch (problem) {
      if (this.asked === asked) this.#set({problem, phase: 'problem'});
    }
  }

  #follow({play, offered = null, chosen = null, why = ''}) {
    if (this.state.phase !== 'guess') { this.#draw(); return; }
    if (play) this.#judge(play);
    else this.#set({offered, chosen, why});
  }

  // A wrong move is refuted; it may be tried again, but the exercise is no longer won.
  async #judge(move) {
    const {state} = this;
    const best = moves(state)[0];
    const told = {san: move.san, best, outcome: forMover(move), right: forMover(move) === forMover(best), quickest: movePlies(move) === movePlies(best)};
    if (!told.right) {
      this.#set({told, spoilt: true, chosen: null, offered: null, why: ''});
      const {mainline} = await api.position(this.app.rules.rules, move.fen).catch(() => ({}));
      told.line = mainline?.slice(0, 5).map(one => one.san).join(' ');
      if (this.state.told === told) this.#draw();
      announce(verdictOf(told));
      return;
    }
    announce(verdictOf(told));
    const right = state.right + 1;
    this.#move(move, {told, right, phase: 'answer'});
    if (right >= enough || move.variant_loss) this.#finish();
    else this.timer = setTimeout(() => this.#answer(), pause);
    this.#draw();
  }

  #move(move, more) {
    const [tree, at] = withMove(plant(this.state.fen), 0, move);
    const {number, spoilt, told, right} = this.state;
    this.state = {...begin(this.app.rules, move.fen, session({tree, at, tip: at})), number, spoilt, told, right, hint: 0, ...more};
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
    this.solved.set(this.state.number, won);
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
    const shown = shownOnBoard(state);
    this.board.show({...shown, targets: state.hint === 1 ? [] : shown.targets});
    this.hint.textContent = state.why;
    mount(this.offered, choiceBar(state, {play: move => this.#judge(move), point: move => this.board.show({arrows: move ? [move] : []})}));
    mount(this.task, this.#card());
    mount(this.panel, make('section.card', {}, make('p.score', {}, text('train_score', this.score)),
      make('p', {}, make('a', {href: address('/search', {rules: this.app.rules.rules, ...this.query, sample: null, seed: null})}, text('train_other')))));
  }

  #card() {
    const {state, list} = this;
    const {phase, number, told, problem, right} = state;
    const answer = data(state);
    const all = list?.length ?? 0;
    const button = (key, onclick, more = {}) => make('button', {type: 'button', 'data-key': key, onclick, ...more}, text(key));
    const heading = {problem: () => text('no_answer'), none: () => text('train_none'), done: () => text(state.spoilt ? 'train_over' : 'train_won'), end: () => text('lesson_end'),
      guess: () => text(`train_${answer.category}`, {side: text(answer.side)})}[phase]?.() ?? text('loading');
    const solved = [...this.solved.values()].filter(Boolean).length;
    return make('section.card.verdict', {}, make('p.small.soft', {}, `${text('train_title')}${all > 1 && number < all ? ` · ${number + 1}/${all}` : ''}`),
      make('h1', {}, answer && phase === 'guess' && sideMark(answer.side), heading), phase === 'problem' && make('p', {}, explained(problem)),
      phase === 'end' && make('p', {}, text('lesson_score', {right: solved, all})),
      told && make(told.right ? 'p.win-ink' : 'p.error', {}, verdictOf(told)),
      phase === 'guess' && make('p.small.soft', {}, text('train_how', {n: enough - right})),
      make('div.bar', {}, phase === 'guess' && button('hint', () => this.#hint(), {disabled: state.hint > 1}),
        phase === 'guess' && button('train_show', () => { this.state = {...this.state, spoilt: true}; this.#judge(moves(this.state)[0]); }),
        all > 1 && number < all && button('train_next', () => this.#goTo(number + 1), {class: phase === 'done' ? 'main' : null}),
        phase === 'end' && button('lesson_again', () => { this.solved.clear(); this.#goTo(0); }),
        number < all && make('a', {href: address('/', {rules: state.rules.rules, fen: list[number]})}, text('open_here'))));
  }
}

const zero = {right: 0, all: 0, row: 0};

function readScore() {
  try { return {...zero, ...JSON.parse(recall('train') || '{}')}; } catch { return zero; }
}

// What is said of a guess.
function verdictOf({san, right, quickest, outcome, best, line}) {
  if (!right) return `${text('guess_wrong', {san, outcome: text(outcome)})}${line ? ` ${text('refuted', {line})}` : ''}`;
  if (quickest) return text('guess_best', {san});
  return text('guess_right', {san, best: best.san, n: movePlies(best)});
}
