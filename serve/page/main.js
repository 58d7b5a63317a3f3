// Application shell: routing, rule set, language, colour scheme.
import {address, base, readAddress, recall, remember} from './browser.js';
import {api} from './api.js';
import {againButton, make, mount, sign} from './dom.js';
import {GameView} from './game.js';
import {MaterialView, MaterialsView} from './material.js';
import {SearchView} from './search.js';
import {PositionView} from './study.js';
import {TrainView} from './train.js';
import {HelpView, WelcomeView} from './welcome.js';
import {language, languages, setLanguage, text} from './texts.js';
import {explained} from './verdict.js';
import {words} from './words.js';

const views = {'/': PositionView, '/game': GameView, '/materials': MaterialsView, '/material': MaterialView, '/search': SearchView, '/train': TrainView, '/help': HelpView};
const examples = {10: 'W:W28,K46:BK43', 8: 'W:WK28,K32:BK3'};
const main = document.getElementById('main');
const root = document.documentElement.dataset;
const {embed, hide} = readAddress().args;
const embedded = embed !== undefined;

// Services passed to the views. `canUndo` is true if Back stays in the same view.
const app = {sets: [], conditions: [], rules: null, lastFen: null, embedded, go, replace, keep, open, example: () => examples[app.rules.rows], canUndo: () => history.state?.from === readAddress().path};

// An embedded page does not add history entries to its host.
function go(path, args = {}, state = null, fragment = '') {
  if (embedded) { replace(path, args, state, fragment); return; }
  push(addressOf(path, args, fragment), state);
  render();
}

// Links keep the `embed` argument.
const addressOf = (path, args, fragment) => address(path, {rules: app.rules.rules, ...args, embed, hide}, fragment);
function push(href, state = null) { history.pushState({...state, from: readAddress().path}, '', href); }

function replace(path, args = {}, state = null, fragment = '') {
  history.replaceState(withOrigin(state), '', addressOf(path, args, fragment));
  render();
}

function keep(state) { history.replaceState(withOrigin(state), '', location.href); }

// Shows the games of a file, in UTF-8 or an older encoding, or the position of its proofs.
async function open(file) {
  const bytes = await file.arrayBuffer();
  let words;
  try { words = new TextDecoder('utf-8', {fatal: true}).decode(bytes); } catch { words = new TextDecoder('windows-1252').decode(bytes); }
  const [, rules] = /^einspul proof .*?\t([\w-]+)\t/.exec(words) ?? [];
  if (rules) await api.proof(rules, words).then(({proofs: [{fen}]}) => go('/', {rules, fen}), fail);
  else go('/game', {}, null, words.trim());
}

// The next view is drawn anew.
const fail = problem => { app.key = null; mount(main, make('p.error', {role: 'alert'}, explained(problem)), againButton(() => location.reload())); };
const withOrigin = state => ({...state, from: history.state?.from});

function render() {
  const {path, args, fragment} = readAddress();
  const welcome = path === '/' && args.fen === undefined && !embedded;
  const View = welcome ? WelcomeView : views[path] ?? PositionView;
  const named = app.sets.find(set => set.rules === args.rules);
  if (args.rules && !named) { refuse(path, args, fragment); return; }
  app.rules = named ?? app.rules ?? app.sets[0];
  document.getElementById('rules').value = app.rules.rules;
  const key = `${language()} ${path} ${welcome}`;
  if (app.key !== key) {
    app.view?.close?.();
    main.replaceChildren();
    main.className = `view-${welcome ? 'welcome' : path.slice(1) || 'position'}`;
    app.view = new View(main, app);
    app.key = key;
  }
  for (const link of document.querySelectorAll('nav a, .brand')) {
    const own = link.dataset.view === 'position' ? '/' : `/${link.dataset.view}`;
    const here = !welcome && (path === own || (path === '/material' && own === '/materials'));
    if (here && link.closest('nav')) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    link.href = address(own, {rules: app.rules.rules, fen: own === '/' && link.closest('nav') ? app.lastFen ?? app.example() : undefined});
  }
  app.view.show(args, history.state, fragment);
}

// Shown when the URL names a rule set without tables: links to the same URL under the available rule sets.
function refuse(path, args, fragment) {
  app.view?.close?.();
  app.key = null;
  document.title = 'einspul';
  main.className = 'view-refused';
  document.getElementById('rules').value = '';
  mount(main, make('section.card', {}, make('h1', {}, text('no_answer')), make('p', {role: 'alert'}, text('no_rules', {rules: text(args.rules)})),
    make('ul.names', {}, app.sets.map(set => make('li', {}, make('a.button', {href: address(path, {...args, rules: set.rules}, fragment)}, text(set.rules)))))));
}

function setTexts() {
  document.documentElement.lang = language();
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = text(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', text(element.dataset.label));
    element.title = text(element.dataset.label);
  }
  document.getElementById('rules').replaceChildren(...app.sets.map(set => make('option', {value: set.rules}, text(set.rules))));
}

function listen() {
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="/"]');
    if (!link || link.target || link.origin !== location.origin || event.ctrlKey || event.metaKey || event.shiftKey || !(link.pathname.replace(base(), '/') in views)) return;
    if (embedded) { link.target = '_blank'; return; } // a page of its own
    event.preventDefault();
    push(link.href);
    render();
    window.scrollTo(0, 0);
  });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
  });
  addEventListener('popstate', render);
  document.getElementById('rules').addEventListener('change', event => {
    const {path, args, fragment} = readAddress();
    const {rows} = app.rules;
    app.rules = app.sets.find(set => set.rules === event.target.value);
    if (app.rules.rows !== rows) { // another board
      app.lastFen = null;
      if (args.fen) args.fen = path === '/' ? app.example() : undefined;
    }
    go(path, {...args, study: undefined, rules: app.rules.rules}, null, path === '/' ? '' : fragment); // a study is one under its rules
  });
  const languageSelect = document.getElementById('language');
  languageSelect.append(...languages.map((tag, i) => make('option', {value: tag, lang: tag}, words.name[i])));
  languageSelect.value = language();
  languageSelect.addEventListener('change', () => { setLanguage(languageSelect.value); setTexts(); render(); });
  document.getElementById('theme').addEventListener('click', () => {
    root.theme = root.theme === 'dark' ? 'light' : 'dark';
    remember('theme', root.theme);
  });
}

async function start() {
  root.theme = recall('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  document.documentElement.toggleAttribute('data-embed', embedded);
  for (const link of document.querySelectorAll('nav a')) link.prepend(sign(link.dataset.view));
  for (const name of ['settings', 'theme']) document.getElementById(name).append(sign(name));
  const {path, args: {rules, fen}} = readAddress();
  try {
    if (path === '/' && rules && fen) api.prefetch(rules, fen);
    ({rule_sets: app.sets, conditions: app.conditions} = await api.ruleSets());
  } catch (error) {
    fail(error);
    return;
  }
  app.rules = app.sets[0];
  setTexts();
  listen();
  render();
}

start();
