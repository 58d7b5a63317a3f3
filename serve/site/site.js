// The API of a page without a server. Answers about whole materials are files, written by `einspul site`;
// positions, games and proofs are answered in workers, by the library as WebAssembly (module.c), which reads
// the tables from packs by range requests. `site`, a line that `einspul site` puts before this file, holds the
// answer of `v1/rules`, the layouts of the packs, and whether there are lists.

// The program of a worker; its text is all that the worker has. `waits`: reads wait for their bytes, as a
// search cannot be begun anew. Elsewhere a call that lacks bytes is made again once they are there, so that
// many parts are fetched at once and other calls go on in the meantime.
function work({base, sets, layouts, waits}) {
  postMessage({id: 0}); // it has begun
  const page = 4096;      // bytes; whole pages are fetched
  const gap = 8;          // pages at most between two wanted ones that are fetched, too, to save a request
  const maxKept = 16384;  // pages of each pack
  const firstSlice = 1, lastSlice = 5; // seconds of a search, between which messages are read
  const rowsOf = rules => sets.find(set => set.rules === rules)?.rows;
  const packs = Object.entries(layouts).map(([rules, {size, most, parts}]) => ({rules, size, most, parts, rows: rowsOf(rules), url: `${base}tables/${rules}`, pages: new Map(), wanted: new Set(), coming: new Map(), heads: null, whole: null, opened: null}));
  const stopped = new Set();
  let running = null; // {rules, fen, answer, nodes, begun}: the search that runs
  let c; // exports of the module

  // --- tables ------------------------------------------------------------------------------------

  // Runs what may fail once more after a failure.
  const twice = async run => { try { return await run(); } catch { return run(); } };

  // Fetches the smaller of the parts that are read before any values, which are in one file; unless the page
  // has its bytes.
  async function fetchHeads(pack, own) {
    const answer = own ? new Response(own) : await fetch(`${pack.url}.heads`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    let end = 0;
    const heads = pack.parts.filter(([, n]) => n <= pack.most).map(([offset, n]) => [offset, n, bytes.subarray(end, end += n)]);
    if (!answer.ok || bytes.length !== end) throw new TypeError(`${answer.url}: HTTP ${answer.status}, ${bytes.length} bytes`);
    pack.heads = heads;
  }
  const headsOf = (pack, own = null) => pack.heads ??= twice(() => fetchHeads(pack, own).finally(() => { own = null; })).catch(error => { pack.heads = null; throw error; });

  // Keeps an answer to a request for bytes; a server that ignores ranges sends the whole file.
  function keep(pack, first, end, status, range, bytes) {
    if (status === 200 && bytes.length === pack.size) {
      if (!pack.whole) console.warn(`${pack.url}.pack: the server ignores ranges; all ${bytes.length} bytes were fetched`);
      pack.whole = bytes;
      return;
    }
    if (status !== 206 || range !== `bytes ${first * page}-${end - 1}/${pack.size}` || bytes.length !== end - first * page)
      throw new Error(`${pack.url}.pack: HTTP ${status}, ${bytes.length} bytes, ${range}; the file may have changed`);
    for (let at = 0; at < bytes.length; at += page) pack.pages.set(first + at / page, bytes.subarray(at, at + page));
  }

  // Takes the wanted pages of a pack: [[first, end in bytes], …].
  function runsOf(pack) {
    const runs = [];
    for (const number of [...pack.wanted].sort((one, other) => one - other)) {
      const last = runs.at(-1);
      if (last && number * page - last[1] <= gap * page) last[1] = Math.min((number + 1) * page, pack.size);
      else runs.push([number, Math.min((number + 1) * page, pack.size)]);
    }
    pack.wanted.clear();
    return runs;
  }

  async function fetchRun(pack, [first, end]) {
    const answer = await fetch(`${pack.url}.pack`, {headers: {Range: `bytes=${first * page}-${end - 1}`}});
    keep(pack, first, end, answer.status, answer.headers.get('content-range'), new Uint8Array(await answer.arrayBuffer()));
  }

  // Fetches the wanted pages of a pack, but for those that are on their way.
  function fetchWanted(pack) {
    const shared = [...pack.wanted].filter(number => pack.coming.has(number)).map(number => {
      pack.wanted.delete(number);
      return pack.coming.get(number);
    });
    return shared.concat(runsOf(pack).map(run => {
      const numbers = Array.from({length: Math.ceil(run[1] / page) - run[0]}, (all, i) => run[0] + i);
      const coming = twice(() => fetchRun(pack, run)).finally(() => numbers.forEach(number => pack.coming.delete(number)));
      for (const number of numbers) pack.coming.set(number, coming);
      return coming;
    }));
  }

  function fetchNow(pack, [first, end], again = true) {
    const request = new XMLHttpRequest();
    request.open('GET', `${pack.url}.pack`, false);
    request.responseType = 'arraybuffer';
    request.setRequestHeader('Range', `bytes=${first * page}-${end - 1}`);
    try {
      request.send();
      keep(pack, first, end, request.status, request.getResponseHeader('content-range'), new Uint8Array(request.response));
    } catch (error) {
      if (!again) throw error;
      fetchNow(pack, [first, end], false);
    }
  }

  // Copies bytes of a pack; false if some are not here. Of the parts that are read before any values, each
  // is fetched whole.
  function read(pack, offset, to) {
    const holds = ([begin, n]) => begin <= offset && offset + to.length <= begin + n;
    const head = pack.heads.find(holds);
    const pagesOf = ([begin, n]) => Array.from({length: Math.floor((begin + n - 1) / page) - Math.floor(begin / page) + 1}, (all, i) => Math.floor(begin / page) + i);
    const own = [offset, to.length];
    if (!head && !pack.whole) for (const number of pagesOf(pack.parts.find(holds) ?? own)) if (!pack.pages.has(number)) pack.wanted.add(number);
    if (waits && pack.wanted.size) try { for (const run of runsOf(pack)) fetchNow(pack, run); } catch { return false; }
    if (head) to.set(head[2].subarray(offset - head[0], offset - head[0] + to.length));
    else if (pack.whole) to.set(pack.whole.subarray(offset, offset + to.length));
    else if (pack.wanted.size) return false;
    else for (const number of pagesOf(own)) {
      const from = Math.max(offset - number * page, 0);
      to.set(pack.pages.get(number).subarray(from, offset + to.length - number * page), number * page + from - offset);
    }
    return true;
  }

  // --- the module --------------------------------------------------------------------------------

  const bytesAt = (address, n) => new Uint8Array(c.memory.buffer, address, n);

  function put(text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const address = c.malloc(bytes.length);
    bytesAt(address, bytes.length).set(bytes);
    return [address, bytes.length - 1];
  }

  function textAt(address) {
    const rest = bytesAt(address);
    return new TextDecoder().decode(rest.subarray(0, rest.indexOf(0)));
  }

  // Calls a function of the module with texts; its answer is [status, JSON].
  function callWith(name, ...texts) {
    const put_ = texts.map(put);
    const status = c[name](...put_.map(([address]) => address), ...(name === 'site_call' ? [put_.at(-1)[1]] : []));
    for (const [address] of put_) c.free(address);
    return [status, new TextDecoder().decode(bytesAt(c.site_answer(), c.site_answer_bytes()))];
  }

  // Makes a call, again and again while bytes are fetched for it.
  async function calling(name, ...texts) {
    for (;;) {
      const answer = callWith(name, ...texts);
      const lacking = packs.filter(pack => pack.wanted.size);
      if (!lacking.length) return answer;
      await Promise.all(lacking.flatMap(fetchWanted));
    }
  }

  async function openPack(pack) {
    await headsOf(pack);
    await loaded;
    const [status, json] = await calling('site_open', pack.rules);
    if (status) throw new Error(JSON.parse(json).error);
  }

  // Opens the tables that a call reads; once, but again after a failure. A game may be one of any rule set.
  async function open(rules, name, args) {
    const compares = name === 'compare' || args.compare;
    for (const pack of packs) if (pack.rules === rules || name === 'annotate' || (compares && pack.rows === rowsOf(rules)))
      await (pack.opened ??= openPack(pack).catch(error => { pack.opened = null; throw error; }));
  }

  // Starts the module; where the server said that the file is compressed, its bytes are unpacked.
  async function load(bytes) {
    const plain = new Uint8Array(bytes)[0] === 0x1f ? new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer() : bytes;
    const file = number => packs[number - 1];
    const imports = {
      site: {
        open: (user, name) => packs.findIndex(({rules}) => rules === textAt(name)) + 1,
        size: (user, number) => BigInt(file(number).size),
        read_at: (user, number, offset, to, n) => read(file(number), Number(offset), bytesAt(to, n)) ? 0 : 1,
        close: () => {},
        now: () => performance.now(),
      },
      // Without a file system: fd_prestat_get ends the search for folders (EBADF), all else is ENOTSUP.
      wasi_snapshot_preview1: new Proxy({}, {get: (all, name) => () => name === 'fd_prestat_get' ? 8 : 58}),
    };
    c = (await WebAssembly.instantiate(await plain, imports)).instance.exports;
    c._initialize();
  }

  // --- calls -------------------------------------------------------------------------------------

  const call = (rules, name, args, body) => calling('site_call', rules, name, Object.entries(args).map(([key, value]) => `${key}\0${value.replaceAll('\0', '\x01')}\0`).join(''), body);

  // A search in slices. A call without a search, meanwhile, is told how far it is.
  async function solve(rules, args, id) {
    const isRunning = running?.rules === rules && running.fen === args.fen;
    if (args.seconds === '0') return isRunning && running.answer ? [200, JSON.stringify({...running.answer, running: true, nodes: running.nodes, seconds: (performance.now() - running.begun) / 1000})] : call(rules, 'solve', args, '');
    const own = running = {rules, fen: args.fen, answer: null, nodes: 0, begun: performance.now()};
    try {
      for (let slice = firstSlice; ; slice = Math.min(2 * slice, lastSlice)) {
        const left = Math.ceil(Number(args.seconds ?? 10) - (performance.now() - own.begun) / 1000);
        const [status, json] = await call(rules, 'solve', {...args, seconds: String(Math.max(1, Math.min(slice, left)))}, '');
        own.answer = JSON.parse(json);
        own.nodes += own.answer.nodes;
        if (status !== 200 || own.answer.wdl !== null || left <= slice || stopped.has(id)) return [status, JSON.stringify({...own.answer, nodes: own.nodes})];
        await new Promise(resolve => setTimeout(resolve));
      }
    } finally {
      if (running === own) running = null;
    }
  }

  // Forgets the pages that came first.
  function drop() {
    for (const {pages} of packs) for (const number of pages.keys()) {
      if (pages.size <= maxKept) break;
      pages.delete(number);
    }
  }

  let loaded = null;
  self.onmessage = async ({data: {id, soon, heads, stop, module, rules, name, args, body}}) => {
    if (stop) { stopped.add(id); return; }
    try {
      loaded ??= load(module);
      if (soon) await headsOf(packs.find(pack => pack.rules === soon), heads);
      await loaded;
      if (soon) return;
      await open(rules, name, args);
      const [status, json] = name === 'solve' ? await solve(rules, args, id) : await call(rules, name, args, body ?? '');
      postMessage({id, status, json});
    } catch (error) {
      if (!soon) postMessage({id, failure: error.message, offline: error instanceof TypeError});
    }
    if (!running) drop();
  };
}

// --- on the page -----------------------------------------------------------------------------------

const siteBase = location.href.replace(/[?#].*$/, '').replace(/[^/]*$/, '');
if (!site.lists) document.documentElement.dataset.site = 'bare';
// After the first answers, as it fetches the page again.
if (navigator.serviceWorker) addEventListener('load', () => setTimeout(() => navigator.serviceWorker.register('sw.js').catch(() => {}), 3000));
const siteWorkers = new Map(); // one for searches, one for all else
const siteAsked = new Map(); // by the number of a message: what takes its answer

function siteWorker(waits) {
  if (!siteWorkers.has(waits)) {
    const program = `(${work})(${JSON.stringify({base: siteBase, sets: site.rules.rule_sets, layouts: site.packs, waits})})`;
    const worker = new Worker(URL.createObjectURL(new Blob([program], {type: 'text/javascript'})));
    worker.onmessage = ({data}) => {
      siteAsked.get(data.id)?.(data);
      siteAsked.delete(data.id);
    };
    siteWorkers.set(waits, worker);
  }
  return siteWorkers.get(waits);
}

let siteMessages = 0;

// The bytes of the module; asked for again after a failure.
let siteModule = null;
async function moduleBytes() {
  const answer = await fetch(`${siteBase}einspul.wasm.gz`);
  if (!answer.ok) throw new TypeError(`${answer.url}: HTTP ${answer.status}`);
  return answer.arrayBuffer();
}
const wholeModule = () => siteModule ??= moduleBytes().catch(error => { siteModule = null; throw error; });
// The first worker begins before the page is drawn, which would delay it, and with the rule set of the address, of
// which index.html has fetched the heads (`early`).
const siteBegins = new Promise(resolve => { siteAsked.set(0, resolve); setTimeout(resolve, 300); });
const siteFirst = new URLSearchParams(location.search).get('rules') ?? site.rules.rule_sets[0].rules;
const siteReady = Promise.all([siteWorker(false), wholeModule(), globalThis.early]).then(([worker, module, heads]) => { if (site.packs[siteFirst]) worker.postMessage({soon: siteFirst, module, heads}); }, () => {});

// Asks a worker; what fetch would have thrown is thrown.
const askWorker = (message, module, signal) => new Promise((resolve, reject) => {
  const id = ++siteMessages;
  const worker = siteWorker(message.name === 'solve' || message.name === 'proof');
  signal?.addEventListener('abort', () => {
    worker.postMessage({id, stop: true});
    reject(new DOMException('', 'AbortError'));
  });
  siteAsked.set(id, ({status, json, failure, offline}) => {
    if (offline) reject(new TypeError(failure));
    else resolve(failure ? siteAnswer({error: failure, code: 'FAULT'}, 500) : siteAnswer(JSON.parse(json), status));
  });
  worker.postMessage({id, module, ...message});
});

const siteAnswer = (json, status = 200) => ({ok: status === 200, status, json: async () => json});

async function siteFile(path, take = json => json) {
  const answer = await fetch(`${siteBase}${path}.json`);
  return answer.ok ? siteAnswer(take(await answer.json())) : siteAnswer({error: 'not on this site', code: 'NO_TABLE'}, 404);
}

// So many positions of a list, in an order that a number gives.
function sampled(list, n, seed) {
  const rest = [...list];
  let state = Number(seed) || 1;
  return Array.from({length: Math.min(n, rest.length)}, () => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return rest.splice(Math.floor(state / 2 ** 32 * rest.length), 1)[0];
  });
}

// Takes the place of fetch for the API.
globalThis.askSite = async (path, {body, signal} = {}) => {
  const [place, query] = path.split('?');
  const [, rules, name] = place.split('/');
  const args = Object.fromEntries(new URLSearchParams(query));
  const folder = `v1/${rules}`;
  if (place === 'v1/rules') return siteBegins.then(() => siteAnswer(site.rules));
  if (name === 'tables' || name === 'lists' || name === 'material') return siteFile(decodeURIComponent(place));
  if (name === 'list') {
    const {lists} = await (await siteFile(`${folder}/lists`)).json();
    return siteFile(`${folder}/list-${lists.indexOf(args.name)}`, json => ({...json, positions: json.positions.slice(Number(args.from), Number(args.from) + Number(args.limit))}));
  }
  if (name === 'find') return siteFile(`${folder}/train`, json => ({...json, positions: sampled(json.positions, Number(args.sample), args.seed)}));
  await siteReady;
  return askWorker({rules, name, args, body}, await wholeModule(), signal);
};
