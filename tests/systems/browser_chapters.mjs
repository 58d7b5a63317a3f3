// Studies of several positions. Fails if a chapter is lost: in the browser's storage, in a link, in a file, or when a
// file is read again.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {axe, base, booklet, button, click, einspul, moved, open, says, test, work} from './browser_kit.mjs';

const chapters = page => page.locator('.line-card .chapters a').allInnerTexts();
const named = async (page, label, name) => {
  await page.getByLabel(label).fill(name);
  await page.keyboard.press('Enter');
};
const dropped = (page, words) => page.evaluate(text => {
  const data = new DataTransfer();
  data.items.add(new File([text], 'x.pdn'));
  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
}, words);

// A study of three positions.
async function threeChapters(page) {
  await open(page, 'W:WK3,27:BK48');
  await says(page, 'wins in 41');
  await page.locator('[data-key="move-3-25"]').click();
  await says(page, 'loses in 40');
  await named(page, 'Comment on this move', 'the only one');
  await page.locator('.line .remark', {hasText: 'the only one'}).waitFor();
  await named(page, 'Name of this study', 'Two "against" one');
  await button(page, 'New chapter with this position').click();
  await page.locator('.chapters a').nth(1).waitFor();
  await named(page, 'Name of this chapter', 'Black to move');
  await page.locator('.chapters a', {hasText: 'Black to move'}).waitFor();
  await button(page, 'Set up').click(); // a chapter without moves is still this chapter with another position
  await button(page, 'black man').click();
  await click(page, 5);
  await page.waitForURL(/:BK?5,/);
  await button(page, 'Set up').click();
  assert.deepEqual(await chapters(page), ['W:WK3,27:BK48', 'Black to move']);
  await page.goto(`${base}?rules=frisian&fen=${booklet}`);
  await says(page, 'A draw');
  await page.getByLabel('Add this position to a study').selectOption({label: 'Two "against" one'});
  await page.locator('.chapters a').nth(2).waitFor();
  await page.locator('[data-key="move-28-22"]').click();
  await moved(page, 'B:W22,K46:BK43');
  await named(page, 'Name of this chapter', 'The booklet');
  await page.locator('.chapters a', {hasText: 'The booklet'}).waitFor();
}

await test('chapters of a study: added, named, set up, kept over reload, removed', {bypassCSP: true}, async page => {
  await threeChapters(page);
  await page.addScriptTag({path: axe});
  assert.deepEqual((await page.evaluate(() => window.axe.run())).violations.map(one => one.id), []);
  const all = ['W:WK3,27:BK48', 'Black to move', 'The booklet'];
  await page.reload();
  await page.locator('.line button', {hasText: '28-22'}).waitFor();
  assert.deepEqual(await chapters(page), all);
  assert.equal(await page.locator('.chapters [aria-current]').innerText(), 'The booklet');
  await page.locator('.chapters a').first().click();
  await page.locator('.line .remark', {hasText: 'the only one'}).waitFor();
  assert.equal(await page.getByLabel('Name of this study').inputValue(), 'Two "against" one');
  await page.locator('.chapters a').nth(1).click();
  await page.waitForURL(/:BK?5,/);
  await page.locator('.chapters [aria-current]', {hasText: 'Black to move'}).waitFor();
  await button(page, 'Remove this chapter').click();
  await page.locator('.line .remark', {hasText: 'the only one'}).waitFor();
  assert.deepEqual(await chapters(page), [all[0], all[2]]);
  await page.goBack(); // undoes it
  await page.locator('.chapters a').nth(2).waitFor();
  await page.getByRole('link', {name: 'Game'}).click();
  await page.getByText('Your studies in this browser (1)').click();
  assert.equal(await page.locator('.studies .chapters a').count(), 3);
  await button(page, 'Remove: Two "against" one').click();
  await page.getByText('Your studies in this browser').waitFor({state: 'hidden'});
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter(name => /^(study|title) /.test(name)).length), 0);
});

await test('chapters of a study: in a link, in a file, in a file read again, and for the program', {}, async page => {
  await threeChapters(page);
  await button(page, 'Copy the link').click();
  const elsewhere = await page.context().browser().newContext({locale: 'en-GB'});
  const other = await elsewhere.newPage();
  await other.goto(await page.locator('[data-copied]').getAttribute('data-copied'));
  await other.locator('.line button', {hasText: '28-22'}).waitFor();
  await other.locator('.chapters a', {hasText: 'Black to move'}).waitFor();
  assert.equal(await other.getByLabel('Name of this study').inputValue(), 'Two ’against’ one');
  await other.locator('.chapters a', {hasText: 'W:WK3,27:BK48'}).click();
  await other.locator('.line .remark', {hasText: 'the only one'}).waitFor();
  await elsewhere.close();
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  const text = readFileSync(await file.path(), 'utf8');
  assert.equal(text.match(/^\[FEN /gm).length, 3);
  assert.deepEqual([...text.matchAll(/^\[ChapterName "(.*)"\]$/gm)].map(([, name]) => name), ['W:WK3,27:BK48', 'Black to move', 'The booklet']);
  const {status, stderr} = spawnSync(einspul, ['annotate', '--tables', `${work}/tables`, '-'], {input: text, encoding: 'utf8'});
  assert.ok(status === 0 && stderr === '', stderr);
  await page.evaluate(() => localStorage.clear());
  await dropped(page, text);
  await button(page, 'Keep all games as a study').click();
  await page.locator('.chapters a').nth(2).waitFor();
  assert.deepEqual(await chapters(page), [...text.matchAll(/^\[ChapterName "(.*)"\]$/gm)].map(([, name]) => name));
  await page.locator('.chapters a', {hasText: 'W:WK3,27:BK48'}).click();
  await page.locator('.line .remark', {hasText: 'the only one'}).waitFor();
  const [again] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  const untouched = words => words.split(/\n(?=\[StudyName)/).find(game => game.includes('[ChapterName "Black to move"]')).trim();
  assert.equal(untouched(readFileSync(await again.path(), 'utf8')), untouched(text));
});
