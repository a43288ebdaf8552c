// Main functions of the page in Debian's Firefox.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixtures, openFirefox, root } from '../browser.js';

const FILES = [
  ['su3-4x4x4x8.lime: ok', join(root, 'examples/su3-4x4x4x8.lime')],
  ['n3x2_f_little.nersc: ok', join(fixtures, 'qio/nersc/n3x2_f_little.nersc')],
  ['trailing-1.bin: wrong', join(fixtures, 'broken-inebin/trailing-1.bin')],
  ['arrays-f64.scda: unverified', join(fixtures, 'scda/arrays-f64.scda')],
];

test('files with each verdict', async () => {
  const { page, server, complaints, close } = await openFirefox();
  try {
    for (const [expected, path] of FILES) {
      await page.goto(server.url);
      await page.waitForSelector('body[data-ready]');
      const input = await page.$('#input');
      await input.uploadFile(path);
      await page.waitForSelector('#verdict:not(.none)');
      assert.equal(await page.$eval('#verdict h2', (title) => title.textContent), expected);
    }
    await page.goto(`${server.url}#view=physics`);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await (await page.$('#input')).uploadFile(FILES[0][1]);
    await page.waitForSelector('.show-density');
    await page.click('.show-density');
    await page.waitForSelector('.heat canvas');
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
