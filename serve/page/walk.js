// A game walked through with the server: what each move led to, and what it threw away.
import {findMove} from './pdn.js';

const worth = {win: 2, draw: 1, loss: 0};
const flipped = {win: 'loss', draw: 'draw', loss: 'win'};

// The rule set a game is played by: what its GameType says, among those of the server; the one given
// where it says nothing, or "from a position". Null where the server has none of that game.
export function rulesOf(game, sets, rules) {
  const type = gameType(game);
  if (!type || type === 99) return rules;
  const own = type === 97 ? 40 : type; // Frysk! is Frisian with five men a side
  return rules.game_type === own ? rules : sets.find(set => set.game_type === own) ?? null;
}

export const gameType = game => Number.parseInt(game.tags.GameType ?? '', 10);

export function startOf(game, rules) {
  if (game.tags.FEN) return game.tags.FEN;
  const side = rules.first_to_move === 'black' ? 'B' : 'W';
  return `${side}:${gameType(game) === 97 ? 'W46-50:B1-5' : rules.rows === 8 ? 'W21-32:B1-12' : 'W31-50:B1-20'}`;
}

// Steps of a game: {fen, data, san, move, thrown, best} for each ply; the first is the position it begins
// with. `ask` gives the server's answer of a FEN, `report` is told of each step. What stops the walk is
// the last step's `bad`: {n, move}.
export async function walk(game, rules, ask, report) {
  const steps = [{fen: startOf(game, rules), data: await ask(startOf(game, rules))}];
  for (const [i, words] of game.moves.entries()) {
    const before = steps.at(-1).data;
    const move = findMove(before.moves, words);
    if (!move) { steps.at(-1).bad = {n: i + 1, move: words}; break; }
    const lost = thrown(before, move);
    steps.push({fen: move.fen, data: await ask(move.fen), san: move.san, move, thrown: lost, best: lost && before.moves[0]});
    report(i + 1);
  }
  return steps;
}

// What a move gave away: {key, mark}, or null.
export function thrown(before, move) {
  const after = flipped[move.category];
  if (!after || !(before.category in worth) || worth[after] >= worth[before.category]) return null;
  return {key: `threw_${before.category}_${after}`, mark: after === 'draw' ? '?' : '??'};
}
