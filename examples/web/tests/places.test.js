// Links to places in files, in Chromium and Firefox: a place that the file does not have is never shown in silence.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { inBoth } from './both.js';
import { fixtures, root } from './browser.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const sections = join(fixtures, 'scda/compressed-varrays.scda');
const matrix = join(fixtures, 'inebin/real-asymmetric.bin');

const MISSING = [
  [sample, '#record=99', /^There is no record 99: the file has 8 records, counted from 0\.$/],
  [sample, '#record=8', /^There is no record 8: the file has 8 records/],
  [sample, '#record=one', /^There is no record NaN: the file has 8 records/],
  [sample, '#section=2', /^There is no section 2: only scda files have sections\.$/],
  [sample, '#offset=99999999', /^There is no byte 99999999: the file has 149,[\d]{3} bytes, counted from 0\.$/],
  [sample, '#view=bytes&volume=2&offset=0', /^There is no volume 2: this is a single file\.$/],
  [sections, '#section=99', /^There is no section 99: the file has \d+ sections, counted from 0\.$/],
  [sections, '#section=0', /^Section 0, the file header, has no data\.$/],
  [sections, '#record=2', /^There is no record 2: only LIME files have records\.$/],
  [matrix, '#offset=-1', /^There is no byte -1: the file has/],
  [matrix, '#record=1', /^There is no record 1: only LIME files/],
];

inBoth((it) => {
  test('a link to a record, section, volume or byte that does not exist says so, where it is seen', async () => {
    for (const [path, hash, message] of MISSING) {
      await it.visit(hash);
      await it.choose(path);
      await it.page.waitForSelector('#missing');
      assert.match((await it.texts('#missing'))[0], message, hash);
      await it.until(() => {
        const { top, bottom } = document.querySelector('#missing').getBoundingClientRect();
        return top >= -2 && bottom <= innerHeight;
      });
    }
  });

  test('the message goes with another place, and is not shown for a file that is chosen later', async () => {
    await it.choose(sample);
    await it.heading('su3-4x4x4x8.lime: ok');
    await it.page.evaluate(() => (location.hash = '#record=5'));
    await it.page.waitForSelector('#record');
    assert.deepEqual(await it.texts('#missing'), []);
    await it.choose(sections);
    await it.heading('compressed-varrays.scda: ok');
    assert.deepEqual(await it.texts('#missing'), []);
    await it.page.evaluate(() => (location.hash = '#record=6'));
    await it.page.waitForSelector('#missing');
    await it.page.evaluate(() => (location.hash = '#section=2'));
    await it.until(() => document.querySelector('#missing') === null);
  });

  test('records and sections have numbers', async () => {
    await it.choose(sample);
    await it.heading('su3-4x4x4x8.lime: ok');
    const numbers = await it.page.$$eval('.tree ol li', (items) => items.map(({ value }) => value));
    assert.deepEqual(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
    await it.page.evaluate(() => (location.hash = '#view=physics'));
    await it.until(() => /Field 0: /.test(document.querySelector('#view')?.textContent ?? ''));
    await it.choose(sections);
    await it.heading('compressed-varrays.scda: ok');
    await it.page.evaluate(() => (location.hash = '#section=2'));
    await it.until(() => /Section 2, of \d+ sections; /.test(document.querySelector('#section')?.textContent ?? ''));
  });
});
