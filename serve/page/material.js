// Statistics of a material, and the list of all of them.
import {address} from './address.js';
import {api} from './api.js';
import {choice, make, makeSvg} from './dom.js';
import {materialName} from './position.js';
import {explained} from './refusal.js';
import {number, percent, text} from './texts.js';
import {plies} from './verdict.js';

const bytes = n => n === null ? '–' : n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;

function shareBar(counts) {
  const total = counts.wins + counts.draws + counts.losses || 1;
  const bar = make('div.share', {role: 'img', 'aria-label': ['wins', 'draws', 'losses'].map(kind => `${text(kind)} ${percent(counts[kind] / total)}`).join(', ')});
  for (const [kind, name] of [['wins', 'w'], ['draws', 'd'], ['losses', 'l']]) {
    const part = make(`span.${name}`);
    part.style.width = `${100 * counts[kind] / total}%`;
    bar.append(part);
  }
  return bar;
}

function figures(counts) {
  const total = counts.wins + counts.draws + counts.losses || 1;
  return make('div.figures', {}, [['wins', 'win'], ['draws', 'draw'], ['losses', 'loss']].map(([kind, name]) =>
    make('span', {}, make(`b.${name}-ink`, {}, `${text(kind)} ${percent(counts[kind] / total)}`), ` ${number(counts[kind])}`)),
  counts.max_win !== null && make('span.soft', {}, text('max_win_n', {n: counts.max_win})),
  counts.max_loss !== null && make('span.soft', {}, text('max_loss_n', {n: counts.max_loss})));
}

// Wins upwards, losses downwards, both on one logarithmic scale. `here` is the distance to mark.
function histogram(counts, here, room) {
  const wins = counts.win_plies;
  const losses = counts.loss_plies;
  const most = Math.max(9, ...wins.map(row => row[0]), ...losses.map(row => row[0]));
  const top = Math.log10(Math.max(10, ...wins.map(row => row[1]), ...losses.map(row => row[1]))) + .15;
  const height = n => 90 * (Math.log10(n) + .15) / top;
  const step = Math.min(14, (room - 20) / (most + 2));
  const [above, below] = [wins, losses].map(rows => Math.max(4, ...rows.map(row => height(row[1]))) + 4);
  const [width, all] = [step * (most + 2) + 20, above + below + 16];
  const svg = makeSvg('svg.histogram', {viewBox: `0 0 ${width} ${all}`, width, height: all, role: 'img', 'aria-label': text('histogram_text')});
  const bar = (n, states, kind) => {
    const box = {x: 10 + n * step, y: kind === 'win' ? above - height(states) : above + 16, width: Math.max(1.5, step * 1.7), height: height(states)};
    svg.append(makeSvg(`rect.${kind}`, box, makeSvg('title', {}, `${text(kind)} ${text('in_plies', {n})}: ${number(states)}`)));
    if (here && here.kind === kind && here.plies === n)
      svg.append(makeSvg('rect.here', {x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4}));
  };
  for (const [n, states] of wins) bar(n, states, 'win');
  for (const [n, states] of losses) bar(n, states, 'loss');
  for (let n = 0; n <= most; n += step > 9 ? 5 : step > 4.5 ? 10 : 20)
    svg.append(makeSvg('text', {x: 10 + n * step + step * .85, y: above + 12}, n));
  return svg;
}

export class MaterialView {
  constructor(host, app) {
    this.app = app;
    this.host = make('div.stack');
    host.append(this.host);
  }

  async show({name: given, fen, beside}) {
    const {rules} = this.app.rules;
    const name = materialName(given ?? '');
    if (!name) {
      this.ticket = null;
      document.title = 'einspul';
      this.host.replaceChildren(make('h1', {}, text('material')), make('p', {}, text('material_none')),
        make('p', {}, make('a', {href: address('/materials', {rules})}, text('materials_title'))));
      return;
    }
    document.title = `${name} · ${text(rules)} · einspul`;
    this.host.replaceChildren(make('h1', {}, name), make('p.soft', {role: 'status'}, text('counting')));
    const ticket = this.ticket = {};
    try {
      const [data, position, second] = await Promise.all([api.material(rules, name), fen ? api.position(rules, fen).catch(() => null) : null,
        beside ? api.material(beside, name).catch(() => null) : null]);
      if (this.ticket === ticket) this.#draw(data, position?.material === data.material ? position : null, second);
    } catch (error) {
      if (this.ticket === ticket) this.host.replaceChildren(make('h1', {}, name), make('p.error', {role: 'alert'}, explained(error)), make('p.soft', {}, text('material_how')));
    }
  }

  #draw(data, position, second) {
    const {rules, rows} = this.app.rules;
    const others = this.app.sets.filter(set => set.rows === rows && set.rules !== rules).map(set => [set.rules, text(set.rules)]);
    const choose = choice(second?.rules ?? '', [['', '–'], ...others], {id: 'beside', onchange: event => this.app.go('/material', {name: data.material, beside: event.target.value || undefined})});
    const link = name => make('li', {}, make('a', {href: address('/material', {rules, name})}, name));
    this.host.replaceChildren(make('h1', {}, `${data.material} · ${text(rules)}`),
      make('p.soft', {}, `${text('pieces', {n: data.pieces})} · ${text('states', {n: number(data.states)})} · ${data.wdl_bytes === null && data.dtw_bytes === null ? text('no_table') : `.wdl ${bytes(data.wdl_bytes)}, .dtw ${bytes(data.dtw_bytes)}`}`));
    if (data.source === 'published') this.host.append(make('p.soft', {}, text('source_published')));
    if (!data.sides) this.host.append(make('p', {}, text('source_none')));
    if (data.sides && others.length)
      this.host.append(make('section.card', {}, make('label', {for: 'beside'}, `${text('beside')} `), choose, second?.sides && comparison(data, second)));
    for (const side of data.sides ? ['white', 'black'] : []) this.host.append(this.#side(data, side, position));
    const list = (title, names) => names.length > 0 && make('section', {}, make('h2', {}, text(title)), make('ul.names', {}, names.map(link)));
    this.host.append(make('div.card', {}, list('leads_to', data.leads_to), list('needs', data.needs), list('missing', data.missing)));
  }

  #side(data, side, position) {
    const counts = data.sides[side];
    const whose = position && (position.turned ? {white: 'black', black: 'white'}[position.side] : position.side);
    const here = whose === side && position.dtw !== null ? {kind: position.category, plies: Math.abs(position.dtw)} : null;
    const card = make('section.card.stack', {}, make('h2', {}, text('to_move', {side: text(side)})));
    for (const kind of ['fresh', 'all', 'raw'])
      if (counts[kind]) card.append(make('div', {}, make('p.small.soft', {}, text(kind)), shareBar(counts[kind]), figures(counts[kind])));
    if (counts.fresh?.win_plies)
      card.append(make('div', {}, make('h3', {}, text('histogram')), histogram(counts.fresh, here, Math.max(280, this.host.clientWidth - 40)), here && make('p.small.soft', {}, text('here'))));
    if (counts.longest.length)
      card.append(make('div', {}, make('h3', {}, text('longest_wins')), make('ol.small.wins', {}, counts.longest.map(win =>
        make('li', {}, make('a.mono', {href: address('/', {rules: data.rules, fen: win.fen})}, win.fen), ` ${plies(win.plies)}`)))));
    if (data.source === 'tables' && counts.fresh?.max_loss)
      card.append(make('p.small', {}, make('a', {href: address('/search', {rules: data.rules, material: data.material, outcome: 'loss', side})}, text('longest_losses'))));
    return card;
  }
}

// The same material under two rule sets: their counts, the difference, and the way to those positions.
function comparison(data, second) {
  const kinds = ['wins', 'draws', 'losses', 'max_win', 'max_loss'];
  const row = side => kinds.map(kind => {
    const [one, other] = [data, second].map(({sides}) => sides[side].fresh[kind]);
    const difference = one === null || other === null ? '' : `${other > one ? '+' : ''}${number(other - one)}`;
    return make('tr', {}, make('th', {scope: 'row'}, `${text(side)}: ${text(kind)}`), [one, other].map(n => make('td.number', {}, n === null ? '–' : number(n))), make('td.number', {}, difference));
  });
  const head = [text('to_move', {side: ''}).trim(), text(data.rules), text(second.rules), text('difference')];
  return [make('div.scroll', {tabindex: 0, role: 'region', 'aria-label': text('beside')}, make('table', {}, make('thead', {}, make('tr', {}, head.map((words, i) => make(i ? 'th.number' : 'th', {scope: 'col'}, words)))),
    make('tbody', {}, ['white', 'black'].map(row)))),
  make('p', {}, make('a', {href: address('/search', {rules: data.rules, material: data.material, differs_from: second.rules})}, text('those_positions')))];
}

export class MaterialsView {
  constructor(host, app) {
    this.app = app;
    this.host = make('div.stack');
    host.append(this.host);
  }

  async show() {
    const {rules} = this.app.rules;
    document.title = `${text('materials_title')} · ${text(rules)} · einspul`;
    this.host.replaceChildren(make('h1', {}, `${text('materials_title')} · ${text(rules)}`));
    const ticket = this.ticket = {};
    try {
      const {materials} = await api.tables(rules);
      if (this.ticket === ticket) this.#draw(rules, materials);
    } catch (error) {
      if (this.ticket === ticket) this.host.append(make('p.error', {role: 'alert'}, explained(error)));
    }
  }

  #draw(rules, materials) {
    const row = entry => {
      const counts = entry.published?.white.fresh;
      const longest = entry.published?.white.longest[0];
      const size = entry.wdl_bytes === null && entry.dtw_bytes === null ? text('no_table') : bytes((entry.wdl_bytes ?? 0) + (entry.dtw_bytes ?? 0));
      return make('tr', {}, make('th', {scope: 'row'}, make('a', {href: address('/material', {rules, name: entry.material})}, entry.material)),
        make('td.number', {}, String(entry.pieces)), make('td.number', {}, size), make('td', {}, counts ? shareBar(counts) : '–'),
        make('td', {}, longest ? make('a', {href: address('/', {rules, fen: longest.fen})}, plies(longest.plies)) : '–'));
    };
    this.host.append(make('div.scroll.card', {tabindex: 0, role: 'region', 'aria-label': text('materials_title')}, make('table', {}, make('thead', {}, make('tr', {},
      make('th', {scope: 'col'}, text('material')), make('th.number', {scope: 'col'}, text('pieces_head')), make('th.number', {scope: 'col'}, text('size')),
      make('th', {scope: 'col'}, text('shares')), make('th', {scope: 'col'}, text('longest')))), make('tbody', {}, materials.map(row)))));
  }
}
