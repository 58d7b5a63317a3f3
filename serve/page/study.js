// The view of one position, and of a game (game.js). Every action replaces the state (study-state.js) and
// re-renders all panels (study-view.js). The position is in the URL and the id of the move tree in
// the history entry, so Back undoes any action. Playing and setting up are two modes: in play only moves
// change the position.
import {address, lidraughts, recall, remember} from './browser.js';
import {api} from './api.js';
import {Board} from './board.js';
import {announce, copy, download, make, mount, pngOf, stepKeys, textButton} from './dom.js';
import {parseFen, edited, shortFen, writeFen} from './position.js';
import {Proofs} from './proof.js';
import {ahead, begin, clicked, data, dropped, moves, next, previous, session, shownOnBoard, withAnswer} from './study-state.js';
import {choiceBar, hiddenCard, lineCard, lineMoves, movesCard, nameOf, stateCard, toolBar, trayTools, verdictCard} from './study-view.js';
import {text} from './texts.js';
import {chaptersOf, forgetChapter, fragmentOf, keepGames, keepStudy, newId, study, withoutNames} from './studies.js';
import {mainLine, plant, treeOf, treeWith, withMove, writeTree} from './tree.js';
import {brief, explained, outcomeForMover, reasons, sentence, thrown, winner} from './verdict.js';

export class PositionView {
  constructor(host, app) {
    this.app = app;
    this.flip = recall('flip') === '1';
    this.setup = false;
    this.tool = null;
    this.proofs = new Proofs(this);
    this.route = []; // the line of the last best move
    this.owed = 0; // best moves to play once the answer arrives
    this.drawn = new WeakMap(); // rendered moves of the line, so that one more does not redraw all
    this.layOut(host);
    this.keys = event => this.key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    this.asked = null;
    this.proofs.stop();
    document.removeEventListener('keydown', this.keys);
  }

  layOut(host) {
    const area = name => make(`div.${name}`);
    [this.verdict, this.boardBox, this.choice, this.panel, this.rulesState] = ['verdict-box', 'board-box', 'choice-box', 'panel', 'state-box'].map(area);
    this.tray = make('div.tray', {role: 'group', 'aria-label': text('tray')});
    this.tools = make('div.tools', {role: 'toolbar', 'aria-label': text('tools')});
    this.hint = make('p.hint.small', {'aria-live': 'polite'});
    this.moves = make('section.card.moves-card', {'aria-label': text('moves')});
    this.line = make('section.card.line-card', {'aria-label': text('line')});
    this.lineMoves = make('div.line');
    this.board = new Board(this.boardBox, {onSquare: square => this.square(square), onDrop: (from, to) => this.drop(from, to)});
    this.panel.append(this.moves, this.rulesState, this.line, this.textCard(), this.typedCard());
    host.append(make('div.study', {}, this.verdict, this.boardBox, make('div.under-board', {}, this.choice, this.tray, this.tools, this.hint), this.panel,
      this.ownPage = make('a.own-page', {target: '_blank', rel: 'noopener'}, text('open_page'))));
  }

  // A field for typed moves and questions; screen readers read the answers.
  typedCard() {
    const input = make('input', {type: 'text', id: 'typed', autocomplete: 'off', spellcheck: 'false'});
    this.said = make('p.small', {role: 'status'});
    return make('form.card.typed.own', {onsubmit: event => {
      event.preventDefault();
      this.said.textContent = this.hidden ? '' : this.reply(input.value.trim().toLowerCase());
      input.value = '';
    }}, make('label', {for: 'typed'}, text('typed', {best: text('ask_best'), board: text('ask_board'), why: text('ask_why')})), input, this.said);
  }

  // Plays a typed move, or answers a question.
  reply(words) {
    const answer = data(this.state);
    if (!answer) return text('loading');
    const all = moves(this.state);
    if (words === text('ask_best')) return all.length ? `${all[0].san}: ${text(outcomeForMover(all[0]))}` : text('no_moves');
    if (words === text('ask_why')) return [sentence(answer), ...reasons(answer, this.state.rules)].join('. ');
    if (words === text('ask_board')) return [...this.state.position.pieces].sort(([one], [other]) => one - other).map(([square, {side, king}]) => `${text(`${side}_${king ? 'king' : 'man'}`)} ${square}`).join(', ');
    const plain = move => move.replace(/\s|\d+\.+/g, '').replace(/[x:×]/g, '-');
    const meant = all.filter(({san, path}) => [san, `${path[0]}-${path.at(-1)}`, path.join('-')].some(one => plain(one) === plain(words)));
    if (meant.length === 1) this.play(meant[0]);
    else return text(meant.length ? 'several' : 'typed_none', {move: words});
    return `${meant[0].san}.`;
  }

  textCard() {
    this.input = make('input.mono', {type: 'text', id: 'fen', spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'fen-problem'});
    this.problem = make('p.error.small', {role: 'alert', id: 'fen-problem'});
    this.lidraughts = make('a.button', {target: '_blank', rel: 'noopener'}, text('on_lidraughts'));
    return make('form.card.fen-card', {onsubmit: event => {
      event.preventDefault();
      this.app.go('/', {fen: this.input.value.trim()});
    }}, make('label', {for: 'fen'}, text('position_text')), this.input, this.problem, make('div.bar', {},
      make('button', {type: 'submit'}, text('show')), make('button', {type: 'button', onclick: event => copy(data(this.state)?.fen ?? this.state.fen, event.currentTarget)}, text('copy')), textButton('picture_svg', () => this.picture('svg')), textButton('picture_png', () => this.picture('png')), this.lidraughts));
  }

  async picture(kind) {
    const svg = this.board.picture(document.title);
    download(kind === 'svg' ? svg : await pngOf(svg), `${shortFen(this.state.fen).replaceAll(':', ' ')}.${kind}`, kind === 'svg' ? 'image/svg+xml' : 'image/png');
  }

  set(change) {
    this.state = {...this.state, ...change};
    this.draw();
  }

  show(args, saved, fragment) {
    if (args.hide !== undefined) this.hidden ??= true;
    const {rules} = this.app;
    const fen = args.fen || this.app.example();
    this.chapter = args.study;
    const known = saved?.tree ? null : treeWith(rules.rules, fen, args.study);
    const state = {...begin(rules, fen, known ? session(known) : saved), said: saved?.said};
    if (known?.tree.id) { this.app.replace(...this.placeOf(state)); return; }
    this.begin(state);
    const kept = study(args.study);
    if (!state.tree.id && (kept ? kept.rules === rules.rules : fragment)) this.restore(args.study, kept, fragment);
  }

  begin(state) {
    this.proofs.stop();
    const isKept = keepStudy(state.rules, state.tree) || this.app.embedded;
    this.state = isKept ? state : {...state, words: text('study_lost')};
    this.app.lastFen = state.fen;
    const known = api.knownPosition(state.rules.rules, state.fen);
    if (known) this.state = withAnswer(this.state, this.proofs.merged(known));
    if (this.input) this.input.value = state.fen;
    this.draw();
    this.ask();
  }

  // The tree of a study, from this browser or the address.
  async restore(id, kept, fragment) {
    const {asked, state: {rules, fen}} = this;
    const answer = await api.annotate(rules.rules, kept?.text ?? fragment, 1).catch(() => null);
    if (this.asked !== asked || !answer?.tree.length) return;
    const {book, name, ...chapter} = kept ?? keepGames(fragment, answer.games, this.app.sets, rules, id)[0];
    const tree = {...treeOf({...answer, tags: withoutNames(answer.tags)}), id: chapter.id, book, name, rules: rules.rules};
    const at = tree.nodes.findLastIndex(node => node.fen === fen);
    if (at < 0) return;
    this.app.keep(session({tree, at}));
    this.set({tree, at});
  }

  // The location of a state: path, arguments, session, fragment.
  placeOf(state) { return ['/', {fen: state.fen, study: state.tree.id}, session(state), fragmentOf(state.rules, state.tree)]; }

  // Discards answers for a position no longer shown. Without a server the verdict is shown first.
  async ask() {
    const asked = this.asked = {};
    const {rules: {rules}, fen} = this.state;
    try {
      for (const call of globalThis.askSite && !api.knownPosition(rules, fen) ? [api.value, api.verdict, api.position] : [api.position]) {
        const answer = this.proofs.merged(await call(rules, fen));
        if (this.asked === asked && (answer.moves || answer.category !== 'unknown')) this.take(answer, rules, fen);
        if (this.asked !== asked) return;
      }
      this.proofs.follow();
    } catch (problem) { if (this.asked === asked) this.set({problem}); }
  }

  // Takes an answer for a text, whose address becomes that of the position. A link to lidraughts.org is judged by that
  // site's rules if the server has their tables; otherwise a note is shown.
  take(answer, rules, fen) {
    const isLink = answer.notes?.some(({code}) => code === 'SITE_RULES');
    const site = isLink && this.app.sets.find(set => set.rules === `${rules}-lidraughts`);
    if (answer.fen !== fen && (!answer.note || isLink) && !this.hidden) {
      this.app.replace('/', site ? {rules: site.rules, fen} : {fen: answer.fen, study: this.chapter}, {said: site ? null : {note: answer.note, notes: answer.notes}});
      return;
    }
    this.state = withAnswer({...this.state, fen: this.hidden ? answer.fen : fen}, answer);
    if (answer.moves) this.answered(answer);
    else this.draw(); // the value, before the moves
  }

  answered(answer) {
    const {san} = this.state.tree.nodes[this.state.at];
    if (!this.hidden) announce(`${san ? `${san}. ` : ''}${sentence(answer)}`);
    this.draw();
    if (this.owed > 0) {
      this.owed = moves(this.state).length ? this.owed - 1 : 0;
      this.best();
    }
  }

  draw() {
    const state = {...this.state, flip: this.flip, setup: this.setup, tool: this.tool, unfolded: this.unfolded};
    const answer = data(state);
    document.title = answer ? `${sentence(answer)} · ${answer.material ?? ''} · einspul` : 'einspul';
    this.shown = this.boardOf(state);
    this.board.show(this.shown);
    mount(this.choice, choiceBar(state, this));
    mount(this.tools, this.toolsOf(state));
    mount(this.tray, this.setup && trayTools(state, this));
    mount(this.verdict, this.hidden ? this.question(state) : verdictCard(state, this));
    mount(this.rulesState, !this.hidden && stateCard(state, this));
    mount(this.moves, !this.hidden && movesCard(state, this));
    mount(this.lineMoves, !this.hidden && lineMoves(state, this));
    mount(this.line, !this.hidden && lineCard(state, this));
    this.hint.textContent = state.why || (this.tool ? text(`hint_${this.tool.side ? 'piece' : this.tool}`) : this.setup ? text('hint_setup') : '');
    this.ownPage.href = address('/', {rules: state.rules.rules, fen: state.fen});
    this.drawText(state, answer);
  }

  // Panel shown in place of a hidden answer; overridden by the training view.
  question(state) { return hiddenCard(state, this); }
  toolsOf(state) { return toolBar(state, this); }

  // Shows the arrow of one move, or (null) restores the position's arrows.
  point(move) { this.board.show({arrows: move ? [move] : this.shown.arrows}); }

  boardOf(state) {
    const shown = shownOnBoard(state);
    return this.hidden ? {...shown, arrows: []} : shown;
  }

  drawText(state, answer) {
    mount(this.problem, state.problem && explained(state.problem));
    const link = lidraughts(state.rules, answer?.fen);
    this.lidraughts.hidden = !link;
    if (link) this.lidraughts.href = link;
  }

  // On a phone the verdict is collapsed to two lines.
  unfold() {
    this.unfolded = !this.unfolded;
    this.draw();
  }

  // Goes to a node of a tree: `step`: replaces the history entry; otherwise adds one.
  enter(changed, at, step = false) {
    const {rules} = this.state;
    const own = changed.rules === rules.rules ? changed : {...changed, rules: rules.rules};
    const id = newId();
    const tree = step || own.id ? own : {...own, id, book: id, name: this.nameOf(own)};
    const state = {...this.state, tree, at, fen: tree.nodes[at].fen};
    this.app[step ? 'replace' : 'go'](...this.placeOf(state));
  }

  // The default name of a study.
  nameOf({tags, nodes: [{fen}]}) { return [...(tags ?? '').matchAll(/^\[(?:White|Black) "([^"?]+)/gm)].map(([, name]) => name).join(' – ') || shortFen(fen); }
  rename(name) { this.enter({...this.state.tree, name}, this.state.at); }

  // Makes the position on the board a chapter of a study.
  addChapter(book) {
    const {rules: {rules}, fen} = this.state;
    this.enter({...plant(fen), id: newId(), book, name: shortFen(fen), rules}, 0);
  }

  removeChapter() {
    forgetChapter(this.state.tree);
    this.openChapter(chaptersOf(this.state.tree.book)[0]);
  }

  openChapter({id, rules, fen}) { this.app.go('/', {rules, fen, study: id}); }

  // Plays a move of the current answer, not of an outdated one, and marks a mistake.
  play(chosen) {
    const all = moves(this.state);
    const move = all.find(({uci, fen}) => uci === chosen.uci && fen === chosen.fen);
    if (!move) return;
    const lost = thrown(data(this.state), move);
    this.enter(...withMove(this.state.tree, this.state.at, move, lost ? {thrown: lost, best: all[0]} : {}));
  }

  // Plays the best move. While the answer is pending: the next move of the known line, or later.
  best() {
    if (this.setup || this.hidden) return;
    const {tree, at, fen} = this.state;
    const [first] = moves(this.state);
    if (first) {
      const line = data(this.state).mainline ?? [];
      this.route = line[0]?.fen === first.fen ? line : [];
      this.play(first);
    } else if (!data(this.state)) {
      const next = this.route[this.route.findIndex(move => move.fen === fen) + 1];
      if (next && next !== this.route[0]) this.enter(...withMove(tree, at, next));
      else this.owed++;
    }
  }

  goTo(node) {
    this.owed = 0;
    if (node !== null && node !== this.state.at) this.enter(this.state.tree, node, true);
  }

  // Steps into the best line, which then becomes part of the tree.
  follow(n) {
    let {tree} = this.state;
    let node = this.state.at;
    const way = ahead(this.state).map(move => {
      [tree, node] = withMove(tree, node, move, {auto: true});
      return node;
    });
    if (way.length) this.enter(tree, way[Math.min(n, way.length) - 1], true);
  }

  step(name) {
    const {state} = this;
    if (name === 'first') this.goTo(0);
    else if (name === 'back') this.goTo(previous(state));
    else if (next(state) === null) this.follow(name === 'forward' ? 1 : Infinity);
    else this.goTo(name === 'forward' ? next(state) : mainLine(state.tree, state.at).at(-1));
  }

  // The position before the next mistake on the main line.
  nextMistake() {
    const {tree, at} = this.state;
    const line = mainLine(tree);
    const mistakes = [...line, ...tree.nodes.keys()].filter(node => tree.nodes[node].thrown);
    const place = line.indexOf(at);
    this.goTo(tree.nodes[mistakes.find(node => line.indexOf(node) > place + 1) ?? mistakes[0]].parent);
  }

  // The moves as a game, with the result at the end of the line.
  pdn() {
    const {rules} = this.state;
    const tree = this.proofs.remarked(this.state);
    const end = mainLine(tree).at(-1);
    const line = end === this.state.at ? ahead(this.state) : [];
    const last = line.length ? {...line.at(-1), side: /^w/i.test(line.at(-1).fen) ? 'white' : 'black'} : end === this.state.at ? data(this.state) : tree.nodes[end];
    return writeTree(rules, tree, line, tree.result ?? {w: '2-0', b: '0-2', d: '1-1'}[last && winner(last)] ?? '*');
  }

  choose(tool) {
    this.tool = nameOf(tool) === nameOf(this.tool) ? null : tool;
    this.set({chosen: null, offered: null, map: null, mapSquare: null, words: '', why: ''});
  }

  setUp() {
    this.setup = !this.setup;
    this.choose(this.tool);
  }

  square(square) {
    if (this.tool === 'map') this.showMap(square);
    else if (this.tool === 'remove') this.edit(position => position.pieces.delete(square));
    else if (this.tool?.side) this.put(square, this.tool);
    else if (!this.setup) this.decide(clicked(this.state, square));
  }

  drop(from, to) {
    if (!this.setup) this.decide(to === null ? {} : dropped(this.state, from, to));
    else if (to === null) this.edit(position => position.pieces.delete(from));
    else this.edit(({pieces}) => {
      const piece = pieces.get(from);
      if (pieces.delete(from)) pieces.set(to, piece);
    });
  }

  decide({play, offered = null, chosen = null, why = ''}) {
    if (play) { this.play(play); return; }
    this.set({offered, chosen, why});
    if (chosen) announce(text('can_go_to', {square: chosen.squares.at(-1), squares: this.shown.targets.join(', ')}));
    if (offered) this.choice.querySelector('button').focus();
  }

  put(square, piece) {
    this.edit(position => {
      const there = position.pieces.get(square);
      if (there && nameOf(there) === nameOf(piece)) position.pieces.delete(square);
      else position.pieces.set(square, {...piece});
    });
  }

  // Applies an edit and adds a history entry. If the pieces are unchanged, FEN fields that this rule set
  // ignores are kept for other rule sets.
  edit(change, pieces = true) {
    const parsed = parseFen(this.state.fen);
    const position = parseFen(data(this.state)?.fen ?? this.state.fen);
    if (!pieces) Object.assign(position, {limited: position.limited ?? parsed.limited, clock: position.clock || parsed.clock,
      runs: {white: position.runs.white ?? parsed.runs.white, black: position.runs.black ?? parsed.runs.black}});
    change(position);
    const fen = writeFen(pieces ? edited(position, this.state.rules) : position);
    const {nodes, id, book, name, rules} = this.state.tree;
    const kept = id && nodes.length === 1 ? {id, book, name, rules} : {}; // a chapter without moves stays one
    if (fen === this.state.fen) this.draw();
    else this.app.go('/', {fen, study: kept.id}, session({tree: {...plant(fen), ...kept}, at: 0}));
  }

  flipBoard() {
    this.flip = !this.flip;
    remember('flip', this.flip ? '1' : '0');
    this.draw();
  }

  async showMap(square) {
    const answer = data(this.state);
    if (!this.state.position.pieces.has(square) || !answer) return;
    const {asked} = this;
    try {
      const {squares} = await api.squareMap(this.state.rules.rules, answer.fen, square);
      if (this.asked !== asked) return;
      const map = new Map(squares.map(row => [row.square, {kind: row.category, text: row.dtw === null ? '' : String(Math.abs(row.dtw)), label: brief(row)}]));
      const tally = ['win', 'draw', 'loss'].map(kind => `${text(kind)} ${squares.filter(row => row.category === kind).length}`).join(', ');
      this.set({map, mapSquare: square, words: `${text('map_of', {square, side: text(answer.side)})} ${tally}.`});
    } catch (problem) { if (this.asked === asked) this.set({words: explained(problem).textContent}); }
  }

  key(event) {
    if (event.altKey || event.target.closest('input, select, textarea')) return;
    const letters = recall('keys') !== 'off';
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'z') return;
      if (event.shiftKey) history.forward();
      else if (this.app.canUndo()) history.back();
    } else if (letters && event.key === ' ' && !event.target.closest('button, a')) this.best();
    else if (event.key in stepKeys) this.step(stepKeys[event.key]);
    else if (letters && event.key === 'f') this.flipBoard();
    else if (letters && event.key === 'm' && this.state.tree.nodes.some(node => node.thrown)) this.nextMistake();
    else if (event.key === 'Escape') this.choose(this.tool);
    else return;
    event.preventDefault();
  }
}
