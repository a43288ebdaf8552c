// Findings on all files together, in the words of the program, with links to the files.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { CALM, configuration, emptyStore, findings, history, THERMALISING } from '../codec/test/store.js';
import { choose, openPage, saved, usePage } from './browser.js';

let page, opened;
usePage((found) => {
  opened = found;
  page = found.page;
});

const stores = [];
after(() => stores.forEach((store) => rmSync(store, { recursive: true })));
function store() {
  stores.push(emptyStore());
  return stores.at(-1);
}

/** Chooses files, and waits for the findings, whose number is described by these words. */
async function judged(files, words) {
  await choose(page, files);
  await page.click('#as-table');
  await page.waitForFunction((words) => document.querySelector('#ensemble-findings-count')?.textContent === words, words);
}

const listed = () => page.locator('.ensemble-findings li').allTextContents();

/** Findings as the program prints them, without its limit of names. Plaquettes are cut: their last digits may differ. */
const printed = (all) => all.map(({ kind, files, message }) => cut([`${kind}:`, ...(files.length > 0 ? [`${files.join(', ')}:`] : []), message].join(' ')));
const cut = (text) => text.replace(/\b0\.\d{10}\d+/g, (digits) => digits.slice(0, 12));

test('a thermalisation raises no alarm', async () => {
  const folder = store();
  const names = history(folder, THERMALISING);
  await judged(names.map((name) => join(folder, name)), '1 ensemble, 0 findings');
  assert.deepEqual(await listed(), []);
  assert.match(await page.textContent('.ensemble-findings h4'), /^lat\.\{n\} 24 files, 10 to 240, step 10; plaquette 0\.\d{6}, spread /);
  assert.equal(await page.locator('.ensemble-table .outlier').count(), 0);
  assert.doesNotMatch(await page.textContent('.ensemble-history .plot-legend'), /outlier/);
  const rows = JSON.parse(await saved(page, '#ensemble-json'));
  assert.ok(rows.every(({ outlier, findings }) => outlier === false && findings === null));
  assert.deepEqual(opened.complaints, []);
});

/** A store with an outlier, a gap, a repeat, and a copy. Returns the paths. */
function troubled() {
  const folder = store();
  const names = history(folder, [...CALM.slice(0, 6), 2, ...CALM.slice(7)]).filter((name) => name !== 'lat.40');
  rmSync(join(folder, 'lat.40'));
  configuration(join(folder, 'lat.050'), 1.507);
  copyFileSync(join(folder, 'lat.90'), join(folder, 'copy'));
  return { folder, paths: [...names, 'lat.050', 'copy'].map((name) => join(folder, name)) };
}

test('an outlier, a gap, a repeat and a copy, in the words of the program', async () => {
  const { folder, paths } = troubled();
  await judged(paths, '1 ensemble, 4 findings');
  const expected = findings(folder);
  assert.deepEqual(expected.ensembles[0].findings.map(({ kind }) => kind), ['gap', 'same-number', 'plaquette-outlier']);
  assert.deepEqual((await listed()).map(cut), printed([...expected.ensembles[0].findings, ...expected.store.findings]));
  // The outlier is marked in the table, in the plot, in the summary and in the exports.
  const marked = '.ensemble-table tr:has(.outlier) td.name';
  assert.deepEqual(await page.locator(marked).allTextContents(), ['lat.70']);
  assert.match(await page.textContent('.ensemble-history .plot-legend'), /outlier/);
  assert.equal(await page.textContent('.ensemble-summary tbody td:last-child'), '1');
  const rows = JSON.parse(await saved(page, '#ensemble-json'));
  const found = Object.fromEntries(rows.filter((row) => row.findings !== null).map(({ name, outlier, findings }) => [name, [outlier, findings]]));
  assert.deepEqual(found, { 'lat.050': [false, 'same-number'], 'lat.50': [false, 'same-number'], 'lat.70': [true, 'plaquette-outlier'], 'lat.90': [false, 'same-content'], copy: [false, 'same-content'] });
});

test('a file of a finding is selected by the keyboard, also if the filter hides it', async () => {
  const { paths } = troubled();
  await judged(paths, '1 ensemble, 4 findings');
  await page.fill('#ensemble-filter', 'copy');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '1 of 13 files');
  await page.focus('.ensemble-findings li button:has-text("lat.70")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#verdict h2:has-text("lat.70")');
  assert.equal(await page.textContent('.ensemble-table tr.selected td.name'), 'lat.70');
  assert.equal(await page.inputValue('#ensemble-filter'), '');
});

test('a file that cannot be read is no gap, and one that is removed is', async () => {
  const folder = store();
  const names = history(folder, CALM);
  writeFileSync(join(folder, 'lat.60'), readFileSync(join(folder, 'lat.60')).subarray(0, 5000));
  await judged(names.map((name) => join(folder, name)), '1 ensemble, 1 finding');
  assert.match((await listed())[0], /^wrong: lat\.60: /);
  await page.click('#as-list');
  await page.click('button[aria-label="Remove lat.60"]');
  await page.click('#as-table');
  await page.waitForFunction(() => /^gap: between 50 and 70, 1 file is missing: lat\.60$/.test(document.querySelector('.ensemble-findings li')?.textContent));
});

test('a file that is opened twice has the same content, and repeats no number', async () => {
  const folder = store();
  const names = history(folder, CALM.slice(0, 4));
  const paths = names.map((name) => join(folder, name));
  await judged(paths, '1 ensemble, 0 findings');
  await judged(paths.slice(0, 1), '1 ensemble, 1 finding');
  assert.deepEqual(await listed(), ['same-content: lat.10, opened again (2)/lat.10: 2 files have the same content']);
});

test('large files that may be equal are read again, and compared', async () => {
  const folder = store();
  const large = Buffer.alloc((8 << 20) + 1);
  readFileSync(sample).copy(large);
  const paths = ['a', 'b'].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, large);
  await judged(paths, '0 ensembles, 1 finding');
  assert.deepEqual(await listed(), ['same-content: a, b: 2 files have the same content']);
});

test('a file that was checked alone is read again when others are added', async () => {
  const folder = store();
  const [first, ...others] = history(folder, CALM.slice(0, 5)).map((name) => join(folder, name));
  await choose(page, first);
  await judged(others, '1 ensemble, 0 findings');
  assert.match(await page.textContent('.ensemble-findings h4'), /^lat\.\{n\} 5 files, 10 to 50/);
});

test('large remote files that may be equal are named, but not loaded twice', async () => {
  const folder = store();
  const large = Buffer.alloc((8 << 20) + 1);
  readFileSync(sample).copy(large);
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), large);
  const { page, server, close } = await openPage({ folders: { '/store/': folder } });
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    window.hashed = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call?.line?.hash) window.hashed += 1;
      postMessage.call(this, message, ...rest);
    };
  });
  await page.goto(`${server.url}?url=store/a&url=store/b`);
  await page.click('#as-table');
  const says = (words) => page.waitForFunction((words) => document.querySelector('#ensemble-findings-count')?.textContent.endsWith(words), words);
  await says('. 2 large files may be equal');
  // The next findings come after the files would have been read again.
  await page.setInputFiles('#input', sample);
  await says('. 2 large files may be equal');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '3 files');
  await says('. 2 large files may be equal');
  assert.equal(await page.evaluate(() => window.hashed), 0);
  await close();
});
