/* Exact endgame tables for draughts, read in a browser or in Node by WebAssembly; einspul.d.ts
 * describes what programs call.
 *
 * A table is bytes in memory or a URL that answers range requests. Reading in the module is
 * synchronous, fetching is not: a probe that needs missing bytes fails with IO; the bytes are fetched and
 * the probe is retried. */

const PAGE = 65536; // bytes fetched at once
const PACK = "pack"; // its name in the module

// Numbers of einspul.h. files.c asserts these sizes and the field offsets used below.
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

/** A file held in memory. */
const memoryFile = (bytes) => ({
    size: bytes.length,
    read(offset, to) {
        to.set(bytes.subarray(offset, offset + to.length));
        return true;
    },
});

/** A remote file: an LRU cache of fetched pages (most recent last), and the set of pages to fetch next. A
 * server that ignores ranges sends the whole file, which is then kept in memory. */
class RemoteFile {
    /** Without `size`, the first page is fetched, whose answer states it: servers that compress answer
     * HEAD with another length, or none. */
    static async open(url, size) {
        const file = new RemoteFile(url, size);
        if (size === undefined) await file.fetchPages(0, 1);
        return file;
    }

    constructor(url, size) {
        this.url = url;
        this.size = size;
        this.pages = new Map();
        this.wanted = new Set();
    }

    /** Returns a page and marks it as the most recently used. */
    page(number) {
        const page = this.pages.get(number);
        if (page !== undefined && this.pages.delete(number)) this.pages.set(number, page);
        return page;
    }

    /** Drops all but the `n` most recently used pages. */
    drop(n) {
        for (const number of this.pages.keys()) {
            if (this.pages.size <= n) return;
            this.pages.delete(number);
        }
    }

    read(offset, to) {
        if (this.whole !== undefined) return this.whole.read(offset, to);
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

    /** Fetches the wanted pages, neighbours in one request. */
    async fetch() {
        const wanted = [...this.wanted].sort((a, b) => a - b);
        this.wanted.clear();
        for (let i = 0; i < wanted.length && this.whole === undefined; ) {
            let n = 1;
            while (i + n < wanted.length && wanted[i + n] === wanted[i] + n) n++;
            await this.fetchPages(wanted[i], n);
            i += n;
        }
    }

    async fetchPages(first, n) {
        const start = first * PAGE;
        const end = Math.min(start + n * PAGE, this.size ?? Infinity);
        const answer = await fetchBytes(this.url, { headers: { Range: `bytes=${start}-${end - 1}` } });
        if (answer.status !== 206) return this.keepWhole(answer.bytes);
        const [, from, total] =
            /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers.get("content-range") ?? "") ?? [];
        this.size ??= total === undefined ? undefined : Number(total);
        if (this.size === undefined) throw this.failure("no Content-Range states the size of the file; pass `size`");
        const expected = Math.min(end, this.size) - start;
        if (Number(from ?? start) !== start || Number(total ?? this.size) !== this.size)
            throw this.failure("another range than requested, or the file has changed");
        if (answer.bytes.length !== expected)
            throw this.failure(`got ${answer.bytes.length} bytes, expected ${expected}`);
        for (let page = 0; page < n; page++)
            this.pages.set(first + page, answer.bytes.slice(page * PAGE, (page + 1) * PAGE));
    }

    keepWhole(bytes) {
        if (this.size !== undefined && this.size !== bytes.length)
            throw this.failure(`got ${bytes.length} bytes, expected ${this.size}`);
        console.warn(`${this.url}: the server ignores ranges; all ${bytes.length} bytes were fetched`);
        this.size = bytes.length;
        this.whole = memoryFile(bytes);
        this.pages.clear();
    }

    failure(text) {
        return new EinspulError(IO, "IO", `${this.url}: ${text}`);
    }
}

/** WASI stubs: fd_prestat_get returns EBADF (8) to end the search for directories, everything else
 * ENOTSUP (58). */
const NO_SYSTEM = new Proxy({}, { get: (_, name) => () => (name === "fd_prestat_get" ? 8 : 58) });

/** Converts the library's -1 to null. */
const pliesOrNull = (plies) => (plies < 0 ? null : plies);

/** An instance of the module with its files; its methods are the functions of einspul.h. */
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
        this.error = this.alloc(ERROR_SIZE);
        this.position = this.alloc(POSITION_SIZE);
        this.output = this.alloc(TEXT_SIZE);
        this.inputs = [0, 1].map(() => ({ address: 0, size: 0 }));
    }

    /** A fresh view; growing the memory detaches the previous buffer. */
    get view() {
        return new DataView(this.c.memory.buffer);
    }

    /** Allocates module memory; release with c.free. */
    alloc(n_bytes) {
        const address = this.c.malloc(Math.max(n_bytes, 1));
        if (address === 0) throw new EinspulError(NO_MEMORY, "NO_MEMORY", "out of memory");
        return address;
    }

    text(address) {
        const bytes = new Uint8Array(this.c.memory.buffer, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /** Copies a string into input buffer 0 (rule set) or 1 (everything else), replacing its contents. */
    put(input, text) {
        const to = this.inputs[input];
        if (text === to.text) return to.address;
        const bytes = encoder.encode(`${text}\0`);
        if (bytes.indexOf(0) !== bytes.length - 1) throw new TypeError("the text contains a NUL byte");
        if (bytes.length > to.size) {
            const address = this.alloc(bytes.length);
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

    /** Builds a Result from an outcome and plies at an address; null if unknown. `plies` 0: no distances. */
    result(outcomes, plies) {
        const outcome = this.view.getInt32(outcomes, true);
        if (outcome === UNKNOWN) return null;
        return { outcome, plies: pliesOrNull(plies === 0 ? -1 : this.view.getInt32(plies, true)) };
    }

    probe(handle, position, distances) {
        const outcome = this.output;
        const plies = distances ? outcome + 4 : 0;
        const status = this.c.einspul_probe(handle, position, 0, outcome, plies, this.error);
        const result = this.result(outcome, plies);
        if (result === null) this.check(status);
        return result;
    }

    /** Results, and errors in place of unknown ones. */
    probeMany(handle, rules, fens, distances) {
        const n = fens.length;
        const positions = this.alloc(n * (POSITION_SIZE + 8));
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

    /** Lists all legal moves; without values if `handle` is 0. */
    moves(handle, rules, fen) {
        const position = this.read(rules, fen);
        const list = (moves, n) =>
            handle === 0 || n === 0
                ? this.c.einspul_moves(this.put(0, rules), position, moves, n, this.error)
                : this.c.einspul_probe_moves(handle, position, moves, n, this.error);
        const n = list(0, 0);
        this.check(n < 0);
        const moves = this.alloc(n * MOVE_SIZE);
        try {
            this.check(list(moves, n) < 0);
            return Array.from({ length: n }, (_, i) => {
                const move = this.readMove(rules, position, moves + i * MOVE_SIZE);
                if (handle === 0) return move;
                const outcome = this.view.getInt8(moves + i * MOVE_SIZE + 50);
                const plies = this.view.getInt16(moves + i * MOVE_SIZE + 52, true);
                return { ...move, outcome, plies: pliesOrNull(plies) };
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
        const tables = this.alloc(n * TABLE_INFO_SIZE);
        this.c.einspul_list(handle, tables, n);
        const names = Array.from({ length: n }, (_, i) => this.text(tables + i * TABLE_INFO_SIZE));
        this.c.free(tables);
        return names;
    }
}

/** Retries a call, fetching missing pages in between; `isWaiting` is true for a result that is still
 * incomplete. */
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

    /** Serializes calls. Pages are evicted only between calls, so a running call never loses one. */
    ask(call, isWaiting) {
        const next = this.queue.then(() => retry(this.instance, () => call(this.opened()), isWaiting));
        this.queue = next.catch(() => {}).then(() => this.dropPages());
        return next;
    }

    opened() {
        if (this.handle === 0) throw new Error("the tablebase is closed");
        return this.handle;
    }

    /** Evicts pages beyond the limit from files with more than their share. */
    dropPages() {
        const files = this.instance.files.filter((file) => file.pages?.size > 0);
        const most = Math.floor(this.pageBytes / PAGE / Math.max(files.length, 1));
        for (const file of files) file.drop(most);
    }

    get fetchedBytes() {
        return this.instance.files.reduce(
            (n, file) => n + (file.whole === undefined ? (file.pages?.size ?? 0) * PAGE : file.size),
            0,
        );
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

/** The compiled module. */
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
        cacheBytes = 32 << 20,
        pageBytes = 64 << 20,
    }) {
        const sources = { ...files };
        if (pack !== undefined) sources[PACK] = pack;
        const entries = await Promise.all(
            Object.entries(sources).map(async ([name, source]) => {
                if (source instanceof Uint8Array) return [name, memoryFile(source)];
                const url = String(source.url);
                return [name, await RemoteFile.open(url, source.size)];
            }),
        );
        const instance = new Instance(this.module, new Map(entries));
        const handle = await retry(instance, () =>
            instance.open(rules, pack === undefined ? null : PACK, cacheBytes),
        );
        return new Tables(instance, handle, rules, pageBytes);
    }
}

/** Fetches a whole answer. A broken connection, or an error of the server, is retried once. */
async function fetchBytes(url, options) {
    for (let attempt = 1; ; attempt++) {
        let answer;
        let cause;
        try {
            answer = await fetch(url, options);
            const { status, headers, ok } = answer;
            if (ok) return { status, headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
            cause = `HTTP ${status}`;
        } catch (error) {
            cause = error.cause?.message ?? error.message;
        }
        if (attempt === 2 || (answer !== undefined && !answer.ok && answer.status < 500))
            throw new EinspulError(IO, "IO", `${url}: ${cause}`);
    }
}

export async function load(wasm = new URL("./einspul.wasm", import.meta.url)) {
    if (wasm instanceof Uint8Array || wasm instanceof ArrayBuffer)
        return new Einspul(await WebAssembly.compile(wasm));
    if (wasm.protocol === "file:") {
        const node = "node:fs/promises"; // not a literal, so that web bundlers do not try to resolve it
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ node);
        return new Einspul(await WebAssembly.compile(await readFile(wasm)));
    }
    return new Einspul(await WebAssembly.compile((await fetchBytes(wasm)).bytes));
}
