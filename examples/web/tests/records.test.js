// Records of LIME files in Chromium: they are saved as bytes, and data records also as the numbers of their fields.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { array, exported } from '../codec/test/npy.js';
import { checkOne, sample } from '../codec/test/program.js';
import { choose, fixtures, openView, saved, usePage } from './browser.js';

let opened, page;
usePage((it) => ([opened, page] = [it, it.page]));

const download = (selector) => saved(page, selector);

/** Bytes of the payload of a record; fewer than its length if the file is truncated. */
function payload(path, { offset, length }) {
  return readFileSync(path).subarray(offset + 144, offset + 144 + length);
}

/** Asserts that an NPY file has an array of these bytes. */
function assertBytes(npy, expected, message) {
  const { type, shape, data } = array(npy);
  assert.deepEqual([type, shape], ['|u1', [expected.length]], message);
  assert.ok(data.equals(expected), message);
}

/** Saves only two texts and the data of the sample, since Chromium asks before the eleventh download from a page. */
async function assertSaved() {
  await openView(page, 'Export');
  const { records } = checkOne(sample);
  for (const index of [0, 6, 7]) {
    const expected = payload(sample, records[index]);
    const name = `record-${index}`;
    assert.ok((await download(`[data-bin="${name}"]`)).equals(expected), name);
    assertBytes(await download(`[data-npy="${name}"]`), expected, name);
    assert.equal(await page.locator(`[data-csv="${name}"]`).count(), 0, name);
  }
  assert.equal(await page.locator('[data-npy^="record-"]').count(), records.length);
  assert.deepEqual(opened.complaints, []);
}

test('records of a chosen file are saved as raw bytes and as arrays of bytes', async () => {
  await choose(page, sample);
  await assertSaved();
});

test('records of a remote file are saved as raw bytes and as arrays of bytes', async () => {
  await page.fill('#address', `${opened.server.url}sample/su3-4x4x4x8.lime`);
  await page.click('#url button');
  await page.waitForSelector('#verdict.good');
  await assertSaved();
});

test('the view of a record saves it, and the field in it as numbers', async () => {
  await choose(page, sample);
  const { records, fields } = checkOne(sample);
  const withField = records.findIndex(({ offset }) => offset === fields[0].offset);
  for (const index of [0, withField]) {
    await page.click(`.tree a[href="#record=${index}"]`);
    await page.waitForSelector(`#record h3:has-text("Record ${index}:")`);
    const expected = payload(sample, records[index]);
    assert.ok((await download(`#record [data-bin="record-${index}"]`)).equals(expected));
    assertBytes(await download(`#record [data-npy="record-${index}"]`), expected);
    assert.equal(await page.locator('#record [data-csv]').count(), index === withField ? 2 : 0);
  }
  const { type, data } = array(await download('#record [data-npy="field-0"]'));
  const { type: expectedType, data: expected } = exported(sample);
  assert.equal(type, expectedType);
  assert.ok(data.equals(expected));
  const csv = (await download('#record [data-csv="field-0"]')).toString();
  assert.equal(csv.trim().split('\n').length, fields[0].sites);
});

test('the array of a truncated record has the bytes that are in the file', async () => {
  const path = join(fixtures, 'broken/lime/payload-truncated-half.lime');
  await choose(page, path);
  await openView(page, 'Export');
  const { records } = checkOne(path);
  const expected = payload(path, records.at(-1));
  assert.ok(expected.length < records.at(-1).length);
  assertBytes(await download(`[data-npy="record-${records.length - 1}"]`), expected);
});
