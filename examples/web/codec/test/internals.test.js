// Internals: reading of streams, loading after a failure, and release of memory.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';

import '../dist/node.js';
import { compiled } from '../dist/compiled.js';
import { prepare } from '../dist/source.js';

import { inChunks } from './in-chunks.js';
import { sample } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
after(() => rmSync(folder, { recursive: true }));

test('a stream is read in order, its beginning repeatedly', async () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => i % 251);
  const { reader } = await prepare(inChunks(bytes, 7));
  const read = async (offset) => {
    const found = await reader.read(offset, 5_000);
    assert.ok(found.length > 0);
    assert.deepEqual(found, bytes.subarray(offset, offset + found.length));
    return offset + found.length;
  };
  const begun = await read(0);
  assert.ok(begun >= 4096, `${begun} bytes`);
  await read(1);
  const end = await read(begun);
  await read(0);
  await read(end);
  await assert.rejects(reader.read(begun, 1), /only be read in order/);
  await assert.rejects(reader.read(bytes.length - 1, 1), /only be read in order/);
});

test('a stream of few bytes is read to its end, and again', async () => {
  const { reader } = await prepare(inChunks(Uint8Array.of(1, 2, 3), 1));
  for (let pass = 0; pass < 2; pass += 1) {
    assert.deepEqual([...(await reader.read(0, 10))], [1, 2, 3]);
    assert.deepEqual([...(await reader.read(2, 10))], [3]);
    assert.equal((await reader.read(3, 10)).length, 0);
  }
});

test('after the codec could not be loaded, the next call loads it', async () => {
  const copy = join(folder, 'dist');
  cpSync(fileURLToPath(new URL('../dist', import.meta.url)), copy, { recursive: true });
  const module = join(copy, 'wasm/read_bg.wasm');
  const { push } = await import(pathToFileURL(join(copy, 'node.js')));
  const bytes = readFileSync(sample);
  const records = async () => {
    let count = 0;
    for await (const { event } of new Blob([bytes]).stream().pipeThrough(push())) count += Number(event === 'record');
    return count;
  };
  renameSync(module, `${module}.away`);
  await assert.rejects(records(), { code: 'ENOENT' });
  renameSync(`${module}.away`, module);
  assert.equal(await records(), 8);
});

test('an idle worker does not keep the bytes of its last call', async () => {
  const { port1: control, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./retained.js', import.meta.url), { workerData: { control: port2 }, transferList: [port2] });
  after(() => worker.terminate());
  const bytes = new Uint8Array(readFileSync(sample));
  const from = { kind: 'bytes', bytes };
  const options = { data: true, observables: false, slices: false, lenient: false, requireChecksum: false };
  worker.postMessage({ kind: 'call', sources: [{ name: 'file', volume: -1, from }], call: { call: 'survey', name: 'file', isSet: false, options } });
  let [answer] = await once(worker, 'message');
  while (answer.kind === 'progress' || answer.kind === 'module') {
    if (answer.kind === 'module') worker.postMessage({ kind: 'module', name: answer.name, result: { module: await compiled(answer.name) } });
    [answer] = await once(worker, 'message');
  }
  assert.equal(answer.kind, 'done');
  control.postMessage('retained?');
  const [isRetained] = await once(control, 'message');
  control.close();
  assert.equal(isRetained, false);
});
