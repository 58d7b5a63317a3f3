// Parses and writes FENs for display and editing. Legality and lenient parsing are the server's.

// {side: 'white', pieces: Map(square -> {side, king}), runs: {white: {count, square}, …}, clock, limited}
export function parseFen(fen) {
  const parts = fen.trim().replace(/\.$/, '').split(':').map(part => part.trim());
  const position = {side: /^b/i.test(parts[0]) ? 'black' : 'white', pieces: new Map(), runs: {white: null, black: null}, clock: 0, limited: null};
  for (const part of parts.slice(1)) {
    if (/^[WB]/i.test(part)) addPieces(position, part);
    else if (/^H\d+$/i.test(part)) position.clock = Number(part.slice(1));
    else if (/^L[WB]\d+$/i.test(part)) {
      position.limited = /^.W/i.test(part) ? 'white' : 'black';
      position.clock = Number(part.slice(2));
    } else if (part.startsWith('+')) addRuns(position, part);
  }
  return position;
}

function addPieces(position, part) {
  const side = /^W/i.test(part) ? 'white' : 'black';
  for (const word of part.slice(1).split(',')) {
    const match = /^\s*(K?)(\d+)(?:-(\d+))?\s*$/i.exec(word);
    if (!match) continue;
    for (let square = Number(match[2]); square <= Number(match[3] ?? match[2]) && square <= 50; square++)
      position.pieces.set(square, {side, king: match[1] !== ''});
  }
}

// Black's run comes first: +0+246.
function addRuns(position, part) {
  const runs = part.slice(1).split('+');
  ['black', 'white'].forEach((side, i) => {
    const match = /^([1-3])(\d\d)$/.exec(runs[i] ?? '');
    if (match) position.runs[side] = {count: Number(match[1]), square: Number(match[2])};
  });
}

export function writeFen(position) {
  const list = side => [...position.pieces].filter(([, piece]) => piece.side === side).sort((a, b) => a[0] - b[0]).map(([square, piece]) => (piece.king ? 'K' : '') + square).join(',');
  const run = side => {
    const {count, square} = position.runs[side] ?? {count: 0};
    return count ? count + String(square).padStart(2, '0') : '0';
  };
  let fen = `${position.side === 'white' ? 'W' : 'B'}:W${list('white')}:B${list('black')}`;
  if (position.clock || position.limited || position.runs.white || position.runs.black) {
    fen += `:H${position.limited ? 0 : position.clock}:F1:+${run('black')}+${run('white')}`;
    if (position.limited) fen += `:L${position.limited === 'white' ? 'W' : 'B'}${position.clock}`;
  }
  return fen;
}

// The pieces and the side to move alone.
export const shortFen = fen => fen.replace(/:H.*/, '');
export const startOf = rows => rows === 8 ? 'W:W21-32:B1-12' : 'W:W31-50:B1-20';
export const other = side => side === 'white' ? 'black' : 'white';

// The position with every piece mapped to another square, and to the other colour if `swap`.
function image(position, place, swap = false) {
  const own = side => swap ? other(side) : side;
  const run = side => side && {count: side.count, square: place(side.square)};
  return {...position, side: own(position.side), limited: position.limited && own(position.limited), pieces: new Map([...position.pieces].map(([square, {side, king}]) => [place(square), {side: own(side), king}])),
    runs: {white: run(position.runs[own('white')]), black: run(position.runs[own('black')])}};
}

// The position rotated by 180 degrees with colours swapped.
export const turned = (position, squares) => image(position, square => squares + 1 - square, true);

// Drops positions that equal an earlier one after a colour-swapping rotation or, without men, a reflection
// in a diagonal.
export function folded(list, rows) {
  const half = rows / 2;
  const mirrored = square => {
    const row = Math.floor((square - 1) / half);
    const column = 2 * ((square - 1) % half) + (row % 2 === 0 ? 1 : 0);
    return column * half + Math.floor(row / 2) + 1;
  };
  const seen = new Set();
  return list.filter(({fen}) => {
    const position = parseFen(fen);
    let images = [position, turned(position, rows * half)];
    if ([...position.pieces.values()].every(piece => piece.king))
      images = [...images, ...images.map(one => image(one, square => rows * half + 1 - square))].flatMap(one => [one, image(one, mirrored)]);
    const [first] = images.map(writeFen).sort();
    return !seen.has(first) && seen.add(first);
  });
}

// After editing, resets runs and clock and crowns men on the far row.
export function edited(position, rules) {
  for (const [square, piece] of position.pieces)
    if (piece.side === 'white' ? square <= rules.rows / 2 : square > rules.squares - rules.rows / 2) piece.king = true;
  return {...position, runs: {white: null, black: null}, clock: 0, limited: null};
}

// A material's name as the server writes it: kmvk is KMvK.
export const materialName = text => text.trim().replace(/k/g, 'K').replace(/m/g, 'M').replace(/V/g, 'v');
