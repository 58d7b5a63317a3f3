/* Compares the module with the program's output; shared by the Node and browser tests. */

const names = { win: 1, draw: 0, loss: -1 };

/* Probes every position; returns how many answers differ. `expected` is the output of `einspul probe`: FEN,
 * outcome, plies between tabs. */
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
