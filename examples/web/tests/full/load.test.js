// A cold load of the page: counts of bytes and requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { coldLoad } from '../loads.js';

/** Number of bytes that are sent until the first verdict, at most. */
const MOST = 320_000;

test('the first verdict needs one module, which is downloaded once; the rest comes later, from the cache where possible', async (t) => {
  const modules = (paths) => paths.flatMap((path) => /(\w+)_bg-.*\.wasm$/.exec(path)?.[1] ?? []);
  const later = async (page, paths) => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    assert.deepEqual(modules(paths).sort(), ['check', 'diff', 'ensemble', 'read', 'sets'], 'each module is downloaded once');
  };
  const { text, bytes, paths } = await coldLoad({ later });
  t.diagnostic(`${bytes} bytes, ${paths.length} requests: ${paths.join(' ')}`);
  assert.match(text, /: ok$/);
  assert.deepEqual(modules(paths), ['check']);
  assert.ok(!paths.includes('/offline.js'), 'the service worker is registered later');
  assert.ok(bytes <= MOST, `${bytes} bytes`);
});
