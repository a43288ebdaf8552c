// Downloads of the page: few bytes before the first verdict, the rest once, when it is idle.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { firstVerdict } from './load.js';

const MOST = 320_000;

const isModule = ([path]) => path.endsWith('.wasm');

test('before the first verdict: one module, and few bytes', async (t) => {
  const { files } = await firstVerdict();
  const sum = files.reduce((total, [, bytes]) => total + bytes, 0);
  t.diagnostic(`${sum} bytes in ${files.length} answers`);
  assert.ok(files.length >= 5 && sum <= MOST, `${sum} bytes: ${files.map((file) => file.join(' ')).join(', ')}`);
  assert.deepEqual(files.filter(isModule).map(([path]) => /\/(\w+)_bg/.exec(path)[1]), ['check']);
});

test('after it: the page is kept for use without a network, and no file in assets is sent twice', async () => {
  const { more } = await firstVerdict({
    async after({ page, server }) {
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      return server.answers.map(([path]) => path);
    },
  });
  const assets = more.filter((path) => path.startsWith('/assets/'));
  for (const name of ['check', 'sets', 'read', 'diff']) assert.ok(assets.some((path) => path.includes(`/${name}_bg`)), name);
  assert.deepEqual(assets.filter((path, index) => assets.indexOf(path) !== index), []);
});
