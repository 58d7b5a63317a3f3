// Setting a position up: pieces to be put down, and what else changes a position by hand. A piece is chosen
// by a click, or dragged to its square; pieces on the board are dragged, and off the board they are gone.
import {onePiece} from './board.js';
import {make, sign, signButton} from './dom.js';
import {text} from './texts.js';

const kinds = [{side: 'white', king: false}, {side: 'white', king: true}, {side: 'black', king: false}, {side: 'black', king: true}];

// A tool is a piece, or 'remove' or 'map'; two are the same when their names are.
export const nameOf = tool => tool && (tool.side ? `${tool.side}_${tool.king ? 'king' : 'man'}` : tool);

export const toolButton = (state, act, tool, picture, more = {}) => make('button.sign-button', {type: 'button', 'data-key': `tool-${nameOf(tool)}`, 'aria-label': text(nameOf(tool)),
  title: text(nameOf(tool)), 'aria-pressed': String(nameOf(tool) === nameOf(state.tool)), onclick: () => act.choose(tool), ...more}, picture);

export function trayTools(state, act) {
  const {side} = state.position;
  const turn = `${text('side_to_move')}: ${text(side)}`;
  return [kinds.map(piece => toolButton(state, act, piece, onePiece(piece), {onpointerdown: event => dragIn(event, piece, act)})),
    toolButton(state, act, 'remove', sign('remove')), make('span.gap'),
    make('button.sign-button.side-button', {type: 'button', 'data-key': 'side', 'aria-label': turn, title: turn, onclick: act.otherSide}, make(`span.side-mark.${side}`)),
    signButton('turn', act.turn), signButton('clear', act.clear)];
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
