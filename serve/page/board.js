// The board: an SVG whose dark squares are buttons. It shows what it is told and tells what is done
// to it: a square chosen, a piece dragged from one square to another or off the board.
import {makeSvg} from './dom.js';
import {text} from './texts.js';

export function pieceArt(piece) {
  const group = makeSvg(`g.piece.${piece.side}`, {'aria-hidden': true});
  group.append(makeSvg('circle.disc', {r: 3.85}), makeSvg('circle.ring', {r: 2.95}));
  if (piece.king)
    group.append(makeSvg('path.crown', {d: 'M-2.1 1.600v-3.200l1.200 1.250.900-1.850.900 1.850 1.200-1.250v3.200z'}));
  return group;
}

const empty = {rows: 10, pieces: new Map(), flip: false, last: [], chosen: [], targets: [], arrow: null,
  map: null, runs: {}, free: false};

export class Board {
  constructor(host, {onSquare, onDrop}) {
    this.onSquare = onSquare;
    this.onDrop = onDrop;
    this.shown = empty;
    this.focus = 1;
    this.svg = makeSvg('svg.board', {role: 'group', 'aria-label': text('board')});
    this.ground = makeSvg('g');
    this.under = makeSvg('g', {'aria-hidden': true});
    this.men = makeSvg('g', {'aria-hidden': true});
    this.over = makeSvg('g', {'aria-hidden': true});
    this.svg.append(this.ground, this.under, this.men, this.over);
    this.svg.addEventListener('keydown', event => this.#key(event));
    this.svg.addEventListener('pointerdown', event => this.#down(event));
    host.append(this.svg);
  }

  // Middle of a square, in units of a tenth of a square.
  #centre(square) {
    const {rows, flip} = this.shown;
    const half = rows / 2;
    const row = Math.floor((square - 1) / half);
    const column = 2 * ((square - 1) % half) + (row % 2 === 0 ? 1 : 0);
    const at = index => 10 * (flip ? rows - 1 - index : index) + 5;
    return [at(column), at(row)];
  }

  #squareAt(event) {
    const {rows} = this.shown;
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / box.width * rows);
    const row = Math.floor((event.clientY - box.top) / box.height * rows);
    for (let square = 1; square <= rows * rows / 2; square++) {
      const [x, y] = this.#centre(square);
      if (Math.floor(x / 10) === column && Math.floor(y / 10) === row) return square;
    }
    return null;
  }

  show(change) {
    const before = this.shown;
    this.shown = {...before, ...change};
    if (!this.ground.firstChild || before.rows !== this.shown.rows || before.flip !== this.shown.flip)
      this.#layGround();
    this.#label();
    this.#drawMarks();
    this.#drawPieces();
    this.#drawOver();
  }

  #layGround() {
    const {rows} = this.shown;
    this.svg.setAttribute('viewBox', `0 0 ${10 * rows} ${10 * rows}`);
    this.ground.replaceChildren(makeSvg('rect.light', {width: 10 * rows, height: 10 * rows}));
    this.squares = new Map();
    this.focus = Math.min(this.focus, rows * rows / 2);
    for (let square = 1; square <= rows * rows / 2; square++) {
      const [x, y] = this.#centre(square);
      const group = makeSvg('g.square', {role: 'button', 'data-square': square, tabindex: square === this.focus ? 0 : -1});
      group.append(makeSvg('rect.dark', {x: x - 5, y: y - 5, width: 10, height: 10}));
      const number = makeSvg('text.number', {x: x - 4.75, y: y - 3.1, 'aria-hidden': true});
      number.textContent = square;
      group.append(number);
      group.addEventListener('focus', () => this.#moveFocus(square, false));
      this.ground.append(group);
      this.squares.set(square, group);
    }
  }

  #label() {
    const {pieces, targets, map} = this.shown;
    for (const [square, group] of this.squares) {
      const piece = pieces.get(square);
      const words = [String(square), piece ? text(`${piece.side}_${piece.king ? 'king' : 'man'}`) : text('empty')];
      if (targets.includes(square)) words.push(text('can_go'));
      if (map?.get(square)) words.push(map.get(square).label);
      group.setAttribute('aria-label', words.join(', '));
    }
  }

  #drawMarks() {
    const {last, chosen, targets, map} = this.shown;
    this.under.replaceChildren();
    const rect = (square, name) => {
      const [x, y] = this.#centre(square);
      this.under.append(makeSvg(`rect.${name}`, {x: x - 5, y: y - 5, width: 10, height: 10}));
    };
    for (const square of last) rect(square, 'last');
    for (const square of chosen) rect(square, 'chosen');
    if (map) for (const [square, mark] of map) rect(square, `map.${mark.kind}`);
    for (const square of targets) {
      const [x, y] = this.#centre(square);
      this.under.append(makeSvg('circle.target', {cx: x, cy: y, r: 1.7}));
    }
  }

  #drawPieces() {
    this.men.replaceChildren();
    this.art = new Map();
    for (const [square, piece] of this.shown.pieces) {
      const [x, y] = this.#centre(square);
      const art = pieceArt(piece);
      art.setAttribute('transform', `translate(${x} ${y})`);
      this.art.set(square, art);
      this.men.append(art);
    }
  }

  #drawOver() {
    const {runs, arrow, map} = this.shown;
    this.over.replaceChildren();
    for (const run of Object.values(runs)) if (run?.count) {
      const [x, y] = this.#centre(run.square);
      const words = makeSvg('text.run-text', {x: x + 3.4, y: y + 4.3});
      words.textContent = run.count;
      this.over.append(makeSvg(`circle.run-mark${run.count >= 3 ? '.rest' : ''}`, {cx: x + 3.4, cy: y + 3.4, r: 1.75}), words);
    }
    if (map) for (const [square, mark] of map) {
      const [x, y] = this.#centre(square);
      const words = makeSvg('text.map-text', {x, y: y + (this.shown.pieces.has(square) ? 4.7 : 1.2)});
      words.textContent = mark.text;
      this.over.append(words);
    }
    if (arrow) this.#drawArrow(arrow);
  }

  #drawArrow({path, captures}) {
    const points = path.map(square => this.#centre(square));
    const [x, y] = points.at(-1);
    const [fromX, fromY] = points.at(-2);
    const length = Math.hypot(x - fromX, y - fromY) || 1;
    const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
    for (const square of captures) {
      const [cx, cy] = this.#centre(square);
      this.over.append(makeSvg('path.taken', {d: `M${cx - 3} ${cy - 3}l6 6m0-6l-6 6`}));
    }
    points[points.length - 1] = [x - 2.4 * dx, y - 2.4 * dy];
    this.over.append(makeSvg('polyline.arrow', {points: points.map(point => point.join(',')).join(' ')}),
      makeSvg('path.arrow-head', {d: `M${x + dx} ${y + dy}L${x - 3 * dx - 2 * dy} ${y - 3 * dy + 2 * dx}L${x - 3 * dx + 2 * dy} ${y - 3 * dy - 2 * dx}z`}));
  }

  #moveFocus(square, focus = true) {
    this.squares.get(this.focus)?.setAttribute('tabindex', -1);
    this.focus = square;
    const group = this.squares.get(square);
    group.setAttribute('tabindex', 0);
    if (focus) group.focus();
  }

  #key(event) {
    const half = this.shown.rows / 2;
    const step = {ArrowUp: -half, ArrowDown: half, ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step !== undefined) {
      const to = this.focus + (this.shown.flip ? -step : step);
      if (this.squares.has(to)) this.#moveFocus(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.onSquare(this.focus);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      this.onDrop(this.focus, null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // A drag begins when the pointer has gone a few pixels; before that it is a click.
  #down(event) {
    const from = this.#squareAt(event);
    if (event.button !== 0 || from === null) return;
    event.preventDefault();
    this.#moveFocus(from);
    const art = this.art.get(from);
    let dragging = false;
    const move = ahead => {
      if (Math.hypot(ahead.clientX - event.clientX, ahead.clientY - event.clientY) > 5) dragging = true;
      if (!dragging || !art) return;
      const box = this.svg.getBoundingClientRect();
      const scale = 10 * this.shown.rows / box.width;
      art.setAttribute('transform', `translate(${(ahead.clientX - box.left) * scale} ${(ahead.clientY - box.top) * scale})`);
      this.men.append(art);
    };
    const stop = end => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', stop);
      removeEventListener('pointercancel', stop);
      const to = end.type === 'pointerup' ? this.#squareAt(end) : from;
      if (!dragging || to === from) this.onSquare(from);
      else if (art) this.onDrop(from, to);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop);
    addEventListener('pointercancel', stop);
  }
}
