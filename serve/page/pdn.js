// PDN, read and written. Read: tags, numeric moves with - x or :, comments, NAGs, variations
// (passed over) and results; several games in one text.
import {findFen} from './position.js';
import {record} from './tree.js';

// [{tags: {…}, moves: ['32-28', …]}]
export function parseGames(source) {
  const games = [];
  let game = {tags: {}, moves: []};
  let depth = 0;
  const token = /\{[^}]*\}|;[^\n]*|\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|[()]|\$\d+|(\d{1,2}(?:\s*[-x:]\s*\d{1,2})+)(?![\d/-])|(\d-\d|1\/2-1\/2|\*)|\d+\.+|\S/g;
  const finish = () => {
    if (game.moves.length || game.tags.FEN) games.push(game);
    game = {tags: {}, moves: []};
    depth = 0;
  };
  for (const [whole, tag, value, move, result] of source.matchAll(token)) {
    if (tag) {
      if (game.moves.length) finish();
      game.tags[tag] = value;
    } else if (whole === '(') depth++;
    else if (whole === ')') depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (move && !isResult(move)) game.moves.push(move.replace(/\s/g, '').replace(/:/g, 'x'));
    else if (result || move) finish();
  }
  finish();
  if (!games.length && findFen(source)) games.push({tags: {FEN: findFen(source)}, moves: []});
  return games;
}

const isResult = move => ['2-0', '0-2', '1-1', '1-0', '0-1', '0-0'].includes(move.replace(/\s/g, ''));

const squaresOf = move => move.split(/[-x]/).map(Number);

// The legal move a text means, among those of the server; null when there is none or more than one.
export function findMove(moves, san) {
  const squares = squaresOf(san);
  const ends = moves.filter(move => move.path[0] === squares[0] && move.path.at(-1) === squares.at(-1));
  const on = ends.filter(move => squares.every(square => move.path.includes(square)));
  const list = squares.length > 2 ? on : ends;
  return list.length === 1 ? list[0] : list.find(move => move.san === san) ?? null;
}

// A tree of moves as a game, with its variations.
export function writeTree(rules, tree) {
  const {fen} = tree.nodes[0];
  const tags = [`[GameType "${rules.game_type}"]`, '[SetUp "1"]', `[FEN "${fen}"]`, `[Result "${tree.result}"]`];
  const words = steps => steps.flatMap(({node, number, variations}) => [
    ...number ? [number.replace('…', '...')] : [], tree.nodes[node].san, ...variations.map(line => `(${words(line).join(' ')})`)]);
  return `${tags.join('\n')}\n\n${[...words(record(tree, 0, /^\s*b/i.test(fen))), tree.result].join(' ')}\n`;
}
