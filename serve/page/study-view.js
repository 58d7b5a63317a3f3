// The parts beside the board, each made from the state of the view alone; `act` is what they ask for.
import {address} from './address.js';
import {choice, make, sign, signButton, stepButtons} from './dom.js';
import {detailed, explained} from './refusal.js';
import {data, moves, next} from './study-state.js';
import {text} from './texts.js';
import {record, wayTo} from './tree.js';
import {brief, forMover, movePlies, plies, sentence, sideMark} from './verdict.js';

// --- verdict -----------------------------------------------------------------------------------

export function verdictCard(state, act) {
  const answer = data(state);
  if (state.problem) return problemCard(state, act);
  if (!answer)
    return make('section.card.verdict.pending', {'aria-busy': 'true'}, make('h1', {}, sideMark(state.position.side), text('to_move', {side: text(state.position.side)})),
      make('p.soft', {}, text('loading')));
  return make(`section.card.verdict.${answer.category}`, {}, make('h1', {}, sideMark(answer.side), sentence(answer)),
    answer.note && make('p.note.small', {}, detailed('note', answer.note)), answer.missing && make('p.soft.small', {}, detailed('missing_table', answer.missing)),
    state.words && make('p.small', {role: 'status'}, state.words), chips(state, act),
    answer.material && make('p.small', {}, make('a', {href: address('/material', {rules: state.rules.rules, name: answer.material, fen: answer.fen})},
      text('material_of', {name: answer.material}))));
}

function problemCard({problem, fen}, act) {
  const heading = problem.status !== 400 ? text('no_answer') : /:[WB](:|$)/.test(fen) ? text('need_pieces') : text('bad_position');
  return make('section.card.verdict', {}, make('h1', {}, heading), make('p', {}, explained(problem)),
    problem.status !== 400 && make('p', {}, make('button', {type: 'button', 'data-key': 'again', onclick: act.again}, text('again'))));
}

// The same position under all rules of its board: those it stands under, then those that change it.
function chips({verdicts, rules}, act) {
  const own = verdicts?.find(verdict => verdict.rules === rules.rules);
  const place = verdict => verdict === own ? 0 : own && brief(verdict) !== brief(own) ? 1 : 2;
  return verdicts?.length > 1 && make('ul.chips', {'data-of': verdicts[0].fen, 'aria-label': text('compare')}, [...verdicts].sort((a, b) => place(a) - place(b)).map(verdict =>
    make('li', {}, make('button', {type: 'button', 'data-key': verdict.rules, 'aria-pressed': String(verdict.rules === rules.rules), onclick: () => act.underRules(verdict)},
      `${text(verdict.rules)}: `, make(`b.${verdict.category}-ink`, {}, brief(verdict))))));
}

// --- king runs and clock -----------------------------------------------------------------------

export function stateCard(state, act) {
  const answer = data(state);
  const fields = !answer ? [] : [...['white', 'black'].map(side => answer[`${side}_run`] && runField(state.position, side, answer[`${side}_run`], act)),
    clockOf(answer, state.rules) && clockField(clockOf(answer, state.rules), answer.side, act)].filter(Boolean);
  return fields.length > 0 && make('section.card.fields', {}, fields);
}

function runField(position, side, run, act) {
  const name = text(side);
  const words = run.must_rest ? text('run_rest', {side: name, square: run.square})
    : run.count ? text('run_some', {side: name, square: run.square, n: run.count}) : text('run_none', {side: name});
  const kings = [...position.pieces].filter(([, piece]) => piece.side === side && piece.king).map(([square]) => square).sort((a, b) => a - b);
  const options = kings.flatMap(square => Array.from({length: run.limit}, (_, i) => [`${square}x${i + 1}`, text('run_option', {square, n: i + 1})]));
  return make('label', {}, make('span', {}, sideMark(side), words), choice(run.count ? `${run.square}x${run.count}` : '0x0', [['0x0', text('none')], ...options],
    {'data-key': `run-${side}`, 'aria-label': text('run_choice', {side: name}), onchange: event => {
      const [square, count] = event.target.value.split('x').map(Number);
      act.edit(changed => { changed.runs[side] = count ? {square, count} : null; });
    }}));
}

// The clock of the position; under a limit of quiet play there is one that has not begun.
const clockOf = (answer, rules) =>
  answer.clock ?? (rules.quiet_limit && answer.material ? {plies: 0, side: null, limit: rules.quiet_limit / 2, quiet: true} : null);

// How many moves are left after so many plies: to the side under the limit, or to the draw.
function movesLeft({side, limit}, toMove, n) {
  const begun = side === toMove ? Math.floor(n / 2) : side ? Math.ceil(n / 2) : Math.floor(n / 2);
  return Math.max(0, limit - begun);
}

function clockField(clock, toMove, act) {
  const {side, limit, quiet, goes_on: on} = clock;
  const title = text(quiet ? 'clock_quiet' : side ? 'clock_title' : 'clock_lone');
  const options = Array.from({length: Math.max(2 * limit, clock.plies) + 1}, (_, n) => [n, text('clock_left', {n: movesLeft(clock, toMove, n), limit, plies: plies(n)})]).slice(on ? 1 : 0);
  return make('label', {}, make('span', {}, make('b', {}, `${title}. `), side && `${text(side)}. `, on && text('clock_on')),
    choice(clock.plies, options, {'data-key': 'clock', 'aria-label': title, onchange: event => act.edit(changed => { changed.clock = Number(event.target.value); })}));
}

// --- moves -------------------------------------------------------------------------------------

const headings = {win: 'wins', undecided: 'undecideds', unknown: 'unknowns', draw: 'draws', loss: 'losses'};

export function movesCard(state, act) {
  const all = moves(state);
  const most = Math.max(1, ...all.map(move => movePlies(move) ?? 0));
  const groups = Object.keys(headings).map(outcome => [outcome, all.filter(move => forMover(move) === outcome)]).filter(([, group]) => group.length);
  return [make('h2', {}, text('moves')),
    data(state) && !all.length && make('p.soft', {}, text('no_moves')),
    groups.map(([outcome, group], i) => [
      make(`h3.group.${outcome}`, {}, `${text(headings[outcome])} (${group.length})`, only(groups, i) && make('span.soft.small', {}, text(only(groups, i)))),
      make(`ul.moves.${outcome}`, {'data-of': state.fen}, group.map(move => make('li', {}, moveButton(move, outcome, most, group[0], act))))]),
    all.length > 0 && make('p.small.soft', {}, text('explain_plies'))];
}

// Why the first move is the best, where one word says it.
function only(groups, i) {
  const [outcome, group] = groups[i];
  if (i > 0 || group.length > 1 || outcome === 'undecided' || outcome === 'unknown') return null;
  return groups.length === 1 ? 'only_legal' : 'only_move';
}

// Why a move without a distance stands where it does.
function holding({replies}, first, outcome) {
  if (!replies || outcome !== 'draw') return null;
  if (replies.material < first.replies.material) return text('gives_up');
  const {count, holding: n} = replies;
  return n === count ? text('replies_all', {n}) : text('replies', {n, count});
}

function moveButton(move, outcome, most, first, act) {
  const n = movePlies(move);
  const far = outcome === 'win' || outcome === 'loss';
  const bar = make('span');
  bar.style.width = far ? `${Math.max(4, 100 * (n ?? most) / most)}%` : '0';
  return make('button', {type: 'button', 'data-key': `move-${move.san}`, onclick: event => event.detail < 2 && act.play(move),
    onmouseenter: () => act.point(move), onmouseleave: () => act.point(null), onfocus: () => act.point(move), onblur: () => act.point(null)},
  make('span.san', {}, move.san), make(far ? 'span.meter' : 'span', {'aria-hidden': true}, bar),
  make(`span.small.${outcome}-ink`, {}, n === null ? holding(move, first, outcome) ?? text(outcome) : `${text(outcome)} ${text('in_plies', {n})}`));
}

// Captures with the same beginning and end: their paths are listed.
export function choiceBar({offered}, act) {
  return offered && make('div.bar.choice', {role: 'group', 'data-of': offered[0].fen}, make('span', {}, text('several')), offered.map(move =>
    make('button', {type: 'button', onclick: () => act.play(move), onmouseenter: () => act.point(move), onfocus: () => act.point(move)}, move.san)));
}

// --- the line ----------------------------------------------------------------------------------

export function lineCard(state, act) {
  const {tree, at, lineProblem, playing, speed} = state;
  const black = /^\s*b/i.test(tree.nodes[0].fen);
  const any = tree.nodes[0].children.length > 0;
  return [make('div.bar.line-head', {}, make('h2', {}, text('line')),
    any && choice(speed, [[1500, text('slow')], [800, text('middling')], [300, text('fast')]],
      {'data-key': 'speed', 'aria-label': text('speed'), onchange: event => act.setSpeed(Number(event.target.value))}),
    any && make('button', {type: 'button', 'data-key': 'play-out', onclick: act.playOut, disabled: !playing && next(state) === null},
      text(playing ? 'line_stop' : 'line_play')),
    any && make('button', {type: 'button', 'data-key': 'copy-line', onclick: event => act.copyLine(event.currentTarget)}, text('line_copy'))),
  lineProblem && make('p.soft.small', {}, explained(lineProblem)),
  any && make('div.line', {}, make('button', {type: 'button', 'data-key': 'node-0', 'aria-current': at === 0 ? 'step' : null, onclick: () => act.goTo(0)}, text('start')),
    lineWords(state, record(tree, 0, black), act, new Set(wayTo(tree, at))))];
}

function lineWords(state, steps, act, way) {
  const {tree, at} = state;
  return steps.flatMap(({node, number, variations}) => [
    make(`button${tree.nodes[node].auto ? '.auto' : ''}`, {type: 'button', 'data-key': `node-${node}`, 'aria-current': node === at ? 'step' : null,
      onclick: () => act.goTo(node)}, `${number}${number && ' '}${tree.nodes[node].san}`),
    ...variations.map(line => make('span.variation', {}, '(', lineWords(state, shortened(tree, line, way), act, way), ')'))]);
}

// Of a variation one does not stand in, the line of the tables is left out.
const shortened = (tree, line, way) =>
  way.has(line[0].node) ? line : line.filter((step, i) => i === 0 || !tree.nodes[step.node].auto);

// --- tools -------------------------------------------------------------------------------------

export function toolBar(state, act) {
  return [signButton('undo', act.undo, {disabled: !state.canUndo}), signButton('redo', act.redo, {disabled: !state.canRedo}),
    make('span.gap'), stepButtons(act.step, state.at === 0, next(state) === null), make('span.gap'),
    make('button.main.sign-button', {type: 'button', 'data-key': 'best', title: text('best'), 'aria-label': text('best'), disabled: !moves(state).length, onclick: act.best}, sign('best')),
    signButton('flip', act.flip, {'aria-pressed': String(Boolean(state.flip))}),
    signButton('turn', act.turn)];
}
