// A student's tasks on a desktop and on a phone in both orientations: by mouse, touch and keys.
import assert from 'node:assert/strict';
import {address, base, booklet, button, click, drag, finger, fmjd, inView, middle, middleOf, moved, open, says, screens, sizes, slowly, square, test, verdict} from './browser_kit.mjs';

// Parts of the position view that scroll separately.
const scrolledWithin = page => page.evaluate(() => [...document.querySelectorAll('.study *')].filter(one => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1).map(one => one.className));

// --- at all sizes ---------------------------------------------------------------------------------------

for (const [where, options] of screens)
  await test(`${where}: board, verdict and the best move are in view at once`, options, async page => {
    for (const [fen, rules] of [['W:WK3,27:BK48', 'frisian'], [booklet, 'frisian'], ['W:WK3,27:BK48:H0:F1:%2B0%2B203', 'frisian'], ['W:WK2,K4:BK23', 'frisian'], ['W:WK1,K2:BK45:H4:F1', fmjd]]) {
      await open(page, fen, rules);
      await page.locator('.moves button').first().waitFor();
      for (const one of ['svg.board', '.verdict h1', '.moves button >> nth=0']) assert.ok(await inView(page, page.locator(one).first()), `${fen}: ${one} is out of view`);
      assert.ok((await page.locator('svg.board').first().boundingBox()).width >= 240, 'the board is under 240 px');
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the window');
      assert.deepEqual(await scrolledWithin(page), [], 'a part scrolls within itself');
    }
  });

await test('at 400 % the board is whole, and text on a projector is large', {viewport: {width: 320, height: 200}}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const {width} = await page.locator('svg.board').first().boundingBox();
  assert.ok(width >= 240 && width <= 320, `the board is ${width} px wide`);
  await page.setViewportSize({width: 1920, height: 1080});
  assert.ok(await page.locator('.moves .san').first().evaluate(one => Number.parseFloat(getComputedStyle(one).fontSize)) > 18);
});

await test('on paper: the position with its verdict and line; a sheet of diagrams with their numbers', {}, async page => {
  await page.emulateMedia({media: 'print'});
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  for (const selector of ['header', '.tools', '.moves-card', '.fen-card', '.line-head button']) assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  assert.ok(await page.locator('.line').isVisible() && await page.locator('svg.board').first().isVisible());
  await page.goto(`${base}search?rules=frisian&material=KMvK&outcome=win&distance=41`);
  await page.locator('.found li').first().waitFor();
  assert.equal(await page.locator('form.search').isVisible(), false);
  assert.match(await page.locator('.found li').first().innerText(), /^1\. [^]*W:W/);
  await page.evaluate(() => { window.print = () => { window.printed = document.querySelector('.found li').innerText; }; });
  for (const [name, answers] of [['Print', false], ['Print with answers', true], ['Print', false]]) {
    await page.getByRole('button', {name, exact: true, includeHidden: true}).dispatchEvent('click');
    assert.equal(/win · 41 plies/.test(await page.evaluate(() => window.printed)), answers, name);
  }
});

// --- at three sizes, by mouse, by touch and by keys ------------------------------------------------------

for (const [where, options] of sizes)
  await test(`${where}: a piece is set, dragged, turned, moved`, {...options, refused: 0}, async page => {
    const touch = Boolean(options.hasTouch);
    const press = async point => touch ? finger(page, point) : page.mouse.click(...point);
    const pull = async (from, to) => {
      if (touch) { await finger(page, from, to, 200); return; } // releasing during momentum scrolling would make the browser ignore the next tap
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, {steps: 5});
      await page.mouse.up();
    };
    await open(page, 'W:WK3,27:BK48');
    await says(page, 'wins in 41 plies');
    await page.locator('.line button').nth(5).waitFor();
    const hidden = await page.evaluate(() => [...document.querySelectorAll('.board .number')].filter(number => {
      const {x, width} = number.getBBox();
      const dark = number.parentNode.querySelector('.dark').getBBox();
      const bottom = Number(number.getAttribute('y')) + .75 * Number.parseFloat(getComputedStyle(number).fontSize);
      const [dx, dy] = [x + width - dark.x - 5, bottom - dark.y - 5 + .5]; // a king's upper disc lies so much higher
      return dx * dx / 3.7 ** 2 + dy * dy / 3.55 ** 2 < 1;
    }).length);
    assert.equal(hidden, 0, 'a piece hides the number of its square');
    await button(page, 'Set up').scrollIntoViewIfNeeded();
    await press(await middleOf(button(page, 'Set up')));
    await button(page, 'black man').scrollIntoViewIfNeeded();
    await press(await middleOf(button(page, 'black man')));
    await press(await middle(page, 20));
    await moved(page, 'W:WK3,27:B20,K48');
    await press(await middleOf(button(page, 'black man')));
    await pull(await middleOf(button(page, 'white man')), await middle(page, 38));
    await moved(page, 'W:WK3,27,38:B20,K48');
    const tap = name => touch ? button(page, name).tap() : button(page, name).click();
    await tap('Undo');
    await moved(page, 'W:WK3,27:B20,K48');
    await tap('Undo');
    await moved(page, 'W:WK3,27:BK48');
    await tap('Redo');
    await moved(page, 'W:WK3,27:B20,K48');
    await tap('Undo');
    await says(page, 'wins in 41 plies');
    await press(await middleOf(button(page, 'Set up')));
    await press(await middle(page, 3));
    await press(await middle(page, 25));
    await says(page, 'Black to move loses in 40 plies');
    await button(page, 'Back').scrollIntoViewIfNeeded();
    await press(await middleOf(button(page, 'Back')));
    await says(page, 'White to move wins in 41 plies');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the window');
  });

await test('set-up by keys: a piece chosen and put down, taken off, undone and done again', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Set up').focus();
  await page.keyboard.press('Enter');
  await button(page, 'black man').focus();
  await page.keyboard.press('Enter');
  await square(page, 10).focus();
  await page.keyboard.press('Enter');
  await moved(page, 'W:W28,K46:B10,K43');
  await page.keyboard.press('Delete');
  await moved(page, booklet);
  await page.keyboard.press('Control+z');
  await moved(page, 'W:W28,K46:B10,K43');
  await page.keyboard.press('Control+Shift+Z');
  await moved(page, booklet);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.tray [aria-pressed=true]').count(), 0);
  await button(page, 'Clear').focus();
  await page.keyboard.press('Enter');
  await moved(page, 'W:W:B');
  await page.locator('#fen-problem', {hasText: 'no pieces'}).waitFor();
  await page.keyboard.press('Control+z');
  await says(page, 'A draw');
}, /status of 400|ERR_ANY/);

for (const [where, options] of sizes)
  await test(`${where}: no gesture of play sets up: the other button, a long press, a piece dragged off the board, Delete`, options, async page => {
    await open(page, booklet);
    await says(page, 'A draw');
    const box = await page.locator('svg.board').first().boundingBox();
    if (options.hasTouch) {
      await finger(page, await middle(page, 43), undefined, 700);
      await finger(page, await middle(page, 28), [box.x + box.width / 2, box.y + box.height + 30]);
      await finger(page, await middle(page, 43), [box.x + 2, box.y + box.height + 60]);
    } else {
      await page.mouse.click(...await middle(page, 43), {button: 'right'});
      await drag(page, 28, [box.x + box.width + 120, box.y + 300]);
      await square(page, 28).focus();
      await page.keyboard.press('Delete');
    }
    await page.waitForTimeout(200);
    assert.equal(address(page), booklet);
    assert.equal(await page.locator('.board-box .piece').count(), 3);
  });

await test('a phone scrolls from the board while one plays', {viewport: {width: 360, height: 640}, hasTouch: true, isMobile: true}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  const [x, y] = await middle(page, 38);
  await finger(page, [x, y], [x, y - 150]);
  await page.waitForFunction(() => scrollY > 50);
});

await test('explains illegal moves: a piece of the other side, one that must capture elsewhere, a king that must rest, a square out of reach', {}, async page => {
  const why = words => page.locator('.hint', {hasText: words}).waitFor();
  await open(page, `${booklet}:H0:F1:%2B0%2B346`);
  await says(page, 'A draw');
  await click(page, 46);
  await why('The king on 46 has moved 3 times in a row and must rest.');
  await click(page, 43);
  await why('It is White’s move.');
  await drag(page, 28, 45);
  await why('Legal moves of this piece: 28-22, 28-23.');
  await open(page, 'W:W28,42:B22');
  await says(page, 'White');
  await click(page, 42);
  await why('Captures are compulsory, and the largest one must be made: 28x17.');
});

await test('own moves are the main line: promoted, deleted, commented, and a PDN as a person writes it', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await page.locator('.line button').nth(41).waitFor();
  const line = await page.locator('.line').innerText();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await says(page, 'loses in 38 plies');
  assert.equal(await page.locator('.line').innerText(), line);
  await page.keyboard.press('ArrowLeft');
  await says(page, 'wins in 39 plies');
  const wrong = await page.locator('.moves.draw .san').first().innerText();
  await page.locator('.moves.draw .san').first().click();
  await says(page, 'A draw, Black');
  await page.locator('.line .auto').first().waitFor();
  assert.equal(await page.locator('.line .variation').count(), 0);
  assert.deepEqual((await page.locator('.line button:not(.auto)').allInnerTexts()).slice(1), ['1. 3-25', '48-42', `2. ${wrong}?`]);
  await page.locator('.mistake-words', {hasText: 'threw the win away: now a draw'}).waitFor();
  await page.keyboard.press('ArrowLeft');
  await says(page, 'wins in 39 plies');
  await page.mouse.move(3, 3); // a move that is pointed at shows its own arrow
  assert.equal(await page.locator('.board .arrow').count(), 2);
  const right = await page.locator('.moves.win .san').first().innerText();
  await page.locator('.moves.win .san').first().click();
  await says(page, 'loses in 38 plies');
  assert.ok((await page.locator('.line .variation').innerText()).startsWith(`(2. ${right}`));
  await button(page, 'Make main line').click();
  await page.locator('.line .variation', {hasText: wrong}).waitFor();
  await page.getByLabel('Comment on this move').fill('wins');
  await page.keyboard.press('Tab');
  await page.locator('.line .remark', {hasText: 'wins'}).waitFor();
  await button(page, 'Copy as PDN').click();
  const pdn = await page.locator('[data-copied]').getAttribute('data-copied');
  assert.ok(pdn.split('\n').every(row => row.length < 80), pdn);
  assert.ok(pdn.replace(/\s+/g, ' ').includes(` 1. 3-25 48-42 2. ${right} {wins} (2. ${wrong} $2) 42-48 3. `), pdn);
  await page.reload();
  await page.locator('.line .variation', {hasText: wrong}).waitFor();
  await page.locator('.variation button').first().click();
  await says(page, 'A draw, Black');
  await button(page, 'Delete from here').click();
  await says(page, 'wins in 39 plies');
  assert.equal(await page.locator('.line .variation').count(), 0);
  await page.goBack();
  await page.locator('.line .variation', {hasText: wrong}).waitFor();
});

await test('a move costs one request and little drawing, however many there were, and a game of many moves one request', {}, async page => {
  const asked = [];
  page.on('request', request => { if (request.url().includes('/v1/')) asked.push(new URL(request.url()).pathname); });
  await open(page, booklet);
  await says(page, 'A draw');
  asked.length = 0;
  await page.evaluate(() => {
    window.drawn = 0; // elements of the line that are made
    new MutationObserver(changes => { for (const change of changes) for (const node of change.addedNodes) window.drawn += 1 + (node.querySelectorAll?.('*').length ?? 0); })
      .observe(document.querySelector('.line-card'), {childList: true, subtree: true});
  });
  const drawn = [];
  for (let i = 0; i < 12; i++) {
    const before = page.url();
    await page.locator('.moves button').first().click();
    await page.waitForFunction(url => location.href !== url, before);
    await page.locator('.verdict:not(.pending) h1').waitFor();
    drawn.push(await page.evaluate(() => window.drawn));
  }
  assert.ok(asked.length <= 12 && asked.every(path => path.endsWith('/position')), asked.join(' '));
  assert.ok(drawn[11] - drawn[10] <= drawn[2] - drawn[1] + 3, `the line is drawn anew: ${drawn}`);
  const pdn = `[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n1. 3-25 48-42 ${Array.from({length: 24}, (_, i) => `${2 * i + 2}. 25-3 42-48 ${2 * i + 3}. 3-25 48-42`).join(' ')} *`;
  await page.goto(`${base}game?rules=frisian-free#${encodeURIComponent(pdn)}`);
  await page.locator('.line button').nth(98).waitFor();
  assert.equal(asked.filter(path => path.endsWith('/annotate')).length, 1);
});

await test('the first verdict takes five requests', {}, async page => {
  const asked = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  await open(page, booklet);
  await says(page, 'A draw');
  const all = asked.filter(path => path !== '/icon.svg'); // which a browser loads when it is idle
  assert.deepEqual(all.sort(), ['/', '/app.js', '/style.css', '/v1/frisian/position', '/v1/rules']);
});

await test('the verdict says why: the rule that makes the draw, what it would be without, the moves left', {}, async page => {
  for (const [fen, words] of [['W:WK2,K4:BK23', 'Article 18 gives White 7 moves; 7 are left. Without it, White would win in 15 plies (8 moves).'],
    ['W:WK2,K4:BK23:H6:F1', 'Article 18 gives White 7 moves; 4 are left.'], [booklet, 'Without the king run and Article 18, White would win in 39 plies (20 moves).'],
    ['W:WK26,K27:BK48:H12:F1', 'If no king moves and no plies had been counted, White would win in']]) {
    await open(page, fen);
    await page.locator('.verdict .reason', {hasText: words}).waitFor();
  }
  await open(page, 'W:WK46:BK41');
  await page.locator('.same button').first().waitFor();
  assert.equal(await page.locator('.chips > button').count(), 0, 'rule sets that agree stand in one line');
  assert.equal(await page.locator('.reason').count(), 0);
});

await test('games: the next mistake, the better move, all games of a file, the board turned, lidraughts', {}, async page => {
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('[White "Anna"]\n[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n1. 3-25 48-42 2. 25-14 42-48 *\n\n' +
    '[White "Cor"]\n[GameType "40"]\n[FEN "W:WK46:BK41"]\n\n1. 46x37 2-0');
  await button(page, 'Replay').click();
  await page.locator('.line [aria-current]', {hasText: '48-42'}).waitFor(); // the position before the mistake, with both arrows
  await page.getByText('2. 25-14?').waitFor();
  await page.locator('.better', {hasText: /Better: 25-\d+: win in 39 plies \(20 moves\)/}).waitFor();
  assert.equal(await page.locator('.board .arrow.worse').count() + await page.locator('.board .arrow.better').count(), 2);
  await page.getByText('Mistakes: White 1, Black 0.').waitFor();
  await page.keyboard.press('Home');
  await page.locator('.line button[aria-current]', {hasText: 'Start'}).waitFor();
  await button(page, 'Next mistake').click();
  await page.waitForURL(/ply=2/);
  await page.locator('.line .mistake').click();
  await page.waitForURL(/ply=3/);
  const before = await middle(page, 1);
  await page.keyboard.press('f');
  assert.ok((await middle(page, 1))[1] > before[1] + 200);
  await page.keyboard.press('f');
  await page.getByLabel('Game', {exact: true}).selectOption('1');
  await page.locator('.line button', {hasText: '46x37'}).waitFor();
  assert.match(page.url(), /game=1/);
  await page.goBack();
  await page.locator('.line .mistake').waitFor();
});

for (const [where, options] of sizes)
  await test(`${where}: drawn moves in order, with a word why; other rules beside the verdict`, options, async page => {
    const press = async locator => options.hasTouch ? finger(page, await middleOf(locator)) : locator.click();
    await open(page, booklet);
    await says(page, 'A draw, White');
    await page.locator('.verdict .chips').waitFor();
    assert.deepEqual(await page.locator('.moves.draw button').allInnerTexts().then(all => all.map(words => words.replace(/\s+/g, ' ').trim())),
      ['28-22 4 of 11 replies draw', '46-41 6 of 11 replies draw', '46-37 7 of 11 replies draw', '28-23 gives up material']);
    await page.locator('.line button', {hasText: '1. 28-22'}).waitFor();
    for (const words of await page.locator('.moves.draw .small').all()) {
      const box = await words.boundingBox();
      assert.ok(box.x + box.width <= page.viewportSize().width && box.height < 30, 'a word why is cut or broken');
    }
    assert.deepEqual(await page.locator('.chips > button').allInnerTexts(), ['Frisian without either rule: win in 39 plies (20 moves)']);
    if (options.hasTouch) await press(button(page, 'All of the verdict')); // two lines until then
    await press(button(page, 'Frisian without either rule: win in 39 plies (20 moves)'));
    await says(page, 'wins in 39 plies');
    await button(page, 'Frisian: draw').focus();
    await page.keyboard.press('Enter');
    await says(page, 'A draw, White');
  });

for (const [where, options] of sizes)
  await test(`${where}: a search by a material of the list and by a well-known question; fifty more; cancelled`, options, async page => {
    await page.goto(`${base}search?rules=frisian`);
    await page.locator('#materials option[value=KMvK]').waitFor({state: 'attached'});
    await page.getByLabel('Material, e.g. KMvK').fill('KMvK');
    await button(page, 'Studies: one winning move at every step').click();
    await page.locator('.found li').nth(49).waitFor();
    assert.match(page.url(), /material=KMvK.*study=1/);
    assert.equal(await page.locator('.found li').count(), 50);
    assert.equal(await page.locator('.found li').first().locator('.piece').count(), 3);
    await button(page, 'The longest wins').click();
    await page.waitForURL(/outcome=win/);
    await button(page, 'Next 50').click();
    assert.equal(await page.locator('.found li').count(), 100);
    await button(page, 'Drawn only because of Article 18').waitFor();
    await slowly(page, /\/find$/, 20000);
    await button(page, 'Mutual zugzwang').click();
    await page.locator('progress').waitFor();
    await button(page, 'Stop').click();
    await page.getByText('The search was stopped.').waitFor();
  });

for (const [where, options] of sizes)
  await test(`${where}: positions drawn at random, a list prepared beforehand, and how far a search is`, options, async page => {
    const press = async locator => { await locator.scrollIntoViewIfNeeded(); if (options.hasTouch) await finger(page, await middleOf(locator)); else await locator.click(); };
    const fens = () => page.locator('.found a').evaluateAll(links => links.map(link => link.title));
    await page.goto(`${base}search?rules=frisian&material=KMvK&outcome=win&tries=3000&seed=1`);
    await page.getByText('Random sample, seed 1.').waitFor();
    const first = await fens();
    await press(page.getByRole('link', {name: 'New sample'}));
    await page.getByText('Random sample, seed 2.').waitFor();
    assert.notDeepEqual(await fens(), first);
    await page.goBack();
    await page.getByText('Random sample, seed 1.').waitFor();
    assert.deepEqual(await fens(), first);
    await press(page.getByRole('link', {name: 'Studies of three pieces'}));
    await page.getByRole('heading', {name: /Studies of three pieces \([\d,]+\)/}).waitFor();
    const answer = async from => page.evaluate(async at => (await (await fetch(`/v1/frisian/list?name=Studies%20of%20three%20pieces&from=${at}&limit=50`)).json()).positions.map(one => one.fen), from);
    assert.deepEqual(await fens(), await answer(0));
    for (let n = 100; n <= 550; n += 50) {
      await button(page, 'Next 50').focus();
      await page.keyboard.press('Enter');
      await page.locator('.found li').nth(n - 1).waitFor();
    }
    assert.deepEqual((await fens()).slice(500), await answer(500));
    await page.goto(`${base}search?rules=frisian&material=KKMvK,KMMvK,KKMvM&study=1&limit=1`);
    await page.locator('progress[value]').waitFor();
    assert.ok(Number(await page.locator('progress').getAttribute('value')) > 0);
    await press(button(page, 'Stop'));
    await page.getByText('The search was stopped.').waitFor();
  });

await test('statistics that take long can be stopped, and asked for again', {}, async page => {
  await slowly(page, /v1.*material/, 5000);
  await page.goto(`${base}material?rules=frisian&name=KKvKM`);
  await page.getByText(/^\d seconds$/).waitFor();
  await button(page, 'Stop').click();
  await page.getByText('The search was stopped.').waitFor();
  await button(page, 'Try again').click();
  await page.locator('.histogram').first().waitFor();
});

await test('five pieces are searched in positions drawn at random', {refused: 0}, async page => {
  await page.goto(`${base}search?rules=frisian`);
  await page.getByLabel('Material, e.g. KMvK').fill('kkmvkk');
  await button(page, 'Studies: one winning move at every step').click();
  await page.waitForURL(/material=KKMvKK.*tries=200000&seed=1/);
  await page.locator('.error', {hasText: 'no table for KKKvKK'}).waitFor(); // there is no table of it here
}, /status of 404|ERR_ANY/);

for (const [where, options] of sizes)
  await test(`${where}: training judges a guess`, options, async page => {
    const press = async n => options.hasTouch ? finger(page, await middle(page, n)) : click(page, n);
    await page.goto(`${base}train?rules=frisian&fen=W:WK3,27:BK48`);
    await page.getByRole('heading', {name: 'White to move: keep the win'}).waitFor();
    await press(3);
    await press(25);
    await page.locator('#main').getByText('3-25: the best move.').waitFor();
    await page.locator('#main').getByText('Good moves still to find: 4.').waitFor();
    for (let i = 0; i < 4; i++) {
      await button(page, 'Show the move').click();
      if (i < 3) await page.locator('#main').getByText(`Good moves still to find: ${3 - i}.`).waitFor();
    }
    await page.getByRole('heading', {name: 'Finished'}).waitFor();
    await page.goto(`${base}train?rules=frisian&fen=W:WK46:BK41`);
    await page.getByRole('heading', {name: 'White to move: keep the win'}).waitFor();
    await press(46);
    await press(37);
    await page.getByRole('heading', {name: 'Solved!'}).waitFor();
    await page.goto(`${base}train?rules=frisian&fen=W:WK3,27:BK48`);
    await page.getByRole('heading', {name: 'keep the win'}).waitFor();
    await press(27);
    await press(21);
    await page.locator('#main').getByText('27-21 is a mistake: draw. Try another.').waitFor();
    await page.goto(`${base}train?rules=frisian&material=KMvK&outcome=win&seed=7`);
    await page.locator('#main').getByText('Training · 1/20').waitFor();
    await button(page, 'Next position').click();
    await page.locator('#main').getByText('Training · 2/20').waitFor();
  });

await test('the first screen: famous positions, one of them played through', {}, async page => {
  await page.goto(base);
  await page.getByRole('heading', {name: 'Exact answers about draughts endgames'}).waitFor();
  assert.equal(await page.locator('.famous li').count(), 3);
  await page.getByText('up to 4 pieces').waitFor();
  await page.getByRole('link', {name: 'Replay it'}).click();
  await page.locator('.line button').nth(14).waitFor();
  await page.locator('.line .mistake', {hasText: '30-35?'}).waitFor();
  await page.goBack();
  await page.locator('.famous').getByRole('link', {name: 'Study this position'}).nth(1).click();
  await says(page, 'A draw, White to move');
  await page.getByRole('button', {name: 'Frisian without the seven moves: win in 15'}).waitFor();
});
