// The panels beside the board, rendered from the state alone. Unchanged elements are kept between renders,
// so event handlers must read `view.state` when they run.
import {onePiece} from './board.js';
import {address} from './browser.js';
import {againButton, choice, copy, download, followPointer, make, setting, sign, signButton, stepButtons, textButton} from './dom.js';
import {other, turned} from './position.js';
import {ahead, data, mistakeAt, moves, next, previous} from './study-state.js';
import {heading, text} from './texts.js';
import {chaptersOf, fragmentOf, retitle, studies, studyPdn, titleOf} from './studies.js';
import {isMain, promoted, record, startsBlack, withNode, withoutNode} from './tree.js';
import {brief, distance, explained, outcomeForMover, movePlies, plies, reasons, remarks, sentence, sideMark, within} from './verdict.js';

export function verdictCard(state, view) {
  const answer = data(state);
  if (state.problem) return problemCard(state, view);
  if (!answer)
    return make('section.card.verdict.pending', {'aria-busy': 'true'}, make('h1', {}, sideMark(state.position.side), text('to_move', {side: text(state.position.side)})), make('p.soft', {}, text('loading')));
  return make(`section.card.verdict.${answer.category}${state.unfolded ? '.unfolded' : ''}`, {}, make('h1', {}, sideMark(answer.side), sentence(answer)), mistake(state, view), proofWords(state, view.proofs),
    reasons(answer, state.rules).map(words => make('p.reason', {}, words)),
    remarks(answer.note ? answer : state.said ?? {}), answer.missing && make('p.soft.small', {}, explained({code: 'NO_TABLE', message: answer.missing})),
    state.words && make('p.small', {role: 'status'}, state.words), otherRules(state, view),
    make('button.unfold', {type: 'button', 'data-key': 'unfold', 'aria-expanded': String(Boolean(state.unfolded)), 'aria-label': text('unfold'), onclick: () => view.unfold()}, sign('fold')));
}

// A position set as a question: a button reveals the answer.
export const hiddenCard = (state, view) => make('section.card.verdict', {}, make('h1', {}, sideMark(state.position.side), text('to_move', {side: text(state.position.side)})),
  make('div.bar', {}, textButton('show_answer', () => { view.hidden = false; view.draw(); }, {class: 'main'})));

function problemCard({problem, fen}, view) {
  const heading = problem.status !== 400 ? text('no_answer') : /:[WB](:|$)/.test(fen) ? text('need_pieces') : text('bad_position');
  return make('section.card.verdict', {}, make('h1', {}, heading), make('p', {}, explained(problem)), problem.status !== 400 && againButton(() => view.app.replace(...view.placeOf(view.state))));
}

// The mistake of a move of the line, and the better move.
function mistake(state, view) {
  const node = mistakeAt(state);
  if (!node) return null;
  const {san, best, thrown} = node;
  return make('p.mistake-words', {}, make('b.error', {}, `${san}${thrown.mark} ${text(thrown.key)}. `),
    make('span.better', {}, `${text('better')} `, make('b', {}, best.san), `: ${text(outcomeForMover(best))}${within(movePlies(best))}`), ' ',
    make('a', {href: address('/train', {rules: state.rules.rules, fen: state.tree.nodes[node.parent].fen})}, text('train_this')));
}

// Verdicts of the other rule sets on this board: differing ones each on a line, the rest summarized.
function otherRules(state, view) {
  const verdicts = data(state).verdicts ?? [];
  const own = verdicts.find(verdict => verdict.rules === state.rules.rules);
  const others = verdicts.filter(verdict => verdict !== own);
  const same = others.filter(verdict => own && own.category !== 'unknown' && brief(verdict) === brief(own));
  const button = (verdict, ...more) => make('button', {type: 'button', 'data-key': verdict.rules, onclick: () => view.app.go('/', {rules: verdict.rules, fen: state.fen})}, text(verdict.rules), more);
  return others.length > 0 && make('div.chips', {'data-of': state.fen, role: 'group', 'aria-label': text('compare')},
    others.filter(verdict => !same.includes(verdict) && verdict.category !== 'unknown').map(verdict => button(verdict, ': ', make(`b.${verdict.category}-ink`, {}, brief(verdict)))),
    same.length > 0 && make('span.same.small.soft', {}, `${text('same_under')} `, same.map((verdict, i) => [i > 0 && ', ', button(verdict)])));
}

export function stateCard(state, view) {
  const answer = data(state);
  const fields = !answer ? [] : [...['white', 'black'].map(side => answer[`${side}_run`] && runField(state.position, side, answer[`${side}_run`], view)),
    clockOf(answer, state.rules) && clockField(clockOf(answer, state.rules), answer.side, view)].filter(Boolean);
  return fields.length > 0 && make('section.card.fields', {}, fields);
}

function runField(position, side, run, view) {
  const name = text('run_choice', {side: text(side)});
  const kings = [...position.pieces].filter(([, piece]) => piece.side === side && piece.king).map(([square]) => square).sort((a, b) => a - b);
  const options = kings.flatMap(square => Array.from({length: run.limit}, (_, i) => [`${square}x${i + 1}`, text('run_option', {square, n: i + 1})]));
  return make('label', {}, make('span', {}, sideMark(side), name), choice(run.count ? `${run.square}x${run.count}` : '0x0', [['0x0', text('none')], ...options],
    {'data-key': `run-${side}`, 'aria-label': name, onchange: event => {
      const [square, count] = event.target.value.split('x').map(Number);
      view.edit(changed => { changed.runs[side] = count ? {square, count} : null; }, false);
    }}), run.must_rest && make('span.small.soft', {}, text('why_rest', {square: run.square, n: run.limit})));
}

// The clock of the position; under a quiet-play limit, a clock of 0 if none has begun.
const clockOf = (answer, rules) => answer.clock ?? (rules.quiet_limit && answer.material ? {plies: 0, side: null, limit: rules.quiet_limit / 2, quiet: true} : null);

// The moves left after n plies: for the side under the limit, or until the draw.
function movesLeft({side, limit}, toMove, n) {
  const begun = side === toMove ? Math.floor(n / 2) : side ? Math.ceil(n / 2) : Math.floor(n / 2);
  return Math.max(0, limit - begun);
}

function clockField(clock, toMove, view) {
  const {side, limit, quiet, goes_on: on} = clock;
  const title = text(quiet ? 'clock_quiet' : side ? 'clock_title' : 'clock_lone');
  const options = Array.from({length: Math.max(2 * limit, clock.plies) + 1}, (_, n) => [n, text('clock_left', {n: movesLeft(clock, toMove, n), limit, plies: plies(n)})]).slice(on ? 1 : 0);
  return make('label', {}, make('span', {}, make('b', {}, `${title}. `), side && `${text(side)}. `, on && text('clock_on')),
    choice(clock.plies, options, {'data-key': 'clock', 'aria-label': title, onchange: event => view.edit(changed => { changed.clock = Number(event.target.value); }, false)}));
}

const outcomes = ['win', 'undecided', 'unknown', 'draw', 'loss'];

export function movesCard(state, view) {
  const all = moves(state);
  const answer = data(state);
  const most = Math.max(1, ...all.map(move => movePlies(move) ?? 0));
  const groups = outcomes.map(outcome => [outcome, all.filter(move => outcomeForMover(move) === outcome)]).filter(([, group]) => group.length);
  return [make('h2', {}, text('moves')), answer?.moves && !all.length && make('p.soft', {}, text('no_moves')), groups.map(([outcome, group]) => [
      make(`h3.group.${outcome}`, {}, `${heading(outcome)} (${group.length})`), make(`ul.moves.${outcome}`, {'data-of': state.fen}, group.map(move => make('li', {}, moveButton(move, outcome, most, group[0], view))))]),
    all.length > 0 && setting('arrow', 'arrow', 'off', () => view.draw()),
    all.length > 0 && make('p.small.soft', {}, text('explain_plies'), ' ', answer.material && make('a', {href: address('/material', {rules: state.rules.rules, name: answer.material, fen: answer.fen})},
      text('material_of', {name: answer.material})))];
}

// Explains the rank of a drawn move.
function holding({replies}, first, outcome) {
  if (!replies || outcome !== 'draw') return null;
  if (replies.material < first.replies.material) return text('gives_up');
  return text('replies', {n: replies.holding, count: replies.count});
}

function moveButton(move, outcome, most, first, view) {
  const n = movePlies(move);
  const far = outcome === 'win' || outcome === 'loss';
  const bar = make('span', {style: {width: far ? `${Math.max(4, 100 * (n ?? most) / most)}%` : '0'}});
  return make('button', {type: 'button', 'data-key': `move-${move.san}`, onclick: event => event.detail < 2 && view.play(move), onmouseenter: () => view.point(move),
    onmouseleave: () => view.point(null), onfocus: event => event.target.matches(':focus-visible') && view.point(move), onblur: () => view.point(null)},
  make(`span.san${move.captures.length > 2 ? '' : '.short'}`, {}, move.san), make(far ? 'span.meter' : 'span', {'aria-hidden': true}, bar),
  make(`span.small.${outcome}-ink`, {}, n === null ? holding(move, first, outcome) : distance(n)));
}

// Captures that share origin and destination: lists their paths.
export function choiceBar({offered}, view) {
  return offered && make('div.bar.choice', {role: 'group', 'data-of': offered[0].fen}, make('span', {}, text('several')), offered.map(move =>
    make('button', {type: 'button', onclick: () => view.play(move), onmouseenter: () => view.point(move), onfocus: () => view.point(move)}, move.san)));
}

export function lineCard(state, view) {
  const {tree, at} = state;
  const any = hasLine(state);
  return [make('div.bar.line-head', {}, make('h2', {}, text('line')), any && textButton('line_copy', event => copy(view.pdn(), event.currentTarget))), any && view.lineMoves,
  make('div.bar.own', {}, make('input.comment', {type: 'text', 'data-key': `comment-${at}`, 'aria-label': text('comment'), placeholder: text('comment'),
    value: tree.nodes[at].comment ?? '', onchange: event => view.enter(withNode(view.state.tree, at, {comment: event.target.value.trim()}), at)}),
  at > 0 && textButton('promote', () => view.enter(promoted(view.state.tree, view.state.at), view.state.at), {disabled: isMain(tree, at)}), at > 0 && textButton('delete_from', () => view.enter(withoutNode(view.state.tree, view.state.at), previous(view.state)))), tree.id && make('div.bar.own', {}, nameField('study_name', `title-${tree.book}`, titleOf(tree.book), name => { retitle(tree.book, name); view.draw(); }),
    textButton('send', event => copy(linkOf(view.state), event.currentTarget), {disabled: !fragmentOf(state.rules, tree), title: text('send_how')}), textButton('download', () => download(studyPdn(tree.book, chaptersOf(tree.book).map(one => one.id === tree.id ? {...one, text: view.pdn()} : one)), `${titleOf(tree.book) || 'einspul'}.pdn`))),
  make('div.own', {}, chapterBar(tree, view))];
}

const nameField = (key, of, value, changed) => make('input', {type: 'text', 'data-key': of, 'aria-label': text(key), value, onchange: event => changed(event.target.value.trim())});
export const chapterAddress = ({id, rules, fen}) => address('/', {rules, fen, study: id});
export const chapterList = (chapters, id) => make('ol.chapters', {}, chapters.map(one => make('li', {}, make('a', {href: chapterAddress(one), 'aria-current': one.id === id ? 'true' : null}, one.name))));

// The chapters of a study, and buttons to add and remove one; of another position, the studies that it can be added to.
function chapterBar({id, book, name}, view) {
  const all = id ? chaptersOf(book) : studies();
  if (!id) return all.length > 0 && choice('', [['', text('add_to')], ...all.map(one => [one, titleOf(one)])], {'data-key': 'add_to', 'aria-label': text('add_to'), onchange: event => view.addChapter(event.target.value)});
  return [all.length > 1 && chapterList(all, id), make('div.bar', {}, all.length > 1 && nameField('chapter_name', `name-${id}`, name, own => view.rename(own)),
    textButton('new_chapter', () => view.addChapter(book)), all.length > 1 && textButton('remove_chapter', () => view.removeChapter()))];
}

const linkOf = ({rules, tree, fen}) => location.origin + address('/', {rules: rules.rules, fen, study: tree.id}, fragmentOf(rules, tree));
const hasLine = state => state.tree.nodes[0].children.length + ahead(state).length > 0;

// The moves of the line, each after its number, with remarks and variations.
export function lineMoves(state, view) {
  const {tree, at} = state;
  const black = startsBlack(tree);
  return hasLine(state) && [make('button', {type: 'button', 'data-key': 'node-0', 'aria-current': at === 0 ? 'step' : null, onclick: () => view.goTo(0)}, text('start')),
    remark(tree, 0), at === 0 && tableLineView(state, view, black), lineWords(state, record(tree, 0, black), view, black)];
}

const remark = (tree, node) => [tree.nodes[node].comment && make('span.remark', {}, tree.nodes[node].comment), tree.nodes[node].unread && make('span.remark.mono', {}, tree.nodes[node].unread)];

const lineWords = (state, steps, view, black) => steps.flatMap(({node, number, variations}) => [state.tree.nodes[node].before && make('span.remark', {}, state.tree.nodes[node].before), moveOfLine(state, node, number, view), remark(state.tree, node),
  node === state.at && tableLineView(state, view, black), ...variations.map(line => make('span.variation', {}, '(', lineWords(state, line, view, black), ')'))]);

const nagSigns = ['', '!', '?', '!!', '??', '!?', '?!'];

// The annotation symbols of a move: its author's, or else that of its mistake.
const signsOf = ({marks = [], thrown}) => marks.map(mark => mark[0] === '$' ? nagSigns[mark.slice(1)] ?? mark : mark).join(' ') || (thrown?.mark ?? '');

// Returns the button of a move, reusing the previous element if move and current mark are unchanged.
function moveOfLine({tree, at}, node, number, view) {
  const {san, auto, thrown} = tree.nodes[node];
  const words = `${number}${number && ' '}${san}${signsOf(tree.nodes[node])}`;
  const known = view.drawn.get(tree.nodes[node]);
  if (known?.textContent === words && known.hasAttribute('aria-current') === (node === at)) return known;
  const button = make(`button${auto ? '.auto' : ''}${thrown ? '.mistake' : ''}`, {type: 'button', 'data-key': `node-${node}`, title: thrown ? text(thrown.key) : null,
    'aria-current': node === at ? 'step' : null, onclick: () => view.goTo(node)}, words);
  view.drawn.set(tree.nodes[node], button);
  return button;
}

// The best line after the last move, in grey.
function tableLineView(state, view, black) {
  const half = state.tree.nodes[state.at].ply + (black ? 1 : 0);
  return ahead(state).map(({san}, i) => make('button.auto', {type: 'button', 'data-key': `ahead-${i}`, onclick: () => view.follow(i + 1)},
    `${(half + i) % 2 === 0 ? `${(half + i) / 2 + 1}. ` : i === 0 ? `${(half + i + 1) / 2}… ` : ''}${san}`));
}

export function toolBar(state, view) {
  const atEnd = next(state) === null && !ahead(state).length;
  const mistakes = state.tree.nodes.some(node => node.thrown);
  return [state.setup ? [signButton('undo', () => history.back(), {disabled: !view.app.canUndo()}), signButton('redo', () => history.forward())]
    : [stepButtons(name => view.step(name), state.at === 0, atEnd), make('span.gap'),
      make('button.main.sign-button', {type: 'button', 'data-key': 'best', title: text('best'), 'aria-label': text('best'), disabled: !moves(state).length, onclick: () => view.best()}, sign('best')),
      toolButton(state, view, 'map', sign('map'))], signButton('flip', () => view.flipBoard(), {'aria-pressed': String(Boolean(state.flip))}),
  signButton('setup', () => view.setUp(), {'aria-pressed': String(state.setup)}), mistakes && signButton('next_mistake', () => view.nextMistake())];
}

// The set-up tray: pieces to place and tools to edit the position. A piece is chosen by a click, or dragged to its
// square; pieces on the board are dragged, and dropping a piece off the board removes it.
export const kinds = [{side: 'white', king: false}, {side: 'white', king: true}, {side: 'black', king: false}, {side: 'black', king: true}];

// A tool is a piece, or 'remove' or 'map'; two are the same when their names are.
export const nameOf = tool => tool && (tool.side ? `${tool.side}_${tool.king ? 'king' : 'man'}` : tool);

export const toolButton = (state, view, tool, picture, more = {}) => make('button.sign-button', {type: 'button', 'data-key': `tool-${nameOf(tool)}`, 'aria-label': text(nameOf(tool)),
  title: text(nameOf(tool)), 'aria-pressed': String(nameOf(tool) === nameOf(state.tool)), onclick: () => view.choose(tool), ...more}, picture);

export function trayTools(state, view) {
  const {side} = state.position;
  const turn = `${text('search_side')}: ${text(side)}`;
  return [kinds.map(piece => toolButton(state, view, piece, onePiece(piece), {onpointerdown: event => dragIn(event, piece, view)})), toolButton(state, view, 'remove', sign('remove')), make('span.gap'),
    make('button.sign-button.side-button', {type: 'button', 'data-key': 'side', 'aria-label': turn, title: turn, onclick: () => view.edit(position => { position.side = other(position.side); }, false)}, make(`span.side-mark.${side}`)),
    signButton('turn', () => view.edit(position => Object.assign(position, turned(position, state.rules.squares)), false)), signButton('clear', () => view.edit(position => position.pieces.clear()))];
}

// Drags a piece from the tray to the board, with a ghost at the pointer.
function dragIn(event, piece, view) {
  if (event.button !== 0) return;
  event.target.releasePointerCapture?.(event.pointerId);
  const size = `${view.boardBox.clientWidth / view.state.rules.rows}px`;
  const ghost = make('div.ghost', {'aria-hidden': true, style: {width: size, height: size}}, onePiece(piece));
  followPointer(event, ahead => {
    document.body.append(ghost);
    ghost.style.translate = `calc(${ahead.clientX}px - 50%) calc(${ahead.clientY}px - 50%)`;
  }, (end, moved) => {
    ghost.remove();
    const square = view.board.squareAt(end);
    if (moved && square && end.type === 'pointerup') view.put(square, piece);
  });
}
