// The set-up tray: pieces to place and tools to edit the position. A piece is chosen by a click, or dragged
// to its square; pieces on the board are dragged, and dropping a piece off the board removes it.
import {onePiece} from './board.js';
import {followPointer, make, sign, signButton} from './dom.js';
import {other, turned} from './position.js';
import {text} from './texts.js';

const kinds = [{side: 'white', king: false}, {side: 'white', king: true}, {side: 'black', king: false}, {side: 'black', king: true}];

// A tool is a piece, or 'remove' or 'map'; two are the same when their names are.
export const nameOf = tool => tool && (tool.side ? `${tool.side}_${tool.king ? 'king' : 'man'}` : tool);

export const toolButton = (state, view, tool, picture, more = {}) => make('button.sign-button', {type: 'button', 'data-key': `tool-${nameOf(tool)}`, 'aria-label': text(nameOf(tool)),
  title: text(nameOf(tool)), 'aria-pressed': String(nameOf(tool) === nameOf(state.tool)), onclick: () => view.choose(tool), ...more}, picture);

export function trayTools(state, view) {
  const {side} = state.position;
  const turn = `${text('search_side')}: ${text(side)}`;
  return [kinds.map(piece => toolButton(state, view, piece, onePiece(piece), {onpointerdown: event => dragIn(event, piece, view)})),
    toolButton(state, view, 'remove', sign('remove')), make('span.gap'),
    make('button.sign-button.side-button', {type: 'button', 'data-key': 'side', 'aria-label': turn, title: turn, onclick: () => view.edit(position => { position.side = other(position.side); }, false)}, make(`span.side-mark.${side}`)),
    signButton('turn', () => view.edit(position => Object.assign(position, turned(position, state.rules.squares)), false)), signButton('clear', () => view.edit(position => position.pieces.clear()))];
}

// Drags a piece from the tray to the board, with a ghost at the pointer.
function dragIn(event, piece, view) {
  if (event.button !== 0) return;
  event.target.releasePointerCapture?.(event.pointerId);
  const size = `${view.boardBox.clientWidth / view.state.rules.rows}px`;
  const ghost = make('div.ghost', {'aria-hidden': true, style: {width: size, height: size}}, onePiece(piece));
  followPointer(event, ahead => {
    document.body.append(ghost);
    ghost.style.translate = `calc(${ahead.clientX}px - 50%) calc(${ahead.clientY}px - 50%)`;
  }, (end, moved) => {
    ghost.remove();
    const square = view.board.squareAt(end);
    if (moved && square && end.type === 'pointerup') view.put(square, piece);
  });
}
