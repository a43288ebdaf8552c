// Behaviour of calls: progress, abort, memory, seeking, streams.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { check, LinkstreamError, open, preload, push } from 'linkstream';

import { sample } from './program.js';
import { folder, sparse } from './sparse.js';

test('a sparse file of 10 GB is inspected by seeking', async () => {
  const path = sparse('sparse.lime', 1e10);
  await preload();
  for (const source of [pathToFileURL(path), await openAsBlob(path)]) {
    const { report } = await open(source);
    assert.equal(report.records[0].length, 1e10);
  }
});

test('bytes are left as they are, and an open file does not depend on them', async () => {
  const stored = readFileSync(sample);
  const all = new Uint8Array(stored.length + 100);
  all.set(stored, 50);
  const bytes = all.subarray(50, 50 + stored.length);
  assert.equal((await check(bytes)).verdict, 'ok');
  assert.deepEqual(Buffer.from(bytes), stored);
  const file = await open(bytes);
  const before = await file.readField(0);
  bytes.fill(0);
  assert.deepEqual(await file.readField(0), before);
});

test('an address with a percent sign that encodes nothing', async () => {
  const server = createServer((_, response) => response.end(readFileSync(sample))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const report = await check(new URL(`http://127.0.0.1:${server.address().port}/100%.lime`));
  assert.deepEqual([report.file, report.verdict], ['100%.lime', 'ok']);
  server.closeAllConnections();
  server.close();
});

test('a buffer of Node is left as it is', async () => {
  const stored = readFileSync(sample);
  // Node allocates a short buffer in a pool that other buffers share.
  for (const buffer of [Buffer.from(stored), Buffer.from('short')]) {
    const before = Uint8Array.from(buffer);
    await check(buffer);
    await open(buffer);
    assert.deepEqual(Uint8Array.from(buffer), before);
  }
  assert.equal((await check(stored)).verdict, 'ok');
});

test('bytes that were transferred elsewhere cannot be read', async () => {
  const bytes = new Uint8Array(readFileSync(sample));
  structuredClone(bytes, { transfer: [bytes.buffer] });
  for (const call of [check, open]) {
    await assert.rejects(call(bytes), { name: 'LinkstreamError', rule: 'source-failed' });
  }
});

test('bytes in shared memory', async () => {
  const stored = readFileSync(sample);
  const bytes = new Uint8Array(new SharedArrayBuffer(stored.length));
  bytes.set(stored);
  assert.equal((await check(bytes)).verdict, 'ok');
  assert.equal((await (await open(bytes)).readField(0)).length, 4 * 4 * 4 * 8 * 4 * 18);
});

test('progress, then abort', async () => {
  const source = await openAsBlob(sparse('long.lime', 4e9));
  const stop = new AbortController();
  let seen;
  const checked = check(source, {
    signal: stop.signal,
    onProgress(progress) {
      seen ??= progress;
      stop.abort();
    },
  });
  await assert.rejects(checked, { name: 'AbortError' });
  assert.ok(seen.bytes > 0 && seen.total === source.size);
  await assert.rejects(check(source, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('a stream that is not read to its end is cancelled', async () => {
  const bytes = new Uint8Array(readFileSync(sample));
  let isCancelled = false;
  const endless = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(bytes.slice(0, 1000));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(check(endless, { signal: stop.signal }), { name: 'AbortError' });
  assert.ok(isCancelled);
});

test('after an abort, files are checked as before', async () => {
  assert.equal((await check(pathToFileURL(sample))).verdict, 'ok');
});

test('memory does not grow with a file', async () => {
  const path = sparse('large.lime', 1e9);
  const verify = fileURLToPath(new URL('./peak.js', import.meta.url));
  const peak = (file) => Number(spawnSync(process.execPath, [verify, file], { encoding: 'utf8' }).stdout);
  const [small, large] = [peak(sample), peak(path)];
  assert.ok(small > 0 && large - small < 48 << 10, `${large - small} KiB more for 1 GB`);
});

test('memory does not grow with two files that are compared', async () => {
  const paths = ['first.lime', 'second.lime'].map((name) => sparse(name, 3e8));
  const compare = fileURLToPath(new URL('./peak.js', import.meta.url));
  const peak = (files) => Number(spawnSync(process.execPath, [compare, ...files], { encoding: 'utf8' }).stdout);
  const [small, large] = [peak([sample, sample]), peak(paths)];
  assert.ok(small > 0 && large - small < 48 << 10, `${large - small} KiB more for 300 MB`);
});

test('a source that fails is an error', async () => {
  const failing = new ReadableStream({
    pull(controller) {
      controller.error(new Error('the network is down'));
    },
  });
  await assert.rejects(check(failing), (error) => {
    assert.ok(error instanceof LinkstreamError);
    assert.match(error.message, /network is down/);
    return true;
  });
  await assert.rejects(check(pathToFileURL(join(folder, 'missing'))), LinkstreamError);
});

test('events of a file that is pushed', async () => {
  const bytes = readFileSync(sample);
  const chunks = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 1000) controller.enqueue(new Uint8Array(bytes.subarray(at, at + 1000)));
      controller.close();
    },
  });
  const found = [];
  let data = 0;
  for await (const event of chunks.pipeThrough(push())) {
    if (event.event === 'data') data += event.bytes.length;
    else found.push(event);
  }
  const of = (kind) => found.filter(({ event }) => event === kind);
  assert.equal(of('record').length, 8);
  assert.deepEqual(of('field').map(({ extents, precision }) => [extents, precision]), [[[4, 4, 4, 8], 32]]);
  assert.deepEqual(of('checksum').map(({ checksum }) => checksum), ['match']);
  assert.equal(data, of('record').reduce((sum, { length }) => sum + length, 0));
});

test('a pushed file that breaks off is an error', async () => {
  const part = new Blob([readFileSync(sample).subarray(0, 5000)]).stream();
  const read = async () => {
    for await (const _ of part.pipeThrough(push()));
  };
  await assert.rejects(read, (error) => error instanceof LinkstreamError && error.class === 'truncated');
});
