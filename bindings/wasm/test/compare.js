/* The same questions to the module and to the program, for Node and for a browser. */

const names = { win: 1, draw: 0, loss: -1 };

/* Asks `tables` every position; gives how many answers are not those expected. `expected` is what
 * `einspul probe` printed: FEN, outcome, plies between tabs. */
export async function compareProbes(tables, expected) {
    let wrong = 0;
    for (const line of expected) {
        const [fen, outcome, plies] = line.split("\t");
        const result = await tables.probe(fen);
        const isSame = result.outcome === names[outcome] && `${result.plies ?? "-"}` === plies;
        wrong += isSame ? 0 : 1;
    }
    return wrong;
}

/* A move's value is that of the position after it, and the rules alone know the same moves. */
export async function compareMoves(einspul, tables, rules, fens) {
    let wrong = 0;
    for (const fen of fens) {
        const ranked = await tables.moves(fen);
        const plain = einspul.moves(fen, rules);
        const texts = (moves) => moves.map((move) => move.text).sort().join(" ");
        wrong += texts(ranked) === texts(plain) ? 0 : 1;
        for (const move of ranked) {
            wrong += einspul.play(fen, move.text, rules) === move.fen ? 0 : 1;
            const after = await tables.probe(move.fen);
            wrong += after.outcome + move.outcome === 0 ? 0 : 1;
        }
    }
    return wrong;
}
