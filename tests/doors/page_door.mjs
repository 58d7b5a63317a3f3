// page_door.mjs MODULES ADDRESS: reads [[rules, text], …] as JSON and writes, for each text, what the
// page of the server shows in Chromium: [value, message, note]. MODULES holds playwright-core.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const TABS = 2;
const texts = JSON.parse(readFileSync(0, 'utf8'));
const [modules, address] = process.argv.slice(2);
const {chromium} = createRequire(`${modules}/`)('playwright-core');
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

// In the page: goes from text to text as its links do, and reads the verdict when it is there.
async function askAll(texts) {
  const read = selector => document.querySelector(selector)?.innerText.trim() ?? '';
  const sentence = /^(White|Black) to move (?:(wins|loses)(?: in (\d+) pl(?:y|ies))?|has no move, and has lost)$|^A draw, (?:White|Black) to move$/;
  const refused = /^That is no position|not in the tables$/;
  const answers = [];
  for (const [rules, text] of texts) {
    document.querySelector('.verdict h1').textContent = '';
    history.pushState(null, '', `/?rules=${rules}&fen=${encodeURIComponent(text)}`);
    dispatchEvent(new PopStateEvent('popstate'));
    const end = performance.now() + 20000;
    let shown = '';
    while (!sentence.test(shown) && !refused.test(shown) && performance.now() < end) {
      await new Promise(resolve => setTimeout(resolve, 2));
      shown = read('.verdict h1');
    }
    const found = sentence.exec(shown);
    if (!found) {
      const words = shown.endsWith('not in the tables') ? read('.verdict p.soft') : shown.replace(/^That is no position: /, '');
      answers.push([refused.test(shown) ? null : `shows '${shown}'`, words, null]);
    } else if (!found[1]) answers.push(['draw', null, null]);
    else if (!found[2]) answers.push(['loss 0', null, null]);
    else answers.push([(found[2] === 'wins' ? 'win' : 'loss') + (found[3] ? ` ${found[3]}` : ''), null, null]);
  }
  return answers;
}

async function ask(part) {
  const context = await browser.newContext({locale: 'en-GB'});
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('.verdict h1').waitFor();
  const answers = await page.evaluate(askAll, part);
  await context.close();
  return answers;
}

const size = Math.ceil(texts.length / TABS);
const parts = Array.from({length: TABS}, (_, tab) => texts.slice(tab * size, (tab + 1) * size));
process.stdout.write(JSON.stringify((await Promise.all(parts.map(ask))).flat()));
await browser.close();
