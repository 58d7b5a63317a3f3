// Immutable state of the position view, and values derived from it. `answer` belongs to one position and
// rule set; `data` returns it only while both are current.
import {recall} from './browser.js';
import {parseFen} from './position.js';
import {keptTree, keepTree, plant} from './tree.js';
import {text} from './texts.js';

export function begin(rules, fen, session) {
  const tree = session?.tree && keptTree(session.tree);
  const place = tree?.nodes[session.at]?.fen === fen ? {tree, at: session.at} : {tree: plant(fen), at: 0};
  return {rules, fen, position: parseFen(fen), answer: null, problem: null, ...place, chosen: null, offered: null, map: null, mapSquare: null, words: '', why: ''};
}

export const withAnswer = (state, answer) => ({...state, answer: {rules: state.rules.rules, fen: state.fen, data: answer}, problem: null, position: parseFen(answer.fen)});
export const data = ({answer, rules, fen}) => answer && answer.rules === rules.rules && answer.fen === fen ? answer.data : null;

// The legal moves; none while the answer is pending.
export const moves = state => data(state)?.moves ?? [];

// The best line from the last move of the tree; empty elsewhere.
export const ahead = state => state.tree.nodes[state.at].children.length ? [] : data(state)?.mainline ?? [];
export const session = ({tree, at}) => ({tree: keepTree(tree), at});
export const previous = ({tree, at}) => tree.nodes[at].parent;
export const next = ({tree, at}) => tree.nodes[at].children[0] ?? null;

// The mistake to show: the current move if it was one, otherwise the next.
export function mistakeAt(state) {
  const {nodes} = state.tree;
  const follower = next(state);
  return [nodes[state.at], follower === null ? {} : nodes[follower]].find(node => node.thrown) ?? null;
}

export function targets({chosen}) {
  if (!chosen) return [];
  return [...new Set(chosen.cands.flatMap(move => [move.path.at(-1), move.path[chosen.step + 1]]))];
}

// A click on a square in play: {play}, {offered}, {chosen}, or {why} it has no effect.
export function clicked(state, square) {
  const {chosen} = state;
  const on = chosen?.cands.filter(move => move.path.indexOf(square, chosen.step + 1) > 0) ?? [];
  const ends = on.filter(move => move.path.at(-1) === square);
  if (ends.length === 1 || on.length === 1) return {play: ends[0] ?? on[0]};
  if (ends.length > 1) return {offered: ends};
  if (on.length)
    return {chosen: {cands: on, step: on[0].path.indexOf(square, chosen.step + 1), squares: [...chosen.squares, square]}};
  const cands = moves(state).filter(move => move.path[0] === square);
  if (cands.length) return {chosen: chosen?.squares[0] !== square ? {cands, step: 0, squares: [square]} : null};
  return {why: whyNot(state, chosen?.squares[0] ?? square, chosen ? square : null)};
}

// A piece dragged from one square to another: {play}, {offered}, or {why} that is not a move.
export function dropped(state, from, to) {
  const ends = moves(state).filter(move => move.path[0] === from && move.path.at(-1) === to);
  if (ends.length > 1) return {offered: ends};
  return ends.length ? {play: ends[0]} : {why: whyNot(state, from, to)};
}

// Why the piece on a square cannot move, or not to a given square.
function whyNot(state, from, to) {
  const answer = data(state);
  const piece = state.position.pieces.get(from);
  const all = moves(state);
  if (!answer || !piece || !all.length) return '';
  if (piece.side !== answer.side) return text('why_turn', {side: text(answer.side)});
  const own = all.filter(move => move.path[0] === from);
  const names = list => [...new Set(list.map(move => move.san))].join(', ');
  if (all[0].captures.length) return text(own.length ? 'why_path' : state.rules.flying_kings ? 'why_capture' : 'why_must', {moves: names(own.length ? own : all)});
  const run = answer[`${piece.side}_run`];
  if (run?.must_rest && run.square === from) return text('why_rest', {square: from, n: run.limit});
  if (!own.length) return text('why_none', {square: from});
  return to === null ? '' : text('why_there', {moves: names(own)});
}

export function shownOnBoard(state) {
  const {position, tree, at, chosen, map, mapSquare, rules, flip, setup} = state;
  const {path} = tree.nodes[at];
  const mistake = mistakeAt(state);
  const arrows = !mistake || mistake === tree.nodes[at] ? (recall('arrow') === 'on' ? moves(state).slice(0, 1) : []) : [{...mistake, kind: 'worse'}, {...mistake.best, kind: 'better'}];
  return {rows: rules.rows, pieces: position.pieces, runs: position.runs, flip, map, setup: Boolean(setup), arrows, movable: setup ? [] : moves(state).map(move => move.path[0]),
    last: path ? [path[0], path.at(-1)] : [], chosen: chosen?.squares ?? (mapSquare ? [mapSquare] : []), targets: targets(state)};
}
