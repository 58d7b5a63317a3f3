/* Exact endgame tables for draughts, read in a browser or in Node by WebAssembly; einspul.d.ts
 * describes what programs call.
 *
 * A table is bytes in memory or a URL that answers range requests. Reading in the module is
 * synchronous, fetching is not: a probe that needs bytes which are not there yet ends with an error,
 * the bytes are fetched, and it is tried again. */

const PAGE = 65536; // bytes fetched at once
const PACK = "pack"; // its name in the module
const MANIFEST = "file\tbytes\txxh64\tvalues"; // the first line of one

// Numbers of einspul.h. files.c checks the sizes, and where the fields lie that are read here.
const IO = 30;
const NO_MEMORY = 40;
const UNKNOWN = 2;
const POSITION_SIZE = 40;
const MOVE_SIZE = 56;
const ERROR_SIZE = 324;
const TABLE_INFO_SIZE = 40;
const TEXT_SIZE = 320; // for a FEN or a move

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class EinspulError extends Error {
    constructor(status, code, text) {
        super(text);
        this.name = "EinspulError";
        this.status = status;
        this.code = code;
    }
}

/** A file of which all bytes are in memory. */
const memoryFile = (bytes) => ({
    size: bytes.length,
    read(offset, to) {
        to.set(bytes.subarray(offset, offset + to.length));
        return true;
    },
});

/** A file behind a URL: pages that were fetched, those used last at the end, and those wanted. */
class RemoteFile {
    constructor(url, size) {
        this.url = url;
        this.size = size;
        this.pages = new Map();
        this.wanted = new Set();
    }

    /** A page, which is now the one used last. */
    page(number) {
        const page = this.pages.get(number);
        if (page !== undefined && this.pages.delete(number)) this.pages.set(number, page);
        return page;
    }

    /** Drops all but the `n` pages used last. */
    drop(n) {
        for (const number of this.pages.keys()) {
            if (this.pages.size <= n) return;
            this.pages.delete(number);
        }
    }

    read(offset, to) {
        let complete = true;
        for (let page = Math.floor(offset / PAGE); page * PAGE < offset + to.length; page++) {
            const bytes = this.page(page);
            if (bytes === undefined) {
                this.wanted.add(page);
                complete = false;
                continue;
            }
            const start = page * PAGE;
            const from = Math.max(offset - start, 0);
            const until = Math.min(offset + to.length - start, bytes.length);
            to.set(bytes.subarray(from, until), start + from - offset);
        }
        return complete;
    }

    /** Fetches what is wanted, neighbours in one request. */
    async fetch() {
        const wanted = [...this.wanted].sort((a, b) => a - b);
        this.wanted.clear();
        for (let i = 0; i < wanted.length; ) {
            let n = 1;
            while (i + n < wanted.length && wanted[i + n] === wanted[i] + n) n++;
            await this.fetchPages(wanted[i], n);
            i += n;
        }
    }

    async fetchPages(first, n) {
        const start = first * PAGE;
        const end = Math.min(start + n * PAGE, this.size);
        const answer = await fetchOk(this.url, { headers: { Range: `bytes=${start}-${end - 1}` } });
        let bytes = new Uint8Array(await answer.arrayBuffer());
        if (answer.status !== 206) bytes = bytes.subarray(start, end); // the whole file came
        if (bytes.length !== end - start)
            throw new EinspulError(IO, "IO", `${this.url}: got ${bytes.length} bytes, expected ${end - start}`);
        for (let page = first; page < first + n; page++)
            this.pages.set(page, bytes.slice((page - first) * PAGE, (page - first + 1) * PAGE));
    }
}

/** What wasi-libc asks of a system, which has nothing: the end of its folders, or "not supported". */
const NO_SYSTEM = new Proxy({}, { get: (_, name) => () => (name === "fd_prestat_get" ? 8 : 58) });

/** Plies as the library counts them, -1 for none. */
const orNull = (plies) => (plies < 0 ? null : plies);

/** One instance of the module, with the files it may read: the functions of einspul.h. */
class Instance {
    constructor(module, files) {
        const numbers = new Map([...files.keys()].map((name, number) => [name, number + 1]));
        this.files = [...files.values()];
        const imports = {
            files: {
                open: (_user, name) => numbers.get(this.text(name)) ?? 0,
                size: (_user, file) => BigInt(this.files[file - 1].size),
                read_at: (_user, file, offset, to, n) => {
                    const bytes = new Uint8Array(this.c.memory.buffer, to, n);
                    return this.files[file - 1].read(Number(offset), bytes) ? 0 : 1;
                },
                close: () => {},
            },
            wasi_snapshot_preview1: NO_SYSTEM,
        };
        this.c = new WebAssembly.Instance(module, imports).exports;
        this.c._initialize();
        this.error = this.room(ERROR_SIZE);
        this.position = this.room(POSITION_SIZE);
        this.output = this.room(TEXT_SIZE);
        this.inputs = [0, 1].map(() => ({ address: 0, size: 0 }));
    }

    /** The memory as it is now: it moves when it grows. */
    get view() {
        return new DataView(this.c.memory.buffer);
    }

    /** Memory of the module, to be given back with c.free. */
    room(n_bytes) {
        const address = this.c.malloc(Math.max(n_bytes, 1));
        if (address === 0) throw new EinspulError(NO_MEMORY, "NO_MEMORY", "out of memory");
        return address;
    }

    text(address) {
        const bytes = new Uint8Array(this.c.memory.buffer, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /** Copies a text in, in place of the last one of the same input: 0 for rules, 1 for others. */
    put(input, text) {
        const to = this.inputs[input];
        if (text === to.text) return to.address;
        const bytes = encoder.encode(`${text}\0`);
        if (bytes.indexOf(0) !== bytes.length - 1) throw new TypeError("the text contains a NUL byte");
        if (bytes.length > to.size) {
            const address = this.room(bytes.length);
            this.c.free(to.address);
            Object.assign(to, { address, size: bytes.length });
        }
        to.text = text;
        new Uint8Array(this.c.memory.buffer).set(bytes, to.address);
        return to.address;
    }

    /** Throws the library's error if a call failed. */
    check(failed) {
        if (!failed) return;
        const status = this.view.getInt32(this.error, true);
        const name = this.text(this.c.einspul_status_name(status));
        throw new EinspulError(status, name, this.text(this.error + 4));
    }

    open(rules, tables, cacheBytes) {
        const names = tables === null ? 0 : this.put(1, tables);
        const most = Math.min(cacheBytes, 2 ** 32 - 1);
        const to = this.output;
        this.check(
            this.c.einspul_open(names, this.put(0, rules), most, this.c.einspul_files(), to, this.error),
        );
        return this.view.getUint32(to, true);
    }

    /** Reads a FEN into `to`. */
    read(rules, fen, to = this.position) {
        this.check(this.c.einspul_fen_read(this.put(0, rules), this.put(1, fen), to, this.error));
        return to;
    }

    write(rules, position) {
        this.check(this.c.einspul_fen_write(this.put(0, rules), position, this.output, this.error));
        return this.text(this.output);
    }

    /** Reads the result of a probe; null if the outcome is not known. `plies` 0: without distances. */
    result(outcomes, plies) {
        const outcome = this.view.getInt32(outcomes, true);
        if (outcome === UNKNOWN) return null;
        return { outcome, plies: orNull(plies === 0 ? -1 : this.view.getInt32(plies, true)) };
    }

    probe(handle, position, distances) {
        const outcome = this.output;
        const plies = distances ? outcome + 4 : 0;
        const status = this.c.einspul_probe(handle, position, 0, outcome, plies, this.error);
        const result = this.result(outcome, plies);
        if (result === null) this.check(status);
        return result;
    }

    /** Results, and errors in place of those that are not known. */
    probeMany(handle, rules, fens, distances) {
        const n = fens.length;
        const positions = this.room(n * (POSITION_SIZE + 8));
        const outcomes = positions + n * POSITION_SIZE;
        const plies = distances ? outcomes + 4 * n : 0;
        try {
            fens.forEach((fen, i) => this.read(rules, fen, positions + i * POSITION_SIZE));
            this.c.einspul_probe_many(handle, positions, n, 0, outcomes, plies, 0);
            return fens.map((_, i) => {
                const result = this.result(outcomes + 4 * i, plies && plies + 4 * i);
                try {
                    return result ?? this.probe(handle, positions + i * POSITION_SIZE, distances);
                } catch (error) {
                    if (error instanceof EinspulError) return error;
                    throw error;
                }
            });
        } finally {
            this.c.free(positions);
        }
    }

    /** All legal moves; without tables, and values, if `handle` is 0. */
    moves(handle, rules, fen) {
        const position = this.read(rules, fen);
        const list = (moves, n) =>
            handle === 0 || n === 0
                ? this.c.einspul_moves(this.put(0, rules), position, moves, n, this.error)
                : this.c.einspul_probe_moves(handle, position, moves, n, this.error);
        const n = list(0, 0);
        this.check(n < 0);
        const moves = this.room(n * MOVE_SIZE);
        try {
            this.check(list(moves, n) < 0);
            return Array.from({ length: n }, (_, i) => {
                const move = this.readMove(rules, position, moves + i * MOVE_SIZE);
                if (handle === 0) return move;
                const outcome = this.view.getInt8(moves + i * MOVE_SIZE + 50);
                const plies = this.view.getInt16(moves + i * MOVE_SIZE + 52, true);
                return { ...move, outcome, plies: orNull(plies) };
            });
        } finally {
            this.c.free(moves);
        }
    }

    readMove(rules, position, move) {
        const text = this.output;
        this.check(this.c.einspul_move_write(this.put(0, rules), position, move, text, this.error));
        const view = this.view;
        const set = view.getBigUint64(move + 40, true);
        const captured = [];
        for (let square = 1; square <= 50; square++)
            if ((set >> BigInt(square - 1)) & 1n) captured.push(square);
        return {
            text: this.text(text),
            from: view.getUint8(move + 48),
            to: view.getUint8(move + 49),
            captured,
            fen: this.write(rules, move), // which begins with the position after it
        };
    }

    play(rules, fen, move) {
        const position = this.read(rules, fen);
        this.check(
            this.c.einspul_play(this.put(0, rules), position, this.put(1, move), this.error),
        );
        return this.write(rules, position);
    }

    rules() {
        const names = [];
        for (let at = this.c.einspul_rules_list(); this.view.getUint32(at, true) !== 0; at += 4)
            names.push(this.text(this.view.getUint32(at, true)));
        return names;
    }

    materials(handle) {
        const n = this.c.einspul_list(handle, 0, 0);
        const tables = this.room(n * TABLE_INFO_SIZE);
        this.c.einspul_list(handle, tables, n);
        const names = Array.from({ length: n }, (_, i) => this.text(tables + i * TABLE_INFO_SIZE));
        this.c.free(tables);
        return names;
    }
}

/** Calls until all bytes that are needed are there; `isWaiting` tells of an answer that lacks some. */
async function retry(instance, call, isWaiting = () => false) {
    for (;;) {
        const wanted = () => instance.files.filter((file) => file.wanted?.size > 0);
        try {
            const answer = call();
            if (!isWaiting(answer) || wanted().length === 0) return answer;
        } catch (error) {
            if (error.status !== IO || wanted().length === 0) throw error;
        }
        await Promise.all(wanted().map((file) => file.fetch()));
    }
}

export class Tables {
    constructor(instance, handle, rules, pageBytes) {
        this.instance = instance;
        this.handle = handle;
        this.rules = rules;
        this.pageBytes = pageBytes;
        this.queue = Promise.resolve();
    }

    /** Calls wait for each other. Pages are dropped between them, so that what one call needs stays
     * until it is answered. */
    ask(call, isWaiting) {
        const next = this.queue.then(() => retry(this.instance, () => call(this.opened()), isWaiting));
        this.queue = next.catch(() => {}).then(() => this.dropPages());
        return next;
    }

    opened() {
        if (this.handle === 0) throw new Error("the tablebase is closed");
        return this.handle;
    }

    /** Drops pages beyond the limit, from files with more than their share. */
    dropPages() {
        const files = this.instance.files.filter((file) => file.pages?.size > 0);
        const most = Math.floor(this.pageBytes / PAGE / Math.max(files.length, 1));
        for (const file of files) file.drop(most);
    }

    get fetchedBytes() {
        return this.instance.files.reduce((n, file) => n + (file.pages?.size ?? 0) * PAGE, 0);
    }

    async probe(fen, { distances = true } = {}) {
        const { instance, rules } = this;
        return this.ask((handle) => instance.probe(handle, instance.read(rules, fen), distances));
    }

    async probeMany(fens, { distances = true } = {}) {
        return this.ask(
            (handle) => this.instance.probeMany(handle, this.rules, fens, distances),
            (results) => results.some((result) => result.status === IO),
        );
    }

    async moves(fen) {
        return this.ask((handle) => this.instance.moves(handle, this.rules, fen));
    }

    materials() {
        return this.instance.materials(this.opened());
    }

    close() {
        this.instance.c.einspul_close(this.handle); // 0 is allowed
        this.handle = 0;
    }
}

/** The module, compiled. */
export class Einspul {
    constructor(module) {
        this.module = module;
        this.rulesOnly = new Instance(module, new Map());
    }

    ruleSets() {
        return this.rulesOnly.rules();
    }

    moves(fen, rules = "frisian") {
        return this.rulesOnly.moves(0, rules, fen);
    }

    play(fen, move, rules = "frisian") {
        return this.rulesOnly.play(rules, fen, move);
    }

    async open({
        rules = "frisian",
        files = {},
        pack,
        manifest,
        cacheBytes = 32 << 20,
        pageBytes = 64 << 20,
    }) {
        const sources = { ...files };
        if (manifest !== undefined) Object.assign(sources, await readManifest(manifest));
        if (pack !== undefined) sources[PACK] = pack;
        const entries = await Promise.all(
            Object.entries(sources).map(async ([name, source]) => {
                if (source instanceof Uint8Array) return [name, memoryFile(source)];
                const url = String(source.url);
                return [name, new RemoteFile(url, source.size ?? (await sizeOf(url)))];
            }),
        );
        const instance = new Instance(this.module, new Map(entries));
        const handle = await retry(instance, () =>
            instance.open(rules, pack === undefined ? null : PACK, cacheBytes),
        );
        return new Tables(instance, handle, rules, pageBytes);
    }
}

async function fetchOk(url, options) {
    const answer = await fetch(url, options);
    if (!answer.ok) throw new EinspulError(IO, "IO", `${url}: HTTP ${answer.status}`);
    return answer;
}

/** The files of a manifest with their sizes. */
async function readManifest(manifest) {
    const base = new URL(manifest, globalThis.location?.href);
    const [header, ...lines] = (await (await fetchOk(base)).text()).split("\n");
    if (header !== MANIFEST) throw new EinspulError(IO, "IO", `${base}: not a manifest`);
    // The last line counts the files; an empty text follows its end. A name of any other form might
    // lead elsewhere.
    const files = lines.slice(0, -2).map((line) => line.split("\t"));
    const total = files.reduce((sum, [, size]) => sum + Number(size), 0);
    if (
        lines.slice(-2).join("\n") !== `total\t${total}\t${files.length} files\n` ||
        !files.every(([name]) => /^[a-z0-9-]+\/[KM]+v[KM]+\.(wdl|dtw)$/.test(name))
    )
        throw new EinspulError(IO, "IO", `${base}: manifest truncated or invalid`);
    return Object.fromEntries(
        files.map(([name, size]) => [name, { url: new URL(name, base), size: Number(size) }]),
    );
}

async function sizeOf(url) {
    const answer = await fetchOk(url, { method: "HEAD" });
    const size = Number(answer.headers.get("content-length") ?? NaN);
    if (!Number.isSafeInteger(size))
        throw new EinspulError(IO, "IO", `${url}: the server did not send a size`);
    return size;
}

export async function load(wasm = new URL("./einspul.wasm", import.meta.url)) {
    if (wasm instanceof Uint8Array || wasm instanceof ArrayBuffer)
        return new Einspul(await WebAssembly.compile(wasm));
    if (wasm.protocol === "file:") {
        const node = "node:fs/promises"; // not a literal, which a bundler for the web would look for
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ node);
        return new Einspul(await WebAssembly.compile(await readFile(wasm)));
    }
    const answer = await fetchOk(wasm);
    return new Einspul(await WebAssembly.compile(await answer.arrayBuffer()));
}
