// site.mjs SITE MODULES EINSPUL POSITIONS: a folder of `einspul site` in Chromium, served as any web space serves it.
// MODULES holds playwright-core and axe-core, POSITIONS a FEN a line.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {serveFolder} from './site_server.mjs';

const [folder, modules, einspul, positions] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const {chromium} = require('playwright-core');
const server = await serveFolder(folder);
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
let failed = 0;

async function test(name, run, allowed = null) {
  if (!name.includes(process.env.ONLY ?? '')) return;
  const context = await browser.newContext({locale: 'en-GB', viewport: {width: 1180, height: 900}});
  const page = await context.newPage();
  const said = [];
  page.on('console', message => message.type() !== 'log' && said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000));
  server.options = Object.assign(server.options, {ignoresRanges: false, damage: undefined, latency: 0});
  server.log.length = 0;
  try {
    await run(page);
    assert.deepEqual(said.filter(line => !allowed?.test(line)), []);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}\n${said.join('\n')}`);
    await page.screenshot({path: `${modules}/site-failed-${failed}.png`}).catch(() => {});
  }
  await context.close();
}

const at = query => `${server.address}${query}`;
const says = (page, words) => page.locator('.verdict h1', {hasText: words}).waitFor();
const button = (page, name) => page.getByRole('button', {name, exact: true});
const booklet = 'W:W28,K46:BK43';

await test('every answer is that of the server on the same packs', async page => {
  const rules = ['frisian', 'frisian-lidraughts', 'international'];
  const serve = spawn(einspul, ['serve', '--port', '0', ...readdirSync(`${folder}/tables`).filter(name => name.endsWith('.pack')).flatMap(name => ['--tables', `${folder}/tables/${name}`])], {stdio: ['ignore', 'pipe', 'ignore']});
  serve.unref();
  page.on('close', () => serve.kill());
  const address = String((await once(serve.stdout, 'data'))[0]).trim();
  const fens = [...readFileSync(positions, 'utf8').trim().split('\n').slice(0, 1000), booklet, 'W:WK3,28:B14,K20', 'W:WK3,K7:BK42,K50', 'B:WK2,K4:BK23:H12:F1',
    'W:W28,K46:B15,20,K43', 'W:WK46:BK5:H9', 'W:W1:B1', 'W:W51:BK1', 'hello', '', 'W:W:BK1', '[FEN "W:WK46:BK5"]', 'https://lidraughts.org/analysis/frisian/W:WK2,K4:BK23:H0:F1', 'W:WK1,,2:B50', 'W:W28\0:B1'];
  const pdn = `[GameType "40"]\n[FEN "${booklet}"]\n\n1. 28-22 43-38 {a comment} 2. 46-41 (2. 46-37 $1) 2... 38-16 *\n`;
  const calls = fens.flatMap((fen, i) => [`position?${new URLSearchParams({partial: 1, line: 12, compare: 1, fen})}`, i % 10 ? [] : [`map?square=46&${new URLSearchParams({fen})}`, `compare?${new URLSearchParams({fen})}`, `mainline?notation=letters&${new URLSearchParams({fen})}`]].flat())
    .map((call, i) => [`v1/${rules[i % rules.length]}/${call}`, null]).concat(rules.flatMap(name => [pdn, pdn.replace('46-41', '46-10'), '', '\0', booklet].map(body => [`v1/${name}/annotate`, body])));
  await page.goto(at('?view=help'));
  await page.locator('nav').waitFor();
  const own = [];
  for (let i = 0; i < calls.length; i += 40)
    own.push(...await page.evaluate(calls => Promise.all(calls.map(async ([path, body]) => {
      const answer = await globalThis.askSite(path, body === null ? {} : {method: 'POST', body});
      return [answer.status, JSON.stringify(await answer.json())];
    })), calls.slice(i, i + 40)));
  let answered = 0;
  for (const [i, [path, body]] of calls.entries()) {
    const answer = await fetch(address + path, body === null ? {} : {method: 'POST', body});
    assert.deepEqual(own[i], [answer.status, JSON.stringify(await answer.json())], path);
    answered += answer.ok ? 1 : 0;
  }
  console.log(`        ${calls.length} calls, ${answered} of them answered with 200`);
  assert.ok(answered > 900);
});

await test('first verdicts of four pieces: at most 6 requests and 400 kB', async page => {
  server.options.latency = 50;
  for (const [fen, words] of [['W:WK3,28:B14,K20', 'A draw'], ['W:WK3,K7:BK42,K50', 'A draw'], ['W:WK46,33,K38:BK12', 'White to move wins in 3 plies']]) {
    const context = await browser.newContext({locale: 'en-GB'});
    const own = await context.newPage();
    await own.addInitScript(() => { // says when the first verdict is there, before anything else is asked for, and drawn
      const post = Worker.prototype.postMessage;
      let there = null;
      Worker.prototype.postMessage = function (...message) { if (there) there.then(() => post.apply(this, message)); else post.apply(this, message); };
      new MutationObserver((changes, observer) => {
        if (!document.querySelector('.verdict:not(.pending) h1')) return;
        observer.disconnect();
        there = fetch('there');
        requestAnimationFrame(() => fetch('drawn'));
      }).observe(document, {subtree: true, childList: true});
    });
    server.log.length = 0;
    const begun = performance.now();
    await own.goto(at(`?rules=frisian&fen=${fen}`));
    await says(own, words);
    while (!server.log.some(([path]) => path === '/drawn')) await own.waitForTimeout(20);
    const ms = Math.round(performance.now() - begun - server.options.latency); // which the last request took
    const log = server.log.slice(0, server.log.findIndex(([path]) => path === '/there')).filter(([path]) => path !== '/icon.svg');
    const bytes = log.reduce((sum, [, , n]) => sum + n, 0);
    console.log(`        ${fen}: ${log.length} requests, ${log.filter(([, status]) => status === 206).length} of them of tables, ${bytes} bytes, ${ms} ms`);
    assert.ok(log.length <= 6 && bytes <= 400e3);
    await context.close();
  }
  await page.goto('about:blank');
});

await test('a verdict, its reasons and other rules, moves, the line, the map, back', async page => {
  await page.goto(at(`?rules=frisian&fen=${booklet}`));
  await says(page, 'A draw, White to move');
  await page.locator('.chips', {hasText: 'lidraughts'}).waitFor();
  await page.locator('.reason').first().waitFor();
  await page.locator('.moves button', {hasText: '28-22'}).click();
  await says(page, 'Black to move');
  await page.keyboard.press('f');
  await page.goBack();
  await says(page, 'A draw, White to move');
  await page.goto(at('?rules=frisian&fen=W:WK3,27:BK48'));
  await says(page, 'White to move wins in 41 plies');
  await page.locator('.line button').nth(40).waitFor();
  await page.locator('.tools').getByRole('button', {name: /map/i}).click();
  await page.locator('.square[data-square="3"]').click();
  await page.locator('.verdict, .hint, .board-box').getByText(/win \d+, draw \d+, loss \d+/i).first().waitFor();
});

await test('a game is judged and kept as a study; a link to lidraughts is judged by its rules', async page => {
  await page.goto(at('?view=game&rules=frisian'));
  await page.locator('#pdn').fill(`[GameType "40"]\n[FEN "${booklet}"]\n\n1. 28-22 43-38 {a comment} 2. 46-41 38-16 *`);
  await page.locator('.game-card button.main').click();
  await page.locator('.line button', {hasText: '46-41'}).click();
  await page.locator('.moves button').first().click();
  await page.waitForURL(/[?&]study=/);
  await page.reload();
  await page.locator('.line', {hasText: 'a comment'}).waitFor();
  await page.goto(at('?rules=frisian&fen=https://lidraughts.org/analysis/frisian/W:WK2,K4:BK23:H0:F1'));
  await page.waitForURL(/rules=frisian-lidraughts/);
  await says(page, 'White to move wins');
});

await test('statistics, lists and training; no searches', async page => {
  await page.goto(at('?view=materials&rules=frisian'));
  await page.getByRole('link', {name: 'KMvK', exact: true}).click();
  await page.getByRole('heading', {name: 'KMvK · Frisian'}).waitFor();
  await page.locator('.histogram').first().waitFor();
  assert.equal(await page.locator('a[href*="material="]').filter({visible: true}).count(), 0);
  await page.locator('nav a[data-view=search]').click();
  await page.getByRole('link', {name: 'Studies of three pieces'}).click();
  await page.locator('.found li').nth(49).waitFor();
  assert.equal(await page.locator('.search label').filter({visible: true}).count(), 0);
  await button(page, 'Next 50').click();
  await page.locator('.found li').nth(99).waitFor();
  await page.locator('nav a[data-view=train]').click();
  await page.getByRole('heading', {name: /to move: keep the win/}).waitFor();
  await page.locator('#main').getByText(/Training · 1\/\d+/).waitFor();
  await button(page, 'Show the move').click();
  await button(page, 'Next position').click();
  await page.locator('#main').getByText(/Training · 2\/\d+/).waitFor();
});

await test('a proof beyond the tables, of a file, too; a search stops', async page => {
  const file = `${modules}/one.proof`;
  spawnSync(einspul, ['solve', 'B:W36,37,41:B3,4,9,K20', '--proof', file, '--tables', `${folder}/tables/frisian.pack`]);
  await page.goto(at('?view=game&rules=frisian'));
  await page.getByLabel('A PDN or proof file').setInputFiles(file);
  await page.locator('.proof', {hasText: 'Proved: Black wins.'}).waitFor();
  await page.goto(at('?rules=frisian&fen=W:WK46,K1,K6,K28:BK43'));
  await page.locator('.proof', {hasText: 'Proved: White wins.'}).waitFor(); // by the short search that begins by itself
  await page.goto(at('?rules=frisian&fen=W:W31,32,33,37,38,39,42:B12,13,14,18,19,20,9'));
  await says(page, 'not in the tables');
  await button(page, 'Prove this position').click();
  await button(page, 'Stop').click();
  await page.getByText('The search was stopped').first().waitFor();
});

await test('offline after the first visit', async page => {
  await page.goto(at(`?rules=frisian&fen=${booklet}`));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.reload();
  await says(page, 'A draw, White to move');
  await page.locator('.chips', {hasText: 'lidraughts'}).waitFor();
  await page.context().setOffline(true);
  server.log.length = 0;
  await page.goto(at(`?rules=frisian&fen=${booklet}&again`));
  await says(page, 'A draw, White to move');
  await page.locator('.moves button', {hasText: '28-22'}).waitFor();
  assert.deepEqual(server.log.filter(([path]) => path !== '/sw.js'), []); // the browser itself looks for a newer one
});

await test('a server that ignores ranges: each pack is fetched once', async page => {
  server.options.ignoresRanges = true;
  await page.goto(at('?rules=frisian-lidraughts&fen=W:WK3,27:BK48'));
  await says(page, 'White to move wins');
  await page.locator('.chips').waitFor();
  const packs = server.log.filter(([path]) => path.endsWith('.pack')).map(([path]) => path);
  assert.equal(new Set(packs).size, packs.length);
  assert.ok(packs.length > 1);
}, /ignores ranges/);

await test('a damaged table gives an error, never a value', async page => {
  server.options.damage = (path, bytes) => path.endsWith('/frisian.pack') ? bytes.map((byte, i) => i > 4096 ? byte ^ 1 : byte) : bytes;
  await page.goto(at('?rules=frisian&fen=W:WK3,28:B14,K20'));
  await page.locator('.verdict', {hasText: 'No answer'}).waitFor();
});

await test('accessibility', async page => {
  await page.goto(at(`?rules=frisian&fen=${booklet}`));
  await page.locator('.chips').waitFor();
  await page.addScriptTag({path: require.resolve('axe-core')});
  const {violations} = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({id, nodes}) => [id, nodes[0].html]), []);
});

await browser.close();
server.close();
console.log(failed ? `${failed} failed` : 'all passed');
process.exit(failed ? 1 : 0);
