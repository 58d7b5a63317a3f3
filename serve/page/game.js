// The view of a game: its moves with what each threw away, its positions on a board. The game stands in
// the address, behind `#`, so that it can be shared and is there again after Back.
import {address} from './address.js';
import * as api from './api.js';
import {Board} from './board.js';
import {announce, choice, copy, make, mount, signButton, stepButtons, stepKeys} from './dom.js';
import {lidraughts} from './links.js';
import {recall, remember} from './memory.js';
import {positionOf} from './position.js';
import {detailed, explained} from './refusal.js';
import {text} from './texts.js';
import {forMover, movePlies, sentence, sideMark, thrown} from './verdict.js';

const nothing = {source: '', number: 0, answer: null, steps: [], at: 0, problem: null, most: 0, line: null};

export class GameView {
  constructor(host, app) {
    this.app = app;
    this.flip = recall('flip') === '1';
    this.state = nothing;
    const box = make('div.board-box');
    this.board = new Board(box, {onDrop: () => this.#draw()});
    this.tools = make('div.tools', {role: 'toolbar', 'aria-label': text('tools')});
    [this.verdict, this.list] = [make('div'), make('div')];
    this.source = make('textarea', {id: 'pdn', spellcheck: 'false'});
    this.form = make('form.card.stack', {onsubmit: event => { event.preventDefault(); this.app.go('/game', {}, null, this.source.value.trim()); }},
      make('h1', {}, text('game_title')), make('p.soft', {}, text('game_hint')), make('p.soft.small', {}, text('game_export')), make('label', {for: 'pdn'}, text('game_text')),
      this.source, make('div.bar', {}, make('button.main', {type: 'submit'}, text('game_read'))));
    host.append(make('div.study.game', {}, box, make('div.under-board', {}, this.tools), make('div.panel', {}, this.verdict, this.list, this.form)));
    this.keys = event => this.#key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    this.reading = null;
    document.removeEventListener('keydown', this.keys);
  }

  #set(change) {
    this.state = {...this.state, ...change};
    this.#draw();
  }

  show(args, saved, fragment) {
    document.title = `${text('game_title')} · einspul`;
    const number = Number(args.game ?? 0);
    const {rules} = this.app.rules;
    const {state} = this;
    if (state.source === fragment && state.number === number && this.shownRules === rules && state.steps.length) {
      const first = Math.max(0, state.steps.findIndex(step => step.thrown));
      this.#goTo(Math.min(args.ply === undefined ? first : Number(args.ply), state.steps.length - 1));
      return;
    }
    this.shownRules = rules;
    if (fragment && this.source.value.trim() !== fragment) this.source.value = fragment;
    if (!fragment) this.source.value = '';
    this.state = {...nothing, source: fragment, number};
    this.#draw();
    if (fragment) this.#read(args.ply);
  }

  // The server reads the text, and judges the game by the rules it was played under.
  async #read(ply) {
    const {source, number} = this.state;
    const reading = this.reading = {};
    const isOld = () => this.reading !== reading;
    try {
      const keyOf = rules => `${rules} ${number} ${source}`;
      const answer = this.last?.key === keyOf(this.app.rules.rules) ? this.last.answer : await api.annotate(this.app.rules.rules, source, number + 1);
      this.last = {key: keyOf(answer.rules), answer};
      const own = this.app.sets.find(set => set.rules === answer.rules);
      if (isOld()) return;
      if (own && own !== this.app.rules) {
        this.app.replace('/game', {rules: own.rules, game: number || undefined, ply}, null, source);
        return;
      }
      const {materials} = await api.tables(this.app.rules.rules);
      if (isOld()) return;
      const most = Math.max(0, ...materials.filter(one => one.wdl_bytes !== null || one.dtw_bytes !== null).map(one => one.pieces));
      const steps = answer.steps.map((step, i) => ({...step, thrown: i > 0 && step.nag ? thrown(answer.steps[i - 1], step) : null}));
      this.state = {...this.state, answer, steps, most};
      const mistake = steps.findIndex(step => step.thrown);
      if (steps.length) announce(summary(this.state));
      this.#draw();
      this.#goTo(Math.min(Number(ply ?? Math.max(0, mistake)), steps.length - 1));
    } catch (error) {
      if (!isOld()) this.#set({problem: /lidraughts\.org\/\w{8}/.test(source) ? text('game_link') : error.code === 'BAD_REQUEST' ? text('game_none') : explained(error)});
    }
  }

  // --- steps ---------------------------------------------------------------------------------------

  async #goTo(at) {
    const {steps, source, number} = this.state;
    if (!(at >= 0 && at < steps.length)) return;
    this.#set({at, line: null});
    history.replaceState(history.state, '', address('/game', {rules: this.shownRules, game: number || undefined, ply: at}, source));
    if (!steps[at].thrown) return;
    const line = await api.mainline(this.shownRules, steps[at - 1].fen, 12).catch(() => null);
    if (this.state.at === at && this.state.steps === steps) this.#set({line});
  }

  #step(name) {
    const {at, steps} = this.state;
    this.#goTo({first: 0, back: at - 1, forward: at + 1, last: steps.length - 1}[name]);
  }

  #nextMistake() {
    const {steps, at} = this.state;
    const later = steps.findIndex((step, i) => i > at && step.thrown);
    return later >= 0 ? later : steps.findIndex(step => step.thrown);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    if (event.key === 'f') this.#flip();
    else if (event.key === 'm') this.#goTo(this.#nextMistake());
    else if (event.key in stepKeys) this.#step(stepKeys[event.key]);
    else return;
    event.preventDefault();
  }

  #flip() {
    this.flip = !this.flip;
    remember('flip', this.flip ? '1' : '0');
    this.#draw();
  }

  // --- drawing ---------------------------------------------------------------------------------------

  #draw() {
    const {state} = this;
    const {steps, at} = state;
    const step = steps[at];
    const {rows} = this.app.rules;
    const position = positionOf(step?.fen ?? (rows === 8 ? 'W:W21-32:B1-12' : 'W:W31-50:B1-20'));
    this.board.show({rows, pieces: position.pieces, runs: position.runs, flip: this.flip, arrow: null,
      better: null, last: step?.path ? [step.path[0], step.path.at(-1)] : []});
    mount(this.tools, stepButtons(name => this.#step(name), at === 0, at + 1 >= steps.length), make('span.gap'),
      make('button', {type: 'button', 'data-key': 'mistake', disabled: !steps.some(one => one.thrown), onclick: () => this.#goTo(this.#nextMistake())}, text('next_mistake')),
      make('span.gap'), signButton('flip', () => this.#flip(), {'aria-pressed': String(this.flip)}));
    mount(this.verdict, step && this.#stepCard(step));
    mount(this.list, this.#listCard());
  }

  #stepCard(step) {
    const {thrown, best, fen} = step;
    const {line, steps, at} = this.state;
    const before = steps[at - 1];
    const outcome = best && `${text(forMover(best))}${movePlies(best) === null ? '' : ` ${text('in_plies', {n: movePlies(best)})}`}`;
    const link = lidraughts(this.app.rules, fen);
    return make(`section.card.verdict.${step.category}`, {}, make('h2', {}, sideMark(step.side), sentence(step)),
      thrown && make('p.error', {}, `${step.san}: ${text(thrown.key)}`),
      best && make('p.better', {onmouseenter: () => this.board.show({better: best}), onmouseleave: () => this.board.show({better: null})},
        `${text('better')} `, make('b', {}, best.san), ` (${outcome})`, line && make('span.soft', {}, ` ${line.mainline.slice(1, 8).map(move => move.san).join(' ')}${line.mainline.length > 8 ? ' …' : ''}`)),
      make('p.bar', {}, make('a', {href: address('/', {rules: this.app.rules.rules, fen})}, text('open_here')),
        before && thrown && [['/', 'open_before'], ['/train', 'train_this']].map(([path, key]) => make('a', {href: address(path, {rules: this.app.rules.rules, fen: before.fen})}, text(key))),
        link && make('a', {href: link, target: '_blank', rel: 'noopener'}, text('on_lidraughts'))));
  }

  #listCard() {
    const {source, answer, number, steps, problem, at} = this.state;
    if (!source) return null;
    const games = answer?.games ?? [];
    const numbers = numbered(steps);
    return make('section.card', {}, make('h2', {}, games[number] && nameOf(games[number]) || text('moves')), games.length > 1 && this.#chooser(games, number),
      answer?.note && make('p.note.small', {}, detailed('game_note', answer.note)),
      steps.length > 0 && make(steps.some(step => step.thrown) ? 'p.error' : 'p.soft', {}, summary(this.state)),
      !answer && !problem && make('p.soft', {role: 'status'}, text('loading')),
      steps.length > 0 && make('ol.line', {}, steps.map((step, i) => make('li', {}, make(step.thrown ? 'button.mistake' : 'button',
        {type: 'button', 'data-key': `ply-${i}`, title: step.thrown ? text(step.thrown.key) : null, 'aria-current': i === at ? 'step' : null,
          onclick: () => this.#goTo(i)}, `${numbers[i]}${step.thrown ? step.thrown.mark : ''}`)))),
      answer?.error && make('p.error', {role: 'alert'}, detailed(steps.length ? 'game_stops' : 'game_unread', answer.error.text)), problem && make('p.error', {role: 'alert'}, problem),
      make('div.bar', {}, make('button', {type: 'button', 'data-key': 'share', onclick: event => copy(location.href, event.currentTarget, text('copied'))}, text('game_share'))));
  }

  #chooser(games, number) {
    return choice(number, games.map((one, i) => [i, `${i + 1}. ${nameOf(one) || text('game_number', {n: i + 1})}`]),
      {'data-key': 'games', 'aria-label': text('nav_game'), onchange: event => this.app.go('/game', {game: event.target.value}, null, this.state.source)});
  }
}

const nameOf = ({white, black}) => [white, black].filter(Boolean).join(' – ');

// The moves as a record has them: "1. 32-28", "19-23"; a position set up begins anew.
function numbered(steps) {
  return steps.map((step, i) => {
    if (!step.san) return text('start');
    const begins = !steps[i - 1].san;
    return `${step.mover === 'white' ? `${step.number}. ` : begins ? `${step.number}… ` : ''}${step.san}`;
  });
}

// What is to be said of a whole game.
function summary({steps, most}) {
  const mistakes = steps.filter(step => step.thrown).length;
  if (mistakes) return text('game_mistakes', {n: mistakes});
  if (steps.some(step => step.category !== 'unknown')) return text('game_clean');
  const {pieces} = positionOf(steps.at(-1).fen);
  return text('game_out', {n: pieces.size, most});
}
