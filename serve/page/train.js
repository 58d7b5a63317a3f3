// Training: the position view without the answer; the user guesses the moves. A move is correct if it keeps
// the outcome, and best if it also keeps the distance. Positions come from a search or a lesson, or one is
// given. A lesson is in the URL fragment, a line for each exercise: `FEN | title | hint`; its solved
// exercises are kept in localStorage. The place in the list is in the URL.
import {address, recall, remember} from './browser.js';
import {api} from './api.js';
import {againButton, announce, make, signButton, textButton} from './dom.js';
import {folded} from './position.js';
import {stopSearch, watched} from './search.js';
import {begin, data, moves, session} from './study-state.js';
import {PositionView} from './study.js';
import {text} from './texts.js';
import {withMove} from './tree.js';
import {distance, explained, outcomeForMover, isExpired, movePlies, sideMark} from './verdict.js';

const defaultQuery = {material: 'KMvK', outcome: 'win', only_move: '1', moves: '5-'};
const seriesLength = 20;
const movesToPass = 5;   // correct moves needed to pass an exercise
const pause = 700;  // ms before the tables answer

export class TrainView extends PositionView {
  constructor(host, app) {
    super(host, app);
    this.hidden = true;
    this.solved = new Map(); // by exercise of this series: true if solved
  }

  textCard() {
    this.lesson = make('textarea', {id: 'lesson', spellcheck: 'false'});
    const form = make('form.stack', {onsubmit: event => { event.preventDefault(); this.app.go('/train', {}, null, this.lesson.value.trim()); }},
      make('label', {for: 'lesson'}, text('lesson_how')), this.lesson, make('button.main', {type: 'submit'}, text('lesson_go')));
    return make('details.card', {}, make('summary', {}, text('lesson_own')), form);
  }

  async show({rules, fen, n, embed, hide, ...given}, saved, lesson) {
    const number = Math.max(0, Number(n ?? 1) - 1);
    const key = JSON.stringify([this.app.rules.rules, fen, given, lesson]);
    this.asked = null;
    stopSearch(this);
    if (this.key === key && this.list) { this.start(number); return; }
    Object.assign(this, {key, list: null, given: {fen, ...given}, query: given.material ? given : defaultQuery});
    this.bad = [];
    this.solved = new Map(lesson ? JSON.parse(recall(`solved ${key}`) ?? '[]') : []);
    this.lesson.value = lesson;
    this.exercise = {number, phase: 'loading'};
    this.state = begin(this.app.rules, fen ?? '');
    this.draw();
    if (fen || lesson) {
      const list = fen ? [{fen}] : await this.readLesson(lesson);
      if (this.key !== key) return;
      this.list = list;
      this.start(number);
      return;
    }
    if (!given.seed) { this.app.replace('/train', {...this.query, seed: String(Math.floor(Math.random() * 1e6))}); return; }
    const search = [this.app.rules.rules, {...this.query, sample: seriesLength}];
    const answer = await watched(this, signal => api.find(...search, signal), () => api.progress(...search), words => {
      this.exercise.progress = words;
      this.draw();
    }, () => { this.key = null; this.goToExercise(number); });
    if (this.key !== key) return;
    if (!answer) { this.exercise.phase = 'failed'; this.draw(); return; }
    this.list = folded(answer.positions, this.app.rules.rows);
    this.start(number);
  }

  // The valid exercises of a lesson; reports the other lines.
  async readLesson(lesson) {
    const {rules} = this.app.rules;
    const lines = lesson.split('\n').map(line => line.split('|').map(part => part.trim()));
    const read = await Promise.all(lines.map(([fen]) => fen && api.position(rules, fen).catch(problem => ({problem}))));
    this.bad = read.flatMap((answer, i) => answer.problem?.status === 400 ? [[i + 1, answer.problem]] : []);
    return lines.map(([fen, title, hint]) => ({fen, title, hint})).filter((_, i) => read[i] && read[i].problem?.status !== 400);
  }

  close() {
    super.close();
    stopSearch(this);
  }

  // Goes to an exercise; after the last one, to the end.
  goToExercise(number) { this.app.go('/train', {...this.given, n: number + 1}, null, this.lesson.value); }

  start(number) {
    this.exercise = {number, right: 0, spoilt: false, feedback: null, phase: !this.list.length ? 'none' : number < this.list.length ? 'loading' : 'end'};
    if (number < this.list.length) this.begin(begin(this.app.rules, this.list[number].fen));
    else this.draw();
  }

  // After a move: waits for a guess, or plays the best reply.
  answered(answer) {
    const {asked, exercise: {phase, right}} = this;
    if (phase === 'answer' && answer.moves.length) setTimeout(() => { if (this.asked === asked) this.advance(answer.moves[0], 'loading'); }, pause);
    else if (phase === 'loading' || phase === 'answer') {
      const over = !answer.moves.length || ['undecided', 'unknown'].includes(answer.category) || isExpired(answer);
      if (over && right) this.finish();
      else this.exercise.phase = over ? 'none' : 'guess';
    }
    this.draw();
  }

  decide(what) {
    if (this.exercise.phase === 'guess') super.decide(what);
    else this.draw();
  }

  step() {} // there is no line to go along

  // Judges a guess. A wrong move is refuted; the user may try again, but the exercise no longer counts as solved.
  async play(move, shown = false) {
    const best = moves(this.state)[0];
    const feedback = {san: move.san, best, outcome: outcomeForMover(move), right: outcomeForMover(move) === outcomeForMover(best), quickest: movePlies(move) === movePlies(best)};
    if (feedback.right) {
      if (shown) feedback.shown = true;
      announce(judgement(feedback));
      Object.assign(this.exercise, {feedback, right: this.exercise.right + 1});
      if (this.exercise.right >= movesToPass || move.variant_loss) this.finish();
      this.advance(move, this.exercise.phase === 'done' ? 'done' : 'answer');
      return;
    }
    Object.assign(this.exercise, {feedback, spoilt: true});
    this.set({chosen: null, offered: null, why: ''});
    const {mainline} = await api.position(this.app.rules.rules, move.fen).catch(() => ({}));
    feedback.line = mainline?.slice(0, 5).map(one => one.san).join(' ');
    announce(judgement(feedback));
    if (this.exercise.feedback === feedback) this.draw();
  }

  advance(move, phase) {
    const [tree, at] = withMove(this.state.tree, this.state.at, move);
    this.exercise.phase = phase;
    this.begin(begin(this.app.rules, move.fen, session({tree, at})));
  }

  finish() {
    this.solved.set(this.exercise.number, !this.exercise.spoilt);
    if (this.lesson.value) remember(`solved ${this.key}`, JSON.stringify([...this.solved]));
    this.exercise.phase = 'done';
  }

  boardOf(state) {
    const shown = super.boardOf(state);
    return {...shown, movable: this.exercise.phase === 'guess' ? shown.movable : []};
  }

  toolsOf(state) { return [signButton('flip', () => this.flipBoard(), {'aria-pressed': String(Boolean(state.flip))})]; }
  drawText() { document.title = `${text('train_title')} · einspul`; }

  question(state) {
    const {list, exercise: {phase, number, feedback, right, spoilt}} = this;
    const answer = data(state);
    const all = list?.length ?? 0;
    const words = {failed: () => text('no_answer'), none: () => text('train_none'), done: () => text(spoilt ? 'train_over' : 'train_won'), end: () => text('lesson_end'), guess: () => text(`train_${answer.category}`, {side: text(answer.side)})};
    return make('section.card.verdict', {}, make('p.small.soft', {}, `${text('train_title')}${all > 1 && number < all ? ` · ${number + 1}/${all}` : ''}`, all > 1 && make('progress', {max: all, value: this.solved.size, 'aria-label': text('train_done', {n: this.solved.size, all})})),
      this.bad.map(([line, problem]) => make('p.error.small', {role: 'alert'}, text('lesson_line', {line}), ' ', explained(problem))), list?.[number]?.title && make('p', {}, make('b', {}, list[number].title)),
      make('h1', {}, phase === 'guess' && sideMark(answer.side), state.problem ? text('no_answer') : words[phase]?.() ?? text('loading')), state.problem && [make('p', {}, explained(state.problem)), againButton(() => { this.key = null; this.goToExercise(number); })],
      phase === 'end' && make('p', {}, text('lesson_score', {right: [...this.solved.values()].filter(Boolean).length, all})), ['loading', 'failed'].includes(phase) && this.exercise.progress,
      feedback && make(feedback.shown ? 'p' : feedback.right ? 'p.win-ink' : 'p.error', {}, judgement(feedback)),
      phase === 'guess' && make('p.small.soft', {}, text('train_how', {n: movesToPass - right})), list?.[number]?.hint && make('details.small', {'data-of': number}, make('summary', {}, text('hint')), make('p', {}, list[number].hint)),
      make('div.bar', {}, phase === 'guess' && textButton('train_show', () => { this.exercise.spoilt = true; this.play(moves(this.state)[0], true); }),
        all > 1 && number < all && textButton('train_next', () => this.goToExercise(number + 1), {class: phase === 'done' ? 'main' : null}),
        phase === 'end' && textButton('again', () => { this.solved.clear(); this.goToExercise(0); }),
        number < all && make('a', {href: address('/', {rules: state.rules.rules, fen: list[number].fen})}, text('open_here'))));
  }
}

function judgement({san, shown, right, quickest, outcome, best, line}) {
  if (shown) return text('guess_shown', {san});
  if (!right) return `${text('guess_wrong', {san, outcome: text(outcome)})}${line ? ` ${text('refuted', {line})}` : ''}`;
  if (quickest) return text('guess_best', {san});
  return text('guess_right', {san, best: best.san, n: distance(movePlies(best))});
}
