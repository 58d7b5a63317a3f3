// Verdicts and errors as sentences, with their reasons.
import {make} from './dom.js';
import {other} from './position.js';
import {language, text} from './texts.js';

export const plies = n => text('plies', {n});

// A distance, with the moves of the side that wins: "39 plies (20 moves)".
export const distance = n => `${plies(n)} (${text('moves_of_winner', {n: Math.ceil(n / 2)})})`;

// True if a rule has ended the game as a draw: the move limit is used up.
export const isExpired = ({category, clock, moves = []}) => category === 'draw' && clock?.moves_left === 0 && moves.every(move => move.category === 'draw');

// " in 39 plies (20 moves)", if known.
export const within = n => n === null ? '' : ` ${text('in_plies', {n: distance(Math.abs(n))})}`;

// A position's verdict as a sentence: "White to move wins in 39 plies (20 moves)".
export function sentence(position) {
  const side = text(position.side);
  if (isExpired(position)) return text('verdict_expired');
  if (position.variant_loss) return text('verdict_over', {side});
  if (['draw', 'undecided', 'unknown'].includes(position.category)) return text(`verdict_${position.category}`, {side});
  return text(`verdict_${position.category}`, {side}) + within(position.dtw);
}

// A verdict in a few words: "win in 39 plies (20 moves)".
export const brief = ({category, dtw}) => text(category) + (category === 'unknown' ? '' : within(dtw));

// The outcome of a move for the moving side: the opposite of that of the position after it.
export const outcomeForMover = move => ({win: 'loss', loss: 'win'})[move.category] ?? move.category;

// Plies to the end, including the move; null for draws and unknown distances.
export const movePlies = move => move.variant_loss ? 1 : move.dtw === null ? null : Math.abs(move.dtw) + 1;
export const sideMark = side => make(`span.side-mark.${side}`, {'aria-hidden': true});
const worth = {win: 2, draw: 1, loss: 0};

// The mistake of a move: {key, mark}, or null. Both arguments are positions, valued for their side to move.
export function thrown(before, move) {
  const after = outcomeForMover(move);
  if (!(after in worth) || !(before.category in worth) || worth[after] >= worth[before.category]) return null;
  return {key: `threw_${before.category}_${after}`, mark: after === 'draw' ? '?' : '??'};
}

// The winner, w or b, or d for a draw; null if unknown.
export const winner = ({category, side}) => category === 'draw' ? 'd' : category in worth ? ((category === 'win') === (side === 'white') ? 'w' : 'b') : null;
const isKnown = verdict => verdict && verdict.category in worth;

// A hypothetical verdict: "White would win in 15 plies".
function would(side, verdict) {
  if (verdict.category === 'draw') return text('would_draw');
  return text('would', {side: text(verdict.category === 'win' ? side : other(side))}) + within(verdict.dtw);
}

// The rules that decide a verdict, each as a sentence with the verdict without that rule.
export function reasons(answer, rules) {
  if (!isKnown(answer) || isExpired(answer) || answer.variant_loss) return [];
  const under = name => answer.verdicts?.find(one => one.rules === name);
  const {clock} = answer;
  const article18 = rules.two_kings_limit > 0 && clock ? answer.unlimited ?? under('frisian-no18') : null;
  const ways = rules.rules === 'frisian' ? [['why_18', article18], ['why_17', under('frisian-no17')], ['why_both', under('frisian-free')]] : [['why_18', article18]];
  const differs = ([, verdict]) => isKnown(verdict) && verdict.category !== answer.category;
  const first = ways.find(differs);
  const counted = [['why_fresh', answer.fresh]].filter(differs);
  return [...first ? [first] : [], ...counted].map(([key, verdict]) => text(key, {would: would(answer.side, verdict), n: clock?.moves_left, limit: clock?.limit, side: clock?.side && text(clock.side)}));
}

// Errors have a code and arguments, which are translated. If the code is too general, the server's English
// message is appended.
const english = words => words && make('span.soft', {lang: 'en'}, `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`);

// The translated sentence, followed by the server's message; in English the message alone.
export const detailed = (key, words, values = {}) => make('span', {}, (language() !== 'en' || !words) && `${text(key, values)} `, english(words));

// What the server says on a text; in English as it says it.
export const remarks = ({note, notes}) => note && make('p.note.small', {}, language() === 'en' ? english(note)
  : notes.map(({code, arguments: [name = '', value = '']}) => text(`note_${code}`, {name: named(name), value})).join(' '));

// The translated argument of a code: a side, or the label of a form field.
const named = name => [name.toLowerCase(), `search_${name}`].map(key => [key, text(key)]).find(([key, words]) => words !== key)?.[1] ?? name;

export function explained({code, about = [], message}) {
  if (code === 'OFFLINE') return text('refused_OFFLINE');
  const [name = '', value = ''] = about;
  const key = text(`refused_${code}`) === `refused_${code}` ? 'refused_FAULT' : `refused_${code}`;
  const exact = language() !== 'en' && !['refused_BAD_FEN', 'refused_BAD_POSITION', 'refused_BAD_ARGUMENT', 'refused_FAULT'].includes(key);
  return detailed(key, exact ? '' : message, {name: named(name), value});
}
