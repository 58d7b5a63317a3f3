// Keeps what a page without a server has fetched, so that it works offline after the first visit. `site.version`,
// from the checksums of all other files, names what belongs together.
const own = `${self.registration.scope} ${site.version}`;
const kept = () => caches.open(own);

self.addEventListener('install', event => {
  self.skipWaiting();
  event.waitUntil(kept().then(cache => cache.addAll(['./', 'app.js', 'einspul.wasm.gz', ...Object.keys(site.packs).map(rules => `tables/${rules}.heads`)])));
});

self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(self.registration.scope) && name !== own) await caches.delete(name);
  await self.clients.claim();
})()));

// Partial answers cannot be kept; the bytes of a range are kept as a whole answer of another address.
self.addEventListener('fetch', event => {
  const {request} = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const range = request.headers.get('range');
  const key = range ? `${request.url}?${range}` : request.url.replace(/[?#].*/, '').replace(/index\.html$/, '');
  event.respondWith((async () => {
    const cache = await kept();
    const known = await cache.match(key);
    if (known) return range ? new Response(known.body, {status: 206, headers: known.headers}) : known;
    const answer = await fetch(request);
    if (answer.status === (range ? 206 : 200)) await cache.put(key, new Response(answer.clone().body, {headers: answer.headers})).catch(() => {});
    return answer;
  })());
});
