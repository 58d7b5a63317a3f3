// browser.mjs EINSPUL WORK [SCREENSHOTS]: the page in Chromium. Each test has a browser window of its
// own; whatever any of them writes to the console, throws, or asks of another host is a failure. ONLY
// in the environment chooses tests by a part of their names.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {once} from 'node:events';

const require = createRequire(`${process.argv[3]}/`);
const {chromium} = require('playwright-core');
const axe = require.resolve('axe-core');
const [einspul, work, screenshots] = process.argv.slice(2);
const booklet = 'W:W28,K46:BK43';

const server = spawn(einspul, ['serve', '--port', '0', '--tables', `${work}/tables`], {stdio: ['ignore', 'pipe', 'inherit']});
const base = String((await once(server.stdout, 'data'))[0]).trim();
assert.match(base, /^http:\/\/127\.0\.0\.1:\d+\/$/);
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

let passed = 0;
let failed = 0;

async function test(name, {refused = 0, ...options}, run, allowed = /status of 400/) {
  if (!name.includes(process.env.ONLY ?? '')) return;
  const context = await browser.newContext({viewport: {width: 1180, height: 900}, locale: 'en-GB', colorScheme: 'light', ...options});
  const page = await context.newPage();
  const problems = [];
  page.on('console', message => { if (message.type() !== 'log') problems.push(`console: ${message.text()}`); });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('request', request => { if (!request.url().startsWith(base)) problems.push(`asks ${request.url()}`); });
  page.setDefaultTimeout(10000);
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

const open = async (page, fen, rules = 'frisian') => {
  await page.goto(`${base}?rules=${rules}&fen=${fen}`);
  await page.locator('.verdict h1').waitFor();
};
const address = page => new URL(page.url().replaceAll('+', '%2B')).searchParams.get('fen');
const moved = (page, fen) => page.waitForFunction(text => new URL(location.href.replaceAll('+', '%2B')).searchParams.get('fen') === text, fen);
const verdict = page => page.locator('.verdict h1').innerText();
const says = (page, words) => page.locator('.verdict h1', {hasText: words}).waitFor();
const square = (page, n) => page.locator(`.square[data-square="${n}"]`);
const middle = async (page, n) => {
  const box = await square(page, n).locator('.dark').boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
const drag = async (page, from, to) => {
  await page.mouse.move(...await middle(page, from));
  await page.mouse.down();
  await page.mouse.move(...(Array.isArray(to) ? to : await middle(page, to)), {steps: 6});
  await page.mouse.up();
};
const click = async (page, n) => page.mouse.click(...await middle(page, n));
const button = (page, name) => page.getByRole('button', {name, exact: true});

await test('a click on a king and where it goes makes the move; back takes it back', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw, White to move');
  await click(page, 46);
  assert.equal(await page.locator('.board .target').count(), 3);
  await click(page, 41);
  await moved(page, 'B:W28,K41:BK43:H0:F1:+0+141');
  await says(page, 'A draw, Black to move');
  await page.goBack();
  await moved(page, booklet);
  await says(page, 'A draw, White to move');
  await page.goForward();
  await says(page, 'A draw, Black to move');
  assert.match(await page.title(), /^A draw, Black to move/);
});

await test('a piece is dragged; a place where it cannot go leaves it', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await drag(page, 28, 45);
  assert.equal(address(page), booklet);
  await drag(page, 28, 22);
  await moved(page, 'B:W22,K46:BK43');
});

await test('captures that begin and end alike are told apart by their path', {}, async page => {
  await open(page, 'W:WK25:B37,24,15');
  await says(page, 'White');
  await click(page, 25);
  await click(page, 5);
  await click(page, 41);
  await page.waitForFunction(() => !location.search.includes('W:WK25'));
  assert.match(address(page), /^B:WK41:B24$|^B:WK41:B(15|24|37)?/);
  await page.goBack();
  await says(page, 'White');
  await click(page, 25);
  await click(page, 41);
  await button(page, '25x23x41').waitFor();
  await button(page, '25x5x41').first().click();
  await page.waitForFunction(() => !location.search.includes('W:WK25'));
});

await test('the last capture ends the game', {}, async page => {
  await open(page, 'W:WK46:BK41');
  await says(page, 'White to move wins in 1 ply');
  await page.locator('.moves button').first().click();
  await says(page, 'Black to move has no move, and has lost');
  await page.goBack();
  await says(page, 'wins in 1 ply');
});

await test('keys: squares, choosing, the best move, back, flip', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await square(page, 1).focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), '46, white king');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^41, empty, a move can go here$/);
  await page.keyboard.press('Enter');
  await moved(page, 'B:W28,K41:BK43:H0:F1:+0+141');
  await says(page, 'Black to move');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowLeft');
  await moved(page, booklet);
  await says(page, 'A draw, White');
  const best = await page.locator('.moves .san').first().innerText();
  await page.keyboard.press(' ');
  await page.locator('.line [aria-current]', {hasText: best}).waitFor();
  const before = await middle(page, 1);
  await page.keyboard.press('f');
  const after = await middle(page, 1);
  assert.ok(after[1] > before[1] + 200, 'the board was not flipped');
});

await test('set-up: pieces from the tray, dragged, removed; side to move; a wrong position says so', {refused: 2}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Clear').click();
  await page.locator('#fen-problem', {hasText: 'has no pieces.'}).waitFor();
  await button(page, 'white king').click();
  await click(page, 46);
  await button(page, 'black man').click();
  await click(page, 10);
  await moved(page, 'W:WK46:B10');
  await drag(page, 10, 6);
  await moved(page, 'W:WK46:B6');
  await button(page, 'Side to move: White').click();
  await moved(page, 'B:WK46:B6');
  await says(page, 'Black to move');
  const tray = await button(page, 'white king').boundingBox();
  await page.mouse.move(tray.x + 10, tray.y + 10);
  await page.mouse.down();
  await page.mouse.move(...await middle(page, 47), {steps: 5});
  assert.equal(await page.locator('.ghost').count(), 1);
  await page.mouse.up();
  await moved(page, 'B:WK46,K47:B6');
  assert.equal(await page.locator('.ghost').count(), 0);
  const box = await page.locator('svg.board').first().boundingBox();
  await drag(page, 47, [box.x + box.width + 120, box.y + 300]);
  await moved(page, 'B:WK46:B6');
  await button(page, 'Turn round').click();
  await moved(page, 'W:W45:BK5');
  await page.getByLabel('Position (FEN)').fill('https://lidraughts.org/analysis/frisian/W:W28,K46:BK43:H0:F1:+0+246');
  await button(page, 'Show').click();
  await moved(page, 'W:W28,K46:BK43:H0:F1:+0+246');
});

await test('king runs and the clock are shown and can be changed', {}, async page => {
  await open(page, `${booklet}:H0:F1:%2B0%2B246`);
  await page.getByText('White: the king on 46 has moved 2 times in a row').waitFor();
  await page.getByLabel('Moves in a row, White').selectOption('46x3');
  await moved(page, `${booklet}:H0:F1:+0+346`);
  await page.getByText('must rest').waitFor();
  assert.deepEqual(await page.locator('.moves .san').allInnerTexts(), ['28-22', '28-23']);
  await open(page, 'W:WK26,K27:BK48');
  await page.getByText('White: 7 of 7 moves left').waitFor();
  await page.getByLabel('Plies since two kings faced one').selectOption('4');
  await page.getByText('White: 5 of 7 moves left').waitFor();
});

await test('another rule set shows at once what it changes', {}, async page => {
  await open(page, booklet);
  await page.getByRole('button', {name: 'Frisian without both: win in 39'}).click();
  await says(page, 'White to move wins in 39 plies');
  assert.match(page.url(), /rules=frisian-free/);
  await page.getByLabel('Rule set').selectOption('english');
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 32);
});

await test('square map: every square has its colour and its words', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Square map').click();
  await click(page, 46);
  await page.locator('.board .map').first().waitFor();
  assert.equal(await page.locator('.board .map').count(), 48);
  assert.match(await square(page, 37).getAttribute('aria-label'), /37, empty, (win|draw|loss)/);
  await page.getByText('If the piece of 46 stood elsewhere').waitFor();
});

await test('a line is shown, played out, copied as PDN', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await page.locator('.line button').nth(41).waitFor();
  assert.equal(await page.locator('.line button').count(), 42);
  await button(page, 'Copy as PDN').click();
  const pdn = await page.locator('[data-copied]').first().getAttribute('data-copied');
  assert.match(pdn, /^\[GameType "40"\]\n\[SetUp "1"\]\n\[FEN "W:WK3,27:BK48"\]\n\[Result "2-0"\]\n\n1\. /);
  assert.match(pdn, / 21\. \S+ 2-0\n$/);
  await button(page, 'Play it out').click();
  await page.locator('.line button[aria-current]').nth(0).waitFor();
  await page.waitForFunction(() => !document.querySelector('.line button').hasAttribute('aria-current'));
  await button(page, 'Stop').click();
  await page.locator('.line button').nth(3).click();
  await says(page, 'loses in 38 plies');
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill(pdn);
  await button(page, 'Walk through').click();
  await page.locator('#main').getByText('Nothing was thrown away').waitFor();
  assert.equal(await page.locator('.line button').count(), 42);
});

await test('a game is walked through, and what it threw away is marked', {}, async page => {
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('[White "Anna"]\n[Black "Berend"]\n[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n' +
    '1. 27-21 { [%clock w0:05:00] a wrong move } 48-34 (48-39 2. 3-9) $2 2. 3-9 *');
  await button(page, 'Walk through').click();
  await page.locator('#main').getByText('One move threw something away.').waitFor();
  assert.equal(await page.locator('.line .mistake').innerText(), '1. 27-21?');
  await page.locator('.line .mistake').click();
  await page.getByText('27-21: threw the win away: now a draw').waitFor();
  await page.getByRole('button', {name: 'Forward'}).click();
  assert.equal(await page.locator('.line [aria-current]').innerText(), '48-34');
  await page.getByRole('link', {name: 'Study this position'}).click();
  await page.locator('.moves').first().waitFor();
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('1. 32-28 19-23 2. 28x19 14x23 3. 48-1');
  await button(page, 'Walk through').click();
  await page.getByText('Move 5, 48-1: not legal here.').waitFor();
  assert.equal(await page.locator('.line button').count(), 5);
});

// What is read goes to the server, and what it says of it is shown; the page never judges by itself.
for (const [fen, words] of [['W:W51:B3', 'Square 51 at column 4 is not on the board (1..50).'], ['W:Wfoo:BK3', "A square number is expected at column 4 ('f')."],
  ['W:W1-50:B1-50', 'The white man on 1 at column 4 stands on its promotion row.'], ['W:W28,K46:BK43=', "The position is complete: something unexpected at column 15 ('=')."],
  ['B:BK5:W', 'White has no pieces.']])
  await test(`${fen} is refused with the words of the server, at the field`, {refused: 1}, async page => {
    await open(page, fen);
    await page.locator('#fen-problem', {hasText: words}).waitFor();
    assert.match(await verdict(page), /That is no position|Each side needs a piece/);
    assert.equal(await page.locator('.moves button').count(), 0);
    assert.equal(await page.locator('#fen').inputValue(), fen);
  });

// Until an answer is there, nothing of another position stands beside the board.
const slowly = (page, calls, ms) => page.route(url => calls.test(url.pathname), async route => {
  await new Promise(resolve => setTimeout(resolve, ms));
  await route.continue().catch(() => {}); // the page may be closed
});

await test('while an answer is awaited there is no verdict, no move and nothing to click', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await slowly(page, /\/(position|mainline|compare)$/, 3000);
  await page.locator('.moves .san', {hasText: '3-25'}).click();
  await moved(page, 'B:WK25,27:BK48:H0:F1:+0+125');
  await page.waitForTimeout(300);
  assert.equal(await verdict(page), 'Black to move');
  await page.locator('.verdict.pending').waitFor();
  assert.equal(await page.locator('.moves button, .chips button').count(), 0);
  await page.keyboard.press(' '); // the best move of the old list
  await click(page, 27);
  await click(page, 22);
  await page.waitForTimeout(300);
  assert.equal(address(page), 'B:WK25,27:BK48:H0:F1:+0+125');
  await button(page, 'Copy as PDN').click();
  assert.match(await page.locator('[data-copied]').getAttribute('data-copied'), /\n\n1\. 3-25 48-42 2\. /);
  await says(page, 'Black to move loses in 40 plies');
});

await test('a double click on a move plays it once', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw, White');
  const box = await page.locator('.moves button').first().boundingBox();
  await page.mouse.dblclick(box.x + 20, box.y + 10, {delay: 60});
  await says(page, 'A draw, Black');
  await page.waitForTimeout(300);
  assert.match(address(page), /^B:/);
});

await test('a position that is left before its answer comes is not shown', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await page.route(/position.*WK46%3ABK41/, async route => {
    await new Promise(resolve => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.locator('#fen').fill('W:WK46:BK41');
  await button(page, 'Show').click();
  await page.locator('.verdict.pending').waitFor();
  await page.locator('#fen').fill('W:WK3,27:BK48');
  await button(page, 'Show').click();
  await says(page, 'wins in 41 plies');
  await page.waitForTimeout(2000);
  assert.match(await verdict(page), /wins in 41 plies/);
});

await test('a game is judged by the rules its GameType names', {}, async page => {
  await page.goto(`${base}game?rules=frisian`);
  const source = page.getByLabel('PDN, link or FEN');
  await source.fill('[GameType "21"]\n[FEN "W:WK28,K32:BK3"]\n\n1. 28-24 *');
  await button(page, 'Walk through').click();
  await page.waitForFunction(() => new URLSearchParams(location.search).get('rules') === 'english');
  await page.locator('.line button', {hasText: '28-24'}).waitFor();
  assert.equal(await page.locator('.square').count(), 32);
  assert.equal(await page.locator('#rules').inputValue(), 'english');
  await source.fill('[GameType "97"]\n\n1. 47-42 *');
  await button(page, 'Walk through').click();
  await page.locator('.line button', {hasText: '47-42'}).waitFor();
  assert.equal(await page.locator('#rules').inputValue(), 'frisian');
  await source.fill('[GameType "25"]\n\n1. 22-18 *');
  await button(page, 'Walk through').click();
  await page.getByText('The game is of GameType 25, and this server has no tables of that game.').waitFor();
});

await test('a game is there again after Back, and for others by its address; a cleared board, too', {refused: 1}, async page => {
  const pdn = '[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n1. 27-21 48-34 *';
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill(pdn);
  await button(page, 'Walk through').click();
  await page.locator('.line .mistake').waitFor();
  await page.getByRole('link', {name: 'Study this position'}).click();
  await page.locator('.moves').first().waitFor();
  await page.goBack();
  await page.locator('.line .mistake').waitFor();
  assert.equal(await page.getByLabel('PDN, link or FEN').inputValue(), pdn);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('.line .mistake').waitFor();
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Clear').click();
  await page.locator('#fen-problem', {hasText: 'no pieces'}).waitFor();
  await page.goBack();
  await moved(page, booklet);
  await says(page, 'A draw');
  assert.equal(await page.locator('.board-box .piece').count(), 3);
});

await test('what the server passed over is told', {}, async page => {
  await open(page, `${booklet}:H0:F1:%2B346%2B0`);
  await says(page, 'A draw');
  await page.locator('.note', {hasText: "Black's run +346 ignored: Black has no man."}).waitFor();
});

await test('without a connection the page says so, and asks again', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await page.route('**/v1/**', route => route.abort());
  await page.locator('.moves button').first().click();
  await page.locator('.verdict', {hasText: 'The server does not answer.'}).waitFor();
  assert.equal(await verdict(page), 'No answer');
  await page.unroute('**/v1/**');
  await button(page, 'Try again').click();
  await says(page, 'A draw, Black');
}, /ERR_FAILED/);

await test('what has no answer gets a sentence that helps', {}, async page => {
  await page.goto(`${base}material?rules=frisian&name=kmvk`);
  await page.getByRole('heading', {name: 'KMvK · Frisian'}).waitFor();
  await page.goto(`${base}material?rules=frisian`);
  await page.getByText('No material is named.').waitFor();
  await page.goto(`${base}search?rules=frisian`);
  await button(page, 'Search').click();
  await page.locator('.error', {hasText: 'Name a material first'}).waitFor();
  await page.getByLabel('Material, as KMvK').fill('kmvk');
  await button(page, 'Search').click();
  await page.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  await page.goto(`${base}?rules=frisian&fen=https://elsewhere.example/board?fen=W:W28,K46:BK43`);
  await moved(page, booklet);
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('1. 32-28 19-23 2. 28x19 14x23 *');
  await button(page, 'Walk through').click();
  await page.locator('.soft', {hasText: 'This game never reaches the tables: its last position has 38 pieces, and the tables here go up to 4.'}).waitFor();
  await page.getByLabel('PDN, link or FEN').fill('https://lidraughts.org/a1b2C3d4/black');
  await button(page, 'Walk through').click();
  await page.locator('.error', {hasText: 'That is a link to a game on lidraughts'}).waitFor();
});

// Every sentence of the server about a text is translated: none is left in English.
const refusals = ['', 'W', 'x', 'W:', 'W:W', 'B:W:BK3', 'W:W51:B3', 'W:Wfoo:BK3', 'W:W28,28:BK3', 'W:W1:BK3', 'W:W40-30:BK3', 'W:W28:W3', 'W:W28:BK3:L', 'W:W28:BK3:LW',
  'W:W28:BK3:H', 'W:W28:BK3:F', 'W:W28,K46:BK43:+', 'W:W28,K46:BK43:+0', 'W:W28,K46:BK43:+0+24', 'W:W28,K46:BK43:+0+246:H3', 'W:W28,K46:BK43:+0+299', 'W:W28,K46:BK43:x',
  'W:W28,K46:BK43 x', 'W:WK46:BK43:L', '[Event "x"]', '[FEN x', '[FEN "W:W28', '[FEN "W:W28:BK3" x', '[FEN "W:W28:BK3"] x', 'https://x.example/', 'https://x.example/%zz:',
  'https://x.example/W:W28:BK3 x', 'W:WK1,K2,K3:BK4:LW3', 'W:W28,K46:BK43:+0+946', 'W:W28,K46:BK43:é'];
const notes = ['W:WK46:BK41:H3', 'W:W28,K46:BK43:H9', 'W:W28,K46:BK43:+346+0', 'W:W28,K46:BK43:+0+222', 'W:W28,K46:BK43:+0+2', 'W:W28,K46,K2:BK43:+0+2', 'W:W28,K46,P11:BK43',
  'https://lidraughts.org/analysis/standard/W:W28,K46:BK43', 'W:W31-40:B1-5'];
for (const locale of ['nl-NL', 'fy-NL'])
  await test(`no sentence of the server stays English, ${locale}`, {locale, refused: refusals.length}, async page => {
    await open(page, booklet);
    const told = await page.evaluate(async fens => {
      const {said} = await import('/said.js');
      return Promise.all(fens.map(async fen => {
        const answer = await fetch(`/v1/frisian/position?partial=1&fen=${encodeURIComponent(fen)}`);
        const {note, missing} = answer.ok ? await answer.json() : {note: (await answer.text()).trim()};
        const words = said(note ?? missing ?? '');
        return {fen, status: answer.status, words: words.textContent, english: words.querySelectorAll('[lang=en]').length};
      }));
    }, [...refusals, ...notes]);
    for (const {fen, status, words, english} of told) {
      assert.equal(status, refusals.includes(fen) ? 400 : 200, fen);
      assert.ok(words.length > 8 && english === 0, `${fen}: ${words}`);
    }
  });

await test('statistics: shares, histogram with the position marked, longest wins, what it leads to', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await page.getByRole('link', {name: 'Statistics of KMvK'}).click();
  await page.getByRole('heading', {name: 'White to move'}).waitFor();
  await page.getByText('Wins 63.3%').waitFor();
  assert.equal(await page.locator('.histogram').count(), 2);
  assert.equal(await page.locator('.histogram .here').count(), 1);
  assert.equal(await page.locator('ol.wins').first().locator('li').count(), 10);
  await page.locator('ol.wins a').first().click();
  await says(page, 'White to move wins in 41 plies');
  await page.getByRole('link', {name: 'Materials'}).click();
  await page.getByRole('link', {name: 'MMvM', exact: true}).click();
  await page.getByRole('heading', {name: 'MMvM'}).waitFor();
  await page.getByRole('link', {name: 'KMvM'}).first().click();
  await page.getByRole('heading', {name: 'KMvM'}).waitFor();
});

await test('a search is filled in, shared by its address, and leads to positions', {}, async page => {
  await page.goto(`${base}search?rules=frisian`);
  await page.getByLabel('Material, as KMvK').fill('KMvK');
  await page.getByLabel('For the side to move').selectOption('win');
  await page.getByLabel('Plies to the end, as 5-20').fill('41');
  await button(page, 'Search').click();
  await page.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  assert.match(page.url(), /material=KMvK.*outcome=win.*distance=41/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  assert.equal(await other.getByLabel('Plies to the end, as 5-20').inputValue(), '41');
  await page.locator('ol a').first().click();
  await says(page, 'wins in 41 plies');
  await page.goto(`${base}search?rules=frisian&material=KMvK&differs_from=frisian-free`);
  await page.getByRole('heading', {name: '30,577 of 211,680 positions'}).waitFor();
  await page.getByText('Frisian without both: win').first().waitFor();
});

await test('an address is a whole position, for whoever opens it', {refused: 1}, async page => {
  await open(page, 'W:WK3,27:BK48:H0:F1:+0+303');
  await page.getByText('the king on 3 has moved 3 times').waitFor();
  const shown = await verdict(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await says(other, shown);
  await page.goto(`${base}?rules=frisian&fen=nonsense`);
  await page.getByText('That is no position').first().waitFor();
});

for (const [language, words] of [['nl-NL', 'Wit aan zet wint in 41 halve zetten'], ['fy-NL', 'Wyt oan set wint yn 41 heale setten']])
  await test(`the page speaks ${language}`, {locale: language}, async page => {
    await open(page, 'W:WK3,27:BK48');
    await says(page, words);
    assert.equal(await page.getAttribute('html', 'lang'), language.slice(0, 2));
    await page.locator('#language').selectOption('en');
    await says(page, 'White to move wins');
  });

const views = ['?rules=frisian&fen=W:W28,K46:BK43:H0:F1:+0+346', '?rules=frisian&fen=W:WK3,K27:BK48', 'game?rules=frisian',
  'materials?rules=frisian', 'material?rules=frisian&name=KMvKM',
  'search?rules=frisian&material=KMvK&outcome=win', 'help?rules=frisian'];

for (const colorScheme of ['light', 'dark'])
  await test(`nothing stands in the way of anybody, ${colorScheme} (axe-core)`, {colorScheme, bypassCSP: true}, async page => {
    for (const view of views) {
      await page.goto(base + view);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (view.startsWith('?')) await button(page, 'white king').click();
      await page.addScriptTag({path: axe});
      const {violations} = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(one => `${view} ${one.id}: ${one.nodes.map(node => node.html).slice(0, 3).join(' ')}`), []);
    }
  });

await test('a phone shows all of it without scrolling sideways', {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true}, async page => {
  for (const view of views) {
    await page.goto(base + view);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${view}: ${width} wide`);
  }
  await open(page, booklet);
  await says(page, 'A draw');
  await page.touchscreen.tap(...await middle(page, 28));
  await page.touchscreen.tap(...await middle(page, 22));
  await moved(page, 'B:W22,K46:BK43');
});

if (screenshots) {
  const shots = [['page-position', '?rules=frisian-free&fen=W:W28,K46:BK43', 1100, 720, 'light'],
    ['page-material', 'material?rules=frisian&name=KMvKM', 1100, 720, 'light'], ['page-phone', '?rules=frisian&fen=W:WK3,27:BK48:H0:F1:%2B0%2B203', 390, 844, 'dark']];
  for (const [name, path, width, height, colorScheme] of shots)
    await test(`picture ${name}`, {viewport: {width, height}, colorScheme}, async page => {
      await page.goto(base + path);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (name === 'page-position') await page.locator('.moves button').first().hover();
      await page.screenshot({path: `${screenshots}/${name}.png`});
    });
}

await browser.close();
server.kill('SIGTERM');
const [status] = await once(server, 'exit');
if (status !== 0) {
  failed++;
  console.log(`FAILED  the server ended with ${status}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
