// Choosing a material by its pieces: a row of men and kings for each side, which grows and shrinks.
import {onePiece} from './board.js';
import {make, mount} from './dom.js';
import {materialName} from './position.js';
import {text} from './texts.js';

const mostPieces = 8;

// How many kings and men each side has: KKMvK is {white: {K: 2, M: 1}, black: {K: 1, M: 0}}.
function countsOf(name) {
  const [white = '', black = ''] = materialName(name).split('v');
  const count = words => ({K: [...words].filter(letter => letter === 'K').length, M: [...words].filter(letter => letter === 'M').length});
  return {white: count(white), black: count(black)};
}

const materialOf = ({white, black}) => [white, black].map(({K, M}) => 'K'.repeat(K) + 'M'.repeat(M)).join('v');

// A picker that writes the material's name into a field, and follows what is typed there.
export function picker(field) {
  const host = make('div.picker', {role: 'group', 'aria-label': text('material')});
  const change = (side, letter, by) => {
    const counts = countsOf(field.value);
    counts[side][letter] += by;
    field.value = materialOf(counts);
    draw();
  };
  const draw = () => {
    const counts = countsOf(field.value);
    const total = Object.values(counts).reduce((sum, {K, M}) => sum + K + M, 0);
    mount(host, ['white', 'black'].map(side => make('div.bar', {}, ['K', 'M'].map(letter => {
      const piece = text(`${side}_${letter === 'K' ? 'king' : 'man'}`);
      const step = (label, words, by, disabled) => make('button', {type: 'button', 'data-key': `${words}-${side}-${letter}`, 'aria-label': `${text(words)}: ${piece}`, disabled,
        onclick: () => change(side, letter, by)}, label);
      return make('span.count', {}, step('−', 'fewer', -1, counts[side][letter] === 0), onePiece({side, king: letter === 'K'}), make('b', {}, String(counts[side][letter])),
        step('+', 'more', 1, total >= mostPieces));
    }))));
  };
  field.addEventListener('input', draw);
  return {host, draw};
}
