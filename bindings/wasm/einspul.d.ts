/** Exact endgame tables for draughts by WebAssembly. Squares are numbered as in draughts notation. */

/** 1 for a win, 0 for a draw, -1 for a loss. */
export type Outcome = 1 | 0 | -1;

export interface Result {
    outcome: Outcome;
    /** Moves of one side to the end of the game, odd for a win, even for a loss; null for a draw, or if
     * the tables have no distances. */
    plies: number | null;
}

export interface Move {
    /** "32-28", "28x39", or the full path where that is needed. */
    text: string;
    from: number;
    to: number;
    captured: number[];
    /** The position after the move, with its rule state. */
    fen: string;
}

/** A move with its outcome for the side that makes it, and plies with this move included. */
export interface RankedMove extends Move, Result {}

/** Bytes in memory, or a URL that answers range requests; a size that is not given is asked for. */
export type TableSource = Uint8Array | { url: string | URL; size?: number };

export interface OpenOptions {
    /** "frisian" (default), "international", "english", … */
    rules?: string;
    /** Single files by name, as "frisian/KvK.wdl". */
    files?: Record<string, TableSource>;
    /** A file that `einspul pack` made. Only its tables are read. */
    pack?: TableSource;
    /** The URL of what `einspul list --manifest` printed; the files lie beside it. */
    manifest?: string | URL;
    /** Memory for decoded blocks; default 32 MiB. */
    cacheBytes?: number;
    /** Memory for parts of files that were fetched; default 64 MiB. A call may take more while it runs. */
    pageBytes?: number;
}

export declare class EinspulError extends Error {
    constructor(status: number, code: string, text: string);
    /** The library's status number, and its name, as "NO_TABLE". */
    status: number;
    code: string;
}

export declare class Tables {
    private constructor();
    /** Rejects with EinspulError: BAD_FEN, BAD_POSITION, NO_TABLE, NO_METRIC, UNDECIDED, … */
    probe(fen: string, options?: { distances?: boolean }): Promise<Result>;
    /** Many positions at once, whose bytes are fetched together: for each a result, or an error as probe
     * rejects with. Rejects if a FEN cannot be read. */
    probeMany(
        fens: readonly string[],
        options?: { distances?: boolean },
    ): Promise<(Result | EinspulError)[]>;
    /** All legal moves, best first. */
    moves(fen: string): Promise<RankedMove[]>;
    /** Materials that have a file. */
    materials(): string[];
    /** Bytes of files that were fetched and are in memory. */
    readonly fetchedBytes: number;
    close(): void;
}

export declare class Einspul {
    private constructor();
    ruleSets(): string[];
    /** All legal moves, without tables. */
    moves(fen: string, rules?: string): Move[];
    /** The FEN after a move. */
    play(fen: string, move: string, rules?: string): string;
    open(options: OpenOptions): Promise<Tables>;
}

/** Compiles the module from its bytes, a URL, or einspul.wasm beside this file. */
export declare function load(wasm?: Uint8Array | ArrayBuffer | URL): Promise<Einspul>;
