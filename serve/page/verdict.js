// Verdicts in words.
import {make} from './dom.js';
import {text} from './texts.js';

export const plies = n => text('plies', {n});

// Whether the rules have ended the game: no move is left to a limit, and nobody can lose any more.
export const isExpired = ({category, clock, moves}) => category === 'draw' && clock?.moves_left === 0 && moves.every(move => move.category === 'draw');

// A position's verdict as a sentence: "White to move wins in 39 plies".
export function sentence(position) {
  const side = text(position.side);
  if (isExpired(position)) return text('verdict_expired');
  if (position.variant_loss) return text('verdict_over', {side});
  if (['draw', 'undecided', 'unknown'].includes(position.category)) return text(`verdict_${position.category}`, {side});
  return position.dtw === null ? text(`verdict_${position.category}_short`, {side})
    : text(`verdict_${position.category}`, {side, plies: plies(Math.abs(position.dtw))});
}

// A verdict in a few words: "win in 39".
export const brief = ({category, dtw}) =>
  text(category) + (dtw === null || category === 'unknown' ? '' : ` ${text('in_plies', {n: Math.abs(dtw)})}`);

// The outcome of a move for whoever makes it: a lost position is a good one to leave behind.
export const forMover = move => ({win: 'loss', loss: 'win'})[move.category] ?? move.category;

// Plies to the end, the move included; null for draws and what is not known.
export const movePlies = move => move.variant_loss ? 1 : move.dtw === null ? null : Math.abs(move.dtw) + 1;

export function sideMark(side) {
  return make(`span.side-mark.${side}`, {'aria-hidden': true});
}

const worth = {win: 2, draw: 1, loss: 0};
const flipped = {win: 'loss', draw: 'draw', loss: 'win'};

// What a move gave away: {key, mark}, or null. Both are positions, judged for their side to move.
export function thrown(before, move) {
  const after = flipped[move.category];
  if (!after || !(before.category in worth) || worth[after] >= worth[before.category]) return null;
  return {key: `threw_${before.category}_${after}`, mark: after === 'draw' ? '?' : '??'};
}
