// A file of 1 GiB is not held in memory: in Chromium, with and without WebAssembly that waits for promises, and in
// Firefox.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { openFirefox, openPage, root } from '../browser.js';
import { checkInPage, largeField, SLICES } from './large.js';
import { family, peakOf, processesOf } from './peak.js';

const dist = `${root}examples/web/codec/dist`;
const MIB = 1 << 20;

let folder, path, small;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  path = await largeField(folder, SLICES);
  assert.ok(statSync(path).size > 1 << 30);
  // This file is long enough for the engine to compile the code that it runs often.
  small = await largeField(folder, 8);
});
after(() => rmSync(folder, { recursive: true }));

/** Makes a copy of the package whose workers have no JavaScript Promise Integration. */
function withoutSuspending() {
  const copy = join(folder, 'dist');
  cpSync(dist, copy, { recursive: true });
  const worker = join(copy, 'worker.js');
  writeFileSync(worker, `delete WebAssembly.Suspending; delete WebAssembly.promising;\n${readFileSync(worker, 'utf8')}`);
  return copy;
}

/**
 * Asserts that the memory of the browser's processes hardly grows while the file is checked. Processes that start in
 * the meantime are not counted: Firefox starts one for the next page, which takes 75 MiB.
 */
async function growth(t, page, choose, list) {
  const check = (file) => checkInPage(page, (input) => choose(input, file), { observables: false });
  // Three times, so that engines have compiled the code and taken the memory that they keep.
  for (let times = 0; times < 3; times += 1) await check(small);
  const processes = await list();
  const before = peakOf(processes);
  const { verdict, seconds } = await check(path);
  assert.equal(verdict, 'ok');
  const grown = peakOf(processes) - before;
  t.diagnostic(`memory grew by ${(grown / MIB).toFixed(1)} MiB for ${(statSync(path).size / MIB).toFixed(0)} MiB, in ${seconds.toFixed(1)} s`);
  assert.ok(before > 0 && grown < 64 * MIB, `${grown} bytes`);
}

async function inChromium(t, codec) {
  const { page, browser, close } = await openPage({ folders: { '/codec/': codec } });
  try {
    await growth(t, page, (input, file) => page.setInputFiles(input, file), await processesOf(browser));
  } finally {
    await close();
  }
}

test('in Chromium', (t) => inChromium(t, dist));

test('in Chromium with WebAssembly that cannot wait', async (t) => inChromium(t, withoutSuspending()));

test('in Firefox', async (t) => {
  const { page, browser, close } = await openFirefox({ '/codec/': dist });
  try {
    const choose = async (input, file) => (await page.$(input)).uploadFile(file);
    await growth(t, page, choose, () => family(browser.process().pid));
  } finally {
    await close();
  }
});
