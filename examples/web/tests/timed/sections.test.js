// The page in Chromium saves sections of 1 GiB without holding them in memory.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { program } from '../../codec/test/program.js';
import { choose, openPage, openView } from '../browser.js';
import { peakOf, processesOf } from './peak.js';

const MIB = 1 << 20;
const LENGTH = 1100 * MIB;
/** Length of the header of the NPY files, in bytes. */
const NPY_HEADER = 128;

let folder, zeros;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  zeros = join(folder, 'zeros');
  writeFileSync(zeros, '');
  truncateSync(zeros, LENGTH);
});
after(() => rmSync(folder, { recursive: true }));

/** Makes a file with a section of `LENGTH` bytes. */
function make(piece, ...options) {
  const path = join(folder, 'large.scda');
  const { status, stderr } = spawnSync(program, ['scda', 'create', '--force', ...options, path, `${piece}=${zeros}`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return path;
}

/**
 * Shows the data of a section and saves them in each form. Returns the growth of memory in MiB, of the page and of all
 * processes.
 */
async function growth(path, section) {
  const { page, browser, complaints, close } = await openPage();
  try {
    const processes = await processesOf(browser);
    const peak = async () => ({ page: peakOf(await processes('renderer')), all: peakOf(await processes()) });
    await choose(page, path);
    await openView(page, 'Sections');
    const before = await peak();
    await page.click(`a[aria-label="Show the data of section ${section + 1}"]`);
    await page.click('button:has-text("Read all data")');
    await page.waitForSelector('#save-data', { timeout: 60_000 });
    for (const [what, size] of [['data', LENGTH], ['data-npy', LENGTH + NPY_HEADER]]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${what}`)]);
      assert.equal(statSync(await download.path()).size, size, what);
      await download.delete();
    }
    const after = await peak();
    assert.deepEqual(complaints, []);
    assert.ok(before.page > 0);
    return { page: (after.page - before.page) / MIB, all: (after.all - before.all) / MIB };
  } finally {
    await close();
  }
}

for (const [what, piece] of [['a block', 'block:zeros'], ['an array', `array:zeros:${MIB}`]]) {
  test(`${what}, whose data are a part of the file`, async (t) => {
    const { page, all } = await growth(make(piece), 1);
    t.diagnostic(`memory of all processes grew by ${all.toFixed(1)} MiB, of the page by ${page.toFixed(1)} MiB`);
    assert.ok(all < 64, `${all} MiB`);
  });
}

test('reading shows its progress, and can be cancelled', async () => {
  const path = make(`array:zeros:${MIB}`, '--compress', '--level', '1');
  const { page, complaints, close } = await openPage();
  try {
    await choose(page, path);
    await openView(page, 'Sections');
    await page.click('a[aria-label="Show the data of section 3"]');
    await page.click('#read-data');
    await page.waitForFunction(() => /^Reading section 3: [\d.]+ [kM]?B(ytes)? of [\d.]+ [kM]B$/.test(document.querySelector('#section .task span')?.textContent ?? ''));
    await page.click('#section .task button:has-text("Cancel")');
    await page.waitForSelector('#read-data:enabled');
    assert.equal(await page.locator('#section .task, #save-data').count(), 0);
    await page.click('#read-data');
    await page.waitForSelector('#save-data', { timeout: 60_000 });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

// Decompressed data are a blob. Chromium's main process keeps up to 2 GB of blobs in memory, and more of them on the
// disk.
test('a compressed array', async (t) => {
  const { page, all } = await growth(make(`array:zeros:${MIB}`, '--compress', '--level', '1'), 2);
  t.diagnostic(`memory of all processes grew by ${all.toFixed(1)} MiB, of the page by ${page.toFixed(1)} MiB`);
  assert.ok(page < 128, `${page} MiB`);
});
