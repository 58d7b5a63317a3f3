// The parts beside the board, each made from the state of the view alone; `act` is what they ask for.
import {address} from './address.js';
import {choice, make, sign, signButton, stepButtons} from './dom.js';
import {detailed, explained} from './refusal.js';
import {ahead, data, mistakeAt, moves, next} from './study-state.js';
import {number, text} from './texts.js';
import {toolButton} from './tray.js';
import {isMain, mainLine, record, startsBlack} from './tree.js';
import {brief, forMover, movePlies, plies, reasons, sentence, sideMark, winner} from './verdict.js';

// --- verdict -----------------------------------------------------------------------------------

export function verdictCard(state, act) {
  const answer = data(state);
  if (state.problem) return problemCard(state, act);
  if (!answer)
    return make('section.card.verdict.pending', {'aria-busy': 'true'}, make('h1', {}, sideMark(state.position.side), text('to_move', {side: text(state.position.side)})),
      make('p.soft', {}, text('loading')));
  const key = answer.category === 'win' || answer.category === 'loss' ? `.${answer.category}` : '';
  return make(`section.card.verdict${key}`, {}, make('h1', {}, sideMark(answer.side), sentence(answer)),
    reasons(answer, state.rules).map(words => make('p.reason', {}, words)), mistake(state, act),
    answer.note && make('p.note.small', {}, detailed('note', answer.note)), answer.missing && make('p.soft.small', {}, detailed('missing_table', answer.missing)),
    answer.category === 'unknown' && proofWords(state, act),
    state.words && make('p.small', {role: 'status'}, state.words), otherRules(state, act));
}

// A position set as a question: the answer is behind a button.
export const hiddenCard = (state, act) => make('section.card.verdict', {}, make('h1', {}, sideMark(state.position.side), text('to_move', {side: text(state.position.side)})),
  make('div.bar', {}, make('button.main', {type: 'button', 'data-key': 'reveal', onclick: act.reveal}, text('show_answer'))));

function problemCard({problem, fen}, act) {
  const heading = problem.status !== 400 ? text('no_answer') : /:[WB](:|$)/.test(fen) ? text('need_pieces') : text('bad_position');
  return make('section.card.verdict', {}, make('h1', {}, heading), make('p', {}, explained(problem)),
    problem.status !== 400 && make('p', {}, make('button', {type: 'button', 'data-key': 'again', onclick: act.again}, text('again'))));
}

// What a move of the line threw away, and what would have been better.
function mistake(state, act) {
  const node = mistakeAt(state);
  if (!node) return null;
  const {san, best, thrown} = node;
  const n = movePlies(best);
  return make('p.mistake-words', {}, make('b.error', {}, `${san}${thrown.mark} ${text(thrown.key)}. `),
    make('span.better', {}, `${text('better')} `, make('b', {}, best.san), ` (${text(forMover(best))}${n === null ? '' : ` ${text('in_plies', {n})}`})`), ' ',
    make('a', {href: address('/train', {rules: state.rules.rules, fen: state.tree.nodes[node.parent].fen})}, text('train_this')));
}

// Beyond the tables a proof may be tried.
function proofWords({proof, fen}, act) {
  const button = key => make('button', {type: 'button', 'data-key': key, 'data-of': fen, onclick: act[key]}, text(key));
  if (!proof) return make('div.bar', {}, button('prove'));
  if (proof.running) return make('div.bar', {role: 'status'}, text('proving'), button('stopProof'));
  const {category, move, side, proof: size} = proof;
  const words = text(`proved_${category.replace('-', '_')}`, {side: text(side)});
  return make('p.proof', {role: 'status'}, make('b', {}, words), move && ` ${move.san}`, size && ` (${text('proof_size', {n: number(size)})})`);
}

// Other rules of the same board: those that change the verdict, each by itself; the rest in one line.
function otherRules(state, act) {
  const verdicts = data(state).verdicts ?? [];
  const own = verdicts.find(verdict => verdict.rules === state.rules.rules);
  const others = verdicts.filter(verdict => verdict !== own);
  const same = others.filter(verdict => own && brief(verdict) === brief(own));
  const button = (verdict, ...more) => make('button', {type: 'button', 'data-key': verdict.rules, onclick: () => act.underRules(verdict)}, text(verdict.rules), more);
  return others.length > 0 && make('div.chips', {'data-of': state.fen, role: 'group', 'aria-label': text('compare')},
    others.filter(verdict => !same.includes(verdict)).map(verdict => button(verdict, ': ', make(`b.${verdict.category}-ink`, {}, brief(verdict)))),
    same.length > 0 && make('span.same.small.soft', {}, `${text('same_under')} `, same.map((verdict, i) => [i > 0 && ', ', button(verdict)])));
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
  const answer = data(state);
  const most = Math.max(1, ...all.map(move => movePlies(move) ?? 0));
  const groups = Object.keys(headings).map(outcome => [outcome, all.filter(move => forMover(move) === outcome)]).filter(([, group]) => group.length);
  return [make('h2', {}, text('moves')),
    answer && !all.length && make('p.soft', {}, text('no_moves')),
    groups.map(([outcome, group], i) => [
      make(`h3.group.${outcome}`, {}, `${text(headings[outcome])} (${group.length})`, only(groups, i) && make('span.soft.small', {}, text(only(groups, i)))),
      make(`ul.moves.${outcome}`, {'data-of': state.fen}, group.map(move => make('li', {}, moveButton(move, outcome, most, group[0], act))))]),
    all.length > 0 && make('p.small.soft', {}, text('explain_plies'), ' ', answer.material && make('a', {href: address('/material', {rules: state.rules.rules, name: answer.material, fen: answer.fen})},
      text('material_of', {name: answer.material})))];
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
  return make('button', {type: 'button', 'data-key': `move-${move.san}`, onclick: event => event.detail < 2 && act.play(move), onmouseenter: () => act.point(move),
    onmouseleave: () => act.point(null), onfocus: event => event.target.matches(':focus-visible') && act.point(move), onblur: () => act.point(null)},
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
  const {tree, at, playing, speed} = state;
  const black = startsBlack(tree);
  const any = tree.nodes[0].children.length + ahead(state).length > 0;
  const button = (key, onclick, more = {}) => make('button', {type: 'button', 'data-key': key, onclick, ...more}, text(key));
  return [make('div.bar.line-head', {}, make('h2', {}, text('line')),
    any && choice(speed, [[1500, text('slow')], [800, text('middling')], [300, text('fast')]],
      {'data-key': 'speed', 'aria-label': text('speed'), onchange: event => act.setSpeed(Number(event.target.value))}),
    any && make('button', {type: 'button', 'data-key': 'play-out', onclick: act.playOut, disabled: !playing && next(state) === null && !ahead(state).length},
      text(playing ? 'line_stop' : 'line_play')),
    any && make('button', {type: 'button', 'data-key': 'copy-line', onclick: event => act.copyLine(event.currentTarget)}, text('line_copy'))),
  verdictBar(tree, at, act),
  any && make('div.line', {}, make('button', {type: 'button', 'data-key': 'node-0', 'aria-current': at === 0 ? 'step' : null, onclick: () => act.goTo(0)}, text('start')),
    remark(tree, 0), at === 0 && aheadWords(state, act, black), lineWords(state, record(tree, 0, black), act, black)),
  any && make('div.bar.own', {}, make('input.comment', {type: 'text', 'data-key': `comment-${at}`, 'aria-label': text('comment'), placeholder: text('comment'),
    value: tree.nodes[at].comment ?? '', onchange: event => act.comment(event.target.value.trim())}),
  at > 0 && button('promote', act.promote, {disabled: isMain(tree, at)}), at > 0 && button('delete_from', act.deleteFrom))];
}

const remark = (tree, node) => tree.nodes[node].comment && make('span.remark', {}, tree.nodes[node].comment);

function lineWords(state, steps, act, black) {
  const {tree, at} = state;
  return steps.flatMap(({node, number, variations}) => {
    const {san, auto, thrown} = tree.nodes[node];
    return [make(`button${auto ? '.auto' : ''}${thrown ? '.mistake' : ''}`, {type: 'button', 'data-key': `node-${node}`, title: thrown ? text(thrown.key) : null,
      'aria-current': node === at ? 'step' : null, onclick: () => act.goTo(node)}, `${number}${number && ' '}${san}${thrown?.mark ?? ''}`),
    remark(tree, node), node === at && aheadWords(state, act, black),
    ...variations.map(line => make('span.variation', {}, '(', lineWords(state, line, act, black), ')'))];
  });
}

// The tables' line after the last move, in grey.
function aheadWords(state, act, black) {
  const half = state.tree.nodes[state.at].ply + (black ? 1 : 0);
  return ahead(state).map(({san}, i) => make('button.auto', {type: 'button', 'data-key': `ahead-${i}`, onclick: () => act.follow(i + 1)},
    `${(half + i) % 2 === 0 ? `${(half + i) / 2 + 1}. ` : i === 0 ? `${(half + i + 1) / 2}… ` : ''}${san}`));
}

// Who wins after each move of the main line, from where the tables begin.
function verdictBar(tree, at, act) {
  const line = mainLine(tree);
  const known = line.findIndex(node => winner(tree.nodes[node]));
  return known >= 0 && line.length - known > 2 && make('div.verdict-bar', {'aria-hidden': true}, line.slice(known).map(node =>
    make(`span.${winner(tree.nodes[node]) ?? 'none'}${node === at ? '.here' : ''}`, {title: tree.nodes[node].san, onclick: () => act.goTo(node)})));
}

// --- tools -------------------------------------------------------------------------------------

export function toolBar(state, act) {
  const atEnd = next(state) === null && !ahead(state).length;
  const mistakes = state.tree.nodes.some(node => node.thrown);
  return [state.setup ? [signButton('undo', act.undo, {disabled: !state.canUndo}), signButton('redo', act.redo, {disabled: !state.canRedo})]
    : [stepButtons(act.step, state.at === 0, atEnd), make('span.gap'),
      make('button.main.sign-button', {type: 'button', 'data-key': 'best', title: text('best'), 'aria-label': text('best'), disabled: !moves(state).length, onclick: act.best}, sign('best')),
      toolButton(state, act, 'map', sign('map'))],
  signButton('flip', act.flip, {'aria-pressed': String(Boolean(state.flip))}),
  signButton('setup', act.setUp, {'aria-pressed': String(state.setup)}),
  mistakes && make('button', {type: 'button', 'data-key': 'mistake', onclick: act.nextMistake}, text('next_mistake'))];
}
