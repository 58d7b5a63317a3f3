/* The web server of these tests: folders of files, by range requests as static servers answer them. It answers
 * HEAD with a wrong length, as servers do that compress. */
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

const types = { ".js": "text/javascript", ".wasm": "application/wasm" };

/* `folders` by the first part of their URLs; `counts` of the requests, for the caller to clear.
 * `ignoresRanges`: the server sends whole files; `failures`: number of requests that fail, in the way `fails` names. */
export async function serve(folders, options = {}) {
    const counts = { heads: 0, requests: 0, whole: 0, bytes: 0 };
    const server = createServer((request, answer) => {
        if (request.url === "/") {
            answer.writeHead(200, { "content-type": "text/html" });
            answer.end("<!doctype html><link rel=icon href='data:,'><title>test</title>");
            return;
        }
        const [, folder, path] = /^\/(\w+)\/(.*)$/.exec(request.url);
        const bytes = readFileSync(join(folders[folder], path));
        const type = types[extname(path)] ?? "application/octet-stream";
        // A connection that is kept may end just when the next request begins.
        const headers = { "content-type": type, "content-length": bytes.length, connection: "close" };
        if (options.failures > 0) {
            options.failures--;
            if (options.fails === "closed") request.socket.destroy();
            else answer.writeHead(options.fails).end();
            return;
        }
        const range = options.ignoresRanges
            ? undefined
            : /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "")?.slice(1).map(Number);
        if (request.method === "HEAD") {
            counts.heads++;
            answer.writeHead(200, { ...headers, "content-length": 20 }).end();
        } else if (range === undefined) {
            counts.whole++;
            answer.writeHead(200, headers).end(bytes);
        } else {
            const part = bytes.subarray(range[0], range[1] + 1);
            counts.requests++;
            counts.bytes += part.length;
            const contentRange = `bytes ${range[0]}-${range[0] + part.length - 1}/${bytes.length}`;
            answer.writeHead(206, { ...headers, "content-length": part.length, "content-range": contentRange });
            answer.end(part);
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${server.address().port}/`, counts, options, close: () => server.close() };
}
