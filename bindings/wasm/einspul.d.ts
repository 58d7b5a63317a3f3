/** Exact draughts endgame tables in WebAssembly. Squares are numbered as in draughts notation. */

/** 1 for a win, 0 for a draw, -1 for a loss. */
export type Outcome = 1 | 0 | -1;

export interface Result {
    /** For the side to move; of a move, for the side that makes it. */
    outcome: Outcome;
    /** Plies to the end of the game under optimal play: odd for a win, even for a loss; null for a draw, if
     * the tables store no distances, or with `distances: false`. */
    plies: number | null;
}

export interface Move {
    /** "32-28" or "28x39"; the full path if that would be ambiguous. */
    text: string;
    /** Where the piece comes from. */
    from: number;
    /** Where it goes; equal to `from` if a capture ends where it began. */
    to: number;
    /** The captured squares, in ascending order. */
    captured: number[];
    /** The position after the move, with its rule state. */
    fen: string;
}

/** A move with its value; `plies` counts this move. */
export interface RankedMove extends Move, Result {}

/**
 * File contents, or a URL that supports range requests.
 *
 * Without `size`, the first request determines it by its Content-Range, which a server of another origin
 * must expose (Access-Control-Expose-Headers). A server that ignores ranges sends the whole file, which is
 * then kept in memory; a warning on the console says so.
 */
export type TableSource = Uint8Array | { url: string | URL; size?: number };

export interface OpenOptions {
    /** "frisian" (default), "international", "english", … */
    rules?: string;
    /** Single files by name, such as "frisian/KvK.wdl". */
    files?: Record<string, TableSource>;
    /** A pack made by `einspul pack`; `files` are then ignored. */
    pack?: TableSource;
    /** Bytes of decoded blocks to keep; default 32 MiB. */
    cacheBytes?: number;
    /** Bytes of fetched file parts to keep (default 64 MiB); may be exceeded during a call. */
    pageBytes?: number;
}

/** An error of the library, or of fetching, whose status is then `IO`. */
export declare class EinspulError extends Error {
    constructor(status: number, code: string, text: string);
    /** Status number. */
    status: number;
    /** Status name, e.g. "NO_TABLE". */
    code: string;
}

/** Open tables of one rule set. Calls run one after the other, in their order. */
export declare class Tables {
    private constructor();
    /**
     * Probes a position.
     *
     * @param fen - FEN under the rule set of these tables, with its rule state if there is one.
     * @param options - `distances: false` probes outcomes only.
     * @returns The outcome, and the plies if the tables store distances.
     * @throws EinspulError `BAD_FEN` or `BAD_POSITION`; `NO_TABLE`, whose message names the material;
     *   `UNDECIDED` if the 25-move rule may draw first; `IO` if a request fails twice; file errors for damaged tables.
     * @throws Error if the tablebase is closed.
     * @example
     * await tables.probe("W:WK3,27:BK48"); // { outcome: 1, plies: 41 }
     */
    probe(fen: string, options?: { distances?: boolean }): Promise<Result>;
    /**
     * Probes many positions at once and fetches the file parts they need together.
     *
     * @param fens - FENs under the rule set of these tables.
     * @param options - `distances: false` probes outcomes only.
     * @returns One element per FEN, in order: a Result, or the EinspulError that `probe` would reject with.
     * @throws EinspulError `BAD_FEN` or `BAD_POSITION` if any FEN cannot be read; nothing is probed then.
     * @throws Error if the tablebase is closed.
     * @example
     * await tables.probeMany(["W:WK46:BK5", "W:W28,K46:BK43"], { distances: false });
     * // [{ outcome: -1, plies: null }, { outcome: 0, plies: null }]
     */
    probeMany(
        fens: readonly string[],
        options?: { distances?: boolean },
    ): Promise<(Result | EinspulError)[]>;
    /**
     * Lists all legal moves with their values, best first.
     *
     * @param fen - Position, as in `probe`.
     * @returns The moves; empty if the side to move has lost.
     * @throws EinspulError as in `probe`, if the value of a move is unknown.
     * @throws Error if the tablebase is closed.
     * @example
     * (await tables.moves("W:WK3,27:BK48"))[0].text; // "3-25"
     */
    moves(fen: string): Promise<RankedMove[]>;
    /** Materials that have a file. */
    materials(): string[];
    /** Bytes of fetched file parts currently cached. */
    readonly fetchedBytes: number;
    /** Releases the memory. Calls that have not run yet, and later ones, reject with an Error. */
    close(): void;
}

/** The module, compiled: what needs no tables, and how to open them. */
export declare class Einspul {
    private constructor();
    /**
     * Lists the rule sets.
     *
     * @returns Their names, "frisian" first.
     * @example
     * einspul.ruleSets()[0]; // "frisian"
     */
    ruleSets(): string[];
    /**
     * Lists all legal moves, without tables.
     *
     * @param fen - Position.
     * @param rules - Rule set; default "frisian".
     * @returns The moves, ordered by squares; empty if the side to move has lost.
     * @throws EinspulError `BAD_FEN`, `BAD_POSITION`, `BAD_RULES`.
     * @example
     * einspul.moves("W:W28:B22").map((move) => move.text); // ["28x17"]
     */
    moves(fen: string, rules?: string): Move[];
    /**
     * Plays one move.
     *
     * @param fen - Position before the move.
     * @param move - "32-28", "28x39", or the full path of an ambiguous capture.
     * @param rules - Rule set; default "frisian".
     * @returns The FEN after the move, with its rule state.
     * @throws EinspulError `BAD_MOVE` if the move is illegal or ambiguous; `BAD_FEN`, `BAD_POSITION`, `BAD_RULES`.
     * @example
     * einspul.play("W:W28:B22", "28x17"); // "B:W17:B"
     */
    play(fen: string, move: string, rules?: string): string;
    /**
     * Opens the tables of one rule set.
     *
     * @param options - `pack` or `files`; see OpenOptions.
     * @returns Tables that answer probes; call `close` to release their memory.
     * @throws EinspulError `NO_FOLDER` if no table of the rule set is found, `BAD_RULES` for an unknown rule
     *   set, `IO` if a request fails twice, `NO_MEMORY`; file errors for a damaged pack.
     * @example
     * const tables = await einspul.open({ pack: { url: "/tables/frisian.pack" } });
     */
    open(options: OpenOptions): Promise<Tables>;
}

/**
 * Compiles the module.
 *
 * @param wasm - Its bytes or URL; default: einspul.wasm beside this file.
 * @returns The module.
 * @throws EinspulError `IO` if it cannot be fetched.
 */
export declare function load(wasm?: Uint8Array | ArrayBuffer | URL): Promise<Einspul>;
