// The board: an SVG whose dark squares are buttons. A pure view: it renders the given state and reports
// clicks (onSquare) and drags (onDrop; target null when dropped off the board). During set-up every piece
// can be dragged, in play only pieces with a legal move; touching anything else scrolls the page.
import {address} from './browser.js';
import {followPointer, make, makeSvg} from './dom.js';
import {parseFen} from './position.js';
import {text} from './texts.js';

const crown = 'M-2.100 1.300v-2.700l1.200 1.050.900-1.650.900 1.650 1.200-1.050v2.700z';

// A man is one disc, a king two stacked discs with a crown. `at` is the centre.
function pieceArt({side, king}, at = [0, 0]) {
  const disc = y => [makeSvg('ellipse.rim', {cy: y + .55, rx: 3.7, ry: 3.55}), makeSvg('ellipse.disc', {cy: y, rx: 3.7, ry: 3.55}), makeSvg('ellipse.ring', {cy: y, rx: 2.75, ry: 2.6})];
  const art = makeSvg(`g.piece.${side}${king ? '.king' : ''}`, {'aria-hidden': true}, king ? [disc(.9), disc(-.5)] : disc(-.1), king && makeSvg('path.crown', {d: crown, transform: 'translate(0 -.2)'}));
  placeArt(art, at);
  return art;
}

const placeArt = (art, [x, y]) => { art.style.transform = `translate(${x}px, ${y}px)`; };

// The centre of a square, in tenths of a square.
function centre(square, rows, flip = false) {
  const half = rows / 2;
  const row = Math.floor((square - 1) / half);
  const column = 2 * ((square - 1) % half) + (row % 2 === 0 ? 1 : 0);
  const at = index => 10 * (flip ? rows - 1 - index : index) + 5;
  return [at(column), at(row)];
}

const cell = (name, [x, y], more = {}) => makeSvg(`rect.${name}`, {x: x - 5, y: y - 5, width: 10, height: 10, ...more});
export const onePiece = piece => makeSvg('svg.board.one-piece', {viewBox: '-5 -5 10 10', 'aria-hidden': true}, pieceArt(piece));

// A diagram for lists, with an arrow if a move is given.
function smallBoard(pieces, rows, path = []) {
  const squares = Array.from({length: rows * rows / 2}, (_, i) => {
    const [x, y] = centre(i + 1, rows);
    return `M${x - 5} ${y - 5}h10v10h-10z`;
  });
  return makeSvg('svg.board.small-board', {viewBox: `0 0 ${10 * rows} ${10 * rows}`, 'aria-hidden': true}, makeSvg('rect.light', {width: 10 * rows, height: 10 * rows}), makeSvg('path.dark', {d: squares.join('')}),
    [...pieces].map(([square, piece]) => pieceArt(piece, centre(square, rows))), path.length > 0 && arrowArt({path}, square => centre(square, rows)));
}

export const boardLink = (rules, fen, rows, path) => make('a', {href: address('/', {rules, fen}), title: fen, 'aria-label': fen}, smallBoard(parseFen(fen).pieces, rows, path));

// A move as an arrow, its captured pieces crossed out. `at` gives the middle of a square.
function arrowArt({path, captures = [], kind = 'hinted'}, at) {
  const points = path.map(at);
  const [x, y] = points.at(-1);
  const [fromX, fromY] = points.at(-2);
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
  points[points.length - 1] = [x - 2.4 * dx, y - 2.4 * dy];
  return [captures.map(square => makeSvg('path.taken', {d: `M${at(square)[0] - 3} ${at(square)[1] - 3}l6 6m0-6l-6 6`})), makeSvg(`polyline.arrow.${kind}`, {points: points.map(point => point.join(',')).join(' ')}),
    makeSvg(`path.arrow-head.${kind}`, {d: `M${x + dx} ${y + dy}L${x - 3 * dx - 2 * dy} ${y - 3 * dy + 2 * dx}L${x - 3 * dx + 2 * dy} ${y - 3 * dy - 2 * dx}z`})];
}

const drawnBy = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'transform'];
const emptyBoard = {rows: 10, pieces: new Map(), flip: false, setup: false, movable: [], last: [], chosen: [], targets: [], arrows: [], map: null, runs: {}};

export class Board {
  constructor(host, {onSquare, onDrop}) {
    Object.assign(this, {onSquare, onDrop});
    this.shown = emptyBoard;
    this.focus = 1;
    this.byKeys = false; // arrow keys move between squares only if the board was focused by keyboard
    this.svg = makeSvg('svg.board', {role: 'group', 'aria-label': text('board')});
    this.ground = makeSvg('g');
    this.under = makeSvg('g.under', {'aria-hidden': true});
    this.men = makeSvg('g', {'aria-hidden': true});
    this.over = makeSvg('g.over', {'aria-hidden': true});
    this.svg.append(this.ground, this.under, this.men, this.over);
    this.svg.addEventListener('keydown', event => this.#key(event));
    this.svg.addEventListener('pointerdown', event => this.#down(event));
    host.append(this.svg);
  }

  // The board as it is drawn, as an SVG file with a title: styles become attributes, where they are not inherited.
  picture(title) {
    const copied = this.svg.cloneNode(true);
    const size = 10 * this.shown.rows;
    const parts = [this.svg, copied].map(svg => [svg, ...svg.querySelectorAll('*')]);
    parts[0].forEach((part, i) => {
      const [own, above] = [part, part.parentNode].map(element => getComputedStyle(element));
      for (const {name} of [...part.attributes].filter(one => /^(class|style|role|tabindex|aria|data)/.test(one.name))) parts[1][i].removeAttribute(name);
      for (const name of drawnBy) if ((i === 0 || own[name] !== above[name]) && (name !== 'transform' || own[name] !== 'none')) parts[1][i].setAttribute(name, own[name]);
    });
    copied.querySelector('[fill^=url]').remove(); // its pattern is not part of the board
    copied.replaceChildren(makeSvg('title', {}, title), makeSvg('rect', {x: -1, y: -1, width: size + 2, height: size + 2, fill: '#5d3719'}), ...copied.childNodes);
    for (const [name, value] of Object.entries({viewBox: `-1 -1 ${size + 2} ${size + 2}`, width: 1020, height: 1020})) copied.setAttribute(name, value);
    return new XMLSerializer().serializeToString(copied);
  }

  #centre(square) { return centre(square, this.shown.rows, this.shown.flip); }

  // The square at a point of the window, null outside the board and on light squares.
  squareAt({clientX, clientY}) {
    const {rows, flip} = this.shown;
    const {left, top, width, height} = this.svg.getBoundingClientRect();
    const [column, row] = [(clientX - left) / width, (clientY - top) / height].map(share => Math.floor((flip ? 1 - share : share) * rows));
    const dark = Math.min(column, row) >= 0 && Math.max(column, row) < rows && (column + row) % 2 === 1;
    return dark ? row * rows / 2 + Math.floor(column / 2) + 1 : null;
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
      const at = this.#centre(square);
      const number = makeSvg('text.number', {x: at[0] - 4.8, y: at[1] - 4.75, 'aria-hidden': true}, square);
      const group = makeSvg('g.square', {role: 'button', 'data-square': square, tabindex: square === this.focus ? 0 : -1}, cell('dark', at), number);
      group.addEventListener('focus', () => this.#moveFocus(square, false));
      this.ground.append(group);
      this.squares.set(square, group);
    }
    this.ground.append(makeSvg('rect.grain', {width: 10 * rows, height: 10 * rows, fill: 'url(#grain)'}));
  }

  #label() {
    const {pieces, targets, map, movable, setup, chosen} = this.shown;
    this.svg.classList.toggle('setup', setup);
    for (const [square, group] of this.squares) {
      group.classList.toggle('movable', movable.includes(square));
      const piece = pieces.get(square);
      const words = [String(square), piece ? text(`${piece.side}_${piece.king ? 'king' : 'man'}`) : text('empty')];
      if (chosen.includes(square)) words.push(text('is_chosen'));
      if (targets.includes(square)) words.push(text('can_go'));
      if (map?.get(square)) words.push(map.get(square).label);
      group.setAttribute('aria-label', words.join(', '));
    }
  }

  #drawMarks() {
    const {last, chosen, targets, map} = this.shown;
    const marks = (squares, name) => squares.filter(square => this.squares.has(square)).map(square => cell(name, this.#centre(square)));
    this.under.replaceChildren(...marks(last, 'last'), ...marks(chosen, 'chosen'),...map ? [...map].map(([square, mark]) => cell(`map.${mark.kind}`, this.#centre(square))) : [],...targets.map(square => {
        const [cx, cy] = this.#centre(square);
        return makeSvg('circle.target', {cx, cy, r: 1.7});
      }));
  }

  // A piece that stays or moves keeps its element, so that the move can be animated.
  #drawPieces() {
    const {pieces, last: [from, to] = []} = this.shown;
    const before = this.art ?? new Map();
    const alike = (art, piece) => art?.dataset.kind === `${piece.side}${piece.king}` && art;
    this.art = new Map();
    for (const [square, piece] of pieces) if (this.squares.has(square)) {
      const known = alike(before.get(square), piece) || (square === to && !pieces.has(from) && alike(before.get(from), piece));
      const art = known || pieceArt(piece, this.#centre(square));
      art.dataset.kind = `${piece.side}${piece.king}`;
      placeArt(art, this.#centre(square));
      this.art.set(square, art);
    }
    for (const art of [...this.men.children]) if (![...this.art.values()].includes(art)) art.remove();
    for (const art of this.art.values()) if (!art.parentNode) this.men.append(art);
  }

  #drawOver() {
    const {runs, arrows, map, pieces} = this.shown;
    this.over.replaceChildren();
    for (const run of Object.values(runs)) if (run?.count && this.squares.has(run.square)) {
      const [x, y] = this.#centre(run.square);
      this.over.append(makeSvg(`circle.run-mark${run.count >= 3 ? '.rest' : ''}`, {cx: x + 3.4, cy: y + 3.4, r: 1.75}), makeSvg('text.run-text', {x: x + 3.4, y: y + 4.3}, run.count));
    }
    if (map) for (const [square, mark] of map) {
      const [x, y] = this.#centre(square);
      this.over.append(makeSvg('text.number.on-map', {x: x - 4.8, y: y - 4.75}, square), makeSvg('text.map-text', {x, y: y + (pieces.has(square) ? 4.7 : 1.2)}, mark.text));
    }
    this.over.append(...arrows.flatMap(arrow => arrowArt(arrow, square => this.#centre(square))).flat());
  }

  #moveFocus(square, focus = true) {
    this.squares.get(this.focus)?.setAttribute('tabindex', -1);
    this.focus = square;
    const group = this.squares.get(square);
    group.setAttribute('tabindex', 0);
    if (!focus) this.byKeys = true;
    else if (document.activeElement !== group) group.focus({preventScroll: true});
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const half = this.shown.rows / 2;
    const step = {ArrowUp: -half, ArrowDown: half, ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step !== undefined) {
      const to = this.focus + (this.shown.flip ? -step : step);
      if (!this.byKeys) return;
      if (this.squares.has(to)) this.#moveFocus(to);
    } else if (event.key === 'Enter' || (event.key === ' ' && this.byKeys)) {
      this.byKeys = true;
      this.onSquare(this.focus);
    } else if (this.shown.setup && (event.key === 'Delete' || event.key === 'Backspace')) {
      this.onDrop(this.focus, null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // A drag begins once the pointer has moved a few pixels; until then it is a click.
  #down(event) {
    const from = this.squareAt(event);
    if (this.pointer !== undefined || event.button !== 0 || from === null) return;
    const {setup, movable} = this.shown;
    if (event.pointerType !== 'touch') event.preventDefault();
    this.pointer = event.pointerId;
    this.#moveFocus(from);
    this.byKeys = false;
    const art = (setup || movable.includes(from)) && this.art.get(from);
    followPointer(event, ahead => {
      if (!art) return;
      const box = this.svg.getBoundingClientRect();
      const scale = 10 * this.shown.rows / box.width;
      art.classList.add('held');
      placeArt(art, [(ahead.clientX - box.left) * scale, (ahead.clientY - box.top) * scale]);
      art.classList.toggle('leaving', setup && this.squareAt(ahead) === null);
      this.men.append(art);
    }, (end, moved) => {
      this.pointer = undefined;
      const ended = end.type === 'pointerup';
      const to = ended ? this.squareAt(end) : from;
      if (art) art.classList.remove('held', 'leaving');
      if (ended && (!moved || to === from || (!art && !setup))) this.onSquare(from);
      else if (art) this.onDrop(from, to);
    });
  }
}
