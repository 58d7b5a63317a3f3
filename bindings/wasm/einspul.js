/* Exact endgame tables for draughts, read in a browser or in Node by WebAssembly.
 *
 * A table is bytes in memory or a URL that answers range requests. Reading in the module is
 * synchronous, fetching is not: a probe that needs bytes which are not there yet ends with an error,
 * the bytes are fetched, and it is tried again. */

const PAGE = 65536; // bytes fetched at once
const IO = 30; // status: a file could not be read
const PACK = "pack"; // its name in the module
const MANIFEST = "file\tbytes\txxh64\tvalues"; // the first line of one

/** A failed call: `status` is the library's number, `code` its name, as "NO_TABLE". */
export class EinspulError extends Error {
    constructor(status, code, text) {
        super(text);
        this.name = "EinspulError";
        this.status = status;
        this.code = code;
    }
}

/** A table's bytes, all of them in memory. */
class MemoryFile {
    constructor(bytes) {
        this.bytes = bytes;
        this.size = bytes.length;
    }

    read(offset, to) {
        to.set(this.bytes.subarray(offset, offset + to.length));
        return true;
    }
}

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
        if (page !== undefined) {
            this.pages.delete(number);
            this.pages.set(number, page);
        }
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
            throw new EinspulError(IO, "IO", `${this.url}: ${bytes.length} bytes, not ${end - start}`);
        for (let page = first; page < first + n; page++)
            this.pages.set(page, bytes.slice((page - first) * PAGE, (page - first + 1) * PAGE));
    }
}

/** What wasi-libc asks of a system: there is a clock and nothing else. */
function system(instance) {
    const NOT_SUPPORTED = 58;
    const BAD_FILE = 8;
    const calls = {
        clock_time_get(_clock, _precision, to) {
            const now = BigInt(Math.round(performance.now() * 1e6));
            new DataView(instance().exports.memory.buffer).setBigUint64(to, now, true);
            return 0;
        },
        fd_prestat_get: () => BAD_FILE,
        sched_yield: () => 0,
        proc_exit(status) {
            throw new Error(`the module ended with ${status}`);
        },
    };
    return new Proxy(calls, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED) });
}

/** One instance of the module, with the files it may read. */
class Instance {
    constructor(module, files) {
        this.names = new Map([...files.keys()].map((name, number) => [name, number]));
        this.files = [...files.values()];
        const tables = {
            find: (name) => this.names.get(this.text(name)) ?? -1,
            size: (file) => this.files[file].size,
            read: (file, offset, to, n) =>
                this.files[file].read(offset, this.bytes().subarray(to, to + n)) ? 0 : 1,
        };
        const imports = { tables, wasi_snapshot_preview1: system(() => this.instance) };
        this.instance = new WebAssembly.Instance(module, imports);
        this.exports = this.instance.exports;
        this.exports._initialize();
    }

    bytes() {
        return new Uint8Array(this.exports.memory.buffer);
    }

    text(address) {
        const bytes = this.bytes();
        return new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
    }

    /** Calls a function with texts and numbers; texts are copied in, a zero byte ends each. */
    call(name, ...values) {
        const held = [];
        try {
            const converted = values.map((value) => {
                if (typeof value !== "string") return value;
                if (value.includes("\0")) throw new TypeError("a zero byte in a text");
                const bytes = new TextEncoder().encode(value);
                const address = this.exports.einspul_js_alloc(bytes.length + 1);
                if (address === 0) throw new RangeError("no memory for a text");
                held.push(address);
                const memory = this.bytes();
                memory.set(bytes, address);
                memory[address + bytes.length] = 0;
                return address;
            });
            return this.exports[`einspul_js_${name}`](...converted);
        } finally {
            for (const address of held) this.exports.einspul_js_free(address);
        }
    }

    statusName(status) {
        return this.text(this.exports.einspul_js_status_name(status));
    }

    error(status) {
        const text = this.text(this.exports.einspul_js_error());
        return new EinspulError(status, this.statusName(status), text);
    }

    /** Calls, and gives the answer's text or throws. */
    ask(name, ...values) {
        const status = this.call(name, ...values);
        if (status !== 0) throw this.error(status);
        return this.text(this.exports.einspul_js_answer());
    }
}

function readMoves(text) {
    return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
            const [move, from, to, captured, outcome, plies, fen] = line.split("\t");
            return {
                text: move,
                from: Number(from),
                to: Number(to),
                captured: captured === "" ? [] : captured.split(",").map(Number),
                outcome: Number(outcome),
                plies: plies === "-1" ? null : Number(plies),
                fen,
            };
        });
}

function readResult(text) {
    const [outcome, plies] = text.split("\t").map(Number);
    return { outcome, plies: plies < 0 ? null : plies };
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

/** Open tables of one rule set. */
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
    ask(name, values, isWaiting) {
        const call = () => {
            if (this.handle === 0) throw new Error("the tables are closed");
            return this.instance.ask(name, this.handle, this.rules, ...values);
        };
        const next = this.queue.then(() => retry(this.instance, call, isWaiting));
        this.queue = next.catch(() => {}).then(() => this.dropPages());
        return next;
    }

    /** Drops pages beyond the limit, from files with more than their share. */
    dropPages() {
        const files = this.instance.files.filter((file) => file.pages?.size > 0);
        const most = Math.floor(this.pageBytes / PAGE / Math.max(files.length, 1));
        for (const file of files) file.drop(most);
    }

    /** Bytes of files that are in memory. */
    get fetchedBytes() {
        return this.instance.files.reduce((n, file) => n + (file.pages?.size ?? 0) * PAGE, 0);
    }

    /** Outcome (1, 0, -1) for the side to move, and plies to the end; null for a draw. */
    async probe(fen, { distances = true } = {}) {
        return readResult(await this.ask("probe", [fen, distances ? 1 : 0]));
    }

    /** Many positions at once: a result or an EinspulError for each. */
    async probeMany(fens, { distances = true } = {}) {
        if (fens.some((fen) => fen.includes("\n"))) throw new TypeError("a line feed in a FEN");
        const lines = (text) => text.split("\n").slice(0, -1);
        const text = await this.ask(
            "probe_many",
            [fens.map((fen) => `${fen}\n`).join(""), fens.length, distances ? 1 : 0],
            (answer) => lines(answer).some((line) => line.startsWith(`${IO}\t`)),
        );
        return lines(text).map((line) => {
            const [status, rest] = [Number(line.split("\t", 1)[0]), line.slice(line.indexOf("\t") + 1)];
            return status === 0
                ? readResult(rest)
                : new EinspulError(status, this.instance.statusName(status), rest);
        });
    }

    /** All legal moves, best first. */
    async moves(fen) {
        return readMoves(await this.ask("probe_moves", [fen]));
    }

    /** Materials that have a file. */
    materials() {
        return this.instance.ask("list", this.handle).split("\n").filter((name) => name !== "");
    }

    close() {
        if (this.handle !== 0) this.instance.call("close", this.handle);
        this.handle = 0;
    }
}

/** The module, compiled. */
export class Einspul {
    constructor(module) {
        this.module = module;
        this.rulesOnly = new Instance(module, new Map());
    }

    /** The names of all rule sets. */
    ruleSets() {
        return this.rulesOnly.ask("rules").split("\n").filter((name) => name !== "");
    }

    /** All legal moves, without tables and values. */
    moves(fen, rules = "frisian") {
        return readMoves(this.rulesOnly.ask("moves", rules, fen)).map((move) => {
            const { outcome: _outcome, plies: _plies, ...rest } = move;
            return rest;
        });
    }

    /** The FEN after a move: "32-28", "28x39" or a full path. */
    play(fen, move, rules = "frisian") {
        return this.rulesOnly.ask("play", rules, fen, move);
    }

    /** Opens tables: single files by their names, as "frisian/KvK.wdl"; a `pack`; or all that a
     * `manifest` lists, which lie beside it. A file is bytes (Uint8Array) or `{ url, size }`; without
     * a size, it is asked for. */
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
                if (source instanceof Uint8Array) return [name, new MemoryFile(source)];
                const url = String(source.url);
                return [name, new RemoteFile(url, source.size ?? (await sizeOf(url)))];
            }),
        );
        const instance = new Instance(this.module, new Map(entries));
        const handle = await retry(instance, () => {
            const opened = instance.call("open", rules, pack === undefined ? "" : PACK, cacheBytes);
            if (opened === 0) throw instance.error(instance.exports.einspul_js_last_status());
            return opened;
        });
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
        throw new EinspulError(IO, "IO", `${base}: cut, or names what is no table`);
    return Object.fromEntries(
        files.map(([name, size]) => [name, { url: new URL(name, base), size: Number(size) }]),
    );
}

async function sizeOf(url) {
    const answer = await fetchOk(url, { method: "HEAD" });
    const size = Number(answer.headers.get("content-length") ?? NaN);
    if (!Number.isSafeInteger(size))
        throw new EinspulError(IO, "IO", `${url}: its size is not known`);
    return size;
}

/** Compiles the module from its bytes, or from einspul.wasm beside this file. */
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
