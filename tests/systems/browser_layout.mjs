// Layout: no view is wider than the window, the board keeps its size and place, and a view works again
// after an outage.
import assert from 'node:assert/strict';
import {base, booklet, button, click, open, says, test} from './browser_kit.mjs';

const views = [`?rules=frisian&fen=${booklet}`, '?rules=international&fen=W:WK46:B41,42', 'game', 'materials', 'material?rules=frisian&name=KMvK&beside=frisian-free', 'material?rules=english&name=KvK',
  'search', 'train?rules=frisian&fen=W:WK46:BK41', 'help', ''];

for (const [width, height] of [[320, 568], [360, 740], [500, 480], [560, 320], [620, 400], [768, 1024], [1280, 800], [1366, 657]])
  for (const locale of width === 320 ? ['en-GB', 'nl-NL', 'fy-NL'] : ['en-GB'])
    await test(`${width}x${height} in ${locale}: no view is wider than the window`, {viewport: {width, height}, locale}, async page => {
      for (const path of views) {
        await page.goto(base + path);
        await page.locator('main h1').first().waitFor();
        await page.waitForLoadState('networkidle');
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, path);
      }
    });

for (const [width, height] of [[1280, 800], [1366, 657], [360, 740]])
  await test(`${width}x${height}: the board keeps its place and size, whatever is shown below it`, {viewport: {width, height}}, async page => {
    await open(page, booklet);
    await says(page, 'A draw');
    const box = () => page.locator('svg.board').first().boundingBox();
    const first = await box();
    await click(page, 43); // not to move: a sentence says so
    await page.locator('.hint:not(:empty)').waitFor();
    assert.deepEqual(await box(), first);
    await button(page, 'Outcome map').click();
    assert.deepEqual(await box(), first);
    await button(page, 'Set up').click();
    await button(page, 'black man').click();
    assert.deepEqual(await box(), first);
  });

await test('on a desktop the board stays while the column beside it scrolls', {viewport: {width: 1280, height: 700}}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const first = await page.locator('svg.board').first().boundingBox();
  await page.evaluate(() => scrollTo(0, 1000));
  assert.ok(await page.evaluate(() => scrollY) > 0, 'there is nothing to scroll');
  assert.deepEqual(await page.locator('svg.board').first().boundingBox(), first);
});

await test('on a phone the verdict has two lines, and unfolds', {viewport: {width: 360, height: 740}}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const height = async () => (await page.locator('.verdict').boundingBox()).height;
  assert.ok(await height() < 64);
  await button(page, 'All of the verdict').click();
  assert.ok(await height() > 100);
  await page.goto(`${base}?rules=frisian&fen=W:W28,K46:B12,14,K43`);
  await button(page, 'Prove this position').click({trial: true}); // in the two lines
});

await test('numbers of squares can be read on the map of a piece', {}, async page => {
  await open(page, booklet);
  await button(page, 'Outcome map').click();
  await click(page, 46);
  await page.locator('.board .map').first().waitFor();
  assert.equal(await page.locator('.over .on-map').count(), await page.locator('.board .map').count());
});

await test('every view works again after an outage', {}, async page => {
  let down = true;
  await page.route(/\/v1\/(?!rules)/, route => down ? route.abort() : route.continue());
  for (const [path, there] of [[`game#${encodeURIComponent('[FEN "W:WK3,27:BK48"] 1. 3-25')}`, '.line button >> nth=1'], ['materials?rules=frisian', 'tbody tr >> nth=0'], ['material?rules=frisian&name=KMvK', '.share >> nth=0'],
    ['train?rules=frisian&fen=W:WK46:BK41', '.movable >> nth=0'], ['search?rules=frisian&material=KMvK&outcome=loss', '.found li >> nth=0']]) {
    down = true;
    await page.goto('about:blank');
    await page.goto(base + path);
    await button(page, 'Try again').first().waitFor();
    down = false;
    await button(page, 'Try again').first().click();
    await page.locator(there).waitFor();
  }
}, /ERR_FAILED|status of 400/);

await test('best moves are played as fast as the key is pressed', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await page.route(/v1.*position/, async route => { await new Promise(resolve => setTimeout(resolve, 400)); await route.continue().catch(() => {}); });
  for (let i = 0; i < 5; i++) await page.keyboard.press(' ');
  await says(page, 'loses in 36 plies');
});

await test('a lesson: titles and hints, a wrong line named and not counted, a shown move not praised, solved ones kept', {refused: 2}, async page => {
  const lesson = `${base}train?rules=frisian#${encodeURIComponent('W:WK46:BK41 | One capture | Look at 41\nhello\nW:WK3,27:BK48')}`;
  await page.goto(lesson);
  await page.getByText('Training · 1/2').waitFor();
  await page.getByText('Line 2:').waitFor();
  await page.locator('.verdict').getByText('One capture').waitFor();
  assert.equal(await page.locator('.verdict').getByText('Look at 41').isVisible(), false);
  await page.locator('.verdict').getByText('Hint').click();
  assert.equal(await page.locator('.verdict').getByText('Look at 41').isVisible(), true);
  await button(page, 'Show the move').click();
  await page.locator('.verdict').getByText('was shown.').waitFor();
  assert.equal(await page.getByText('the best move').count(), 0);
  await page.getByRole('heading', {name: 'Finished'}).waitFor();
  await page.goto('about:blank');
  await page.goto(lesson);
  await page.getByRole('progressbar', {name: '1 of 2 done'}).waitFor();
});

await test('a long game opens where the tables begin, and says from which move it was judged', {}, async page => {
  await page.goto(`${base}game?rules=frisian#${encodeURIComponent('[GameType "40"]\n[FEN "W:W28,38,K50:B17,K1"]\n\n1. 50-45 1-6 2. 28-22 17x48 *')}`);
  await page.locator('.summary', {hasText: 'Judged from move 2 on.'}).waitFor();
  await says(page, 'to move');
  assert.equal(await page.locator('.line [aria-current]').innerText(), '2. 28-22');
});

await test('other rule sets are named as alike only where the outcome is known; all squares of a king are named', {}, async page => {
  await open(page, 'W:W28,K46:B12,14,K43');
  await says(page, 'not in the tables');
  assert.equal(await page.getByText('Same result under').count(), 0);
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41');
  await click(page, 3);
  await click(page, 30);
  await page.locator('.hint', {hasText: 'Legal moves of this piece'}).waitFor();
  const words = await page.locator('.hint').innerText();
  const all = (await page.locator('.moves .san').allInnerTexts()).filter(move => move.startsWith('3-'));
  assert.ok(all.length > 6 && all.every(move => words.includes(move)), words);
});

await test('headings are in order on a phone', {viewport: {width: 360, height: 740}}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const levels = await page.getByRole('heading').evaluateAll(all => all.map(one => Number(one.tagName[1])));
  levels.reduce((before, level) => { assert.ok(level <= before + 1, levels.join()); return level; }, 0);
});

await test('statistics of a game without king runs have one bar for a side', {}, async page => {
  await page.goto(`${base}material?rules=english&name=KvK`);
  await page.locator('.share').first().waitFor();
  assert.equal(await page.locator('.share').count(), 2);
});

await test('a move is typed, and the board, the best move and the reason are asked for', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const ask = async (words, answer) => {
    await page.getByLabel('Type a move, or: best, board, why').fill(words);
    await page.keyboard.press('Enter');
    await page.locator('.typed [role=status]', {hasText: answer}).waitFor();
  };
  await ask('board', 'white man 28, black king 43, white king 46');
  await ask('best', '28-22: draw');
  await ask('why', 'A draw, White to move. Without the king run and Article 18');
  await ask('1-2', '1-2 is not a legal move here.');
  await ask('28 - 22', '28-22.');
  await says(page, 'A draw, Black to move');
  await page.getByLabel('Position (FEN)').fill('W:WK3,27:BK48,');
  await button(page, 'Show').click();
  await says(page, 'wins in 41 plies'); // without the last comma
});
