// Statistics of a material, and the list of all of them.
import {address} from './browser.js';
import {api} from './api.js';
import {choice, make, makeSvg, mount} from './dom.js';
import {materialName} from './position.js';
import {stopSearch, watched} from './search.js';
import {heading, number, percent, text} from './texts.js';
import {distance, within} from './verdict.js';

const bytes = n => n === null ? '–' : n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;

// The kinds of positions of a material, with their shares: [[kind, outcome, share], …].
function sharesOf(counts) {
  const total = counts.wins + counts.draws + counts.losses || 1;
  return [['wins', 'win'], ['draws', 'draw'], ['losses', 'loss']].map(([kind, outcome]) => [kind, outcome, counts[kind] / total]);
}

// Games without king runs or limits have no state but the pieces.
const isSame = (one, other) => other && ['wins', 'draws', 'losses'].every(kind => one[kind] === other[kind]);

const shareBar = counts => make('div.share', {role: 'img', 'aria-label': sharesOf(counts).map(([, outcome, share]) => `${heading(outcome)} ${percent(share)}`).join(', ')},
  sharesOf(counts).map(([, outcome, share]) => make(`span.${outcome}`, {style: {width: `${100 * share}%`}})));

const figures = counts => make('div.figures', {}, sharesOf(counts).map(([kind, outcome, share]) => make('span', {}, make(`b.${outcome}-ink`, {}, `${heading(outcome)} ${percent(share)}`), ` ${number(counts[kind])}`)),
  ['max_win', 'max_loss'].map(kind => counts[kind] !== null && make('span.soft', {}, `${text(kind)} ${counts[kind]}`)));

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
    svg.append(makeSvg(`rect.${kind}`, box, makeSvg('title', {}, `${text(kind)}${within(n)}: ${number(states)}`)));
    if (here && here.kind === kind && here.plies === n)
      svg.append(makeSvg('rect.here', {x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4}));
  };
  for (const [n, states] of wins) bar(n, states, 'win');
  for (const [n, states] of losses) bar(n, states, 'loss');
  for (let n = 0; n <= most; n += step > 9 ? 5 : step > 4.5 ? 10 : 20)
    svg.append(makeSvg('text', {x: 10 + n * step + step * .85, y: above + 12}, n));
  return svg;
}

// A view of one answer, with a button to stop what takes longer.
class AnswerView {
  constructor(host, app) {
    this.app = app;
    this.host = make('div.stack');
    host.append(this.host);
  }

  close() { stopSearch(this); }

  async ask(title, call, draw) {
    document.title = `${title} · einspul`;
    const show = parts => mount(this.host, make('h1', {}, title), parts);
    const answer = await watched(this, call, null, show, () => this.app.replace(...this.place));
    if (answer) show(draw(answer));
  }
}

export class MaterialView extends AnswerView {
  show({name: given, fen, beside}) {
    this.place = ['/material', {name: given, fen, beside}];
    if (!given) { this.app.replace('/materials'); return; }
    const {rules} = this.app.rules;
    const name = materialName(given);
    this.ask(`${name} · ${text(rules)}`, signal => Promise.all([api.material(rules, name, signal), fen ? api.position(rules, fen).catch(() => null) : null,
      beside ? api.material(beside, name, signal).catch(() => ({rules: beside, sides: null})) : null]), ([data, position, second]) => this.#parts(data, position?.material === data.material ? position : null, second));
  }

  #parts(data, position, second) {
    const {rules, rows} = this.app.rules;
    const others = this.app.sets.filter(set => set.rows === rows && set.rules !== rules).map(set => [set.rules, text(set.rules)]);
    const choose = choice(second?.rules ?? '', [['', '–'], ...others], {id: 'beside', onchange: event => this.app.go('/material', {name: data.material, beside: event.target.value || undefined})});
    const link = name => make('li', {}, make('a', {href: address('/material', {rules, name})}, name));
    const list = (title, names) => names.length > 0 && make('section', {}, make('h2', {}, text(title)), make('ul.names', {}, names.map(link)));
    return [make('p.soft', {}, `${text('pieces', {n: data.pieces})} · ${text('states', {n: number(data.states)})} · ${data.wdl_bytes === null && data.dtw_bytes === null ? text('no_table') : `.wdl ${bytes(data.wdl_bytes)}, .dtw ${bytes(data.dtw_bytes)}`}`),
      data.source === 'published' && make('p.soft', {}, text('source_published')), !data.sides && make('p', {}, text('source_none')),
      data.sides && others.length > 0 && make('section.card', {}, make('label', {for: 'beside'}, `${text('beside')} `), choose, second && (second.sides ? comparison(data, second) : make('p.soft', {}, text('refused_NO_TABLE')))),
      data.sides && ['white', 'black'].map(side => this.#side(data, side, position)), make('div.card', {}, list('leads_to', data.leads_to), list('needs', data.needs), list('missing', data.missing))];
  }

  #side(data, side, position) {
    const counts = data.sides[side];
    const kinds = ['fresh', 'all', 'raw'].filter(kind => counts[kind] && (kind === 'fresh' || !isSame(counts[kind], counts.fresh)));
    const whose = position && (position.turned ? {white: 'black', black: 'white'}[position.side] : position.side);
    const here = whose === side && position.dtw !== null ? {kind: position.category, plies: Math.abs(position.dtw)} : null;
    return make('section.card.stack', {}, make('h2', {}, text('to_move', {side: text(side)})),
      kinds.map(kind => make('div', {}, kinds.length > 1 && make('p.small.soft', {}, text(kind)), shareBar(counts[kind]), figures(counts[kind]))),
      counts.fresh?.win_plies && make('div', {}, make('h3', {}, text('histogram')), histogram(counts.fresh, here, Math.max(280, this.host.clientWidth - 40)), here && make('p.small.soft', {}, text('here'))),
      counts.longest.length > 0 && make('div', {}, make('h3', {}, text('longest_wins')), make('ol.small.wins', {}, counts.longest.map(win =>
        make('li', {}, make('a.mono', {href: address('/', {rules: data.rules, fen: win.fen})}, win.fen), ` ${distance(win.plies)}`)))), data.source === 'tables' && counts.fresh?.max_loss &&
        make('p.small', {}, make('a', {href: address('/search', {rules: data.rules, material: data.material, outcome: 'loss', side})}, text('longest_losses'))));
  }
}

// A table that scrolls within its box; `numbers` are the columns of numbers.
const table = (box, label, head, numbers, rows) => make(box, {tabindex: 0, role: 'region', 'aria-label': label}, make('table', {},
  make('thead', {}, make('tr', {}, head.map((words, i) => make(numbers.includes(i) ? 'th.number' : 'th', {scope: 'col'}, words)))), make('tbody', {}, rows)));

// A material under two rule sets: counts, differences, and a link to the positions that differ.
function comparison(data, second) {
  const kinds = [['wins', 'win'], ['draws', 'draw'], ['losses', 'loss'], ['max_win', 'max_win'], ['max_loss', 'max_loss']];
  const row = side => kinds.map(([kind, words]) => {
    const [one, other] = [data, second].map(({sides}) => sides[side].fresh[kind]);
    const difference = one === null || other === null ? '' : `${other > one ? '+' : ''}${number(other - one)}`;
    return make('tr', {}, make('th', {scope: 'row'}, `${text(side)}: ${heading(words)}`), [one, other].map(n => make('td.number', {}, n === null ? '–' : number(n))), make('td.number', {}, difference));
  });
  const head = [text('to_move', {side: ''}).trim(), text(data.rules), text(second.rules), text('difference')];
  return [table('div.scroll', text('beside'), head, [1, 2, 3], ['white', 'black'].map(row)),
  make('p', {}, make('a', {href: address('/search', {rules: data.rules, material: data.material, differs_from: second.rules})}, text('those_positions')))];
}

export class MaterialsView extends AnswerView {
  show() {
    this.place = ['/materials'];
    const {rules} = this.app.rules;
    const row = entry => {
      const counts = entry.published?.white.fresh;
      const longest = entry.published?.white.longest[0];
      const size = entry.wdl_bytes === null && entry.dtw_bytes === null ? text('no_table') : bytes((entry.wdl_bytes ?? 0) + (entry.dtw_bytes ?? 0));
      return make('tr', {}, make('th', {scope: 'row'}, make('a', {href: address('/material', {rules, name: entry.material})}, entry.material)),
        make('td.number', {}, String(entry.pieces)), make('td.number', {}, size), make('td', {}, counts ? shareBar(counts) : '–'),
        make('td', {}, longest ? make('a', {href: address('/', {rules, fen: longest.fen})}, distance(longest.plies)) : '–'));
    };
    const head = [text('material'), text('tray'), text('size'), text('to_move', {side: text('white')}), text('max_win')];
    this.ask(`${text('materials_title')} · ${text(rules)}`, () => api.tables(rules), ({materials}) => table('div.scroll.card', text('materials_title'), head, [1, 2], materials.map(row)));
  }
}
