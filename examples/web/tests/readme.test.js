// The pages in the README of the package, without a bundler, in Chromium.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { fixtures, openPage, root } from './browser.js';

const readme = readFileSync(join(root, 'examples/web/codec/README.md'), 'utf8');

test('the page shows the verdict and the findings', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const [, html] = /^```html\n(.*?)^```$/ms.exec(readme);
  // Without an icon, the browser would request one that is missing.
  writeFileSync(join(directory, 'index.html'), html.replace('<title>', '<link rel="icon" href="data:,">$&'));
  const folders = { '/readme/': directory, '/readme/node_modules/linkstream/': join(root, 'examples/web/codec') };
  const { page, server, complaints, close } = await openPage({ folders });
  try {
    await page.goto(`${server.url}readme/index.html`);
    const shown = async (path, verdict) => {
      await page.setInputFiles('#input', path);
      await page.waitForFunction((end) => document.querySelector('#output').textContent.split('\n')[0].endsWith(end), `: ${verdict}`);
      return page.textContent('#output');
    };
    assert.equal(await shown(sample, 'ok'), 'su3-4x4x4x8.lime: ok');
    const wrong = await shown(join(fixtures, 'broken-inebin/trailing-1.bin'), 'wrong');
    assert.match(wrong, /^trailing-1\.bin: wrong\nerror: .* \[inebin-/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    rmSync(directory, { recursive: true });
  }
});

test('the element shows the verdict', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const html = readme.split('## The element linkstream-report')[1].match(/^```html\n(.*?)^```$/ms)[1];
  const map = '<script type="importmap">{ "imports": { "linkstream/report-element": "./node_modules/linkstream/dist/report-element.js" } }</script>';
  writeFileSync(join(directory, 'index.html'), `<!doctype html><link rel="icon" href="data:,">${map}${html}`);
  copyFileSync(sample, join(directory, 'lat.0100.ildg'));
  const folders = { '/readme/': directory, '/readme/node_modules/linkstream/': join(root, 'examples/web/codec') };
  const { page, server, complaints, close } = await openPage({ folders });
  try {
    await page.goto(`${server.url}readme/index.html`);
    await page.waitForSelector('linkstream-report[state=ok]');
    assert.match(await page.textContent('linkstream-report [part=physics]'), /^ILDG SU\(3\)/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    rmSync(directory, { recursive: true });
  }
});
