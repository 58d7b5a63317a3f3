// Answers, errors and missing answers on the page; never those of another position.
import assert from 'node:assert/strict';
import {address, base, booklet, button, click, moved, open, says, slowly, square, test, verdict} from './browser_kit.mjs';

// Entered text goes to the server, whose answer is shown; the page never judges by itself.
for (const [fen, words] of [['W:W51:B3', 'Square 51 at column 4 is not on the board (1..50).'], ['W:Wfoo:BK3', "Expected a square number at column 4, found 'f'."],
  ['W:W1-50:B1-50', 'A white man cannot stand on 1: it would have been promoted (column 4).'], ['W:W28,K46:BK43=', "Unexpected text after the position at column 15, found '='."],
  ['B:BK5:W', 'White has no pieces.']])
  await test(`${fen} is refused with the words of the server, at the field`, {refused: 1}, async page => {
    await open(page, fen);
    await page.locator('#fen-problem', {hasText: words}).waitFor();
    assert.match(await verdict(page), /Not a valid position|Each side needs at least one piece/);
    assert.equal(await page.locator('.moves button').count(), 0);
    assert.equal(await page.locator('#fen').inputValue(), fen);
  });

await test('while an answer is awaited there is no verdict, no move and nothing to click', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await slowly(page, /\/position$/, 3000);
  await page.locator('.moves .san', {hasText: '3-25'}).click();
  await moved(page, 'B:WK25,27:BK48:H0:F1:+0+125');
  await page.waitForTimeout(300);
  assert.equal(await verdict(page), 'Black to move');
  await page.locator('.verdict.pending').waitFor();
  assert.equal(await page.locator('.moves button, .chips button').count(), 0);
  await page.keyboard.press(' '); // owed until the answer is here
  await click(page, 27);
  await click(page, 22);
  await page.waitForTimeout(300);
  assert.equal(address(page), 'B:WK25,27:BK48:H0:F1:+0+125');
  await button(page, 'Copy as PDN').click();
  assert.match(await page.locator('[data-copied]').getAttribute('data-copied'), /\n\n1\. 3-25 \*\n$/);
  await says(page, 'White to move wins in 39 plies');
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

await test('an answer that arrives after its position was left is not shown', {}, async page => {
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
  await button(page, 'Replay').click();
  await page.waitForFunction(() => new URLSearchParams(location.search).get('rules') === 'english');
  await page.locator('.line button', {hasText: '28-24'}).waitFor();
  assert.equal(await page.locator('.square').count(), 32);
  assert.equal(await page.locator('#rules').inputValue(), 'english');
  await source.fill('[GameType "97"]\n\n1. 47-42 *');
  await button(page, 'Replay').click();
  await page.locator('.line button', {hasText: '47-42'}).waitFor();
  assert.equal(await page.locator('#rules').inputValue(), 'frisian');
  await source.fill('[GameType "25"]\n\n1. 22-18 *');
  await button(page, 'Replay').click();
  await page.locator('.error', {hasText: '25'}).waitFor();
  assert.equal(await page.locator('.line button').count(), 0);
});

await test('a game of lidraughts is judged by the rules of the site, in one request', {}, async page => {
  const asked = [];
  page.on('request', request => { if (/\/v1\/.*\/(annotate|mainline|tables)/.test(request.url())) asked.push(new URL(request.url()).pathname); });
  await page.goto(`${base}game?rules=frisian`);
  const source = page.getByLabel('PDN, link or FEN');
  const game = '[GameType "40"]\n[FEN "W:WK1,K2:BK14:H12"]\n\n1. 1-6 *';
  await source.fill(game);
  await button(page, 'Replay').click();
  await page.locator('#main').getByText('No win or draw was thrown away').waitFor();
  await source.fill(`[Site "https://lidraughts.org/a1b2C3d4"]\n${game}`);
  await button(page, 'Replay').click();
  await page.getByText('1-6? threw the win away: now a draw').waitFor();
  assert.equal(await page.locator('#rules').inputValue(), 'frisian-lidraughts');
  assert.deepEqual(asked, ['/v1/frisian/annotate', '/v1/frisian/annotate']);
});

await test('a game is read as the program reads it: blanks in moves, lines that begin with a percent sign', {}, async page => {
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n% 10x10 is no move\n1. 27 -21 48- 34(!) 2. 3-9 *');
  await button(page, 'Replay').click();
  await page.locator('#main').getByText('Mistakes: White 1, Black 0.').waitFor();
  assert.deepEqual((await page.locator('.line button').allInnerTexts()).slice(1), ['1. 27-21?', '48-34(!)', '2. 3-9']);
});

await test('a game returns after Back and opens by its address; a cleared board, too', {refused: 1}, async page => {
  const pdn = '[GameType "40"]\n[FEN "W:WK3,27:BK48"]\n\n1. 27-21 48-34 *';
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill(pdn);
  await button(page, 'Replay').click();
  await page.locator('.line .mistake').waitFor();
  await button(page, 'Study this position').click();
  await page.locator('#fen').waitFor();
  await page.goBack();
  await page.locator('.line .mistake').waitFor();
  assert.equal(await page.getByLabel('PDN, link or FEN').inputValue(), pdn);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('.line .mistake').waitFor();
  await open(page, booklet);
  await says(page, 'A draw');
  await button(page, 'Set up').click();
  await button(page, 'Clear').click();
  await page.locator('#fen-problem', {hasText: 'no pieces'}).waitFor();
  await page.goBack();
  await moved(page, booklet);
  await says(page, 'A draw');
  assert.equal(await page.locator('.board-box .piece').count(), 3);
});

await test('notes of the lenient reader are shown', {}, async page => {
  await open(page, `${booklet}:H0:F1:%2B346%2B0`);
  await says(page, 'A draw');
  await page.locator('.note', {hasText: "Black's run +346 ignored: Black has no man."}).waitFor();
});

await test('without a connection the page says so, and retries', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await page.route('**/v1/**', route => route.abort());
  await page.locator('.moves button').first().click();
  await page.locator('.verdict', {hasText: 'The server is not responding.'}).waitFor();
  assert.equal(await verdict(page), 'No answer');
  await page.unroute('**/v1/**');
  await button(page, 'Try again').click();
  await says(page, 'A draw, Black');
}, /ERR_FAILED/);

await test('every error has a helpful message', {refused: 1}, async page => {
  await page.goto(`${base}material?rules=frisian&name=kmvk`);
  await page.getByRole('heading', {name: 'KMvK · Frisian'}).waitFor();
  await page.goto(`${base}material?rules=frisian`);
  await page.getByRole('heading', {name: 'All materials'}).waitFor();
  await page.goto(`${base}search?rules=frisian`);
  await button(page, 'Search').click();
  await page.locator('.error', {hasText: 'Name a material first'}).waitFor();
  await page.getByLabel('Material, e.g. KMvK').fill('kmvk');
  await button(page, 'Search').click();
  await page.getByRole('heading', {name: 'of 211,680 positions'}).waitFor();
  await page.goto(`${base}?rules=frisian&fen=https://elsewhere.example/board?fen=W:W28,K46:BK43`);
  await moved(page, booklet);
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('PDN, link or FEN').fill('1. 32-28 19-23 2. 28x19 14x23 *');
  await button(page, 'Replay').click();
  await page.locator('.summary', {hasText: 'This game never reaches the tables: its last position has 38 pieces, the tables have at most 4.'}).waitFor();
  await page.getByLabel('PDN, link or FEN').fill('https://lidraughts.org/a1b2C3d4/black');
  await button(page, 'Replay').click();
  await page.locator('.error', {hasText: 'That is a link to a game on lidraughts'}).waitFor();
});

// Errors and notes of the server are shown in the language of the user, errors without a code of their own followed
// by its words in English.
const refusals = ['W', 'x', 'W:', 'W:W', 'B:W:BK3', 'W:W51:B3', 'W:Wfoo:BK3', 'W:W28,28:BK3', 'W:W1:BK3', 'W:W40-30:BK3', 'W:W28:W3', 'W:W28:BK3:L', 'W:W28:BK3:LW',
  'W:W28:BK3:H', 'W:W28:BK3:F', 'W:W28,K46:BK43:+', 'W:W28,K46:BK43:+0', 'W:W28,K46:BK43:+0+24', 'W:W28,K46:BK43:+0+246:H3', 'W:W28,K46:BK43:+0+299', 'W:W28,K46:BK43:x',
  'W:W28,K46:BK43 x', 'W:WK46:BK43:L', '[Event "x"]', '[FEN x', '[FEN "W:W28', '[FEN "W:W28:BK3" x', '[FEN "W:W28:BK3"] x', 'https://x.example/', 'https://x.example/%zz:',
  'https://x.example/W:W28:BK3 x', 'W:W28,K46:BK43:+0+946', 'W:W28,K46:BK43:é'];
const searches = ['material=KvX', 'material=KMvK&distance=x', 'material=KMvK&on=K99', 'material=KKKvKKK&zugzwang=any'];
const notes = ['W:WK46:BK41:H3', 'W:W28,K46:BK43:H9', 'W:W28,K46:BK43:+346+0', 'W:W28,K46:BK43:+0+222', 'W:W28,K46:BK43:+0+2', 'W:W28,K46,K2:BK43:+0+2', 'W:W28,K46,P11:BK43',
  'https://lidraughts.org/analysis/standard/W:W28,K46:BK43', 'W:W31-40:B1-5', 'W:WK1,K2,K3:BK4:LW3'];
for (const [locale, words] of [['nl-NL', 'Veld 51 bestaat niet op dit bord (teken 4).'], ['fy-NL', 'Fjild 51 bestiet net op dit boerd (teken 4).']])
  await test(`errors are in the language of the page, ${locale}`, {locale}, async page => {
    await open(page, 'W:W51:B3');
    await page.locator('#fen-problem', {hasText: words}).waitFor();
    assert.equal(await page.locator('#fen-problem [lang=en]').count(), 0);
    const position = fen => [`position?partial=1&fen=${encodeURIComponent(fen)}`, `/?rules=frisian&fen=${encodeURIComponent(fen)}`];
    const told = await page.evaluate(async calls => {
      const told = [];
      for (const [call, view] of calls) {
        const answer = await fetch(`/v1/frisian/${call}`);
        const {error, code, note} = await answer.json();
        history.pushState(null, '', '/help?rules=frisian');
        dispatchEvent(new PopStateEvent('popstate'));
        history.pushState(null, '', view);
        dispatchEvent(new PopStateEvent('popstate'));
        const selector = error ? '#fen-problem span, #fen-problem:not(:empty), .search + * .error, .two .error' : note ? '.verdict .note' : '.verdict h1 ~ p.small';
        let words = null;
        for (let i = 0; i < 500 && !words; i++) {
          await new Promise(resolve => setTimeout(resolve, 10));
          words = document.querySelector(selector);
        }
        const copy = words.cloneNode(true);
        const server = copy.querySelector('[lang=en]');
        server?.remove();
        told.push({call, code, status: answer.status, own: copy.textContent, server: server?.textContent});
      }
      return told;
    }, [...refusals.map(position), ...searches.map(search => [`find?${search}`, `/search?rules=frisian&${search}`]), ...notes.map(position)]);
    const accepted = notes.map(fen => position(fen)[0]);
    const vague = ['BAD_FEN', 'BAD_POSITION', 'BAD_ARGUMENT']; // the server's own words say more
    assert.ok(told.filter(({code}) => !vague.includes(code)).length > 20);
    for (const {call, code, status, own, server} of told) {
      assert.equal(status, accepted.includes(call) ? 200 : 400, call);
      assert.ok(own.length > 8 && !/^(Er ging iets mis|Der gie wat mis)/.test(own) && !/undefined|[{}]/.test(own) && Boolean(server) === vague.includes(code), `${call}: ${own}, ${server}`);
    }
  }, /status of 400|ERR_ANY/);

// What the page says of a position is what the program says of it.
for (const [fen, words] of [['B:WK5,K2:B:H0:F1:%2B0%2B0:LW15', 'Draw: the move limit is used up'], ['W:WK1,K2:BK14:H14', 'Draw: the move limit is used up'],
  ['W:WK1,K2:BK14:H12', 'A draw, White to move'], ['B:WK37,K41:BK46:H14', 'Black has no legal move and has lost'], ['B:WK46:BK41:LW14', 'Draw: the move limit is used up']])
  await test(`${fen} gets its own message`, {}, async page => {
    await open(page, fen);
    await says(page, words);
  });

await test('switching the rule set keeps run, clock and limited side', {}, async page => {
  for (const [fen, rules, back] of [['W:W28,K46:BK43:H0:F1:+0+246', 'Frisian without either rule: win in 39 plies (20 moves)', 'Frisian: draw'], ['W:WK14:BK22,K44:H12:F1:+0+0', 'International', 'Frisian'],
    ['W:WK46:BK41:H0:F1:+0+0:LW13', 'International', 'Frisian']]) {
    await open(page, fen.replaceAll('+', '%2B'));
    await page.getByRole('button', {name: rules, exact: true}).click();
    await page.waitForFunction(() => !location.search.includes('rules=frisian&'));
    await page.locator('.note').waitFor();
    assert.equal(address(page), fen);
    await page.getByRole('button', {name: back, exact: true}).click();
    await page.waitForFunction(() => location.search.includes('rules=frisian&'));
    await page.locator('.fields').waitFor();
    assert.equal(address(page), fen);
    await page.getByLabel('Rule set').selectOption('frisian-free');
    await page.waitForFunction(() => location.search.includes('rules=frisian-free&'));
    assert.equal(address(page), fen);
  }
});

await test('an address of a rule set without tables says so, and lists those with tables', {}, async page => {
  await page.goto(`${base}?rules=frisian-no17&fen=${booklet}`);
  await page.getByText('This server has no tables of the rule set').waitFor();
  assert.equal(await page.locator('.board').count(), 0);
  await page.getByRole('link', {name: 'Frisian without either rule', exact: true}).click();
  await says(page, 'White to move wins in 39 plies');
  await page.goto(`${base}?rules=nonsense&fen=${booklet}`);
  await page.getByText('nonsense').waitFor();
}, /status of 404|ERR_ANY/);

await test('tables without distances have no longest wins, and not every reply is said to keep a win', {}, async page => {
  await page.goto(`${base}material?rules=brazilian&name=KvM`);
  await page.getByRole('heading', {name: 'KvM · Brazilian'}).waitFor();
  await page.locator('.figures b', {hasText: 'Win'}).first().waitFor();
  assert.equal(await page.getByText('Longest wins').count(), 0);
  await page.goto(`${base}search?rules=brazilian&material=KvM&outcome=win`);
  await page.getByText('these positions are not sorted by length').waitFor();
  await open(page, 'W:WK29:B5', 'brazilian');
  await says(page, 'White to move wins');
  await page.locator('.group.win').waitFor();
  assert.deepEqual([...new Set(await page.locator('.moves .win-ink').allInnerTexts())], ['']);
});

await test('a distance is given in plies and in moves of the winner', {}, async page => {
  for (const [fen, sentence, move] of [['W:WK3,27:BK48', 'White to move wins in 41 plies (21 moves)', '3-25 41 plies (21 moves)'], ['B:WK25,27:BK48', 'Black to move loses in 40 plies (20 moves)', '48-42 40 plies (20 moves)'],
    ['W:WK46:BK41', 'White to move wins in 1 ply (1 move)', '46x5 1 ply (1 move)']]) {
    await open(page, fen);
    await says(page, sentence);
    assert.equal((await page.locator('.moves button').first().innerText()).replace(/\s+/g, ' ').trim(), move);
  }
});

await test('the best move is drawn on the board if one likes, and the browser keeps the choice', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41');
  const arrows = page.locator('.board .arrow');
  assert.equal(await arrows.count(), 0);
  await page.getByLabel('Show the best move on the board').check();
  await arrows.waitFor();
  const points = await arrows.getAttribute('points');
  await page.locator('.moves button').first().hover(); // draws this move
  assert.equal(await arrows.getAttribute('points'), points);
  await page.reload();
  await arrows.waitFor();
  await page.goto(`${base}train?rules=frisian&fen=W:WK3,27:BK48`); // where it would be the answer
  await page.getByRole('heading', {name: 'keep the win'}).waitFor();
  assert.equal(await arrows.count(), 0);
  await open(page, 'W:WK3,27:BK48');
  await page.getByLabel('Show the best move on the board').uncheck();
  await arrows.waitFor({state: 'detached'});
});
