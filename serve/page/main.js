// The frame of the page: which view an address means, rule set, language, light and dark.
import * as api from './api.js';
import {make} from './dom.js';
import {GameView} from './game.js';
import {HelpView} from './help.js';
import {MaterialView, MaterialsView} from './material.js';
import {SearchView} from './search.js';
import {PositionView} from './study.js';
import {language, languages, setLanguage, text} from './texts.js';

const views = {'/': PositionView, '/game': GameView, '/materials': MaterialsView, '/material': MaterialView, '/search': SearchView, '/help': HelpView};
const examples = {10: 'W:W28,K46:BK43', 8: 'W:WK28,K32:BK3'};
const main = document.getElementById('main');
const app = {sets: [], rules: null, view: null, lastFen: null, go, replace, example: () => examples[app.rules.rows]};

// A plus in an address is a plus here, as king runs are written with it.
function readAddress() {
  const args = {};
  for (const part of location.search.slice(1).split('&')) {
    const [name, value = ''] = part.split('=');
    try { args[decodeURIComponent(name)] = decodeURIComponent(value); } catch { /* not ours */ }
  }
  return {path: location.pathname, args};
}

export function address(path, args) {
  const query = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2B/g, '+')}`);
  return query.length ? `${path}?${query.join('&')}` : path;
}

function go(path, args = {}, state = null) {
  history.pushState(state, '', address(path, {rules: app.rules.rules, ...args}));
  render();
}

function replace(path, args = {}, state = null) {
  history.replaceState(state, '', address(path, {rules: app.rules.rules, ...args}));
  render();
}

function render() {
  const {path, args} = readAddress();
  const View = views[path] ?? PositionView;
  app.rules = app.sets.find(set => set.rules === args.rules) ?? app.rules ?? app.sets[0];
  document.getElementById('rules').value = app.rules.rules;
  const key = `${language()} ${path}`;
  if (app.key !== key) {
    app.view?.close?.();
    main.replaceChildren();
    app.view = new View(main, app);
    app.key = key;
  }
  for (const link of document.querySelectorAll('nav a, .brand')) {
    const own = link.dataset.view === 'position' ? '/' : `/${link.dataset.view}`;
    const here = path === own || (path === '/material' && own === '/materials');
    if (here && link.closest('nav')) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    link.href = address(own, {rules: app.rules.rules, fen: own === '/' ? app.lastFen ?? undefined : undefined});
  }
  app.view.show(args, history.state);
}

function setTexts() {
  document.documentElement.lang = language();
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = text(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', text(element.dataset.label));
  const select = document.getElementById('rules');
  select.replaceChildren(...app.sets.map(set => make('option', {value: set.rules}, text(set.rules))));
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function listen() {
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="/"]');
    if (!link || link.target || link.origin !== location.origin || event.ctrlKey || event.metaKey || event.shiftKey || !(link.pathname in views)) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    render();
    window.scrollTo(0, 0);
  });
  addEventListener('popstate', render);
  document.getElementById('rules').addEventListener('change', event => {
    const {path, args} = readAddress();
    const {rows} = app.rules;
    app.rules = app.sets.find(set => set.rules === event.target.value);
    if (app.rules.rows !== rows) app.lastFen = delete args.fen && null; // another board
    go(path, {...args, rules: app.rules.rules});
  });
  const languageSelect = document.getElementById('language');
  languageSelect.append(...Object.entries(languages).map(([tag, texts]) => make('option', {value: tag, lang: tag}, texts.name)));
  languageSelect.value = language();
  languageSelect.addEventListener('change', () => { setLanguage(languageSelect.value); setTexts(); render(); });
  document.getElementById('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem('theme', theme);
    setTheme(theme);
  });
}

async function start() {
  setTheme(localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  try {
    app.sets = (await api.ruleSets()).rule_sets;
  } catch (error) {
    main.replaceChildren(make('p.error', {}, text('failed', {error: error.message})));
    return;
  }
  app.rules = app.sets[0];
  setTexts();
  listen();
  render();
}

start();
