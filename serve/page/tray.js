// The tray beside the board: pieces to be put down, the hand that moves pieces anywhere, and what
// else sets a position up. A piece is chosen by a click, or dragged to its square.
import {onePiece} from './board.js';
import {make, sign} from './dom.js';
import {text} from './texts.js';

const kinds = [{side: 'white', king: false}, {side: 'white', king: true}, {side: 'black', king: false}, {side: 'black', king: true}];

// A tool is a piece, or 'hand', 'remove' or 'map'; two are the same when their names are.
export const nameOf = tool => tool && (tool.side ? `${tool.side}_${tool.king ? 'king' : 'man'}` : tool);

export function trayTools(state, act) {
  const button = (tool, label, picture) => make('button', {type: 'button', 'data-key': `tool-${nameOf(tool)}`, 'aria-label': label, title: label,
    'aria-pressed': String(nameOf(tool) === nameOf(state.tool)), onclick: () => act.choose(tool),
    onpointerdown: event => tool.side && dragIn(event, tool, act)}, picture);
  const {side} = state.position;
  const turn = `${text('side_to_move')}: ${text(side)}`;
  return [kinds.map(piece => button(piece, text(nameOf(piece)), onePiece(piece))),
    button('hand', text('hand'), sign('hand')), button('remove', text('remove'), sign('remove')), button('map', text('map'), sign('map')),
    make('span.gap'),
    make('button.side-button', {type: 'button', 'data-key': 'side', 'aria-label': turn, title: turn, onclick: act.otherSide}, make(`span.side-mark.${side}`)),
    make('button', {type: 'button', 'data-key': 'clear', 'aria-label': text('clear'), title: text('clear'), onclick: act.clear}, sign('clear'))];
}

// A piece from the tray on its way to the board: a ghost of it goes with the pointer.
function dragIn(event, piece, act) {
  if (event.button !== 0) return;
  event.target.releasePointerCapture?.(event.pointerId);
  let ghost = null;
  const move = ahead => {
    if (ahead.pointerId !== event.pointerId) return;
    if (!ghost && Math.hypot(ahead.clientX - event.clientX, ahead.clientY - event.clientY) > 5) {
      ghost = make('div.ghost', {'aria-hidden': true}, onePiece(piece));
      ghost.style.width = ghost.style.height = `${act.squareSize()}px`;
      document.body.append(ghost);
    }
    if (ghost) ghost.style.translate = `calc(${ahead.clientX}px - 50%) calc(${ahead.clientY}px - 50%)`;
  };
  const stop = end => {
    if (end.pointerId !== event.pointerId) return;
    for (const [name, listener] of listeners) removeEventListener(name, listener);
    ghost?.remove();
    if (ghost && end.type === 'pointerup') act.dropIn(piece, end);
  };
  const listeners = [['pointermove', move], ['pointerup', stop], ['pointercancel', stop]];
  for (const [name, listener] of listeners) addEventListener(name, listener);
}
