// Speed of the page over a network with a latency of 150 ms and 200 kB/s: printed, not judged, because
// it depends on the machine. Run by hand: node tests/systems/browser_speed.mjs EINSPUL WORK, with
// NODE_PATH as in browser.
import {base, booklet, finish, open, says, test} from './browser_kit.mjs';

const slowNetwork = async page => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {offline: false, latency: 150, downloadThroughput: 200e3, uploadThroughput: 200e3});
};
const middleOf = list => [...list].sort((a, b) => a - b)[list.length >> 1];

await test('first verdict, a move, a game of 98 plies', {}, async page => {
  await slowNetwork(page);
  const sizes = new Map();
  page.on('response', async response => sizes.set(response.url(), (await response.request().sizes().catch(() => ({responseBodySize: 0}))).responseBodySize));
  const first = [];
  for (let i = 0; i < 5; i++) {
    await page.context().clearCookies();
    const client = await page.context().newCDPSession(page);
    await client.send('Network.clearBrowserCache');
    await page.goto('about:blank');
    sizes.clear();
    const begun = Date.now();
    await page.goto(`${base}?rules=frisian&fen=${booklet}`, {waitUntil: 'commit'});
    await says(page, 'A draw');
    first.push(Date.now() - begun);
  }
  await page.waitForTimeout(500);
  console.log(`first verdict ${middleOf(first)} ms, ${[...sizes.keys()].filter(url => !url.endsWith('.svg')).length} requests, ${[...sizes.values()].reduce((sum, n) => sum + n, 0)} bytes`);
  sizes.clear();
  const moves = [];
  for (let i = 0; i < 7; i++) {
    const begun = Date.now();
    const before = page.url();
    await page.locator('.moves button').first().click();
    await page.waitForFunction(url => location.href !== url && document.querySelector('.verdict:not(.pending) h1'), before);
    moves.push(Date.now() - begun);
  }
  console.log(`a move ${middleOf(moves)} ms, ${sizes.size / 7} requests`);
  const pdn = `[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n1. 3-25 48-42 ${Array.from({length: 24}, (_, i) => `${2 * i + 2}. 25-3 42-48 ${2 * i + 3}. 3-25 48-42`).join(' ')} *`;
  await page.goto(`${base}game?rules=frisian-free`);
  await page.locator('#pdn').fill(pdn);
  sizes.clear();
  const begun = Date.now();
  await page.locator('.game-card button.main').click();
  await page.locator('.line button').nth(98).waitFor();
  console.log(`a game of 98 plies ${Date.now() - begun} ms, ${[...sizes.keys()].filter(url => url.includes('annotate')).length} request`);
});

await test('five hundred moves', {}, async page => {
  await open(page, booklet, 'frisian');
  await says(page, 'A draw');
  const times = [];
  const client = await page.context().newCDPSession(page);
  const heap = async () => { await client.send('HeapProfiler.collectGarbage'); return (await client.send('Runtime.getHeapUsage')).usedSize; };
  const begun = await heap();
  for (let i = 0; i < 500; i++) {
    times.push(await page.evaluate(() => new Promise(resolve => {
      const {href} = location;
      const start = performance.now();
      document.querySelector('.moves button').click();
      const look = () => location.href !== href && document.querySelector('.verdict:not(.pending) .chips') ? resolve(performance.now() - start) : setTimeout(look, 1);
      look();
    })));
  }
  console.log(`a move: the first fifty ${middleOf(times.slice(0, 50)).toFixed(1)} ms, the second ${middleOf(times.slice(50, 100)).toFixed(1)} ms, the last ${middleOf(times.slice(-50)).toFixed(1)} ms; heap ${((await heap()) - begun) / 1e6} MB more; ${await page.evaluate(() => history.length)} entries`);
});

await finish();
