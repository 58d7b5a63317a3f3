/* Under Node: node.js TABLES EXPECTED. TABLES is a folder of tables of two and three pieces, and
 * a pack of those of outcomes and distances, frisian.pack; EXPECTED is the output of `einspul probe`. Tests in-memory tables first, then range requests to a local server. */
import assert from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { EinspulError, load } from "../einspul.js";
import { compareMoves, compareProbes } from "./compare.js";
import { serve } from "./server.js";

const [folder, expectedFile] = process.argv.slice(2);
const expected = readFileSync(expectedFile, "utf8").trim().split("\n");
const namesOf = (rules) => readdirSync(join(folder, rules)).filter((name) => /^\w+\.(wdl|dtw)$/.test(name));
const names = namesOf("frisian");
const einspul = await load();

/* The files of a folder as bytes. */
const bytesOf = (rules) =>
    namesOf(rules).map((name) => [`${rules}/${name}`, new Uint8Array(readFileSync(join(folder, rules, name)))]);

const inMemory = await einspul.open({ files: Object.fromEntries(bytesOf("frisian")) });
assert.equal(await compareProbes(inMemory, expected), 0);
console.log(`${expected.length} positions, bytes in memory: 0 wrong`);
const fens = expected.slice(0, 500).map((line) => line.split("\t")[0]);
assert.equal(await compareMoves(einspul, inMemory, "frisian", fens), 0);

/* Fails if an example in the declarations is wrong: each is a call, and its value in a comment. */
const declarations = readFileSync(new URL("../einspul.d.ts", import.meta.url), "utf8");
const examples = [...declarations.matchAll(/^ +\* (.+);\s+(?:\* )?\/\/ (.+)$/gm)];
const AsyncFunction = (async () => {}).constructor;
for (const [, call, value] of examples) {
    const [result, wanted] = await new AsyncFunction("einspul", "tables", `return [${call}, ${value}]`)(einspul, inMemory);
    assert.deepEqual(result, wanted, call);
}
assert.equal(examples.length, 6);

/* A rule set may take tables from another one, and count a clock. */
const fmjd = await einspul.open({
    rules: "international-fmjd",
    files: Object.fromEntries(["international", "international-fmjd"].flatMap(bytesOf)),
});
assert.deepEqual(await fmjd.probe("W:WK1,K2:BK45:H4"), { outcome: 0, plies: null });
await assert.rejects(fmjd.probe("B:W25,36:BK48:H49"), { code: "UNDECIDED" });

const server = await serve({ tables: folder });
const { counts } = server;
const root = new URL("tables/", server.url);
const base = `${root}frisian/`;
const remote = await einspul.open({
    files: Object.fromEntries(names.map((name) => [`frisian/${name}`, { url: base + name }])),
});
assert.equal(await compareProbes(remote, expected), 0);
console.log(`the same by range requests: ${counts.requests} requests, ${counts.bytes} bytes`);
assert(counts.requests > 0);
assert.equal(counts.heads, 0);

/* A pack. Many positions at once, with what fails beside what does not. */
const told = (results) => results.map((result) => `${result.outcome} ${result.plies ?? "-"}`);
const fensOf = (lines) => lines.map((line) => line.split("\t")[0]);
async function comparePack(options, most) {
    Object.assign(counts, { heads: 0, requests: 0, bytes: 0 });
    const tables = await einspul.open({ pack: { url: new URL("frisian.pack", root) }, ...options });
    const results = await tables.probeMany(fensOf(expected));
    assert.equal(counts.heads, 0); // its size is in the first answer
    assert.deepEqual(told(results), told(await Promise.all(fensOf(expected).map((fen) => inMemory.probe(fen)))));
    assert(tables.fetchedBytes <= most, `${tables.fetchedBytes} bytes`);
    return tables;
}
const packed = await comparePack({}, 64 << 20);
console.log(`the same from a pack: ${counts.requests} requests, ${counts.bytes} bytes`);
assert(counts.requests <= 20); // a batch fetches all its pages at once
assert.deepEqual(packed.materials(), inMemory.materials());
const mixed = await packed.probeMany(["W:W28,K46:BK43", "W:W28,32,33,K46:BK43", "W:WK1:BK5"]);
assert.deepEqual(mixed[0], { outcome: 0, plies: null });
assert(mixed[1] instanceof EinspulError && mixed[1].code === "NO_TABLE" && /KMMMvK/.test(mixed[1].message));
assert.deepEqual(mixed[2], await inMemory.probe("W:WK1:BK5"));
assert.deepEqual(await packed.probeMany([]), []);
await assert.rejects(packed.probeMany(["W:WK1:BK5", "nonsense"]), { code: "BAD_FEN" });
await assert.rejects(packed.probe("W:WK1:BK5\0"), TypeError);
assert.deepEqual(told(await packed.probeMany(["W:WK3,27:BK48"], { distances: false })), ["1 -"]);

/* With zero cache, every probe refetches and still answers correctly. */
(await comparePack({ pageBytes: 0, cacheBytes: 0 }, 0)).close();
const small = await comparePack({ pageBytes: 65536, cacheBytes: 0 }, 65536);
assert.equal(await compareProbes(small, expected.slice(0, 200)), 0);
assert(small.fetchedBytes === 65536);

/* The same pack as bytes; a truncated one is refused by name. */
const bytes = new Uint8Array(readFileSync(join(folder, "frisian.pack")));
assert.equal(await compareProbes(await einspul.open({ pack: bytes }), expected.slice(0, 1000)), 0);
await assert.rejects(einspul.open({ pack: bytes.subarray(0, 5000) }), { code: "TRUNCATED" });
await assert.rejects(einspul.open({ pack: bytes, rules: "english" }), { code: "NO_FOLDER" });

/* Fails if a complete file is requested repeatedly from a server without range support. */
const plain = await serve({ tables: folder }, { ignoresRanges: true });
const warnings = [];
const { warn } = console;
console.warn = (text) => warnings.push(text);
const fromPlain = await einspul.open({ pack: { url: new URL("tables/frisian.pack", plain.url) } });
assert.equal(await compareProbes(fromPlain, expected.slice(0, 1000)), 0);
assert.equal(plain.counts.whole, 1);
assert.equal(fromPlain.fetchedBytes, readFileSync(join(folder, "frisian.pack")).length);
assert(warnings.length === 1 && /ignores ranges/.test(warnings[0]), warnings.join("\n"));
console.warn = warn;
plain.close();

/* Fails if one broken connection or server error is final, or if two are not reported. */
const shaky = await serve({ tables: folder });
const shakyPack = { pack: { url: new URL("tables/frisian.pack", shaky.url) } };
for (const fails of ["closed", 503]) {
    Object.assign(shaky.options, { fails, failures: 1 });
    const opened = await einspul.open(shakyPack);
    assert.deepEqual(await opened.probe("W:W28,K46:BK43"), { outcome: 0, plies: null });
    Object.assign(shaky.options, { fails, failures: 2 });
    await assert.rejects(einspul.open(shakyPack), (error) => error instanceof EinspulError && error.code === "IO");
}
Object.assign(shaky.options, { fails: 404, failures: 1 });
await assert.rejects(einspul.open(shakyPack), { code: "IO" });
assert.equal(shaky.options.failures, 0);
shaky.close();

/* Errors carry their status name, and the handle keeps working. */
for (const [fen, code] of [
    ["W:W51:B1", "BAD_FEN"],
    ["W:W28,K46:BK43:H0:F1:+0+147", "BAD_POSITION"],
    ["W:W28,32,33,K46:BK43", "NO_TABLE"],
]) {
    await assert.rejects(remote.probe(fen), (error) => error instanceof EinspulError && error.code === code);
}
assert.throws(() => einspul.play("W:W28:B1", "28-39"), { code: "BAD_MOVE" });
await assert.rejects(einspul.open({ rules: "klingon", files: {} }), { code: "BAD_RULES" });
await assert.rejects(einspul.open({ files: {} }), { code: "NO_FOLDER" });
const broken = await einspul.open({ files: { "frisian/KvK.wdl": new Uint8Array(4096) } });
await assert.rejects(broken.probe("W:WK1:BK5", { distances: false }), { code: "NOT_A_TABLE" });
server.close();
await assert.rejects(
    (await einspul.open({ files: { "frisian/KvK.wdl": { url: base + "KvK.wdl", size: 4096 } } })).probe("W:WK1:BK5"),
    (error) => error instanceof EinspulError && error.code === "IO" && /KvK.wdl/.test(error.message),
);
assert.deepEqual(await inMemory.probe("W:W28,K46:BK43"), { outcome: 0, plies: null });
assert(einspul.ruleSets().includes("international"));
inMemory.close();
await assert.rejects(inMemory.probe("W:WK1:BK5"));
console.log("errors are named");
