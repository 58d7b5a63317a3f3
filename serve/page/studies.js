// Studies: trees with moves of the user's own. Each is kept in localStorage under an id and a name as PDN, which
// is read again by the server; a short one is in the URL fragment, too.
import {forget, recall, recalled, remember} from './browser.js';
import {writeTree} from './tree.js';

const maxAddress = 3000; // characters of PDN in a URL
const texts = new WeakMap();

// A tree as PDN, for studies only, so that an untouched position has a plain URL.
function studyText(rules, tree) {
  if (!tree.id) return '';
  if (!texts.has(tree)) texts.set(tree, writeTree(rules, tree, [], tree.result ?? '*'));
  return texts.get(tree);
}

export function fragmentOf(rules, tree) {
  const text = studyText(rules, tree);
  return text.length <= maxAddress ? text : '';
}

export const newId = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

// Stores the tree of a study; false if the browser refuses, as its storage is full or denied.
export function keepStudy(rules, tree) {
  const text = studyText(rules, tree);
  const {id, name, nodes: [{fen}]} = tree;
  const kept = study(id);
  return !text || (kept?.text === text && kept.name === name) || remember(`study ${id}`, JSON.stringify({name, rules: rules.rules, fen, text, time: Date.now()}));
}

export const study = id => id ? JSON.parse(recall(`study ${id}`) ?? 'null') : null;

export const forgetStudy = id => forget(`study ${id}`);

// All studies, the latest first.
export const studies = () => recalled('study ').map(([id, text]) => ({id, ...JSON.parse(text)})).sort((one, other) => other.time - one.time);
