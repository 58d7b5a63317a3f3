/* In headless Chromium: browser.js MODULES TABLES EXPECTED. MODULES is a folder with playwright-core
 * in its node_modules, and with bundled.js, a bundler's output for bundle.js. The page imports the
 * package directly and as bundled, and reads files and a pack by range requests. */
import assert from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { serve } from "./server.js";

const [modules, tables, expectedFile] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const server = await serve({ package: fileURLToPath(new URL("..", import.meta.url)), modules, tables });
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
    await page.goto(server.url);
    const names = readdirSync(join(tables, "frisian")).filter((name) => /^\w+\.(wdl|dtw)$/.test(name));
    const expected = readFileSync(expectedFile, "utf8").trim().split("\n");
    const wrong = await page.evaluate(
        async ([names, expected]) => {
            const { compareMoves, compareProbes } = await import("/package/test/compare.js");
            const { load } = await import("/package/einspul.js");
            const einspul = await load();
            const urls = names.map((name) => [`frisian/${name}`, { url: `/tables/frisian/${name}` }]);
            const tables = await einspul.open({ files: Object.fromEntries(urls) });
            const fens = expected.slice(0, 300).map((line) => line.split("\t")[0]);
            const bundled = await import("/modules/bundled.js");
            const packed = await (await bundled.load(bundled.wasm)).open({ pack: { url: "/tables/frisian.pack" } });
            return [
                await compareProbes(tables, expected),
                await compareMoves(einspul, tables, "frisian", fens),
                await compareProbes(packed, expected.slice(0, 1000)),
            ];
        },
        [names, expected],
    );
    assert.deepEqual(wrong, [0, 0, 0]);
    assert.deepEqual(complaints, []);
    console.log(`${expected.length} positions in ${await browser.version()}: 0 wrong`);
} finally {
    await browser.close();
    server.close();
}
