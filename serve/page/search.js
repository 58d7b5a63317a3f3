// The search form and its results. The form's values are in the URL so that searches can be shared. Results
// are shown as diagrams. Prepared lists are shown in the same way.
import {address} from './browser.js';
import {api} from './api.js';
import {Board, boardLink, onePiece} from './board.js';
import {againButton, announce, copy, make, mount, sign, textButton} from './dom.js';
import {edited, folded, materialName, parseFen} from './position.js';
import {kinds, toolButton} from './study-view.js';
import {number, percent, text} from './texts.js';
import {distance, explained} from './verdict.js';

const pageLength = 50;
const chunk = 500;          // results that are fetched at once
const maxExhaustivePieces = 4; // of more pieces, placements are sampled
const defaultTries = '200000';

// Preset searches, with the second rule set that each compares against.
const presets = [
  ['preset_studies', {study: '1', moves: '2-', distance: '7-', quiet: '1'}], ['preset_longest', {outcome: 'win'}],
  ['preset_zugzwang', {zugzwang: 'full'}], ['preset_clock', {outcome: 'draw', differs_from: 'frisian-no18', instead_of: 'win'}], ['preset_run', {outcome: 'draw', differs_from: 'frisian-no17', instead_of: 'win'}]];

export class SearchView {
  constructor(host, app) {
    this.app = app;
    this.fields = new Map();
    const field = (name, element) => {
      this.fields.set(name, element);
      return make('label', {}, text(`search_${name}`), element);
    };
    const input = (name, type = 'text') => field(name, make('input', {type, name, autocomplete: 'off', spellcheck: 'false'}));
    const select = (name, options) => field(name, make('select', {name}, [['', text('any')], ...options].map(([value, words]) => make('option', {value}, words))));
    const condition = ({name, flag, words}) => words ? select(name, words.map(word => [word, wordOf(name, word)])) : input(name, flag ? 'checkbox' : 'text');
    const conditions = usual => app.conditions.filter(one => one.usual === usual).map(condition);
    const material = input('material');
    this.materials = make('datalist', {id: 'materials'});
    this.fields.get('material').setAttribute('list', 'materials');
    this.presets = make('div.bar.presets', {role: 'group', 'aria-label': text('presets')});
    const form = make('form.card.search', {onsubmit: event => { event.preventDefault(); this.#submit(); }},
      make('h1', {}, text('search_title')), make('p.soft.small', {}, text('search_hint')), material, this.materials, this.presets, this.lists = make('div.bar.presets', {role: 'group', 'aria-label': text('prepared')}),
      conditions(true), make('details', {}, make('summary', {}, text('search_more')), make('div.search', {}, conditions(false),
        select('differs_from', app.sets.filter(set => set.rows === app.rules.rows).map(set => [set.rules, text(set.rules)])), input('tries'), input('seed'))), this.given = make('details.given', {}, make('summary', {}, text('on_board')), make('p.small.soft', {}, text('on_board_how'))),
      make('button.main', {type: 'submit'}, text('nav_search')));
    this.details = form.querySelector('details');
    this.tools = make('div.tray', {role: 'group', 'aria-label': text('tray')});
    this.board = new Board(this.given, {onSquare: square => this.#put(square), onDrop: (from, to) => to === null && this.#put(from)});
    this.given.append(this.tools);
    this.fields.get('on').addEventListener('input', () => this.choose(this.tool));
    this.choose(kinds[0]);
    this.result = make('div.card', {hidden: true});
    host.append(make('div.two', {}, make('div.stack', {}, form), make('div.stack', {}, this.result)));
  }

  close() { stopSearch(this); }

  // The board shows the field `on`: pieces that must be there, and crosses where none may be.
  choose(tool) {
    this.tool = tool;
    const on = [...this.fields.get('on').value.matchAll(/([WBE])(K?)(\d+)/g)].map(([, side, king, square]) => [Number(square), side !== 'E' && {side: side === 'W' ? 'white' : 'black', king: king !== ''}]);
    const crosses = on.filter(([, piece]) => !piece).map(([square]) => [square, {kind: 'loss', text: '×', label: text('must_be_empty')}]);
    this.board.show({rows: this.app.rules.rows, pieces: new Map(on.filter(([, piece]) => piece)), map: crosses.length ? new Map(crosses) : null});
    mount(this.tools, kinds.map(piece => toolButton(this, this, piece, onePiece(piece))), toolButton(this, this, 'must_be_empty', sign('remove')));
  }

  #put(square) {
    const field = this.fields.get('on');
    const piece = this.tool.side && edited({pieces: new Map([[square, {...this.tool}]])}, this.app.rules).pieces.get(square);
    const own = `${piece ? piece.side[0].toUpperCase() + (piece.king ? 'K' : '') : 'E'}${square}`;
    const words = field.value.split(',').filter(Boolean);
    field.value = [...words.filter(word => word.replace(/\D/g, '') !== String(square)), ...words.includes(own) ? [] : [own]].join(',');
    this.choose(this.tool);
  }

  #submit(preset = null) {
    const query = {};
    for (const [name, element] of this.fields) {
      const own = element.type === 'checkbox' ? (element.checked ? '1' : '') : element.value.trim();
      const value = preset && name !== 'material' && name !== 'seed' ? preset[name] : own;
      if (value) query[name] = name === 'material' ? value.split(',').map(materialName).join(',') : value;
    }
    if (!query.material) {
      this.#tell(make('p.error', {role: 'alert'}, text('search_no_material')));
      this.fields.get('material').focus();
      return;
    }
    if (query.material.split(',').some(name => name.length - 1 > maxExhaustivePieces)) {
      query.tries ??= defaultTries;
      query.seed ??= '1';
    }
    this.app.go('/search', query);
  }

  #tell(...words) {
    this.result.hidden = false;
    mount(this.result, ...words);
  }

  async show(args, saved) {
    const {rules} = this.app.rules;
    document.title = `${text('search_title')} · einspul`;
    for (const [name, element] of this.fields)
      if (element.type === 'checkbox') element.checked = args[name] === '1';
      else element.value = args[name] ?? '';
    this.given.open = Boolean(args.on);
    this.choose(this.tool);
    this.details.open = [...this.details.querySelectorAll('[name]')].some(element => element.name !== 'seed' && args[element.name]);
    const others = this.app.sets.map(set => set.rules);
    mount(this.presets, presets.filter(([, {differs_from}]) => !differs_from || (rules === 'frisian' && others.includes(differs_from)))
      .map(([key, preset]) => make('button', {type: 'button', 'data-key': key, onclick: () => this.#submit(preset)}, text(key))));
    this.close();
    this.result.hidden = true;
    const query = {limit: args.sample ? '' : chunk, ...serverQuery(args)};
    if (args.list) this.#ask(args, saved, (signal, from) => api.list(rules, args.list, from, chunk, signal));
    else if (args.material) this.#ask(args, saved, signal => api.find(rules, query, signal), () => api.progress(rules, query));
    const [{lists}, {materials}] = await Promise.all([api.lists(rules).catch(() => ({lists: []})), api.tables(rules).catch(() => ({materials: []}))]);
    mount(this.materials, materials.map(one => make('option', {value: one.material})));
    mount(this.lists, lists.length > 0 && make('span.small', {}, text('prepared')), lists.map(list =>
      make('a.button', {href: address('/search', {rules, list}), 'aria-current': list === args.list ? 'true' : null}, list)));
  }

  async #ask(args, saved, call, progress) {
    const shown = saved?.shown ?? pageLength;
    const answer = await watched(this, signal => this.#fetch(args, shown, from => call(signal, from)), progress, words => this.#tell(words), () => this.app.replace('/search', args));
    if (answer) this.#draw(answer, args, shown, call);
  }

  // The results; of a list, as many as are shown.
  async #fetch(args, shown, call) {
    const answer = await call(0);
    const {rows} = this.app.rules;
    let {positions} = answer;
    while (args.list && positions.length < answer.found && folded(positions, rows).length < shown) positions = [...positions, ...(await call(positions.length)).positions];
    return {...answer, positions, own: folded(positions, rows)};
  }

  // Renders the first `shown` results; a list fetches further pages as needed.
  #draw(data, args, shown, call) {
    const {rows} = this.app.rules;
    const all = data.looked_at && number(data.looked_at);
    const summary = args.list ? `${args.list} (${number(data.found)})` : text('search_found', {n: number(data.found), all});
    const row = ({fen, category, dtw, instead_of: instead}, i) => make('li', {}, boardLink(data.rules, fen, rows), make('span.small', {}, make('b.place', {}, `${i + 1}. `), make(`span.side-mark.${parseFen(fen).side}`, {role: 'img', 'aria-label': text('to_move', {side: text(parseFen(fen).side)})}),
      make(`span.${category}-ink.answer`, {}, `${text(category)}${dtw === null ? '' : ` · ${distance(Math.abs(dtw))}`}`),
      instead ? make('span.soft', {}, ` · ${args.differs_from ? `${text(args.differs_from)}: ` : ''}${text(instead)}`) : ''), make('code.small.fen', {}, fen));
    const own = data.own.slice(0, shown);
    const mirrored = data.positions.length - data.own.length;
    const pdnOf = ({fen}, i) => `[Event "${i + 1}"]\n[GameType "${this.app.rules.game_type}"]\n[SetUp "1"]\n[FEN "${fen}"]\n[Result "*"]\n\n*\n`;
    const button = (key, onclick) => textButton(key, event => onclick(event.currentTarget), {'data-of': shown});
    const left = (args.list ? data.found - mirrored : data.own.length) - shown;
    const further = async () => {
      this.#draw(await this.#fetch(args, shown + pageLength, from => call(undefined, from)).catch(() => data), args, shown + pageLength, call);
      this.app.keep({shown: shown + pageLength});
    };
    this.#tell(make('h2', {}, summary),
      args.tries && make('p.small.soft', {}, text('tried', {seed: args.seed ?? 1}), ' ', make('a', {href: address('/search', {...args, rules: data.rules, seed: Number(args.seed ?? 1) + 1})}, text('other_seed'))),
      data.found > 0 && !args.list && make('p', {}, make('a.button', {href: address('/train', {...args, rules: data.rules})}, text('train_these'))),
      mirrored > 0 && make('p.small.soft', {}, text('mirrored', {n: number(mirrored)})), data.positions.some(one => one.category !== 'draw' && one.dtw === null) && make('p.small.soft', {}, text('any_order')),
      own.length > 0 && make('div.bar.material', {}, button('copy_fens', pressed => copy(`${own.map(one => one.fen).join('\n')}\n`, pressed)),
        button('copy_pdns', pressed => copy(own.map(pdnOf).join('\n'), pressed)), button('print', () => print()), button('print_answers', () => { this.result.classList.add('answers'); print(); this.result.classList.remove('answers'); })), make('ol.found', {'data-of': data.rules}, own.map(row)),
      left > 0 && make('p', {}, make('button', {type: 'button', 'data-key': 'next', 'data-of': shown, onclick: further}, text('search_next', {n: Math.min(pageLength, left)}))),
      left <= 0 && data.positions.length < data.found && make('p.soft.small', {}, text('search_shown', {n: data.positions.length})));
    announce(summary);
    if (shown === pageLength && innerWidth < 860) this.result.scrollIntoView();
  }
}

// Ends the search of a view, also on the server.
export function stopSearch(view) {
  view.stop?.abort();
  view.stop = null;
}

// Waits for the search of a view, and shows its progress and a button to stop it. Returns null if it failed, which is
// shown with a button for `again`, or if the view has begun another one.
export async function watched(view, search, progress, show, again) {
  stopSearch(view);
  const stop = view.stop = new AbortController();
  const begun = Date.now();
  const tell = ({share} = {}) => view.stop === stop && show([make('p.soft', {role: 'status'}, text('searching')), make('progress', {'aria-label': text('searching'), value: share || null}),
    make('p.small.soft', {}, text('seconds', {n: Math.round((Date.now() - begun) / 1000)}), share > 0 && ` · ${percent(share)}`), textButton('stop', () => stop.abort())]);
  show(make('p.soft', {role: 'status'}, text('loading')));
  const clock = setInterval(() => Promise.resolve(progress?.()).then(tell, () => tell()), 1000);
  const answer = await search(stop.signal).catch(error => ({error}));
  clearInterval(clock);
  if (view.stop !== stop) return null;
  view.stop = null;
  const {error} = answer;
  if (error) show([make('p.error', {role: 'alert'}, error.name === 'AbortError' ? text('search_stopped') : explained(error)), error.status !== 400 && againButton(again)]);
  return error ? null : answer;
}

// The label of a condition's word: a text for this condition, or the general one.
const wordOf = (name, word) => text(text(`${name}_${word}`) === `${name}_${word}` ? word : `${name}_${word}`);

// The URL arguments to pass on to the server.
const serverQuery = ({rules, list, embed, ...query}) => query;
