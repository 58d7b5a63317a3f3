// Statistics, searches, addresses, languages, accessibility, a phone's width; and the pictures.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {address, axe, base, booklet, button, fmjd, middle, moved, open, says, screenshots, test, verdict} from './browser_kit.mjs';

await test('statistics: shares, histogram with the position marked, longest wins, what it leads to', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await page.getByRole('link', {name: 'Statistics of KMvK'}).click();
  await page.getByRole('heading', {name: 'White to move'}).waitFor();
  await page.getByText('Win 63.3%').waitFor();
  for (const part of await page.locator('.share span').all()) assert.notEqual(await part.evaluate(one => getComputedStyle(one).backgroundColor), 'rgba(0, 0, 0, 0)');
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
  await page.getByLabel('Material, e.g. KMvK').fill('KMvK');
  await page.getByLabel('For the side to move').selectOption('win');
  await page.getByLabel('Plies to the end, e.g. 5-20').fill('41');
  await button(page, 'Search').click();
  await page.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  assert.match(page.url(), /material=KMvK.*outcome=win.*distance=41/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  assert.equal(await other.getByLabel('Plies to the end, e.g. 5-20').inputValue(), '41');
  await page.locator('ol a').first().click();
  await says(page, 'wins in 41 plies');
  await page.goto(`${base}search?rules=frisian&material=KMvK&differs_from=frisian-free`);
  await page.getByRole('heading', {name: 'Found 30,577 of 211,680 positions'}).waitFor();
  await page.getByText('Frisian without either rule: win').first().waitFor();
});

await test('a search set up on a board: pieces that must be there, squares that must be empty', {bypassCSP: true}, async page => {
  await page.goto(`${base}search?rules=frisian&material=KMvK&outcome=win`);
  await page.getByText('Pieces and empty squares, on a board').click();
  const board = page.locator('.given .board').first();
  const put = async (tool, n) => {
    await button(page, tool).click();
    await board.locator(`[data-square="${n}"] .dark`).click();
  };
  await put('white man', 28);
  await put('black king', 3);
  await put('Must be empty', 50);
  await put('Must be empty', 46);
  await put('Must be empty', 46); // taken back
  await put('white man', 50);
  await put('Must be empty', 50); // instead of the man
  await put('black king', 3);
  const field = page.getByLabel('Pieces on these squares, e.g. W28,BK43');
  assert.equal(await field.inputValue(), 'W28,E50');
  await button(page, 'Search').click();
  await page.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  const fens = await page.locator('.found a').evaluateAll(links => links.map(link => link.getAttribute('aria-label')));
  assert.ok(fens.length > 9 && fens.every(fen => /W28,|,28:B|W28:/.test(fen) && !/50/.test(fen)), fens.join(' '));
  assert.equal(await board.locator('.map.loss').count(), 1); // the board is that of the address
  assert.equal(await board.locator('.piece').count(), 1);
  assert.equal(await board.locator('[data-square="50"]').getAttribute('aria-label'), '50, empty, Must be empty');
  await page.addScriptTag({path: axe});
  assert.deepEqual((await page.evaluate(() => window.axe.run())).violations.map(one => `${one.id} ${one.nodes[0].html}`), []);
});

await test('an address holds a complete position for anyone who opens it', {refused: 1}, async page => {
  await open(page, 'W:WK3,27:BK48:H0:F1:+0+303');
  await page.getByText('the king on 3 has moved 3 times').waitFor();
  const shown = await verdict(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await says(other, shown);
  await page.goto(`${base}?rules=frisian&fen=nonsense`);
  await page.getByText('Not a valid position').first().waitFor();
});

for (const [language, words] of [['nl-NL', 'Wit aan zet wint in 41 halve zetten'], ['fy-NL', 'Wyt oan set wint yn 41 heale setten']])
  await test(`the page is in ${language}`, {locale: language}, async page => {
    await open(page, 'W:WK3,27:BK48');
    await says(page, words);
    assert.equal(await page.getAttribute('html', 'lang'), language.slice(0, 2));
    await page.locator('#language').selectOption('en');
    await says(page, 'White to move wins');
  });

const views = ['?rules=frisian&fen=W:W28,K46:BK43:H0:F1:+0+346', '?rules=frisian&fen=W:WK3,K27:BK48', 'game?rules=frisian',
  'materials?rules=frisian', 'material?rules=frisian&name=KMvKM',
  'search?rules=frisian&material=KMvK&outcome=win', 'search?rules=frisian&list=Studies of three pieces', `?rules=${fmjd}&fen=W:WK1,K2:BK45:H4:F1:+0+0`, 'help?rules=frisian', '?rules=frisian&fen=W:W28,K46:BK43&embed', 'train?rules=frisian&fen=W:WK3,27:BK48',
  `game?rules=frisian#${encodeURIComponent('[FEN "W:WK3,27:BK48"] 1. 27-21 48-34')}`];
const first = '?rules=frisian';

for (const colorScheme of ['light', 'dark'])
  await test(`accessibility, ${colorScheme} (axe-core)`, {colorScheme, bypassCSP: true}, async page => {
    for (const view of [...views, first]) {
      await page.goto('about:blank');
      await page.goto(base + view);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (view.startsWith('?') && view !== first && !view.endsWith('embed')) { await button(page, 'Set up').click(); await button(page, 'white king').click(); }
      await page.addScriptTag({path: axe});
      const {violations} = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(one => `${view} ${one.id}: ${one.nodes.map(node => node.html).slice(0, 3).join(' ')}`), []);
    }
  });

await test('a phone shows every view without scrolling sideways', {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true}, async page => {
  for (const view of [...views, first]) {
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

await test('the board as a picture: drawn alike without the page, with a title', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41');
  await page.getByLabel('Show the best move on the board').check();
  const file = async name => {
    const [saved] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
    return [saved.suggestedFilename(), readFileSync(await saved.path())];
  };
  const [name, svg] = await file('Picture (SVG)');
  assert.equal(name, 'W WK3,27 BK48.svg');
  assert.match(String(svg), /<title>White to move wins in 41 plies \(21 moves\) · KMvK · einspul<\/title>/);
  const [other, png] = await file('Picture (PNG)');
  assert.equal(other, 'W WK3,27 BK48.png');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  const alone = await page.context().newPage(); // without the style sheet
  const pixels = (bytes, type) => alone.evaluate(async ([data, kind]) => {
    const image = new Image();
    image.src = `data:${kind};base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(1020, 1020);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return [[5, 5], [60, 60], [180, 60], [260, 560], [460, 990], [850, 360]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
  }, [bytes.toString('base64'), type]);
  const points = await pixels(svg, 'image/svg+xml');
  assert.deepEqual(points.slice(0, 3), [[93, 55, 25, 255], [240, 217, 176, 255], [168, 111, 61, 255]]); // the edge, a light and a dark square; then a man, a king, the arrow
  assert.deepEqual(await pixels(png, 'image/png'), points);
  assert.equal(new Set(points.map(String)).size, 6, `pieces are missing: ${points}`);
});

if (screenshots) {
  const shots = [['page-position', '?rules=frisian&fen=W:WK3,27:BK48', 1280, 800, 'light'],
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
