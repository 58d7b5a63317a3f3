// Fails if anything of a study is lost: pasted text comes back whole, and a study survives help, other
// rules, reload, a new tab, another browser and a file.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {base, booklet, button, einspul, moved, open, says, test, work} from './browser_kit.mjs';

const line = async page => (await page.locator('.line').innerText()).replace(/\s+/g, ' ');
const copied = async page => {
  await button(page, 'Copy as PDN').click();
  return page.locator('[data-copied]').getAttribute('data-copied');
};
// The main line of a game, without comments and variations.
const plain = text => {
  let left = text.replace(/\{[^}]*\}/g, '');
  while (/\([^()]*\)/.test(left)) left = left.replace(/\([^()]*\)/g, '');
  return left;
};
const author = `[Event "Booklet"]\n[GameType "40"]\n[Annotator "A. Uthor"]\n[FEN "W:WK3,27:BK48"]\n[Result "2-0"]\n
{Start} 1. 3-25! {good} (1. 3-8 $2 {mine} 1... 48-30 (1... 48-34)) ({first} 1. 3-9 48-34) (1. 99-98 no) 48-42 2. 25-39 42-48 2-0\n`;

// A game of that many plies without captures, with comments and variations.
async function longGame(page, plies) {
  let fen = 'W:WK46,K47:BK4,K5';
  const words = [];
  for (let ply = 0; ply < plies; ply++) {
    const {moves} = await (await page.request.get(`${base}v1/international/position?partial=1&fen=${encodeURIComponent(fen)}`)).json();
    const safe = [];
    for (const move of moves) {
      const after = await (await page.request.get(`${base}v1/international/position?partial=1&fen=${encodeURIComponent(move.fen)}`)).json();
      if (after.moves.length && !after.moves[0].captures.length) safe.push(move);
      if (safe.length > ply % 7) break;
    }
    const [move, other] = [safe.at(-1), safe[0]];
    words.push(`${ply % 2 ? `${(ply + 1) / 2}...` : `${ply / 2 + 1}.`} ${move.san}`);
    if (ply % 3 === 0) words.push(`{Remark {number ${ply} on this move}`.replace('{n', 'n'));
    if (ply % 5 === 0 && other !== move) words.push(`(${ply % 2 ? `${(ply + 1) / 2}...` : `${ply / 2 + 1}.`} ${other.san} $${1 + ply % 6} {instead})`);
    ({fen} = move);
  }
  return `[GameType "20"]\n[FEN "W:WK46,K47:BK4,K5"]\n\n${words.join(' ')} *\n`;
}

await test('a pasted game comes back whole, with a move of one\'s own added', {}, async page => {
  await page.goto(`${base}game?rules=frisian#${encodeURIComponent(author)}`);
  await page.locator('.summary').waitFor();
  const shown = await line(page);
  for (const words of ['Start', '1. 3-25! good', '1. 3-8?mine', '48-34', 'first', '(1. 99-98 no)']) assert.ok(shown.includes(words), `${words} is missing in: ${shown}`);
  await button(page, 'Last').click();
  await says(page, 'White to move wins in 37');
  await page.locator('.moves button').first().click();
  await says(page, 'loses in 36');
  const text = await copied(page);
  for (const words of ['[Annotator "A. Uthor"]', '{Start}', '3-25! {good}', '3-8 $2 {mine}', '(1... 48-34)', '({first} 1. 3-9', '(1. 99-98 no)', '3. 39-6', '2-0']) assert.ok(text.replace(/\s+/g, ' ').includes(words), `${words} is missing in: ${text}`);
  await page.reload();
  await page.locator('.summary').waitFor();
  assert.match(await line(page), /mine.*3\. 39-6/);
  await button(page, 'Copy the link').click();
  const elsewhere = await page.context().browser().newContext({locale: 'en-GB'});
  const other = await elsewhere.newPage();
  await other.goto(await page.locator('[data-copied]').getAttribute('data-copied'));
  await other.locator('.line button', {hasText: '3. 39-6'}).waitFor();
  await elsewhere.close();
});

await test('a tree of 500 moves with comments goes out and in unchanged, and the program reads it', {}, async page => {
  const game = await longGame(page, 470);
  await page.goto(`${base}game?rules=international`);
  await page.getByLabel('PDN, link or FEN').fill(game);
  await button(page, 'Replay').click();
  await page.locator('.summary').waitFor();
  await page.getByLabel('Comment on this move').fill('the end');
  await page.keyboard.press('Enter');
  await page.waitForURL(/study=/);
  const first = await copied(page);
  assert.doesNotMatch(plain(first), /\.\.\./); // pydraughts removes a number that is repeated from longer ones, too
  assert.ok(first.match(/\d+-\d+/g).length >= 500 && first.match(/\{Remark/g).length === 157, first);
  await page.goto('about:blank');
  await page.goto(`${base}game?rules=international`);
  await page.getByText('Your studies in this browser').click();
  await page.locator('.studies a').first().click();
  await page.locator('.line .remark').nth(156).waitFor();
  assert.equal(await copied(page), first);
  const {status, stderr} = spawnSync(einspul, ['annotate', '--tables', `${work}/tables`, '--rules', 'international', '-'], {input: first, encoding: 'utf8'});
  assert.ok([0, 2].includes(status) && !/line \d/.test(stderr), stderr);
});

await test('a study stays: help, other rules, Back, reload, a new tab, another browser', {}, async page => {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41 plies');
  await page.locator('[data-key="move-3-25"]').click();
  await says(page, 'loses in 40');
  await page.getByLabel('Comment on this move').fill('my own words');
  await page.keyboard.press('Enter');
  await page.locator('.line .remark').waitFor();
  const stays = async (one, step) => {
    await one.locator('.line .remark', {hasText: 'my own words'}).waitFor();
    assert.match(await line(one), /1\. 3-25 my own words/, step);
  };
  await page.getByRole('link', {name: 'Help'}).click();
  await page.getByRole('link', {name: 'Position'}).click();
  await stays(page, 'help');
  await page.getByLabel('Rule set').selectOption('international');
  await says(page, 'Black to move');
  await page.getByLabel('Rule set').selectOption('frisian');
  await stays(page, 'rules');
  await page.reload();
  await stays(page, 'reload');
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await stays(tab, 'new tab');
  const elsewhere = await page.context().browser().newContext({locale: 'en-GB'});
  const other = await elsewhere.newPage();
  await other.goto(page.url());
  await stays(other, 'another browser');
  await elsewhere.close();
  await page.goBack();
  await page.goForward();
  await stays(page, 'Back');
});

await test('a study that the browser does not store is told', {}, async page => {
  await page.addInitScript(() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; });
  await open(page, booklet);
  await says(page, 'A draw, White to move');
  assert.equal(await page.getByText('did not store your study').count(), 0);
  await page.locator('.moves button', {hasText: '28-22'}).click();
  await page.locator('.verdict', {hasText: 'This browser did not store your study.'}).waitFor();
});

await test('studies have names, are listed, sent as a link, saved to a file, and read by drop', {}, async page => {
  await open(page, booklet);
  await says(page, 'A draw');
  await page.getByLabel('Comment on this move').fill('A remark without moves');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of this study').fill('The booklet');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => Object.values(localStorage).some(value => value.includes('The booklet')));
  await button(page, 'Copy the link').click();
  assert.match(decodeURIComponent(await page.locator('[data-copied]').getAttribute('data-copied')), /#.*A remark without moves/s);
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  assert.equal(file.suggestedFilename(), 'The booklet.pdn');
  const text = readFileSync(await file.path(), 'utf8');
  assert.match(text, /A remark without moves/);
  await page.getByRole('link', {name: 'Game'}).click();
  await page.getByText('Your studies in this browser (1)').click();
  await page.getByRole('link', {name: 'The booklet'}).waitFor();
  await page.evaluate(words => {
    const data = new DataTransfer();
    data.items.add(new File([words], 'x.pdn'));
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  }, text);
  await page.locator('.line .remark', {hasText: 'A remark without moves'}).waitFor();
  await page.getByRole('link', {name: 'Game'}).click();
  await button(page, 'Remove: The booklet').click();
  await page.getByText('Your studies in this browser').waitFor({state: 'hidden'});
});

await test('few pieces beyond the tables are searched unasked; the proof stays, is in the line and in the PDN', {}, async page => {
  await open(page, 'B:W36,37,41:B3,4,K14');
  await says(page, 'Black to move wins');
  await page.locator('.proof', {hasText: 'Proved: Black wins.'}).waitFor();
  const [san] = (await page.locator('.line button').nth(1).innerText()).split(' ').slice(-1);
  assert.ok((await page.locator('.proof').innerText()).includes(san));
  assert.match(await copied(page), /\{Proved: Black wins\.\} 1\.\.\. \d/);
  await page.route(/solve\?.*seconds=[^0]/, route => route.abort()); // without another search
  await page.reload();
  await says(page, 'Black to move wins');
});

await test('moves that are all known give the outcome; a search that is stopped says so', {}, async page => {
  const values = {};
  await page.route(/solve\?/, async route => {
    const url = new URL(route.request().url());
    const seconds = Number(url.searchParams.get('seconds'));
    if (seconds === 3 || seconds === 30) return; // never ends
    if (seconds === 10) { // a move is judged
      values[url.searchParams.get('fen')] = 'draw';
      await route.fulfill({json: {category: 'draw', moves: []}});
      return;
    }
    const answer = await (await route.fetch()).json();
    await route.fulfill({json: {...answer, category: 'open', moves: answer.moves.map(move => ({...move, category: values[move.fen] ?? move.category}))}});
  });
  await open(page, 'W:W28,K46:B15,20,K43');
  await button(page, 'Stop').click();
  await page.getByText('The search was stopped. No proof found.').waitFor();
  await button(page, 'Evaluate the moves').click();
  await says(page, 'A draw, White to move');
  await page.locator('.proof', {hasText: 'Proved: a draw.'}).waitFor();
});

await test('a game is judged from twelve pieces on, by choice', {}, async page => {
  await page.goto(`${base}game?rules=frisian#${encodeURIComponent('[GameType "40"]\n[FEN "W:W28,38,K50:B17,K1"]\n\n1. 50-45 1-6 2. 28-22 17x48 *')}`);
  await page.locator('.summary', {hasText: 'Judged from move 2 on.'}).waitFor();
  await button(page, 'Judge positions of up to 12 pieces, too').click();
  await page.locator('.summary', {hasText: 'Mistakes: White 1, Black 1.'}).waitFor({timeout: 60000});
  await page.locator('.line .mistake', {hasText: '1-6??'}).waitFor();
});

await test('a file of proofs is opened and stepped through, without a search; a wrong one is refused', {refused: 1}, async page => {
  const fen = 'B:W36,37,41:B3,4,9,K20';
  const file = `${work}/one.proof`;
  const asked = [];
  page.on('request', request => asked.push(request.url()));
  const {stdout} = spawnSync(einspul, ['solve', fen, '--proof', file, '--tables', `${work}/tables`], {encoding: 'utf8'});
  assert.match(stdout, /\twin\t/);
  await page.goto(`${base}game?rules=frisian`);
  await page.getByLabel('A PDN or proof file').setInputFiles({name: 'x.proof', mimeType: 'text/plain', buffer: Buffer.from('einspul proof 2\tfrisian\t4\tx\n')});
  await page.locator('.error', {hasText: 'its last line is missing'}).waitFor();
  await button(page, 'Try again').click();
  await page.getByLabel('A PDN or proof file').setInputFiles(file);
  await moved(page, fen);
  for (const side of ['Black wins', 'White loses', 'Black wins', 'White loses']) {
    await page.locator('.proof', {hasText: `Proved: ${side}.`}).waitFor();
    await page.locator('.moves button').first().click();
  }
  assert.ok(!asked.some(url => /solve.*seconds=[1-9]/.test(url)), asked.join('\n'));
});
