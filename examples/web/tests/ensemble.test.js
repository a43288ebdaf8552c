// An ensemble: table, filters, history, summary, exports.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { checkOne, sample } from '../codec/test/program.js';
import { choose, fixtures, rendered, saved, sizeOf, usePage } from './browser.js';

let opened, page;
usePage((found) => {
  opened = found;
  page = found.page;
});

const NAMES = ['conf.9.lime', 'conf.10.lime', 'conf.100.lime', 'conf.20.lime', 'conf.30.lime'];
const OTHER = 'other-lattice.lime';
const DAMAGED = 'conf.40.lime';
let files, expected;

before(() => {
  const data = readFileSync(sample);
  const damaged = Buffer.from(data);
  // A bit in the middle of the links: the checksum differs.
  damaged[damaged.length >> 1] ^= 1;
  const other = join(fixtures, 'qio/ildg/ildg_d_2x3x4x5.lime');
  files = [...NAMES.map((name) => [name, data]), [DAMAGED, damaged], [OTHER, readFileSync(other)]]
    .map(([name, buffer]) => ({ name, buffer, mimeType: 'application/octet-stream' }));
  expected = { sample: checkOne(sample).fields[0], other: checkOne(other) };
});

/** Chooses all files, and waits for the table with their verdicts, and for the findings. */
async function table() {
  await choose(page, files);
  await page.click('#as-table');
  await page.waitForSelector('.ensemble-table');
  await page.waitForFunction((count) => {
    const verdicts = [...document.querySelectorAll('.ensemble-table td.verdict')];
    return verdicts.length === count && verdicts.every((cell) => !/reading|waiting/.test(cell.textContent));
  }, files.length);
  await page.waitForFunction(() => / findings$/.test(document.querySelector('#ensemble-findings-count').textContent));
}

const column = (place) => page.locator(`.ensemble-table tbody tr td:nth-child(${place})`).allTextContents();

test('rows, sorted by a click on the header', async () => {
  await table();
  assert.deepEqual(await column(1), ['conf.9.lime', 'conf.10.lime', 'conf.20.lime', 'conf.30.lime', DAMAGED, 'conf.100.lime', OTHER]);
  const sort = (name) => page.getAttribute(`.ensemble-table th[data-column="${name}"]`, 'aria-sort');
  assert.deepEqual([await sort('name'), await sort('update')], ['ascending', 'none']);
  await page.click('.ensemble-table th[data-column="update"] button');
  await rendered(page);
  assert.deepEqual([await sort('name'), await sort('update')], ['none', 'ascending']);
  // Two clicks within one frame count as two.
  const clickTwice = (selector) => page.locator(selector).evaluate((button) => { button.click(); button.click(); });
  await clickTwice('.ensemble-table th[data-column="update"] button');
  await rendered(page);
  assert.deepEqual([await sort('name'), await sort('update')], ['none', 'ascending']);
  await page.click('.ensemble-table th[data-column="update"] button');
  await rendered(page);
  assert.deepEqual([await sort('name'), await sort('update')], ['none', 'descending']);
  assert.deepEqual((await column(1)).slice(0, 3), ['conf.100.lime', DAMAGED, 'conf.30.lime']);
  // A file without an update is last.
  assert.deepEqual([(await column(1)).at(-1), (await column(4)).at(-1), (await column(4))[0]], [OTHER, '', '100 (name)']);
  assert.deepEqual([...new Set(await column(2))].sort(), ['2×3×4×5', '4×4×4×8']);
  assert.ok((await column(5)).includes(expected.sample.plaquette.toFixed(9)));
  assert.deepEqual(opened.complaints, []);
});

test('filters by text and by verdict', async () => {
  await table();
  await page.fill('#ensemble-filter', 'wrong');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '1 of 7 files');
  assert.deepEqual(await column(1), [DAMAGED]);
  await page.fill('#ensemble-filter', 'conf.1');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '2 of 7 files');
  await page.fill('#ensemble-filter', '');
  await page.click('.chip:has-text("wrong")');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '1 of 7 files');
  await page.click('.chip:has-text("wrong")');
  await page.waitForFunction(() => document.querySelector('#ensemble-count').textContent === '7 files');
});

test('a row and a point of the history select a file', async () => {
  await table();
  await page.click('.ensemble-table td.name button:has-text("conf.20.lime")');
  await page.waitForSelector('#verdict h2:has-text("conf.20.lime")');
  assert.equal(await page.textContent('.ensemble-table tr.selected td'), 'conf.20.lime');
  // The six files with updates from 9 to 100: the last point is at the right end.
  const over = page.locator('.ensemble-history .u-over').first();
  const { width, height } = await sizeOf(page, '.ensemble-history .u-over');
  await over.click({ position: { x: width - 3, y: height / 2 } });
  await page.waitForSelector('#verdict h2:has-text("conf.100.lime")');
  await page.check('.ensemble-by label:has-text("name") input');
  await page.waitForFunction(() => /over name;/.test(document.querySelector('.ensemble-history .plot').getAttribute('aria-label')));
});

test('the summary has each lattice on its own, without files with errors', async () => {
  await table();
  const rows = await page.$$eval('.ensemble-summary tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const { plaquette } = expected.sample;
  const [first, second] = rows;
  assert.equal(rows.length, 2);
  assert.match(first[0], /^4×4×4×8, single precision/);
  assert.deepEqual(first.slice(1), ['5', '1', plaquette.toFixed(9), '0', '0', plaquette.toFixed(9), plaquette.toFixed(9), '0']);
  assert.match(second[0], /^2×3×4×5, double precision/);
  assert.equal(Number(second[3]).toFixed(9), expected.other.fields[0].plaquette.toFixed(9));
});

test('CSV and JSON', async () => {
  await table();
  await page.click('.ensemble-table th[data-column="update"] button');
  const json = JSON.parse(await saved(page, '#ensemble-json'));
  assert.deepEqual(json.map(({ update }) => update), [9, 10, 20, 30, 40, 100, null]);
  // The sums of the module and of the program may differ in the last digit.
  const { plaquette, polyakov_loop_re: re, polyakov_loop_im: im, ...others } = json[0];
  for (const [found, of] of [[plaquette, expected.sample.plaquette], [re, expected.sample.polyakov_loop[0]], [im, expected.sample.polyakov_loop[1]]]) {
    assert.ok(Math.abs(found - of) < 1e-14, `${found}`);
  }
  assert.deepEqual(others, {
    name: 'conf.9.lime', lattice: '4x4x4x8', precision_bits: 32, datatype: expected.sample.datatype, update: 9, update_from: 'file name',
    outlier: false, findings: 'number-lfn same-content', max_unitarity_deviation: expected.sample.max_unitarity_deviation, verdict: 'ok',
    bytes: files[0].buffer.length, message: null,
  });
  assert.equal(json[4].verdict, 'wrong');
  const lines = (await saved(page, '#ensemble-csv')).toString().split('\r\n');
  assert.equal(lines.length, 9);
  assert.match(lines[1], /^"conf\.9\.lime","4x4x4x8",32,/);
});
