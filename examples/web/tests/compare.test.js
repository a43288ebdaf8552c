// The view that compares two files.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { choose, fixtures, holdAnswer, openView, root, usePage } from './browser.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const scda = join(fixtures, 'scda/arbitrary-mixed-all.scda');

let page;
usePage((use) => {
  page = use.page;
});

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-compare-'));
});
after(() => rmSync(folder, { recursive: true }));

test('two files are compared', async () => {
  const other = readFileSync(sample);
  other[other.length - 5000] ^= 1;
  const path = join(folder, 'changed.lime');
  writeFileSync(path, other);
  await choose(page, [sample, path, scda]);
  await openView(page, 'Compare');
  await page.selectOption('#other', { label: 'changed.lime' });
  await page.click('#compare');
  await page.waitForSelector('#comparison [role=alert]');
  assert.match(await page.textContent('#comparison [role=alert]'), /cannot be compared.*damaged/s);
  await page.check('#compare-damaged');
  await page.click('#compare');
  await page.waitForSelector('.comparison-verdict');
  assert.match(await page.textContent('.comparison-verdict'), /The files differ/);
  assert.match(await page.textContent('#comparison'), /36,864 numbers compared; 1 differs.*site \(/s);
  await page.fill('#absolute-tolerance', '100');
  await page.click('#compare');
  await page.waitForFunction(() => /equal.*within the tolerance/.test(document.querySelector('.comparison-verdict')?.textContent ?? ''));
  assert.match(await page.textContent('.compare'), /Observables of both files/);
  await page.selectOption('#other', { label: 'arbitrary-mixed-all.scda' });
  await page.click('#compare');
  await page.waitForFunction(() => /cannot be compared/.test(document.querySelector('#comparison')?.textContent ?? ''));
});

test('a comparison is cancelled and started again', async () => {
  await choose(page, [sample, join(fixtures, 'qio/multi/part2.lime.vol0000'), join(fixtures, 'qio/multi/part2.lime.vol0001')]);
  await openView(page, 'Compare');
  const letGo = await holdAnswer(page, 'diff');
  await page.click('#compare');
  await page.waitForSelector('#comparison progress');
  await page.click('#comparison button:has-text("Cancel")');
  await page.waitForSelector('#comparison progress', { state: 'detached' });
  await letGo();
  await page.click('#compare');
  await page.waitForSelector('.comparison-verdict');
  assert.match(await page.textContent('.comparison-verdict'), /The files differ/);
});
