// Wrong arguments fail before anything is read, with messages that name what is accepted.

import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { check, diff, fieldsOf, open, preload, push } from 'linkstream';

import { folders, sample } from './program.js';

const bytes = new Uint8Array(readFileSync(sample));

/** Asserts that a call fails with a TypeError whose message has all these parts. */
async function refused(call, ...parts) {
  await assert.rejects(async () => call(), (error) => {
    assert.ok(error instanceof TypeError, `${error}`);
    for (const part of parts) assert.ok(error.message.includes(part), `"${error.message}" lacks "${part}"`);
    return true;
  });
}

async function outOfRange(call, ...parts) {
  await assert.rejects(async () => call(), (error) => {
    assert.ok(error instanceof RangeError, `${error}`);
    for (const part of parts) assert.ok(error.message.includes(part), `"${error.message}" lacks "${part}"`);
    return true;
  });
}

const paths = [...folders()].flatMap(([folder, names]) => names.map((name) => join(folder, name)));
const inebin = paths.find((path) => /\/inebin\/.*\.bin$/.test(path));

test('a source of another type', async () => {
  for (const call of [check, open, (source) => diff(source, bytes), (source) => diff(bytes, source)]) {
    await refused(() => call('lat.lime'), 'a File or Blob, a URL, a Uint8Array, or a ReadableStream', 'the string "lat.lime"', 'pathToFileURL');
    await refused(() => call('https://example.org/lat.lime'), 'new URL("https://example.org/lat.lime")');
    await refused(() => call(undefined), 'this is undefined');
    await refused(() => call(null), 'this is null');
    await refused(() => call(7), 'the number 7');
    await refused(() => call({ file: new File([bytes], 'lat') }), 'this is an object');
    await refused(() => call(bytes.buffer), 'ArrayBuffer', 'a Uint8Array of its bytes');
    await refused(() => call(new Float32Array(2)), 'Float32Array');
    await refused(() => call(new Response('')), 'pass its body');
    await refused(() => call([]), 'empty array');
    await refused(() => call([new Blob([bytes]), 'lat.vol0001']), 'volume 1 of', 'the string "lat.vol0001"');
    await refused(() => call([[new Blob([bytes])]]), 'volume 0 of', 'an array');
  }
  const stream = new Blob([bytes]).stream();
  stream.getReader();
  await refused(() => check(stream), 'read elsewhere');
});

test('options', async () => {
  await refused(() => check(bytes, { observable: false }), 'check: unknown option "observable"', 'Did you mean "observables"?', 'onProgress, signal, observables, slices, lenient, requireChecksum');
  await refused(() => check(bytes, { requirechecksum: true }), 'Did you mean "requireChecksum"?');
  await refused(() => check(bytes, { zebra: 1 }), 'unknown option "zebra". The options are');
  await refused(() => check(bytes, { lenient: 'yes' }), 'the option "lenient" must be true or false', 'the string "yes"');
  await refused(() => check(bytes, { onProgress: 3 }), 'the option "onProgress" must be a function', 'the number 3');
  await refused(() => check(bytes, { signal: new AbortController() }), 'the option "signal" must be an AbortSignal', 'AbortController');
  await refused(() => check(bytes, null), 'check: the options must be an object', 'null');
  await refused(() => check(bytes, true), 'the boolean true');
  await refused(() => open(bytes, { observables: true }), 'open: unknown option "observables". The options are onProgress, signal');
  await refused(() => diff(bytes, bytes, { tolerance: -1 }), 'the option "tolerance" must be a number of at least 0');
  await refused(() => diff(bytes, bytes, { tolerance: Number.NaN }), 'NaN');
  await refused(() => diff(bytes, bytes, { relative: 1 }), 'diff: unknown option "relative"');
  assert.equal((await check(bytes, { lenient: undefined, signal: undefined })).verdict, 'ok');
});

test('preload, push and fieldsOf', async () => {
  for (const workers of ['2', 1.5, -1, Number.NaN, null]) await refused(() => preload(workers), 'preload: workers must be');
  await outOfRange(() => preload(0), 'at least 1');
  await refused(() => push(new Blob([bytes]).stream()), 'push takes no arguments', 'pipeThrough(push())');
  await refused(() => fieldsOf(undefined), 'fieldsOf: the report must be');
  await refused(() => fieldsOf('{}'), 'the string "{}"');
  const words = new Blob(['LIME']).stream().pipeThrough(new TextDecoderStream()).pipeThrough(push());
  await refused(() => words.getReader().read(), 'push: a chunk must be a Uint8Array', 'the string "LIME"');
});

test('indices of fields and time slices', async () => {
  const file = await open(bytes);
  for (const index of ['0', 0.5, -1, undefined, null, [0]]) await refused(() => file.readField(index), 'readField: the index must be an integer');
  await outOfRange(() => file.readField(1), 'no field 1: the file has 1, counted from 0');
  await outOfRange(() => file.readField(0, { slice: 8 }), 'no time slice 8: the field has 8, counted from 0');
  await refused(() => file.readField(0, { slice: '3' }), 'the option "slice" must be an integer');
  await refused(() => file.readField(0, 3), 'the options must be an object', 'the number 3');
  await refused(() => file.readField(0, { time: 3 }), 'unknown option "time"', 'onProgress, signal, slice');
  await outOfRange(() => file.readSection(0), 'no section 0: the file has 0');
  await outOfRange(() => file.readMatrix(), 'the file has no matrix');
  assert.equal((await file.readField(0, { slice: 7 })).length, 4608);
});

test('rows of matrices', async () => {
  const file = await open(pathToFileURL(inebin));
  const [{ rows }] = file.matrices;
  await outOfRange(() => file.readMatrix({ from: rows + 1 }), `the matrix has ${rows} rows`);
  await outOfRange(() => file.readMatrix({ from: 1, to: 0 }), 'from row 1 to row 0');
  await outOfRange(() => file.readMatrix({ to: rows + 1 }), `the matrix has ${rows} rows`);
  await refused(() => file.readMatrix({ to: 1.5 }), 'the option "to" must be an integer');
  await refused(() => file.readMatrix({ rows: 2 }), 'unknown option "rows"');
  await file.readMatrix({ from: rows, to: rows });
});

test('indices of sections, elements and volumes', async () => {
  let arrays = 0;
  for (const path of paths.filter((path) => path.includes('/fixtures/scda/'))) {
    const file = await open(pathToFileURL(path));
    if (file.report.verdict === 'wrong') continue;
    const count = file.sections.length;
    for (const method of ['readSection', 'readSectionAsBlob']) {
      await outOfRange(() => file[method](count), `${method}: no section ${count}: the file has ${count}, counted from 0`);
      await refused(() => file[method]('1'), `${method}: the index must be an integer`);
      await refused(() => file[method](0, { element: -1 }), 'the option "element" must be an integer');
      for (const [index, section] of file.sections.entries()) {
        if (section.type === 'A' || section.type === 'V') {
          const element = Number(section.n);
          if (!Number.isSafeInteger(element)) continue;
          await outOfRange(() => file[method](index, { element }), `no element ${element}: section ${index} has ${element}, counted from 0`);
          arrays += 1;
        } else {
          await outOfRange(() => file[method](index, { element: 0 }), `section ${index} has no elements`);
        }
      }
    }
  }
  assert.ok(arrays > 0, `${paths.length} files`);
});

test('bytes', async () => {
  const file = await open(new Blob([bytes]));
  await refused(() => file.readBytes(-1, 2), 'readBytes: the offset must be an integer');
  await refused(() => file.readBytes(0), 'readBytes: the length must be an integer');
  await refused(() => file.readBytes(0, 2n), 'the bigint 2');
  await outOfRange(() => file.readBytes(0, 2, { volume: 1 }), 'no volume 1: the file has 1, counted from 0');
  await refused(() => file.readBytes(0, 2, { volume: -1 }), 'the option "volume" must be an integer');
  assert.deepEqual(await file.readBytes(0, 2), bytes.slice(0, 2));
});
