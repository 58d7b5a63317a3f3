/* bundled.js BUNDLE PACK: runs what a bundler made of bundle.js, with the pack behind a server. */
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const bytes = readFileSync(process.argv[3]);
const server = createServer((request, answer) => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    if (request.method === "HEAD") answer.writeHead(200, { "content-length": bytes.length }).end();
    else answer.writeHead(206).end(bytes.subarray(Number(from), Number(to) + 1));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
globalThis.packUrl = `http://127.0.0.1:${server.address().port}/set.pack`;
await import(pathToFileURL(process.argv[2]));
server.close();
assert.equal(globalThis.bundleSaid, "5 1 41");
console.log("the bundle answers");
