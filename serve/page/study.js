// The view of one position. Whatever is done changes the one state (study-state.js), and all parts
// are made from it anew (study-view.js, tray.js). Positions stand in the address, the tree of moves in
// the history of the browser, so that Back undoes whatever was done.
import {address} from './address.js';
import * as api from './api.js';
import {Board} from './board.js';
import {announce, copy, make, mount, stepKeys} from './dom.js';
import {recall, remember} from './memory.js';
import {other, tidy, turned, writeFen, positionOf} from './position.js';
import {explained} from './refusal.js';
import {lidraughts} from './links.js';
import {begin, clicked, data, dropped, moves, next, previous, session, shownOnBoard, steppedTo, withAnswer} from './study-state.js';
import {choiceBar, lineCard, movesCard, stateCard, toolBar, verdictCard} from './study-view.js';
import {text} from './texts.js';
import {nameOf, trayTools} from './tray.js';
import {endOf, plant, withLine, withMove, writeTree} from './tree.js';
import {brief, isExpired, sentence} from './verdict.js';

const drawnLine = 12; // plies shown of a draw, which has no end

export class PositionView {
  constructor(host, app) {
    this.app = app;
    this.flip = recall('flip') === '1';
    this.tool = null;
    this.speed = 800;
    this.playing = null;
    this.#layOut(host);
    this.keys = event => this.#key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    clearInterval(this.playing);
    document.removeEventListener('keydown', this.keys);
  }

  #layOut(host) {
    const area = name => make(`div.${name}`);
    [this.boardBox, this.choice, this.panel] = ['board-box', 'choice-box', 'panel'].map(area);
    this.tray = make('div.tray', {role: 'group', 'aria-label': text('tray')});
    this.tools = make('div.tools', {role: 'toolbar', 'aria-label': text('tools')});
    this.hint = make('p.hint.small.soft', {'aria-live': 'polite'});
    [this.verdict, this.rulesState] = ['verdict-box', 'state-box'].map(area);
    this.moves = make('section.card.moves-card', {'aria-label': text('moves')});
    this.line = make('section.card.line-card', {'aria-label': text('line')});
    this.board = new Board(this.boardBox, {onSquare: square => this.#square(square), onDrop: (from, to, off) => this.#drop(from, to, off),
      onOther: square => this.#otherColour(square)});
    this.panel.append(this.verdict, this.rulesState, this.moves, this.line);
    host.append(make('div.study', {}, this.tray, this.boardBox, make('div.under-board', {}, this.choice, this.tools, this.hint), this.#fenForm(), this.panel,
      this.ownPage = make('a.own-page', {target: '_blank', rel: 'noopener'}, text('open_page'))));
  }

  #fenForm() {
    this.input = make('input.mono', {type: 'text', id: 'fen', spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'fen-problem'});
    this.problem = make('p.error.small', {role: 'alert', id: 'fen-problem'});
    this.lidraughts = make('a.button', {target: '_blank', rel: 'noopener'}, text('on_lidraughts'));
    const button = (key, run) => make('button', {type: 'button', onclick: event => run(event.currentTarget)}, text(key));
    return make('form.card.fen-card', {onsubmit: event => {
      event.preventDefault();
      this.app.go('/', {fen: this.input.value.trim()});
    }}, make('label', {for: 'fen'}, text('position_text')), this.input, this.problem, make('div.bar', {},
      make('button', {type: 'submit'}, text('show')), button('copy', pressed => copy(data(this.state)?.fen ?? this.state.fen, pressed, text('copied'))),
      button('link', pressed => copy(location.href, pressed, text('copied'))), button('start_here', () => this.app.go('/', {fen: this.app.example()})), this.lidraughts));
  }

  // --- the state ---------------------------------------------------------------------------------

  #set(change) {
    this.state = {...this.state, ...change};
    this.#draw();
  }

  show(args, saved) {
    const fen = args.fen || this.app.example();
    const {rules} = this.app;
    this.app.lastFen = fen;
    this.state = begin(rules, fen, saved);
    const known = api.knownPosition(rules.rules, fen);
    if (known) this.state = withAnswer(this.state, known);
    this.input.value = fen;
    this.#draw();
    this.#ask();
  }

  // Asks for all that belongs to the position. What arrives after another one is shown is left.
  async #ask() {
    const asked = this.asked = {};
    const {rules: {rules}, fen} = this.state;
    const isOld = () => this.asked !== asked;
    try {
      const answer = await api.position(rules, fen);
      if (isOld()) return;
      if (answer.fen !== fen && !answer.note) { this.#rename(answer.fen); return; }
      this.state = withAnswer(this.state, answer);
      announce(sentence(answer));
      this.#draw();
      this.#askLine(isOld);
      const {verdicts} = await api.compare(rules, fen).catch(() => ({verdicts: []}));
      if (!isOld()) this.#set({verdicts});
    } catch (problem) {
      if (!isOld()) this.#set({problem});
    }
  }

  // The address of a position that was written in another way, or came in a link.
  #rename(fen) {
    const own = this.state.at === 0 && this.state.tree.nodes.length === 1 ? null : session(this.state);
    this.app.replace('/', {fen}, own);
  }

  async #askLine(isOld) {
    const {tree, at, rules} = this.state;
    const answer = data(this.state);
    if (['undecided', 'unknown'].includes(answer.category) || isExpired(answer) || !answer.moves.length || tree.nodes[at].children.length) return;
    try {
      const {mainline, winner} = await api.mainline(rules.rules, answer.fen, drawnLine);
      if (isOld()) return;
      this.#set({tree: withLine(tree, at, mainline, winner === null ? '1-1' : winner === 'w' ? '2-0' : '0-2')});
      this.app.keep(session(this.state));
    } catch (lineProblem) {
      if (!isOld()) this.#set({lineProblem});
    }
  }

  // --- drawing -----------------------------------------------------------------------------------

  #draw() {
    const state = {...this.state, flip: this.flip, tool: this.tool, speed: this.speed, playing: this.playing, canUndo: this.app.canUndo, canRedo: this.app.index < this.app.top};
    const answer = data(state);
    const act = this.#actions();
    document.title = answer ? `${sentence(answer)} · ${answer.material ?? ''} · einspul` : 'einspul';
    this.board.show(shownOnBoard(state));
    mount(this.choice, choiceBar(state, act));
    mount(this.tools, toolBar(state, act));
    mount(this.tray, trayTools(state, act));
    this.#keepHeight(state);
    mount(this.verdict, verdictCard(state, act));
    mount(this.rulesState, stateCard(state, act));
    mount(this.moves, movesCard(state, act));
    mount(this.line, lineCard(state, act));
    this.#showStep();
    mount(this.problem, state.problem && explained(state.problem));
    this.hint.textContent = this.tool ? text(`hint_${this.tool.side ? 'piece' : this.tool}`) : '';
    this.ownPage.href = address('/', {rules: state.rules.rules, fen: state.fen});
    const link = lidraughts(state.rules, answer?.fen);
    this.lidraughts.hidden = !link;
    if (link) this.lidraughts.href = link;
  }

  // What stands below is not to jump while a part of the answer is awaited.
  #keepHeight({problem, verdicts}) {
    for (const box of [this.verdict, this.rulesState]) box.style.minHeight = problem || verdicts ? '' : `${box.offsetHeight}px`;
  }

  #showStep() {
    const step = this.line.querySelector('[aria-current]');
    if (step) this.line.scrollTop += Math.min(0, step.offsetTop - this.line.scrollTop - 48) + Math.max(0, step.offsetTop + step.offsetHeight - this.line.scrollTop - this.line.clientHeight);
  }

  #actions() {
    return {
      play: move => this.#play(move), best: () => this.#best(), point: move => this.board.show({arrow: move}), again: () => this.#again(),
      underRules: verdict => this.app.go('/', {rules: verdict.rules, fen: this.state.fen}), edit: change => this.#edit(change, false),
      undo: () => this.app.undo(), redo: () => this.app.redo(), step: name => this.#step(name), goTo: node => this.#goTo(node),
      flip: () => this.#flipBoard(), turn: () => this.app.go('/', {fen: writeFen(turned(this.state.position, this.app.rules.squares))}),
      playOut: () => this.#playOut(), setSpeed: ms => this.#setSpeed(ms), copyLine: button => copy(writeTree(this.state.rules, this.state.tree), button, text('copied')),
      choose: tool => this.#choose(tool), otherSide: () => this.#edit(position => { position.side = other(position.side); }, false),
      clear: () => this.#edit(position => position.pieces.clear()), squareSize: () => this.boardBox.clientWidth / this.state.rules.rows,
      dropIn: (piece, at) => { if (this.board.squareAt(at)) this.#put(this.board.squareAt(at), piece); },
    };
  }

  #again() {
    this.#set({problem: null});
    this.#ask();
  }

  // --- moves and the line ------------------------------------------------------------------------

  // A move of the answer that is shown; of an older one none is made.
  #play(move) {
    if (!moves(this.state).includes(move)) return;
    const [tree, at] = withMove(this.state.tree, this.state.at, move);
    this.app.go('/', {fen: move.fen}, session({...this.state, tree, ...steppedTo({...this.state, tree}, at)}));
  }

  #best() {
    if (!this.tool && moves(this.state).length) this.#play(moves(this.state)[0]);
  }

  #goTo(node) {
    if (node === null || node === this.state.at) return;
    const step = steppedTo(this.state, node);
    this.app.replace('/', {fen: this.state.tree.nodes[node].fen}, step);
  }

  #step(name) {
    const {tree, at, tip} = this.state;
    this.#goTo({first: 0, back: previous(this.state), forward: next(this.state), last: endOf(tree, at, tip)}[name]);
  }

  // Shows the line on the board, a move a moment.
  #playOut() {
    clearInterval(this.playing);
    this.playing = this.playing ? null : setInterval(() => {
      if (next(this.state) === null) this.#playOut();
      else this.#step('forward');
    }, this.speed);
    this.#draw();
  }

  #setSpeed(ms) {
    this.speed = ms;
    if (!this.playing) return;
    this.#playOut();
    this.#playOut();
  }

  // --- the board ---------------------------------------------------------------------------------

  #choose(tool) {
    this.tool = nameOf(tool) === nameOf(this.tool) ? null : tool;
    this.#set({chosen: null, offered: null, map: null, mapSquare: null, words: ''});
  }

  #square(square) {
    if (this.tool === 'map') this.#showMap(square);
    else if (this.tool === 'remove') this.#edit(position => position.pieces.delete(square));
    else if (this.tool?.side) this.#put(square, this.tool);
    else if (this.tool !== 'hand') this.#follow(clicked(this.state, square));
  }

  #drop(from, to, off) {
    if (off || to === null && this.tool) this.#edit(position => position.pieces.delete(from));
    else if (to !== null && this.tool && this.tool !== 'map') this.#edit(position => relocate(position, from, to));
    else this.#follow(to === null ? {} : dropped(this.state, from, to));
  }

  #follow({play, offered = null, chosen = null}) {
    if (play) { this.#play(play); return; }
    this.#set({offered, chosen});
    if (offered) this.choice.querySelector('button').focus();
  }

  // --- set-up ------------------------------------------------------------------------------------

  #put(square, piece) {
    this.#edit(position => {
      const there = position.pieces.get(square);
      if (there && nameOf(there) === nameOf(piece)) position.pieces.delete(square);
      else position.pieces.set(square, {...piece});
    });
  }

  // A long press or the other button: the piece in hand, or the one there, in the other colour.
  #otherColour(square) {
    this.#edit(position => {
      const piece = this.tool?.side ? this.tool : position.pieces.get(square);
      if (piece) position.pieces.set(square, {...piece, side: other(piece.side)});
    });
  }

  // A position changed by hand is a new one, with an entry of its own in the history. While the pieces
  // stay, what these rules do not count of the text stays, too: other rules may.
  #edit(change, pieces = true) {
    const told = positionOf(this.state.fen);
    const position = positionOf(data(this.state)?.fen ?? this.state.fen);
    if (!pieces) Object.assign(position, {limited: position.limited ?? told.limited, clock: position.clock || told.clock,
      runs: {white: position.runs.white ?? told.runs.white, black: position.runs.black ?? told.runs.black}});
    change(position);
    const fen = writeFen(pieces ? tidy(position, this.state.rules) : position);
    if (fen === this.state.fen) this.#draw();
    else this.app.go('/', {fen}, session({tree: plant(fen), at: 0, tip: 0}));
  }

  #flipBoard() {
    this.flip = !this.flip;
    remember('flip', this.flip ? '1' : '0');
    this.#draw();
  }

  // --- square map --------------------------------------------------------------------------------

  async #showMap(square) {
    const answer = data(this.state);
    if (!this.state.position.pieces.has(square) || !answer) return;
    const {asked} = this;
    try {
      const {squares} = await api.squareMap(this.state.rules.rules, answer.fen, square);
      if (this.asked !== asked) return;
      const map = new Map(squares.map(row => [row.square, {kind: row.category, text: row.dtw === null ? '' : String(Math.abs(row.dtw)), label: brief(row)}]));
      const tally = ['win', 'draw', 'loss'].map(kind => `${text(kind)} ${squares.filter(row => row.category === kind).length}`).join(', ');
      this.#set({map, mapSquare: square, words: `${text('map_of', {square, side: text(answer.side)})} ${tally}.`});
    } catch (problem) {
      if (this.asked === asked) this.#set({words: explained(problem).textContent});
    }
  }

  // --- keys --------------------------------------------------------------------------------------

  #key(event) {
    if (event.altKey || event.target.closest('input, select, textarea')) return;
    if (event.ctrlKey || event.metaKey) {
      const letter = event.key.toLowerCase();
      if (letter === 'z') event.shiftKey ? this.app.redo() : this.app.undo();
      else if (letter === 'y') this.app.redo();
      else return;
    } else if (event.key === ' ' && !event.target.closest('button, a')) this.#best();
    else if (event.key in stepKeys) this.#step(stepKeys[event.key]);
    else if (event.key === 'f') this.#flipBoard();
    else if (event.key === 'Escape') this.#choose(this.tool);
    else return;
    event.preventDefault();
  }
}

function relocate(position, from, to) {
  const piece = position.pieces.get(from);
  position.pieces.delete(from);
  if (piece) position.pieces.set(to, piece);
}
