// What the view of a position knows, in one object that is copied, never changed; and what follows
// from it. `answer` is the server's answer about one position under one rule set, and counts for that
// position alone: `data` gives it only while it is the one on the board.
import {parseFen, positionOf} from './position.js';
import {nextOf, plant, wayTo} from './tree.js';

export function begin(rules, fen, session) {
  return {rules, fen, position: positionOf(fen), answer: null, problem: null, verdicts: null, lineProblem: null,
    ...session?.tree ? {tree: session.tree, at: session.at, tip: session.tip} : {tree: plant(fen), at: 0, tip: 0},
    chosen: null, offered: null, map: null, mapSquare: null, words: ''};
}

export const withAnswer = (state, data) =>
  ({...state, answer: {rules: state.rules.rules, fen: state.fen, data}, problem: null, position: parseFen(data.fen)});

export const data = ({answer, rules, fen}) => answer && answer.rules === rules.rules && answer.fen === fen ? answer.data : null;

// The moves that may be made now: none while the answer is not here.
export const moves = state => data(state)?.moves ?? [];

export const session = ({tree, at, tip}) => ({tree, at, tip});

// The state's place in its tree after a step to a node: the way one came from is kept.
export const steppedTo = ({tree, tip}, at) => ({tree, at, tip: wayTo(tree, tip).includes(at) ? tip : at});

export const previous = ({tree, at}) => tree.nodes[at].parent;
export const next = ({tree, at, tip}) => nextOf(tree, at, tip);

// The squares where the chosen piece may go.
export function targets({chosen}) {
  if (!chosen) return [];
  return [...new Set(chosen.cands.flatMap(move => [move.path.at(-1), move.path[chosen.step + 1]]))];
}

// A click on a square while a piece may be moved: {play}, {offered} or {chosen}.
export function clicked(state, square) {
  const {chosen} = state;
  const on = chosen?.cands.filter(move => move.path.indexOf(square, chosen.step + 1) > 0) ?? [];
  const ends = on.filter(move => move.path.at(-1) === square);
  if (ends.length === 1 || on.length === 1) return {play: ends[0] ?? on[0]};
  if (ends.length > 1) return {offered: ends};
  if (on.length)
    return {chosen: {cands: on, step: on[0].path.indexOf(square, chosen.step + 1), squares: [...chosen.squares, square]}};
  const cands = moves(state).filter(move => move.path[0] === square);
  return {chosen: cands.length && chosen?.squares[0] !== square ? {cands, step: 0, squares: [square]} : null};
}

// A piece dragged from one square to another: {play}, {offered}, or nothing where no move does so.
export function dropped(state, from, to) {
  const ends = moves(state).filter(move => move.path[0] === from && move.path.at(-1) === to);
  return ends.length > 1 ? {offered: ends} : {play: ends[0]};
}

// What the board is to show.
export function shownOnBoard(state) {
  const {position, tree, at, chosen, map, mapSquare, rules, flip} = state;
  const {path} = tree.nodes[at];
  return {rows: rules.rows, pieces: position.pieces, runs: position.runs, flip, map, arrow: null,
    last: path ? [path[0], path.at(-1)] : [], chosen: chosen?.squares ?? (mapSquare ? [mapSquare] : []), targets: targets(state)};
}
