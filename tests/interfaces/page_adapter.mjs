// page_adapter.mjs MODULES ADDRESS: reads [[rules, text], …] as JSON and writes, for each text, what the
// page of the server shows in Chromium: [value, message, note]. MODULES holds playwright-core.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const TABS = 2;
const texts = JSON.parse(readFileSync(0, 'utf8'));
const [modules, address] = process.argv.slice(2);
const {chromium} = createRequire(`${modules}/`)('playwright-core');
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

// In the page: navigates through history as links do, and reads each rendered verdict.
async function askAll(texts) {
  const sentence = /^(White|Black) (?:to move (wins|loses)(?: in (\d+) pl(?:y|ies) \(\d+ moves?\))?|has no legal move and has lost)$|^A draw, (?:White|Black) to move$|^Draw: the move limit is used up$/;
  const refused = /not in the tables$|^Not a valid position$|^Each side needs at least one piece$|^No answer$/;
  const read = (card, selector) => card.querySelector(selector)?.innerText.trim() ?? '';
  const verdict = card => {
    const shown = read(card, 'h1');
    if (/ to move: open, /.test(shown)) return ['undecided', null, read(card, 'p.note')];
    const found = sentence.exec(shown);
    if (!found) return [refused.test(shown) ? null : `shows '${shown}'`, read(card, shown.endsWith('not in the tables') ? 'p.soft' : 'p'), null];
    const [, side, outcome, plies] = found;
    const word = outcome === 'wins' ? 'win' : 'loss';
    const value = !side ? 'draw' : !outcome ? 'loss 0' : word + (plies ? ` ${plies}` : '');
    return [value, null, read(card, 'p.note')];
  };
  const answers = [];
  for (const [rules, text] of texts) {
    history.pushState(null, '', `/?rules=${rules}&fen=${encodeURIComponent(text)}`);
    dispatchEvent(new PopStateEvent('popstate'));
    const end = performance.now() + 20000;
    let card = null;
    do {
      await new Promise(resolve => setTimeout(resolve, 1));
      card = document.querySelector('.verdict');
    } while ((!card || card.matches('.pending')) && performance.now() < end);
    answers.push(verdict(card));
  }
  return answers;
}

async function ask(part) {
  const context = await browser.newContext({locale: 'en-GB'});
  const page = await context.newPage();
  await page.goto(`${address}?fen=W:WK1:BK5`);
  await page.locator('.verdict h1').waitFor();
  const answers = await page.evaluate(askAll, part);
  await context.close();
  return answers;
}

const size = Math.ceil(texts.length / TABS);
const parts = Array.from({length: TABS}, (_, tab) => texts.slice(tab * size, (tab + 1) * size));
process.stdout.write(JSON.stringify((await Promise.all(parts.map(ask))).flat()));
await browser.close();
