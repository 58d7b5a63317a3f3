// A tree of moves, never changed but copied: {fen, nodes: [{fen, parent, children, san, path, …}],
// result}. Node 0 is the position it begins with; the first child is the main line. Nodes with
// `auto` are the line of the tables, the others a student's own moves.
export const plant = fen => ({nodes: [{fen, parent: null, children: [], ply: 0}], result: '*'});

const asNode = (move, parent, ply, auto) => ({fen: move.fen, san: move.san, path: move.path, captures: move.captures, parent,
  children: [], ply, auto, over: move.variant_loss});

const changed = (nodes, at, change) => nodes.map((node, i) => i === at ? {...node, ...change} : node);

// The tree with a move after `at`, and the move's node: [tree, node].
export function withMove(tree, at, move) {
  const known = tree.nodes[at].children.find(child => tree.nodes[child].fen === move.fen && tree.nodes[child].san === move.san);
  if (known !== undefined) return [{...tree, nodes: changed(tree.nodes, known, {auto: false})}, known];
  const node = tree.nodes.length;
  const nodes = changed(tree.nodes, at, {children: [...tree.nodes[at].children, node]});
  return [{...tree, nodes: [...nodes, asNode(move, at, tree.nodes[at].ply + 1, false)]}, node];
}

// The tree with the tables' line after a node that has no move yet.
export function withLine(tree, at, moves, result) {
  if (tree.nodes[at].children.length || !moves.length) return tree;
  const begin = tree.nodes.length;
  const nodes = changed(tree.nodes, at, {children: [begin]});
  moves.forEach((move, i) => {
    const node = asNode(move, i === 0 ? at : begin + i - 1, tree.nodes[at].ply + 1 + i, true);
    nodes.push(i + 1 < moves.length ? {...node, children: [begin + i + 1]} : node);
  });
  const main = wayTo(tree, at).every((node, i, way) => i === 0 || tree.nodes[way[i - 1]].children[0] === node);
  return {...tree, nodes, result: main ? result : tree.result};
}

// The nodes from the first to `at`.
export function wayTo(tree, at) {
  const way = [];
  for (let node = at; node !== null; node = tree.nodes[node].parent) way.unshift(node);
  return way;
}

// The next node on the way to `tip`, else on the main line; null at the end.
export function nextOf(tree, at, tip) {
  const way = wayTo(tree, tip);
  return (way.includes(at) ? way[way.indexOf(at) + 1] : undefined) ?? tree.nodes[at].children[0] ?? null;
}

// The last node on the way of nextOf.
export function endOf(tree, at, tip) {
  for (let node = at; ; ) {
    const next = nextOf(tree, node, tip);
    if (next === null) return node;
    node = next;
  }
}

// The moves in the order of a game record: {node, number, variations: [[…], …]} for each move of the
// line after `at`. `number` is "3." or, where a line begins with Black, "3…".
export function record(tree, at, black, begins = true) {
  const steps = [];
  for (let node = tree.nodes[at].children[0]; node !== undefined; node = tree.nodes[node].children[0])
    steps.push(step(tree, node, black, begins && !steps.length));
  return steps;
}

function step(tree, node, black, begins) {
  const {ply, parent} = tree.nodes[node];
  const half = ply - 1 + (black ? 1 : 0);
  const [first, ...others] = tree.nodes[parent].children;
  const variations = node !== first ? []
    : others.map(other => [step(tree, other, black, true), ...record(tree, other, black, false)]);
  const number = half % 2 === 0 ? `${half / 2 + 1}.` : begins ? `${(half + 1) / 2}…` : '';
  return {node, number, variations};
}

// A tree of moves as a game, with its variations.
export function writeTree(rules, tree) {
  const {fen} = tree.nodes[0];
  const tags = [`[GameType "${rules.game_type}"]`, '[SetUp "1"]', `[FEN "${fen}"]`, `[Result "${tree.result}"]`];
  const words = steps => steps.flatMap(({node, number, variations}) => [
    ...number ? [number.replace('…', '...')] : [], tree.nodes[node].san, ...variations.map(line => `(${words(line).join(' ')})`)]);
  return `${tags.join('\n')}\n\n${[...words(record(tree, 0, /^\s*b/i.test(fen))), tree.result].join(' ')}\n`;
}
