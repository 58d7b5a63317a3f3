// wasm_adapter.mjs PACKAGE TABLES: reads [[rules, text], …] as JSON and writes, for each text, what the
// WebAssembly package says: [value, message, note].
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const texts = JSON.parse(readFileSync(0, 'utf8'));
const [, tables] = process.argv.slice(2);
const {load} = await import(pathToFileURL(join(process.argv[2], 'einspul.js')));
const einspul = await load();
const opened = new Map();

// All files, because a rule set may read tables of another.
const files = Object.fromEntries(readdirSync(tables).flatMap(folder => readdirSync(join(tables, folder))
  .filter(name => /^\w+\.(wdl|dtw)$/.test(name))
  .map(name => [`${folder}/${name}`, new Uint8Array(readFileSync(join(tables, folder, name)))])));

const words = {'-1': 'loss', 0: 'draw', 1: 'win'};

async function ask(rules, text) {
  if (!opened.has(rules)) opened.set(rules, await einspul.open({rules, files}));
  const handle = opened.get(rules);
  try {
    const found = await handle.probe(text).catch(error => {
      if (error.code !== 'NO_METRIC') throw error;
      return handle.probe(text, {distances: false});
    });
    const word = words[found.outcome];
    return [found.plies === null ? word : `${word} ${found.plies}`, null, null];
  } catch (error) {
    if (!error.code) throw error;
    return [null, error.message, null];
  }
}

const answers = [];
for (const [rules, text] of texts) answers.push(await ask(rules, text));
process.stdout.write(JSON.stringify(answers));
