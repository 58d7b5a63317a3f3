// Shared fixtures and helpers of the browser tests. Each test has its own browser window; any console
// message, exception or request to another host fails it. ONLY in the environment selects tests by a
// part of their names, PATIENCE sets the time limit of each step in ms.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {once} from 'node:events';
import {createServer} from 'node:http';

const require = createRequire(`${process.argv[3]}/`);
const {chromium} = require('playwright-core');
export const axe = require.resolve('axe-core');
export const [einspul, work, screenshots] = process.argv.slice(2);
export const booklet = 'W:W28,K46:BK43';
export const fmjd = 'international-fmjd';

const server = spawn(einspul, ['serve', '--port', '0', '--tables', `${work}/tables`, '--lists', `${work}/lists`], {stdio: ['ignore', 'pipe', 'inherit']});
export const base = String((await once(server.stdout, 'data'))[0]).trim();
assert.match(base, /^http:\/\/127\.0\.0\.1:\d+\/$/);
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

let elsewhere = null; // a page of another host, for one that stands within it
let passed = 0;
let failed = 0;

export async function test(name, {refused = 0, ...options}, run, allowed = /status of 400/) {
  if (!name.includes(process.env.ONLY ?? '')) return;
  const context = await browser.newContext({viewport: {width: 1180, height: 900}, locale: 'en-GB', colorScheme: 'light', ...options});
  const page = await context.newPage();
  const problems = [];
  page.on('console', message => { if (message.type() !== 'log') problems.push(`console: ${message.text()}`); });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('request', request => { if (!request.url().startsWith(base) && !request.url().startsWith(elsewhere ?? base) && !request.url().startsWith('data:')) problems.push(`asks ${request.url()}`); });
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000)); // enough for a slow machine
  try {
    await run(page);
    // A browser writes a line of its own for every position the server refuses.
    const lines = problems.filter(line => !allowed.test(line));
    assert.deepEqual(lines, []);
    if (!/ERR/.test(allowed.source)) assert.equal(problems.length, refused);
    passed++;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}\n${problems.join('\n')}`);
    await page.screenshot({path: `${work}/failed-${failed}.png`}).catch(() => {});
  }
  await context.close();
}

// --- what a person does and sees ---------------------------------------------------------------------

export const open = async (page, fen, rules = 'frisian') => {
  await page.goto(`${base}?rules=${rules}&fen=${fen}`);
  await page.locator('.verdict h1').waitFor();
};
export const address = page => new URL(page.url().replaceAll('+', '%2B')).searchParams.get('fen');
export const moved = (page, fen) => page.waitForFunction(text => new URL(location.href.replaceAll('+', '%2B')).searchParams.get('fen') === text, fen);
export const verdict = page => page.locator('.verdict h1').innerText();
export const says = (page, words) => page.locator('.verdict h1', {hasText: words}).waitFor();
export const square = (page, n) => page.locator(`.square[data-square="${n}"]`);
export const middle = async (page, n) => {
  const box = await square(page, n).locator('.dark').boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
export const drag = async (page, from, to) => {
  await page.mouse.move(...await middle(page, from));
  await page.mouse.down();
  await page.mouse.move(...(Array.isArray(to) ? to : await middle(page, to)), {steps: 6});
  await page.mouse.up();
};
export const click = async (page, n) => page.mouse.click(...await middle(page, n));
export const button = (page, name) => page.getByRole('button', {name, exact: true});
// Calls of the server that take their time.
export const slowly = (page, calls, ms) => page.route(url => calls.test(url.pathname), async route => {
  await new Promise(resolve => setTimeout(resolve, ms));
  await route.continue().catch(() => {}); // the page may be closed
});

// --- at three sizes, by mouse and by touch -------------------------------------------------------------

const phone = (width, height) => ({viewport: {width, height}, hasTouch: true, isMobile: true});
export const sizes = [['a desk', {viewport: {width: 1280, height: 800}}], ['a phone upright', phone(390, 844)], ['a phone on its side', phone(844, 390)]];
// Where the board, the verdict and the best move are to be in view at once.
export const screens = [['360x640', phone(360, 640)], ['360x740', phone(360, 740)], ['320x568', phone(320, 568)], ['568x320', phone(568, 320)], ['768x1024', phone(768, 1024)], ...sizes,
  ['1920x1080', {viewport: {width: 1920, height: 1080}}], ['1280x800 at 200 %', {viewport: {width: 640, height: 400}}]];

// What is inside the window without scrolling.
export const inView = async (page, locator) => {
  const box = await locator.boundingBox();
  const {width, height} = page.viewportSize();
  return box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1;
};

// A finger, as Chromium has it: [x, y] where it is put down, moved to and lifted.
export const finger = async (page, from, to = from, ms = 0) => {
  const client = await page.context().newCDPSession(page);
  const touch = (type, point) => client.send('Input.dispatchTouchEvent', {type, touchPoints: point ? [{x: point[0], y: point[1]}] : []});
  await touch('touchStart', from);
  if (to !== from) for (let i = 1; i <= 5; i++) await touch('touchMove', [from[0] + (to[0] - from[0]) * i / 5, from[1] + (to[1] - from[1]) * i / 5]);
  await page.waitForTimeout(ms);
  await touch('touchEnd');
};
export const middleOf = async locator => {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

// Opens a page of another host with the page in a frame of it, which `run` is given.
export async function embedded(page, address, run) {
  const host = createServer((request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(`<title>x</title><link rel="icon" href="data:,"><iframe src="${base}${address}" width="420" height="600"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  elsewhere = `http://127.0.0.1:${host.address().port}/`;
  await page.goto(elsewhere);
  await run(page.frameLocator('iframe'));
  host.close();
}

export async function finish() {
  await browser.close();
  server.kill('SIGTERM');
  const [status] = await once(server, 'exit');
  if (status !== 0) {
    failed++;
    console.log(`FAILED  the server ended with ${status}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
