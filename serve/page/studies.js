// Studies: positions with moves of the user's own. A study has chapters, and each chapter is a tree, kept in
// localStorage under its id as PDN, which is read again by the server. `book` is the id of the study: that of its first
// chapter. A study is a PDN game per chapter, with the names as tags; a short one is in the URL fragment, too.
import {forget, recall, recalled, remember} from './browser.js';
import {shortFen, startOf} from './position.js';
import {writeTree} from './tree.js';

const maxAddress = 3000; // characters of PDN in a URL
const texts = new WeakMap();

// A tree as PDN, for studies only, so that an untouched position has a plain URL.
function studyText(rules, tree) {
  if (!tree.id) return '';
  if (!texts.has(tree)) texts.set(tree, writeTree(rules, tree, [], tree.result ?? '*'));
  return texts.get(tree);
}

// Ids begin with the time, so that the chapters of a study are in the order in which they were made.
export const newId = (later = 0) => `${(Date.now() + later).toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
const store = ({id, ...chapter}) => remember(`study ${id}`, JSON.stringify({...chapter, time: Date.now()}));

// Stores the tree of a chapter; false if the browser refuses, as its storage is full or denied.
export function keepStudy(rules, tree) {
  const text = studyText(rules, tree);
  const {id, book, name, nodes: [{fen}]} = tree;
  const kept = study(id);
  return !text || (kept?.text === text && kept.name === name) || store({id, book, name, rules: rules.rules, fen, text});
}

const chapterFrom = ([id, words]) => ({id, book: id, ...JSON.parse(words)});
export const study = id => id && recall(`study ${id}`) ? chapterFrom([id, recall(`study ${id}`)]) : null;
export const titleOf = book => recall(`title ${book}`) ?? study(book)?.name ?? '';
export const retitle = (book, title) => remember(`title ${book}`, title);
export const chaptersOf = book => recalled('study ').map(chapterFrom).filter(one => one.book === book).sort((one, other) => one.id < other.id ? -1 : 1);

export function forgetChapter({id, book}) {
  retitle(book, titleOf(book));
  forget(`study ${id}`);
  if (!chaptersOf(book).length) forget(`title ${book}`);
}

// The ids of all studies, that with the latest change first.
export const studies = () => [...new Set(recalled('study ').map(chapterFrom).sort((one, other) => other.time - one.time).map(one => one.book))];
export const withoutNames = text => text.replace(/^\[(StudyName|ChapterName) .*\n?/gm, '');

export function studyPdn(book, chapters) {
  const tag = (name, words) => `[${name} "${words.replaceAll('"', '’')}"]\n`;
  return chapters.map(({name, text}) => tag('StudyName', titleOf(book) || name) + tag('ChapterName', name) + withoutNames(text)).join('\n');
}

// The study of a tree with this chapter first; if that is too long, the chapter; or nothing.
export function fragmentOf(rules, tree) {
  const own = {...tree, text: studyText(rules, tree)};
  const others = tree.id ? chaptersOf(tree.book).filter(one => one.id !== tree.id) : [];
  return [[own, ...others], [own]].map(chapters => tree.id ? studyPdn(tree.book, chapters) : '').find(text => text.length <= maxAddress) ?? '';
}

export const playersOf = ({white, black}) => [white, black].filter(Boolean).join(' – ');

// Keeps the games of a text as chapters, those with the same study's name as one study; returns the chapters. `games` is
// the server's list. A game of another kind of draughts gets the first rule set of that kind.
export function keepGames(text, games, sets, rules, first = newId()) {
  const lines = text.split('\n');
  const books = new Map();
  return games.map(({white, black, game_type: type}, i) => {
    const own = lines.slice(i ? games[i].line - 1 : 0, games[i + 1] && games[i + 1].line - 1).join('\n');
    const tag = name => own.match(new RegExp(`^\\[${name} "(.*)"\\]`, 'm'))?.[1];
    const set = [rules, ...sets].find(one => !type || one.game_type === parseInt(type)) ?? rules;
    const id = i ? newId(i) : first;
    const title = tag('StudyName');
    if (!books.has(title)) books.set(title, id);
    const fen = tag('FEN') ?? startOf(set.rows);
    const chapter = {id, book: books.get(title), name: tag('ChapterName') ?? (playersOf({white, black}) || shortFen(fen)), rules: set.rules, fen, text: withoutNames(own)};
    store(chapter);
    if (title) retitle(chapter.book, title);
    return chapter;
  });
}
