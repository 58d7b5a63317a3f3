// A web server for a folder, as forges have them: ranges, gzip for texts. Alone, `node site_server.mjs FOLDER` prints
// its address.
import {createServer} from 'node:http';
import {readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const types = {'.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml'};

// `log` of [path, status, bytes]; `options`, which may change: milliseconds of `latency`, and whether the server
// `ignoresRanges`; `damage(path, bytes)` returns the bytes to send.
export function serveFolder(folder, options = {}) {
  const log = [];
  const send = (request, answer) => {
    const path = decodeURIComponent(request.url.split('?')[0]).replace(/\/$/, '/index.html');
    let bytes;
    try { bytes = readFileSync(join(folder, path)); } catch { answer.writeHead(404).end(); log.push([path, 404, 0]); return; }
    const type = types[extname(path)] ?? 'application/octet-stream';
    const [, from, to] = (!options.ignoresRanges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')) || [];
    const headers = {'content-type': type, 'cache-control': 'max-age=600'};
    const all = bytes.length;
    bytes = options.damage?.(path, bytes) ?? bytes;
    if (from !== undefined) {
      bytes = bytes.subarray(Number(from), Number(to) + 1);
      headers['content-range'] = `bytes ${from}-${Number(from) + bytes.length - 1}/${all}`;
    } else if (extname(path) in types) {
      bytes = gzipSync(bytes);
      headers['content-encoding'] = 'gzip';
    }
    const status = from === undefined ? 200 : 206;
    log.push([path, status, bytes.length]);
    answer.writeHead(status, {...headers, 'content-length': bytes.length}).end(bytes);
  };
  const server = createServer((request, answer) => setTimeout(send, options.latency ?? 0, request, answer));
  return new Promise(resolve => server.listen(0, '127.0.0.1', () =>
    resolve({address: `http://127.0.0.1:${server.address().port}/`, log, options, close: () => server.close()})));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serveFolder(process.argv[2])).address);
