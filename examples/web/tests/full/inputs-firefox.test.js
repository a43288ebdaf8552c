// Gzip files, links and refusals in Firefox. Its messages and streams are not the same as in Chromium.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { fixtures, openFirefox, root } from '../browser.js';
import { serve } from '../server.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
let opened;
let page;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-firefox-'));
  const compressed = gzipSync(readFileSync(sample));
  writeFileSync(join(folder, 'lat.lime.gz'), compressed);
  writeFileSync(join(folder, 'cut.lime.gz'), compressed.subarray(0, compressed.length - 1000));
  writeFileSync(join(folder, 'plain.lime'), readFileSync(sample));
  opened = await openFirefox({ '/gzip/': folder, '/fixtures/': fixtures });
  page = opened.page;
});
after(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

/** Waits until the selected file has a certain heading, and returns the text of its verdict. */
async function verdict(heading) {
  await page.waitForFunction((heading) => document.querySelector('#verdict h2')?.textContent === heading, {}, heading);
  return page.$eval('#verdict', (node) => node.textContent);
}

async function read(address) {
  await page.$eval('#address', (node) => (node.value = ''));
  await page.type('#address', address);
  await page.click('#url button');
}

test('several files of a link, with volumes and gzip files', async () => {
  await page.goto(`${opened.server.url}?url=gzip/lat.lime.gz&url=fixtures/qio/multi/part2.lime.vol0000&url=fixtures/qio/multi/part2.lime.vol0001`);
  assert.match(await verdict('lat.lime: ok'), /Decompressed/);
  await page.waitForFunction(() => /2 ok/.test(document.querySelector('#summary')?.textContent ?? ''));
});

test('a chosen gzip file, and a truncated one', async () => {
  await page.goto(opened.server.url);
  const input = await page.waitForSelector('#input');
  await input.uploadFile(join(folder, 'lat.lime.gz'));
  await verdict('lat.lime: ok');
  await input.uploadFile(join(folder, 'cut.lime.gz'));
  assert.match(await verdict('cut.lime: unreadable'), /the gzip file is truncated, damaged/);
});

test('dropped files of one name, and the choice of a folder', async () => {
  await page.goto(opened.server.url);
  await page.waitForSelector('#folder');
  assert.equal(await page.$eval('#folder', (node) => node.webkitdirectory), true);
  // Files of a script have no folders: they are taken as they are.
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    for (const name of ['a.txt', 'a.txt']) transfer.items.add(new File(['text'], name));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => /2 not recognised/.test(document.querySelector('#summary')?.textContent ?? ''));
  assert.deepEqual(await page.$$eval('.file', (nodes) => nodes.map((node) => node.textContent.replace(/^.*recognised /, ''))), ['a.txt', 'a.txt (2)']);
});

test('a server that does not permit this page', async () => {
  const closed = await serve({ '/': folder });
  await page.goto(opened.server.url);
  await page.waitForSelector('#address');
  await read(`${closed.url}plain.lime`);
  assert.match(await verdict('plain.lime: unreadable'), /does not let pages of other servers read the file \(CORS\).*Access-Control-Allow-Origin/);
  closed.close();
});
