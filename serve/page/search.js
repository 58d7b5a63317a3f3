// The search form and its results. What has been filled in stands in the address, so that a search can
// be shared; results are small boards.
import {address} from './address.js';
import * as api from './api.js';
import {smallBoard} from './board.js';
import {announce, make, mount} from './dom.js';
import {picker} from './picker.js';
import {materialName, parseFen} from './position.js';
import {explained} from './said.js';
import {number, text} from './texts.js';
import {plies} from './verdict.js';

const flags = ['only_move', 'quiet', 'shortest'];
const page = 50;

// Searches that people come for, and the rule set each needs beside the one in use.
const presets = [
  ['preset_studies', {outcome: 'win', only_move: '1', moves: '5-', quiet: '1'}],
  ['preset_longest', {outcome: 'win'}],
  ['preset_zugzwang', {zugzwang: 'full'}],
  ['preset_clock', {outcome: 'draw', differs_from: 'frisian-no18', instead_of: 'win'}],
  ['preset_run', {outcome: 'draw', differs_from: 'frisian-no17', instead_of: 'win'}],
];

export class SearchView {
  constructor(host, app) {
    this.app = app;
    this.fields = new Map();
    const field = (name, label, element) => {
      this.fields.set(name, element);
      return make('label', {}, label, element);
    };
    const input = name => field(name, text(`search_${name}`), make('input', {type: 'text', name, autocomplete: 'off', spellcheck: 'false'}));
    const flag = name => field(name, text(`search_${name}`), make('input', {type: 'checkbox', name}));
    const select = (name, label, options) => field(name, text(label), make('select', {name}, options.map(([value, words]) => make('option', {value}, words))));
    const any = ['', text('any')];
    const outcomes = ['win', 'draw', 'loss'].map(kind => [kind, text(kind)]);
    const material = input('material');
    this.picker = picker(this.fields.get('material'));
    this.presets = make('div.bar.presets', {role: 'group', 'aria-label': text('presets')});
    const form = make('form.card.search', {onsubmit: event => { event.preventDefault(); this.#submit(); }},
      make('h1', {}, text('search_title')), make('p.soft.small', {}, text('search_hint')), this.picker.host, material, this.presets,
      select('outcome', 'search_outcome', [any, ...outcomes]), select('side', 'side_to_move', [any, ['white', text('white')], ['black', text('black')]]),
      input('distance'), input('moves'), flag('only_move'), flag('quiet'), flag('shortest'), make('details', {}, make('summary', {}, text('search_more')), make('div.search', {},
        input('on'), select('zugzwang', 'search_zugzwang', [any, ...['full', 'half', 'any'].map(kind => [kind, text(`zugzwang_${kind}`)])]),
        select('depends_on', 'search_depends_on', [any, ...['run', 'clock'].map(kind => [kind, text(`depends_${kind}`)])]),
        select('differs_from', 'search_differs_from', [any, ...app.sets.filter(set => set.rows === app.rules.rows).map(set => [set.rules, text(set.rules)])]),
        select('instead_of', 'search_instead_of', [any, ...outcomes]), input('sample'), input('seed'))),
      make('button.main', {type: 'submit'}, text('search_go')));
    this.details = form.querySelector('details');
    this.result = make('div.card', {hidden: true});
    host.append(make('div.two', {}, make('div.stack', {}, form), make('div.stack', {}, this.result)));
  }

  close() {
    this.stop?.abort();
    clearInterval(this.clock);
  }

  #submit(more = {}) {
    const query = {};
    for (const [name, element] of this.fields) {
      const value = more.preset ? more.preset[name] ?? (name === 'material' ? element.value.trim() : '')
        : flags.includes(name) ? (element.checked ? '1' : '') : element.value.trim();
      if (value) query[name] = name === 'material' ? value.split(',').map(materialName).join(',') : value;
    }
    if (query.material) { this.app.go('/search', query); return; }
    this.result.hidden = false;
    mount(this.result, make('p.error', {role: 'alert'}, text('search_no_material')));
    this.fields.get('material').focus();
  }

  async show(args) {
    document.title = `${text('search_title')} · einspul`;
    for (const [name, element] of this.fields)
      if (flags.includes(name)) element.checked = args[name] === '1';
      else element.value = args[name] ?? '';
    this.picker.draw();
    this.details.open = ['on', 'zugzwang', 'depends_on', 'differs_from', 'sample'].some(name => args[name]);
    const others = this.app.sets.map(set => set.rules);
    mount(this.presets, presets.filter(([, {differs_from}]) => !differs_from || (this.app.rules.rules === 'frisian' && others.includes(differs_from)))
      .map(([key, preset]) => make('button', {type: 'button', 'data-key': key, onclick: () => this.#submit({preset})}, text(key))));
    this.close();
    this.result.hidden = !args.material;
    if (args.material) this.#search(args);
  }

  // Asks, says how long it has taken so far, and can be stopped: the server then stops, too.
  async #search({rules, ...query}) {
    const stop = this.stop = new AbortController();
    const begun = Date.now();
    const tell = () => mount(this.result, make('p.soft', {role: 'status'}, text('searching')), make('progress', {'aria-label': text('searching')}),
      make('p.small.soft', {}, text('seconds', {n: Math.round((Date.now() - begun) / 1000)})),
      make('button', {type: 'button', 'data-key': 'stop', onclick: () => stop.abort()}, text('cancel')));
    tell();
    this.clock = setInterval(tell, 1000);
    try {
      const data = await api.find(this.app.rules.rules, {limit: query.sample ? '' : '500', ...query}, stop.signal);
      if (this.stop === stop) this.#draw(data, query, page);
    } catch (error) {
      if (this.stop === stop) mount(this.result, make('p.error', {role: 'alert'}, error.name === 'AbortError' ? text('cancelled') : explained(error)));
    }
    if (this.stop === stop) clearInterval(this.clock);
  }

  #draw(data, query, shown) {
    const {rows} = this.app.sets.find(set => set.rules === data.rules);
    const summary = text('search_found', {n: data.found === 1 ? 1 : number(data.found), all: number(data.looked_at)});
    const row = ({fen, category, dtw, instead_of: instead}) => make('li', {}, make('a', {href: address('/', {rules: data.rules, fen}), title: fen, 'aria-label': fen},
      smallBoard(parseFen(fen).pieces, rows)), make('span.small', {}, make(`span.side-mark.${parseFen(fen).side}`, {'aria-hidden': true}),
      make(`span.${category}-ink`, {}, `${text(category)}${dtw === null ? '' : ` · ${plies(Math.abs(dtw))}`}`),
      instead ? make('span.soft', {}, ` · ${text('under_other', {rules: text(query.differs_from), outcome: text(instead)})}`) : ''));
    const left = data.positions.length - shown;
    mount(this.result, make('h2', {}, summary), data.found > 0 && make('p', {}, make('a.button', {href: address('/train', {rules: data.rules, ...query})}, text('train_these'))),
      make('ol.found', {'data-of': data.rules}, data.positions.slice(0, shown).map(row)),
      left > 0 && make('p', {}, make('button', {type: 'button', 'data-key': 'next', onclick: () => this.#draw(data, query, shown + page)}, text('search_next', {n: Math.min(page, left)}))),
      left <= 0 && data.positions.length < data.found && make('p.soft.small', {}, text('search_shown', {n: data.positions.length})));
    announce(summary);
    if (shown === page && innerWidth < 860) this.result.scrollIntoView();
  }
}
