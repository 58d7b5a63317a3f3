// Lessons, embedding and keyboard use: search results as material, boards in other pages, keys and their
// names, the rules.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {address, base, booklet, button, click, drag, embedded, finger, middleOf, moved, open, says, sizes, test} from './browser_kit.mjs';

for (const [where, options] of sizes)
  await test(`${where}: a lesson of own positions: place, refutation, end`, options, async page => {
    const press = async locator => { await locator.scrollIntoViewIfNeeded(); if (options.hasTouch) await finger(page, await middleOf(locator)); else await locator.click(); };
    const main = page.locator('#main');
    await page.goto(`${base}train?rules=frisian&fen=W:WK46:BK41`);
    await page.getByRole('heading', {name: 'White to move: keep the win'}).waitFor();
    await press(page.getByText('A lesson of your own'));
    await page.getByLabel('Positions, one FEN or link per line').fill('W:WK46:BK41\nhttps://lidraughts.org/analysis/frisian/W:WK3,27:BK48\n');
    await press(button(page, 'Begin'));
    await main.getByText('Training · 1/2').waitFor();
    await press(button(page, 'Show the move'));
    await page.getByRole('heading', {name: 'Finished'}).waitFor();
    await press(button(page, 'Next position'));
    await main.getByText('Training · 2/2').waitFor();
    await page.getByRole('heading', {name: 'White to move: keep the win'}).waitFor();
    await page.waitForURL(/n=2/);
    if (options.hasTouch) { for (const n of [27, 21]) await finger(page, await middleOf(page.locator(`.square[data-square="${n}"]`))); } else await drag(page, 27, 21);
    await main.getByText(/27-21 is a mistake: draw\. Try another\. The reply is \d/).waitFor();
    const other = await page.context().newPage(); // the link keeps the list and the place
    await other.goto(page.url());
    await other.locator('#main').getByText('Training · 2/2').waitFor();
    await press(button(page, 'Next position'));
    await page.getByRole('heading', {name: 'That was the last position'}).waitFor();
    await main.getByText('0 of 2 solved without a mistake.').waitFor();
    await page.goBack();
    await main.getByText('Training · 2/2').waitFor();
  });

await test('training waits for a search with its progress, and the search can be stopped', {}, async page => {
  let found = false;
  await page.route(/find\?/, route => found ? route.continue() : undefined);
  await page.route(/progress\?/, route => { assert.match(route.request().url(), /sample=20/); return route.fulfill({json: {running: true, share: .25}}); });
  await page.goto(`${base}train?rules=frisian&material=KKMvKK&outcome=win&seed=1`);
  await page.getByText(/\d seconds? · 25%/).waitFor();
  assert.equal(await page.getByRole('progressbar', {name: 'Searching'}).getAttribute('value'), '0.25');
  await button(page, 'Stop').click();
  await page.getByText('The search was stopped.').waitFor();
  assert.equal(await page.getByRole('progressbar').count(), 0);
  found = true;
  await page.goto(`${base}train?rules=frisian&material=KMvK&outcome=win&seed=1`);
  await page.getByRole('heading', {name: 'keep the win'}).waitFor();
});

await test('search results: their number, all of them copied, the place kept after Back', {}, async page => {
  await page.goto(`${base}search?rules=frisian&material=KMvK&outcome=win`);
  await page.locator('.found li').nth(49).waitFor();
  await button(page, 'Next 50').click();
  await page.locator('.found li').nth(99).waitFor();
  assert.match(await page.locator('.found li').nth(80).innerText(), /^81\. /);
  await button(page, 'Copy all as FEN').click();
  const fens = (await page.locator('[data-copied]').getAttribute('data-copied')).trim().split('\n');
  assert.equal(fens.length, 100);
  assert.equal(await page.locator('.found .fen').nth(80).innerText(), fens[80]);
  await page.locator('.found a').nth(80).click();
  await moved(page, fens[80]);
  await page.goBack();
  await page.locator('.found li').nth(99).waitFor();
  await page.goto(`${base}search?rules=frisian&list=Studies of three pieces`);
  await page.locator('.found li').nth(49).waitFor();
  await button(page, 'Next 50').click();
  await page.locator('.found li').nth(99).waitFor();
  await button(page, 'Copy all as PDN').click();
  assert.equal((await page.locator('[data-copied]').getAttribute('data-copied')).match(/\[FEN "/g).length, 100);
});

await test('a board in another page keeps out of its history, stays embedded, and hides the answer if it is to', {}, async page => {
  await embedded(page, `?rules=frisian&fen=${booklet}&embed&hide`, async frame => {
    await frame.locator('.verdict h1', {hasText: 'White to move'}).waitFor();
    await frame.locator('.movable').first().waitFor();
    assert.equal(await frame.locator('.moves button, .reason, .line').count(), 0);
    assert.equal(await frame.locator('header, .tray, .fen-card').filter({visible: true}).count(), 0);
    const entries = await page.evaluate(() => history.length);
    await frame.locator('.square[data-square="28"]').click();
    await frame.locator('.square[data-square="22"]').click();
    await frame.locator('.verdict h1', {hasText: 'Black to move'}).waitFor();
    await frame.getByRole('button', {name: 'Show the answer'}).click();
    await frame.locator('.verdict h1', {hasText: 'A draw, Black to move'}).waitFor();
    await frame.locator('.moves button').first().click();
    await frame.locator('.verdict h1', {hasText: 'A draw, White to move'}).waitFor();
    assert.equal(await frame.locator('header').isVisible(), false);
    const [whole] = await Promise.all([page.context().waitForEvent('page'), frame.getByRole('link', {name: 'Statistics of KMvK'}).click()]);
    await whole.waitForURL(/material\?rules=frisian&name=KMvK/);
    assert.equal(await page.evaluate(() => history.length), entries);
    assert.match(page.frames()[1].url(), /embed/);
  });
});

// Material, distance, and whether only kings stand, so that a diagonal may be a mirror.
for (const [material, distance, kings] of [['KKvK', 13, true], ['MvM', 15, false]])
  await test(`${material}: of mirror images only one is shown`, {}, async page => {
    const call = `/v1/frisian/find?material=${material}&outcome=win&distance=${distance}&limit=500`;
    await page.goto(`${base}search?rules=frisian&material=${material}&outcome=win&distance=${distance}`);
    await page.getByText('Mirror images omitted').waitFor();
    while (await button(page, 'Next 50').count()) { await button(page, 'Next 50').focus(); await page.keyboard.press('Enter'); await page.waitForTimeout(50); }
    const last = page.getByRole('button', {name: /^Next/});
    if (await last.count()) { await last.click(); await last.waitFor({state: 'detached'}); }
    const shown = await page.locator('.found a').evaluateAll(links => links.map(link => link.title));
    const all = (await page.evaluate(async path => (await fetch(path)).json(), call)).positions.map(one => one.fen);
    assert.ok(shown.length > 20 && shown.length < all.length);
    // Pieces by row and column of the whole board; a reflection changes these, the other end turns them.
    const pieces = fen => fen.slice(2).split(':').flatMap(part => part.slice(1).split(',').map(word => {
      const n = Number(word.replace('K', '')) - 1;
      const row = Math.floor(n / 5);
      return [part[0], word[0] === 'K', row, 2 * (n % 5) + (row + 1) % 2];
    }));
    const written = (side, list) => side + list.map(String).sort().join(' ');
    const images = fen => [false, true].flatMap(reflected => [false, true].flatMap(round => [false, true].map(swapped => {
      if (!kings && (reflected || round !== swapped)) return written(fen[0], pieces(fen));
      const colour = letter => swapped ? {W: 'B', B: 'W'}[letter] : letter;
      return written(colour(fen[0]), pieces(fen).map(([letter, king, row, column]) => {
        const [r, c] = reflected ? [column, row] : [row, column];
        return [colour(letter), king, round ? 9 - r : r, round ? 9 - c : c];
      }));
    })));
    const own = shown.map(fen => written(fen[0], pieces(fen)));
    for (const fen of all) {
      const same = new Set(images(fen));
      assert.equal(own.filter(one => same.has(one)).length, 1, fen);
    }
  });

await test('by keys: the focus goes on to the next moves, a choice is said, letters can be switched off', {}, async page => {
  const said = words => page.locator('#status', {hasText: words}).waitFor({state: 'attached'});
  await open(page, booklet);
  await says(page, 'A draw, White');
  await page.locator('.moves button').first().focus();
  await page.keyboard.press('Enter');
  await says(page, 'A draw, Black');
  await page.waitForFunction(() => document.activeElement.closest('.moves'));
  await page.keyboard.press('Enter');
  await says(page, 'A draw, White');
  await said('A draw, White to move');
  const best = (await page.locator('.line [aria-current]').innerText()).replace(/^\S*\. /, '');
  assert.ok((await page.locator('#status').innerText()).startsWith(`${best}. `));
  await open(page, booklet);
  await says(page, 'A draw, White');
  await click(page, 28);
  await said('28 selected; can move to 22, 23');
  assert.match(await page.locator('.square[data-square="28"]').getAttribute('aria-label'), /selected/);
  await page.goto(`${base}help?rules=frisian`);
  await page.getByLabel('Use Space, F and M as shortcuts').uncheck();
  await open(page, booklet);
  await says(page, 'A draw, White');
  const place = await middleOf(page.locator('.square[data-square="1"]'));
  await page.keyboard.press('f');
  await page.keyboard.press(' ');
  await page.waitForTimeout(200);
  assert.deepEqual([await middleOf(page.locator('.square[data-square="1"]')), address(page)], [place, booklet]);
});

for (const rules of ['frisian', 'international', 'english', 'brazilian'])
  await test(`the rules of ${rules} in ten lines and three boards, whose moves are legal`, {}, async page => {
    await page.goto(`${base}help?rules=${rules}`);
    await page.locator('ol.rules li').nth(7).waitFor();
    const lines = await page.locator('ol.rules li').count();
    assert.ok(lines >= 8 && lines <= 10);
    assert.equal(await page.locator('.boards .small-board .arrow').count(), 3);
    const source = readFileSync('serve/page/welcome.js', 'utf8');
    for (const fen of await page.locator('.boards a').evaluateAll(links => links.map(link => link.getAttribute('aria-label')))) {
      const [, path] = new RegExp(`'${fen}', (\\[[\\d, ]+\\])`).exec(source);
      const {moves} = await page.evaluate(async call => (await fetch(call)).json(), `/v1/${rules}/position?partial=1&fen=${fen}`);
      assert.ok(moves.some(move => JSON.stringify(move.path) === path.replaceAll(' ', '')), `${fen} ${path}: ${moves.map(move => move.san)}`);
    }
  });

await test('a material under two rule sets: the counts, their difference, and the positions that differ', {}, async page => {
  await page.goto(`${base}material?rules=frisian&name=KMvK`);
  await page.getByLabel('Compare with', {exact: true}).first().selectOption('frisian-free');
  await page.waitForURL(/beside=frisian-free/);
  const row = page.getByRole('row', {name: 'White: Win'});
  await row.waitFor();
  const [one, other, difference] = (await row.getByRole('cell').allInnerTexts()).map(words => Number(words.replace(/[,+]/g, '')));
  assert.ok(difference === other - one && difference > 10000);
  await page.getByRole('link', {name: 'The positions that differ'}).click();
  await page.getByRole('heading', {name: 'Found 30,577 of 211,680 positions'}).waitFor();
  await page.goBack();
  await page.getByRole('link', {name: 'The longest losses'}).first().click();
  await page.waitForURL(/outcome=loss/);
  await page.locator('.found .loss-ink').first().waitFor();
});

await test('beyond the tables a position is proved, and the search for a proof can be stopped', {}, async page => {
  const fen = 'W:W28,K46:B15,20,K43';
  await page.route(/solve\?.*seconds=3$/, route => route.continue({url: route.request().url().replace(/3$/, '0')})); // the short search that begins by itself finds nothing
  await open(page, fen);
  await says(page, 'not in the tables');
  await button(page, 'Prove this position').click();
  await button(page, 'Stop').waitFor({state: 'detached', timeout: 90000});
  const {category, move} = await page.evaluate(async call => (await fetch(call)).json(), `/v1/frisian/solve?seconds=0&fen=${fen}`);
  await page.locator('.proof', {hasText: {win: 'Proved: White wins.', loss: 'Proved: White loses.', draw: 'Proved: a draw.'}[category] ?? /Proved|No proof/}).waitFor();
  if (move) assert.ok((await page.locator('.proof').innerText()).includes(move.san));
  // The strategy can be stepped through: after its move and any reply, its answer is shown at once.
  const won = 'B:W36,37,41:B3,8,K14';
  await open(page, won);
  await button(page, 'Prove this position').click();
  await says(page, 'Black to move wins');
  assert.doesNotMatch(await page.locator('.verdict').innerText(), /same under/); // not known
  await page.route('**/solve?*', route => /seconds=0/.test(route.request().url()) ? route.continue() : undefined);
  await page.locator('.moves.win button').first().click();
  await says(page, 'White to move loses');
  await page.locator('.moves.loss button').first().click();
  await says(page, 'Black to move wins');
  await page.unroute('**/solve?*');
  await open(page, won);
  await says(page, 'Black to move wins'); // the server knows it
  await button(page, 'Evaluate the moves').click();
  await button(page, 'Evaluate the moves').waitFor({state: 'detached'});
  await button(page, 'Stop').waitFor({state: 'detached', timeout: 200000});
  await page.locator('.moves.draw, .moves.loss').first().waitFor();
  await page.route('**/solve?*', () => {}); // as if it never ended
  await open(page, 'B:W36,37,41,46:B3,4,9,K14');
  await button(page, 'Prove this position').click();
  await button(page, 'Stop').click();
  await button(page, 'Prove this position').waitFor();
});
