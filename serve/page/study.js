// The view of one position: board, verdict, moves, line, set-up, square map.
import * as api from './api.js';
import {Board, pieceArt} from './board.js';
import {announce, make, makeSvg} from './dom.js';
import {writeGame} from './pdn.js';
import {count, findFen, parseFen, tidy, turned, writeFen} from './position.js';
import {text} from './texts.js';
import {forMover, movePlies, plies, sentence, sideMark} from './verdict.js';
import {address} from './main.js';

export class PositionView {
  constructor(host, app) {
    this.app = app;
    this.flip = localStorage.getItem('flip') === '1';
    this.mode = 'play'; // 'setup': pieces are put anywhere; 'map': a piece's squares are coloured
    this.tool = null;   // what a click puts down while setting up
    this.chosen = null; // {cands, step, squares}: the moves that begin as has been clicked
    this.line = null;
    const left = make('div.stack');
    this.board = new Board(left, {onSquare: square => this.#square(square), onDrop: (from, to) => this.#drop(from, to)});
    this.choice = make('div.bar', {role: 'group', hidden: true});
    this.tools = make('div.bar');
    this.setup = make('div.card.stack', {hidden: true});
    this.fenBox = make('div.card.last-on-phone');
    left.append(this.choice, this.tools, this.setup, this.fenBox);
    this.verdict = make('div.card.verdict');
    this.rulesState = make('div.card.fields', {hidden: true});
    this.moves = make('div.card');
    this.lineBox = make('div.card');
    host.append(make('div.two', {}, left, make('div.stack', {}, this.verdict, this.rulesState, this.moves, this.lineBox)));
    this.#buildTools();
    this.#buildFen();
    this.keys = event => this.#key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener('keydown', this.keys);
  }

  // --- showing -------------------------------------------------------------------------------

  async show(args, state) {
    const fen = args.fen || this.app.example();
    this.fen = fen;
    this.app.lastFen = fen;
    this.position = parseFen(fen);
    this.past = state?.moves ?? [];
    this.start = state?.start ?? fen;
    this.data = null;
    this.chosen = null;
    this.map = null;
    this.mapSquare = null;
    this.choice.hidden = true;
    this.input.value = fen;
    this.problem.textContent = '';
    this.#drawBoard(state?.last ?? []);
    this.#drawSetup();
    const ticket = this.ticket = {};
    if (this.mode === 'setup' && !(count(this.position, 'white') && count(this.position, 'black'))) {
      this.#drawProblem(text('need_pieces'));
      return;
    }
    try {
      const data = this.#ended() ? this.#endedData() : await api.position(this.app.rules.rules, fen);
      if (this.ticket !== ticket) return;
      this.data = data;
      this.#drawAll();
    } catch (error) {
      if (this.ticket === ticket) this.#drawProblem(text('bad_position', {error: error.message}));
    }
  }

  // A side without pieces has lost; no FEN with such a side is sent.
  #ended() {
    return !count(this.position, 'white') !== !count(this.position, 'black') && this.mode !== 'setup' &&
      !count(this.position, this.position.side);
  }

  #endedData() {
    return {fen: this.fen, side: this.position.side, category: 'loss', dtw: 0, variant_loss: true, moves: [],
      white_run: null, black_run: null, clock: null, material: null};
  }

  #drawBoard(last = this.last) {
    this.last = last;
    this.board.show({rows: this.app.rules.rows, pieces: this.position.pieces, flip: this.flip, last, arrow: null,
      chosen: this.chosen?.squares ?? (this.mapSquare ? [this.mapSquare] : []), targets: this.#targets(),
      runs: this.position.runs, map: this.map});
  }

  #drawAll() {
    const {data} = this;
    document.title = `${sentence(data)} · ${data.material ?? ''} · einspul`;
    this.verdict.className = `card verdict ${data.category}`;
    this.verdict.replaceChildren(make('h1', {}, sideMark(data.side), sentence(data)));
    if (data.missing) this.verdict.append(make('p.soft', {}, data.missing));
    announce(sentence(data));
    this.#drawCompare();
    this.#drawState();
    this.#drawMoves();
    this.line = null;
    clearInterval(this.timer);
    this.#drawLine();
    if (data.material) this.verdict.append(make('p.small', {}, make('a',
      {href: address('/material', {rules: this.app.rules.rules, name: data.material, fen: data.fen})}, text('material_of', {name: data.material}))));
  }

  #drawProblem(message) {
    document.title = 'einspul';
    this.problem.textContent = message;
    this.verdict.className = 'card verdict';
    this.verdict.replaceChildren(make('h1', {}, message));
    this.rulesState.hidden = true;
    this.moves.replaceChildren(make('h2', {}, text('moves')));
    this.lineBox.replaceChildren(make('h2', {}, text('line')));
  }

  async #drawCompare() {
    const list = make('ul.chips', {'aria-label': text('compare')});
    const {ticket, data} = this;
    if (this.#ended() || this.app.sets.filter(set => set.rows === this.app.rules.rows).length < 2) return;
    this.verdict.append(list);
    const {verdicts} = await api.compare(this.app.rules.rules, data.fen).catch(() => ({verdicts: []}));
    if (this.ticket !== ticket) return;
    for (const verdict of verdicts) {
      const word = verdict.category === 'unknown' ? text('unknown')
        : text(verdict.category) + (verdict.dtw === null ? '' : ` ${text('in_plies', {n: Math.abs(verdict.dtw)})}`);
      list.append(make('li', {}, make('button', {type: 'button', 'aria-pressed': verdict.rules === this.app.rules.rules ? 'true' : 'false',
        onclick: () => this.app.go('/', {rules: verdict.rules, fen: verdict.fen})},
      `${text(verdict.rules)}: `, make(`b.${verdict.category}-ink`, {}, word))));
    }
  }

  // --- king runs and clock -------------------------------------------------------------------

  #drawState() {
    const {data} = this;
    this.rulesState.replaceChildren();
    for (const side of ['white', 'black']) {
      const run = data[`${side}_run`];
      if (run) this.rulesState.append(...this.#runField(side, run));
    }
    if (data.clock) this.rulesState.append(...this.#clockField(data.clock));
    this.rulesState.hidden = !this.rulesState.firstChild;
  }

  #runField(side, run) {
    const name = text(side);
    const words = run.must_rest ? text('run_rest', {side: name, square: run.square})
      : run.count ? text('run_some', {side: name, square: run.square, n: run.count}) : text('run_none', {side: name});
    const select = make('select', {onchange: () => {
      const [square, n] = select.value.split('x').map(Number);
      this.#change(position => { position.runs[side] = n ? {square, count: n} : null; });
    }}, make('option', {value: '0x0'}, text('none')));
    for (const [square, piece] of [...this.position.pieces].sort((a, b) => a[0] - b[0]))
      if (piece.side === side && piece.king)
        for (let n = 1; n <= run.limit; n++)
          select.append(make('option', {value: `${square}x${n}`}, text('run_option', {square, n})));
    select.value = run.count ? `${run.square}x${run.count}` : '0x0';
    select.setAttribute('aria-label', text('run_choice', {side: name}));
    return [make('label', {}, make('span', {}, sideMark(side), words), select)];
  }

  #clockField(clock) {
    const select = make('select', {'aria-label': text('clock_choice'),
      onchange: () => this.#change(position => { position.clock = Number(select.value); })});
    for (let n = 0; n <= 2 * clock.limit; n++) select.append(make('option', {value: n}, plies(n)));
    select.value = Math.min(clock.plies, 2 * clock.limit);
    return [make('label', {}, make('span', {}, make('b', {}, `${text('clock_title')}. `),
      text('clock_left', {side: text(clock.side), n: clock.moves_left, limit: clock.limit}),
      clock.goes_on ? ` ${text('clock_on')}` : ''), select)];
  }

  #change(change) {
    const position = parseFen(this.fen);
    change(position);
    this.app.go('/', {fen: writeFen(position)});
  }

  // --- moves ---------------------------------------------------------------------------------

  #drawMoves() {
    const {moves} = this.data;
    this.moves.replaceChildren(make('h2', {}, text('moves')));
    if (!moves.length) this.moves.append(make('p.soft', {}, text('no_moves')));
    const most = Math.max(1, ...moves.map(move => movePlies(move) ?? 0));
    for (const outcome of ['win', 'unknown', 'draw', 'loss']) {
      const group = moves.filter(move => forMover(move) === outcome);
      if (!group.length) continue;
      const heading = {win: 'wins', draw: 'draws', loss: 'losses', unknown: 'unknowns'}[outcome];
      this.moves.append(make(`h3.group.${outcome}`, {}, `${text(heading)} (${group.length})`),
        make(`ul.moves.${outcome}`, {}, group.map(move => make('li', {}, this.#moveButton(move, outcome, most)))));
    }
    this.moves.append(make('p.small.soft', {}, text('explain_plies')));
  }

  #moveButton(move, outcome, most) {
    const n = movePlies(move);
    const bar = make('span');
    bar.style.width = outcome === 'win' || outcome === 'loss' ? `${Math.max(4, 100 * (n ?? most) / most)}%` : '0';
    const arrow = on => () => this.board.show({arrow: on ? move : null});
    return make('button', {type: 'button', onclick: () => this.play(move), onmouseenter: arrow(true), onmouseleave: arrow(false),
      onfocus: arrow(true), onblur: arrow(false)},
    make('span.san', {}, move.san), make(outcome === 'win' || outcome === 'loss' ? 'span.meter' : 'span', {'aria-hidden': true}, bar),
    make(`span.small.${outcome}-ink`, {}, n === null ? text(outcome) : `${text(outcome)} ${text('in_plies', {n})}`));
  }

  play(move) {
    const moves = [...this.past, move.san];
    this.app.go('/', {fen: move.fen}, {start: this.start, moves, last: [move.path[0], move.path.at(-1)]});
  }

  #targets() {
    if (!this.chosen) return [];
    return [...new Set(this.chosen.cands.flatMap(move => [move.path.at(-1), move.path[this.chosen.step + 1]]))];
  }

  #square(square) {
    if (this.mode === 'setup') { this.#put(square); return; }
    if (this.mode === 'map') { this.#showMap(square); return; }
    if (!this.data) return;
    this.choice.hidden = true;
    const {chosen} = this;
    const on = chosen?.cands.filter(move => move.path.indexOf(square, chosen.step + 1) > 0) ?? [];
    const ends = on.filter(move => move.path.at(-1) === square);
    if (ends.length === 1 || on.length === 1) { this.play(ends[0] ?? on[0]); return; }
    if (ends.length > 1) { this.#offer(ends); return; }
    if (on.length) {
      this.chosen = {cands: on, step: on[0].path.indexOf(square, chosen.step + 1), squares: [...chosen.squares, square]};
    } else {
      const cands = this.data.moves.filter(move => move.path[0] === square);
      this.chosen = cands.length && chosen?.squares[0] !== square ? {cands, step: 0, squares: [square]} : null;
    }
    this.#drawBoard();
  }

  // Captures with the same beginning and end: their paths are listed.
  #offer(moves) {
    this.choice.replaceChildren(make('span', {}, text('several')), ...moves.map(move => make('button',
      {type: 'button', onclick: () => this.play(move), onmouseenter: () => this.board.show({arrow: move}), onfocus: () => this.board.show({arrow: move})}, move.san)));
    this.choice.hidden = false;
    this.choice.querySelector('button').focus();
  }

  #drop(from, to) {
    if (this.mode === 'setup') { this.#movePiece(from, to); return; }
    if (this.mode === 'play' && to !== null && this.data) {
      const moves = this.data.moves.filter(move => move.path[0] === from && move.path.at(-1) === to);
      if (moves.length === 1) { this.play(moves[0]); return; }
      if (moves.length > 1) this.#offer(moves);
    }
    this.#drawBoard();
  }

  // --- set-up --------------------------------------------------------------------------------

  #buildTools() {
    const toggle = (mode, key) => make('button', {type: 'button', 'aria-pressed': 'false', onclick: () => {
      this.mode = this.mode === mode ? 'play' : mode;
      this.map = null;
      this.mapSquare = null;
      this.chosen = null;
      this.setupButton.setAttribute('aria-pressed', String(this.mode === 'setup'));
      this.mapButton.setAttribute('aria-pressed', String(this.mode === 'map'));
      this.hint.textContent = this.mode === 'map' ? text('map_hint') : '';
      this.#drawSetup();
      this.#drawBoard();
    }}, text(key));
    this.setupButton = toggle('setup', 'set_up');
    this.mapButton = toggle('map', 'map');
    this.hint = make('p.small.soft', {'aria-live': 'polite'});
    this.tools.append(
      make('button', {type: 'button', 'aria-label': text('back'), title: text('back'), onclick: () => history.back()}, '←'),
      make('button', {type: 'button', 'aria-label': text('forward'), title: text('forward'), onclick: () => history.forward()}, '→'),
      make('button.main', {type: 'button', onclick: () => this.#best()}, text('best')),
      make('button', {type: 'button', onclick: () => this.#flipBoard()}, text('flip')),
      make('button', {type: 'button', onclick: () => this.app.go('/', {fen: writeFen(turned(this.position, this.app.rules.squares))})}, text('turn')),
      this.setupButton, this.mapButton, this.hint);
  }

  #flipBoard() {
    this.flip = !this.flip;
    localStorage.setItem('flip', this.flip ? '1' : '0');
    this.#drawBoard();
  }

  #drawSetup() {
    this.setup.hidden = this.mode !== 'setup';
    if (this.setup.hidden) return;
    const tray = make('div.tray', {role: 'group', 'aria-label': text('tray')});
    for (const tool of [{side: 'white', king: false}, {side: 'white', king: true}, {side: 'black', king: false}, {side: 'black', king: true}, null]) {
      const label = tool ? text(`${tool.side}_${tool.king ? 'king' : 'man'}`) : text('remove');
      const same = JSON.stringify(tool) === JSON.stringify(this.tool) && this.toolChosen;
      const art = makeSvg('svg.board', {viewBox: '-5 -5 10 10', 'aria-hidden': true},
        tool ? pieceArt(tool) : makeSvg('path', {d: 'M-3-3l6 6m0-6l-6 6', stroke: 'currentColor', 'stroke-width': 1}));
      tray.append(make('button', {type: 'button', 'aria-label': label, title: label, 'aria-pressed': String(same),
        onclick: () => { this.toolChosen = !same; this.tool = tool; this.#drawSetup(); },
        onpointerdown: event => tool && this.#dragIn(event, tool)}, art));
    }
    const side = make('select', {onchange: () => this.#setUp(position => { position.side = side.value; })},
      ['white', 'black'].map(value => make('option', {value}, text(value))));
    side.value = this.position.side;
    this.setup.replaceChildren(make('p.small', {}, text('set_up_hint')), tray, make('div.bar', {},
      make('label', {}, `${text('side_to_move')} `, side),
      make('button', {type: 'button', onclick: () => this.#setUp(position => position.pieces.clear())}, text('clear')),
      make('button', {type: 'button', onclick: () => this.app.go('/', {fen: this.app.example()})}, text('start_here'))));
  }

  // A piece from the tray on its way to the board.
  #dragIn(event, tool) {
    const stop = end => {
      removeEventListener('pointerup', stop);
      const square = document.elementFromPoint(end.clientX, end.clientY)?.closest('[data-square]');
      if (square) this.#setUp(position => position.pieces.set(Number(square.dataset.square), {...tool}));
    };
    event.target.releasePointerCapture?.(event.pointerId);
    addEventListener('pointerup', stop);
  }

  #put(square) {
    if (!this.toolChosen) return;
    this.#setUp(position => {
      const there = position.pieces.get(square);
      if (!this.tool || (there && there.side === this.tool.side && there.king === this.tool.king)) position.pieces.delete(square);
      else position.pieces.set(square, {...this.tool});
    });
  }

  #movePiece(from, to) {
    this.#setUp(position => {
      const piece = position.pieces.get(from);
      if (!piece) return;
      position.pieces.delete(from);
      if (to !== null) position.pieces.set(to, piece);
    });
  }

  #setUp(change) {
    const position = parseFen(this.fen);
    change(position);
    this.app.replace('/', {fen: writeFen(tidy(position, this.app.rules))});
  }

  // --- square map ----------------------------------------------------------------------------

  async #showMap(square) {
    if (!this.position.pieces.has(square) || !this.data) return;
    const {ticket} = this;
    try {
      const {squares} = await api.squareMap(this.app.rules.rules, this.data.fen, square);
      if (this.ticket !== ticket) return;
      this.mapSquare = square;
      this.map = new Map(squares.map(row => [row.square, {kind: row.category, text: row.dtw === null ? '' : String(Math.abs(row.dtw)),
        label: `${text(row.category)}${row.dtw === null ? '' : ` ${text('in_plies', {n: Math.abs(row.dtw)})}`}`}]));
      const side = text(this.data.side);
      const tally = ['win', 'draw', 'loss'].map(kind => `${text(kind)} ${squares.filter(row => row.category === kind).length}`).join(', ');
      this.hint.textContent = `${text('map_of', {square, side})} ${tally}.`;
    } catch (error) {
      this.hint.textContent = text('failed', {error: error.message});
    }
    this.#drawBoard();
  }

  // --- line ----------------------------------------------------------------------------------

  #drawLine() {
    const buttons = make('div.bar', {});
    this.lineBox.replaceChildren(make('h2', {}, text('line')), buttons);
    if (!this.line) {
      buttons.append(make('button', {type: 'button', disabled: !this.data.moves.length, onclick: () => this.#fetchLine()}, text('line_show')));
    } else {
      buttons.append(
        make('button', {type: 'button', onclick: () => this.#playOut(), disabled: !this.line.mainline.length}, text(this.timer ? 'line_stop' : 'line_play')),
        make('button', {type: 'button', onclick: event => this.#copy(this.#linePdn(), event.currentTarget)}, text('line_copy')));
      this.lineBox.append(this.#lineList());
    }
    if (this.past.length) this.lineBox.append(make('p.small', {}, `${text('played')}: ${this.past.join(' ')} `,
      make('button', {type: 'button', onclick: event => this.#copy(writeGame(this.app.rules, this.start, this.past, '*'), event.currentTarget)}, text('line_copy'))));
  }

  #lineList() {
    const black = this.data.side === 'black';
    const items = this.line.mainline.map((step, i) => {
      const ply = i + (black ? 1 : 0);
      const prefix = ply % 2 === 0 ? `${ply / 2 + 1}. ` : i === 0 ? '1… ' : '';
      return make('li', {}, make('button', {type: 'button', onclick: () => this.#jump(i), onmouseenter: () => this.#preview(i),
        onmouseleave: () => this.#drawBoard()}, prefix + step.san));
    });
    return make('ol.line', {}, items);
  }

  #preview(i) {
    const step = this.line.mainline[i];
    const position = parseFen(step.fen);
    this.board.show({pieces: position.pieces, runs: position.runs, last: [step.path[0], step.path.at(-1)], map: null});
  }

  #jump(i) {
    const steps = this.line.mainline.slice(0, i + 1);
    const {path, fen} = steps.at(-1);
    this.app.go('/', {fen}, {start: this.start, moves: [...this.past, ...steps.map(step => step.san)], last: [path[0], path.at(-1)]});
  }

  async #fetchLine() {
    const {ticket} = this;
    try {
      const line = await api.mainline(this.app.rules.rules, this.data.fen);
      if (this.ticket !== ticket) return;
      this.line = line;
      this.#drawLine();
    } catch (error) {
      this.lineBox.append(make('p.error', {}, text('line_missing', {error: error.message})));
    }
  }

  // Shows the line on the board, a move a moment.
  #playOut() {
    let i = 0;
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
      this.#drawBoard();
      this.#drawLine();
      return;
    }
    this.timer = setInterval(() => {
      const items = this.lineBox.querySelectorAll('.line button');
      items.forEach((item, n) => n === i ? item.setAttribute('aria-current', 'true') : item.removeAttribute('aria-current'));
      this.#preview(i++);
      if (i === this.line.mainline.length) {
        clearInterval(this.timer);
        this.timer = null;
        this.#drawLine();
      }
    }, 650);
    this.#drawLine();
  }

  #linePdn() {
    const result = this.line.winner === 'w' ? '2-0' : this.line.winner === 'b' ? '0-2' : '1-1';
    return writeGame(this.app.rules, this.data.fen, this.line.mainline.map(step => step.san), result);
  }

  // --- FEN, copying, keys --------------------------------------------------------------------

  #buildFen() {
    this.input = make('input.mono', {type: 'text', id: 'fen', spellcheck: 'false', autocomplete: 'off'});
    this.problem = make('p.error.small', {role: 'alert'});
    const form = make('form', {onsubmit: event => {
      event.preventDefault();
      this.app.go('/', {fen: findFen(this.input.value) ?? this.input.value.trim()});
    }}, make('label', {for: 'fen'}, text('position_text')), this.input, this.problem, make('div.bar', {},
      make('button', {type: 'submit'}, text('show')),
      make('button', {type: 'button', onclick: event => this.#copy(this.data?.fen ?? this.fen, event.currentTarget)}, text('copy')),
      make('button', {type: 'button', onclick: event => this.#copy(location.href, event.currentTarget)}, text('link'))));
    this.fenBox.append(form);
  }

  async #copy(words, button) {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(words);
    } catch { // no permission, or no secure address: the old way
      const area = make('textarea', {}, words);
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.dataset.copied = words;
    button.textContent = text('copied');
    announce(text('copied'));
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  #best() {
    if (this.mode === 'play' && this.data?.moves.length) this.play(this.data.moves[0]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    if (event.key === ' ' && !event.target.closest('button, a')) this.#best();
    else if (event.key === 'ArrowLeft') history.back();
    else if (event.key === 'ArrowRight') history.forward();
    else if (event.key === 'f') this.#flipBoard();
    else if (event.key === 'Escape' && this.chosen) { this.chosen = null; this.#drawBoard(); }
    else return;
    event.preventDefault();
  }
}

