// An immutable tree of moves: {nodes, tags}. Node 0 is the start position; the
// first child of a node is the main line. A node is a move with the position after it: {fen, san, path,
// captures, category, parent, children, ply, comment, thrown, best}. `auto` marks table moves that were
// only stepped through; the user's own move replaces them.
import {recallHere, rememberHere} from './browser.js';
import {thrown} from './verdict.js';

export const plant = fen => ({tags: null, nodes: [{fen, parent: null, children: [], ply: 0}]});
export const withNode = (tree, at, change) => ({...tree, nodes: tree.nodes.map((node, i) => i === at ? {...node, ...change} : node)});

// The tree with a move after `at`, and the move's node: [tree, node].
export function withMove(tree, at, {fen, san, path, captures, category, variant_loss: over}, more = {}) {
  const {nodes} = tree;
  const known = nodes[at].children.find(child => nodes[child].fen === fen && nodes[child].san === san);
  if (known !== undefined) return [more.auto ? tree : withUserMoves(tree, known), known];
  const children = more.auto ? nodes[at].children : nodes[at].children.filter(child => !nodes[child].auto);
  const side = /^w/i.test(fen) ? 'white' : 'black';
  const node = {fen, san, path, captures, category, side, over, parent: at, children: [], ply: nodes[at].ply + 1, ...more};
  const grown = withNode(tree, at, {children: [...children, nodes.length]});
  const grownTree = {...grown, nodes: [...grown.nodes, node]};
  return [more.auto ? grownTree : withUserMoves(grownTree, at), nodes.length];
}

// Marks all moves up to a node as the user's own.
const withUserMoves = (tree, at) => wayTo(tree, at).reduce((grown, node) => grown.nodes[node].auto ? withNode(grown, node, {auto: false}) : grown, tree);

// The tree without a move and all that follows it.
export const withoutNode = (tree, at, {parent} = tree.nodes[at]) => withNode(tree, parent, {children: tree.nodes[parent].children.filter(child => child !== at)});

// The tree whose main line leads to a node.
export const promoted = (tree, at) => wayTo(tree, at).slice(1).reduce((grown, node) => {
  const {parent} = grown.nodes[node];
  return withNode(grown, parent, {children: [node, ...grown.nodes[parent].children.filter(child => child !== node)]});
}, tree);

// The nodes from the first to `at`.
function wayTo(tree, at) {
  const way = [];
  for (let node = at; node !== null; node = tree.nodes[node].parent) way.push(node);
  return way.reverse();
}

export function mainLine(tree, from = 0) {
  const line = [];
  for (let node = from; node !== undefined; node = tree.nodes[node].children[0]) line.push(node);
  return line;
}

export const isMain = (tree, at) => wayTo(tree, at).every((node, i, way) => i === 0 || tree.nodes[way[i - 1]].children[0] === node);

// The moves in the order of a game record: {node, number, variations: [[…], …]} for each move of the line
// after `at`. `number` is "3.", or "3…" if a line starts with Black's move.
export function record(tree, at, black, begins = true) {
  return mainLine(tree, at).slice(1).map(node => {
    const one = step(tree, node, black, begins);
    begins = one.variations.length > 0 || Boolean(tree.nodes[node].comment);
    return one;
  });
}

function step(tree, node, black, begins) {
  const {ply, parent} = tree.nodes[node];
  const half = ply - 1 + (black ? 1 : 0);
  const [first, ...others] = tree.nodes[parent].children;
  const variations = node !== first ? [] : others.map(other => [step(tree, other, black, true), ...record(tree, other, black, Boolean(tree.nodes[other].comment))]);
  const number = half % 2 === 0 ? `${half / 2 + 1}.` : begins ? `${(half + 1) / 2}…` : '';
  return {node, number, variations};
}

export const startsBlack = tree => /^\s*b/i.test(tree.nodes[0].fen);
const nags = {'?': '$2', '??': '$4'};

// The tree of a game from the server's answer (`tree`), with the values of the main line.
export function treeOf({tree: nodes, steps, tags, result}) {
  const tidy = list => list?.map(words => words.replace(/\s+/g, ' ').trim()).filter(Boolean).join(' ') ?? '';
  const tree = {tags, result, nodes: nodes.map(node => ({...node, san: node.san ?? node.text, comment: tidy(node.comments), before: tidy(node.before), unread: tidy(node.unread), children: []}))};
  tree.nodes.forEach((node, at) => {
    const before = tree.nodes[node.parent];
    if (before) before.children.push(at);
    node.ply = before ? before.ply + 1 : 0;
  });
  mainLine(tree).forEach((at, i) => {
    const {category, dtw, nag, best} = steps[i];
    const lost = nag ? thrown(steps[i - 1], steps[i]) : null;
    Object.assign(tree.nodes[at], {category, dtw}, lost ? {thrown: lost, best} : {});
  });
  return tree;
}

// A tree as a game in PDN, then the tables' line, which `ahead` has. A line repeats no number, which pydraughts misreads.
export function writeTree(rules, tree, ahead, result) {
  const {fen, comment, unread: rest = ''} = tree.nodes[0];
  const tags = tree.tags || `[GameType "${rules.game_type}"]\n[SetUp "1"]\n[FEN "${fen}"]\n[Result "${result}"]`;
  const said = words => words ? [`{${words.replace(/[{}]/g, '')}}`] : [];
  const words = (grown, steps) => steps.flatMap(({node, number, variations}, i) => {
    const {san, thrown, marks = [], comment: remark, before, unread} = grown.nodes[node];
    const own = thrown && !marks.includes(nags[thrown.mark]) ? [nags[thrown.mark]] : [];
    const [signs, codes] = [marks.filter(mark => !/^\$/.test(mark)), [...marks, ...own].filter(mark => /^\$/.test(mark))];
    return [...said(before), ...number && (i === 0 || !number.endsWith('…')) ? [number.replace('…', '...')] : [], san + signs.join(''), ...codes, ...said(remark), ...variations.map(line => `(${words(grown, line).join(' ')})`), ...unread ? [unread] : []];
  });
  let [whole, at] = [tree, mainLine(tree).at(-1)];
  for (const move of ahead) [whole, at] = withMove(whole, at, move);
  const text = [...said(comment), ...rest ? [rest] : [], ...words(whole, record(whole, 0, startsBlack(tree))), result].join(' ');
  return `${tags.trim()}\n\n${text.replace(/(.{1,79})(?: |$)/g, '$1\n')}`;
}

// Trees have a number, which is in the history entry; the current tree is saved when
// the page unloads, so that it survives a reload.
const trees = new Map();
const numbers = new WeakMap();

export function keepTree(tree) {
  const number = numbers.get(tree) ?? `${Date.now()}-${trees.size}`;
  numbers.set(tree, number);
  trees.delete(number); // the latest one comes last
  trees.set(number, tree);
  return number;
}

addEventListener('pagehide', () => {
  const number = history.state?.tree;
  if (trees.has(number)) rememberHere('tree', JSON.stringify({number, tree: trees.get(number)}));
});

// False for a node that was deleted.
const isIn = (tree, at) => wayTo(tree, at).every((node, i, way) => i === 0 || tree.nodes[way[i - 1]].children.includes(node));

// The latest tree under a rule set, or that of a chapter, that has a position: {tree, at}; or null.
export function treeWith(rules, fen, id) {
  for (const tree of [...trees.values()].reverse()) {
    const at = tree.rules === rules && (!id || tree.id === id) ? tree.nodes.findLastIndex((node, i) => node.fen === fen && isIn(tree, i)) : -1;
    if (at >= 0) return {tree, at};
  }
  return null;
}

export function keptTree(number) {
  if (trees.has(number)) return trees.get(number);
  const {number: last, tree} = JSON.parse(recallHere('tree') ?? '{}');
  return last === number ? tree : null;
}
