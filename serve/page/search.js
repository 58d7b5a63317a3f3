// The search form. What has been filled in stands in the address, so that a search can be shared.
import {address} from './address.js';
import * as api from './api.js';
import {announce, make} from './dom.js';
import {materialName} from './position.js';
import {explained} from './said.js';
import {number, text} from './texts.js';
import {plies} from './verdict.js';

const words = ['material', 'distance', 'moves', 'on'];
const flags = ['only_move', 'quiet', 'shortest'];

export class SearchView {
  constructor(host, app) {
    this.app = app;
    this.fields = new Map();
    const field = (name, label, element) => {
      this.fields.set(name, element);
      return make('label', {}, label, element);
    };
    const input = name => field(name, text(`search_${name}`),
      make('input', {type: 'text', name, autocomplete: 'off', spellcheck: 'false'}));
    const flag = name => field(name, text(`search_${name}`), make('input', {type: 'checkbox', name}));
    const select = (name, label, options) => field(name, text(label), make('select', {name}, options.map(([value, words]) => make('option', {value}, words))));
    const any = ['', text('any')];
    const outcomes = ['win', 'draw', 'loss'].map(kind => [kind, text(kind)]);
    const form = make('form.card.search', {onsubmit: event => { event.preventDefault(); this.#submit(); }},
      make('h1', {}, text('search_title')), make('p.soft', {}, text('search_hint')), input('material'),
      select('outcome', 'search_outcome', [any, ...outcomes]), select('side', 'side_to_move', [any, ['white', text('white')], ['black', text('black')]]),
      input('distance'), input('moves'), input('on'),
      select('zugzwang', 'search_zugzwang', [any, ...['full', 'half', 'any'].map(kind => [kind, text(`zugzwang_${kind}`)])]),
      select('depends_on', 'search_depends_on', [any, ...['run', 'clock'].map(kind => [kind, text(`depends_${kind}`)])]),
      select('differs_from', 'search_differs_from', [any, ...app.sets.filter(set => set.rows === app.rules.rows).map(set => [set.rules, text(set.rules)])]),
      select('instead_of', 'search_instead_of', [any, ...outcomes]), flag('only_move'), flag('quiet'), flag('shortest'),
      make('button.main', {type: 'submit'}, text('search_go')));
    this.result = make('div.card', {hidden: true});
    host.append(make('div.two', {}, make('div.stack', {}, form), make('div.stack', {}, this.result)));
  }

  #submit() {
    const query = {};
    for (const [name, element] of this.fields) {
      const value = flags.includes(name) ? (element.checked ? '1' : '') : element.value.trim();
      if (value) query[name] = name === 'material' ? value.split(',').map(materialName).join(',') : value;
    }
    if (!query.material) {
      this.result.hidden = false;
      this.result.replaceChildren(make('p.error', {role: 'alert'}, text('search_no_material')));
      this.fields.get('material').focus();
      return;
    }
    this.app.go('/search', query);
  }

  async show(args) {
    document.title = `${text('search_title')} · einspul`;
    for (const [name, element] of this.fields)
      if (flags.includes(name)) element.checked = args[name] === '1';
      else element.value = args[name] ?? (words.includes(name) ? '' : element.options[0].value);
    this.result.hidden = !args.material;
    if (!args.material) return;
    const {rules, ...query} = args;
    const ticket = this.ticket = {};
    this.result.replaceChildren(make('p.soft', {role: 'status'}, text('searching')));
    try {
      const data = await api.find(this.app.rules.rules, query);
      if (this.ticket === ticket) this.#draw(data, query);
    } catch (error) {
      if (this.ticket === ticket) this.result.replaceChildren(make('p.error', {role: 'alert'}, explained(error)));
    }
  }

  #draw(data, query) {
    const summary = text('search_found', {n: data.found === 1 ? 1 : number(data.found), all: number(data.looked_at)});
    const row = found => make('li', {}, make('a.mono', {href: address('/', {rules: data.rules, fen: found.fen})}, found.fen), ' ',
      make(`span.${found.category}-ink`, {}, `${text(found.category)}${found.dtw === null ? '' : ` · ${plies(Math.abs(found.dtw))}`}`),
      found.instead_of ? make('span.soft', {}, ` · ${text('under_other', {rules: text(query.differs_from), outcome: text(found.instead_of)})}`) : '');
    this.result.replaceChildren(make('h2', {}, summary), make('ol.small', {}, data.positions.map(row)));
    if (data.positions.length < data.found) this.result.append(make('p.soft.small', {}, text('search_shown', {n: data.positions.length})));
    announce(summary);
  }
}
