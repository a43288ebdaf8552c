// Times of calls in Node.

import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { check, open, preload } from 'linkstream';

import { sparse } from '../../codec/test/sparse.js';

test('a file of 10 GB is inspected by seeking, in less than 500 ms', async () => {
  const path = sparse('sparse.lime', 1e10);
  await preload();
  for (const source of [pathToFileURL(path), await openAsBlob(path)]) {
    const since = performance.now();
    await open(source);
    assert.ok(performance.now() - since < 500, `${performance.now() - since} ms`);
  }
});

test('a check ends within 100 ms after an abort', async () => {
  const stop = new AbortController();
  let since = 0;
  const onProgress = () => {
    since ||= performance.now();
    stop.abort();
  };
  const checked = check(await openAsBlob(sparse('long.lime', 4e9)), { signal: stop.signal, onProgress });
  await assert.rejects(checked, { name: 'AbortError' });
  assert.ok(performance.now() - since < 100, `${performance.now() - since} ms`);
});
