// The package without a bundler, in a page and in a worker of a page: sources of all kinds, and all calls.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { check } from '../../codec/test/program.js';
import { exported, numbers } from '../../codec/test/npy.js';
import { sameReport } from '../../codec/test/same-report.js';
import { openPage, root } from '../browser.js';

const name = 'su3-4x4x4x8.lime';
const expected = check(join(root, 'examples'), [name]).get(name);

let opened;
before(async () => (opened = await openPage({ folders: { '/codec/': `${root}examples/web/codec/dist` } })));
after(() => opened.close());

/** Uses the package in the browser, and returns the results. Of slices, these are the length and the last number. */
async function use(base) {
  const { check, open, push, LinkstreamError } = await import(`${base}codec/index.js`);
  const url = new URL(`${base}sample/su3-4x4x4x8.lime`);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const inMemory = (buffer) => {
    const array = new Uint8Array(buffer, 0, bytes.length);
    array.set(bytes);
    return array;
  };
  const pages = Math.ceil(bytes.length / 65536);
  const sources = {
    file: () => new File([bytes], 'su3-4x4x4x8.lime'),
    url: () => url,
    bytes: () => bytes,
    // A blob does not accept resizable memory.
    resizable: () => inMemory(new ArrayBuffer(bytes.length, { maxByteLength: 2 * bytes.length })),
    shared: () => inMemory(new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer),
    stream: () => new Blob([bytes]).stream(),
  };
  const found = {};
  for (const [kind, source] of Object.entries(sources)) {
    const slice = await (await open(source())).readField(0, { slice: 5 });
    found[kind] = { report: await check(source()), last: slice.at(-1), length: slice.length };
  }
  const copy = bytes.slice();
  const opened = await open(copy);
  copy.fill(0);
  const kept = (await opened.readField(0, { slice: 5 })).at(-1);
  const events = {};
  for await (const { event } of (await fetch(url)).body.pipeThrough(push())) events[event] = (events[event] ?? 0) + 1;
  const stop = new AbortController();
  const endless = () => new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(new Uint8Array(bytes.subarray(0, 1000)));
    },
  });
  const detached = bytes.slice();
  structuredClone(detached, { transfer: [detached.buffer] });
  const refused = await open(detached).catch((thrown) => thrown.rule);
  const aborted = [];
  let since = 0;
  setTimeout(() => {
    since = performance.now();
    stop.abort();
  }, 50);
  for (const call of [check(endless(), { signal: stop.signal }), open(endless(), { signal: stop.signal })]) {
    aborted.push(await call.catch((thrown) => thrown.name));
  }
  const took = performance.now() - since;
  const file = await open(bytes.subarray(0, 5000));
  const failed = await file.readField(0).catch((thrown) => [thrown instanceof LinkstreamError, thrown.rule, thrown.class, thrown.offset]);
  return { found, kept, refused, events, aborted, took, failed };
}

function verify({ found, kept, refused, events, aborted, took, failed }) {
  const slice = numbers(exported(join(root, 'examples', name), '--slice', '5'));
  for (const [kind, { report, last, length }] of Object.entries(found)) {
    sameReport({ ...report, file: name }, expected, kind);
    assert.deepEqual([last, length], [slice.at(-1), slice.length], kind);
  }
  assert.equal(kept, slice.at(-1));
  assert.equal(refused, 'source-failed');
  assert.deepEqual([events.record, events.field, events.verdict, events.finding], [8, 1, 1, undefined]);
  assert.deepEqual(aborted, ['AbortError', 'AbortError']);
  assert.ok(took < 100, `${took} ms`);
  assert.deepEqual(failed, [true, 'lime-payload-truncated', 'truncated', 5000]);
}

test('in a page', async () => verify(await opened.page.evaluate(use, opened.server.url)));

test('in a worker of a page', async () => {
  const result = await opened.page.evaluate(async ([script, base]) => {
    const source = `const use = ${script}; self.postMessage(await use(${JSON.stringify(base)}).catch(String));`;
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  }, [use.toString(), opened.server.url]);
  verify(result);
});
