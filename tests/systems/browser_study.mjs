// The position view: moves, set-up, rules, map, line, a game.
import assert from 'node:assert/strict';
import {address, base, booklet, button, click, drag, fmjd, middle, moved, open, says, square, test} from './browser_kit.mjs';

await test('a click on a king and one on its destination make a move; back undoes it', {}, async page => {
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

await test('captures with the same start and end are distinguished by their path', {}, async page => {
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
  await says(page, 'Black has no legal move and has lost');
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
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^41, empty, a piece can move here$/);
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
  await button(page, 'Set up').click();
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
  await button(page, 'Swap the colours').click();
  await moved(page, 'W:W45:BK5');
  await page.getByLabel('Position (FEN)').fill('https://lidraughts.org/analysis/frisian/W:W28,K46:BK43:H0:F1:+0+246');
  await button(page, 'Show').click();
  await moved(page, 'W:W28,K46:BK43:H0:F1:+0+246');
  assert.match(page.url(), /rules=frisian-lidraughts/); // by which the site plays
  assert.equal(await page.getByRole('link', {name: 'Open on lidraughts'}).getAttribute('href'), 'https://lidraughts.org/analysis/frisian/W:W28,K46:BK43:H0:F1:+0+246');
});

await test('king runs and the clock are shown and can be changed', {}, async page => {
  await open(page, `${booklet}:H0:F1:%2B0%2B246`);
  await page.waitForFunction(() => document.querySelector('[aria-label="King moves in a row, White"]')?.selectedOptions[0].textContent === '46: 2 in a row');
  await page.getByLabel('King moves in a row, White').selectOption('46x3');
  await moved(page, `${booklet}:H0:F1:+0+346`);
  await page.getByText('must rest').waitFor();
  assert.deepEqual(await page.locator('.moves .san').allInnerTexts(), ['28-22', '28-23']);
  await open(page, 'W:WK26,K27:BK48');
  const clock = name => page.getByLabel(name, {exact: true});
  const shows = (name, words) => page.waitForFunction(([label, text]) => document.querySelector(`[aria-label="${label}"]`)?.selectedOptions[0].textContent === text, [name, words]);
  await shows('Two kings against one', '7 of 7 moves left, after 0 plies');
  await clock('Two kings against one').selectOption('4');
  await moved(page, 'W:WK26,K27:BK48:H4:F1:+0+0');
  await shows('Two kings against one', '5 of 7 moves left, after 4 plies');
});

await test('the clocks of the site and of the FMJD: as many moves left as their limits say', {}, async page => {
  const shows = (name, words) => page.waitForFunction(([label, text]) => document.querySelector(`[aria-label="${label}"]`)?.selectedOptions[0].textContent === text, [name, words]);
  await open(page, 'W:WK1,K2:BK14:H12:F1:%2B0%2B0', 'frisian-lidraughts');
  await says(page, 'White to move wins in 3 plies');
  await shows('Against a lone king', '1 of 7 moves left, after 12 plies');
  await page.getByRole('button', {name: 'Frisian: draw'}).click();
  await says(page, 'A draw, White to move');
  await open(page, 'W:WK1,K2:BK45', fmjd);
  await says(page, 'White to move wins in 7 plies');
  await shows('Against a lone king', '5 of 5 moves left, after 0 plies');
  await page.getByLabel('Against a lone king').selectOption('4');
  await moved(page, 'W:WK1,K2:BK45:H4:F1');
  await says(page, 'A draw, White to move');
  await shows('Against a lone king', '3 of 5 moves left, after 4 plies');
  assert.deepEqual((await page.locator('.verdict .chips > button').allInnerTexts())[0], 'Frisian: win in 7 plies (4 moves)');
  await open(page, 'W:WK28:B20', fmjd);
  await shows('No capture and no move by a man', '25 of 25 moves left, after 0 plies');
  await page.getByLabel('No capture and no move by a man').selectOption('35');
  await moved(page, 'W:WK28:B20:H35:F1');
  await shows('No capture and no move by a man', '8 of 25 moves left, after 35 plies');
  await page.getByLabel('No capture and no move by a man').focus();
  await page.keyboard.press('Home');
  await moved(page, 'W:WK28:B20');
});

await test('another rule set shows at once what it changes', {}, async page => {
  await open(page, booklet);
  await page.getByRole('button', {name: 'Frisian without either rule: win in 39'}).click();
  await says(page, 'White to move wins in 39 plies');
  assert.match(page.url(), /rules=frisian-free/);
  await page.getByLabel('Rule set').selectOption('english');
  await page.waitForFunction(() => document.querySelectorAll('.square').length === 32);
});

await test('square map: every square has its colour and its words', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Outcome map').click();
  await click(page, 46);
  await page.locator('.board .map').first().waitFor();
  assert.equal(await page.locator('.board .map').count(), 48);
  assert.match(await square(page, 37).getAttribute('aria-label'), /37, empty, (win|draw|loss)/);
  await page.getByText('Outcome with the piece from 46 on each square').waitFor();
});

await test('a line is shown, stepped into, copied as PDN', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await page.locator('.line button').nth(41).waitFor();
  assert.equal(await page.locator('.line button').count(), 42);
  await button(page, 'Copy as PDN').click();
  const pdn = await page.locator('[data-copied]').first().getAttribute('data-copied');
  assert.match(pdn, /^\[GameType "40"\]\n\[SetUp "1"\]\n\[FEN "W:WK3,27:BK48"\]\n\[Result "2-0"\]\n\n1\. /);
  assert.match(pdn, / 21\. \S+ 2-0\n$/);
  await page.locator('.line button').nth(3).click();
  await says(page, 'loses in 38 plies');
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill(pdn);
  await button(page, 'Replay').click();
  await page.locator('#main').getByText('No win or draw was thrown away').waitFor();
  assert.equal(await page.locator('.line button').count(), 42);
});

await test('a game is replayed, and its mistakes are marked', {}, async page => {
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('[White "Anna"]\n[Black "Berend"]\n[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n' +
    '1. 27-21 { [%clock w0:05:00] a wrong move } 48-34 (48-39 2. 3-9) $2 2. 3-9 *');
  await button(page, 'Replay').click();
  await page.locator('#main').getByText('Mistakes: White 1, Black 0.').waitFor();
  assert.equal(await page.locator('.line .mistake').innerText(), '1. 27-21?');
  await page.locator('.line .mistake').click();
  await page.getByText('27-21? threw the win away: now a draw').waitFor();
  await page.getByRole('button', {name: 'Forward'}).click();
  assert.equal(await page.locator('.line [aria-current]').innerText(), '1… 48-34?'); // its author's mark, after the comment
  await button(page, 'Study this position').click();
  await page.locator('#fen').waitFor();
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('1. 32-28 19-23 2. 28x19 14x23 3. 48-1');
  await button(page, 'Replay').click();
  await page.locator('.error', {hasText: '48-1'}).waitFor();
  assert.equal(await page.locator('.line button').count(), 5);
});
