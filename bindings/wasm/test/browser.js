/* In headless Chromium: browser.js MODULES TABLES EXPECTED. MODULES is a folder whose node_modules
 * holds playwright-core; the page reads the tables by range requests from a server of this test. */
import assert from "node:assert";
import { createServer } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, folder, expectedFile] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const types = { ".js": "text/javascript", ".wasm": "application/wasm" };

/* The package below /, the tables below /tables/, with range requests. */
const server = createServer((request, answer) => {
    const url = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    if (url === "/") {
        answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><link rel=icon href='data:,'><title>test</title>");
        return;
    }
    const path = url.startsWith("/tables/") ? join(folder, url.slice(8)) : join(here, url);
    let bytes;
    try {
        bytes = readFileSync(path);
    } catch {
        answer.writeHead(404).end();
        return;
    }
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    const headers = { "content-type": types[extname(path)] ?? "application/octet-stream" };
    if (range === null) {
        answer.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
        return;
    }
    answer.writeHead(206, headers).end(bytes.subarray(Number(range[1]), Number(range[2]) + 1));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update"],
});
try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (text) => text.type() === "error" && complaints.push(text.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const names = readdirSync(join(folder, "frisian")).filter((name) => /^\w+\.(wdl|dtw)$/.test(name));
    const expected = readFileSync(expectedFile, "utf8").trim().split("\n");
    const result = await page.evaluate(
        async ([names, expected]) => {
            const { load } = await import("/einspul.js");
            const { compareMoves, compareProbes } = await import("/test/compare.js");
            const einspul = await load();
            const tables = await einspul.open({
                files: Object.fromEntries(
                    names.map((name) => [`frisian/${name}`, { url: `/tables/frisian/${name}` }]),
                ),
            });
            const wrong = await compareProbes(tables, expected);
            const start = performance.now();
            await compareProbes(tables, expected);
            const rate = expected.length / (performance.now() - start);
            const fens = expected.slice(0, 300).map((line) => line.split("\t")[0]);
            return { wrong, rate, moves: await compareMoves(einspul, tables, "frisian", fens) };
        },
        [names, expected],
    );
    assert.equal(result.wrong, 0);
    assert.equal(result.moves, 0);
    assert.deepEqual(complaints, []);
    console.log(
        `${expected.length} positions in ${await browser.version()}: 0 wrong, ${result.rate.toFixed(0)} k probes/s`,
    );
} finally {
    await browser.close();
    server.close();
}
