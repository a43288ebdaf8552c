// Fields, matrices and sections equal the data that the program exports.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { LinkstreamError, open } from 'linkstream';

import { exported, numbers, ofEntry } from './npy.js';
import { checkOne, folders, program, sample } from './program.js';

test('the fields of all LIME files that are not wrong', async () => {
  let fields = 0;
  for (const [folder, names] of folders()) {
    if (!folder.includes('/qio')) continue;
    for (const name of names.filter((name) => /\.(lime|ildg|scidac)$/.test(name))) {
      const path = join(folder, name);
      if (checkOne(path, '--volume').verdict === 'wrong') continue;
      const file = await open(pathToFileURL(path));
      for (const [index, field] of file.fields.entries()) {
        const array = exported(path, '--field', String(index));
        assert.deepEqual(ofEntry(field.array), [array.type, array.shape], name);
        if (!field.precision) continue;
        assert.deepEqual(await file.readField(index), numbers(array), name);
        fields += 1;
      }
    }
  }
  assert.ok(fields >= 20, `${fields} fields`);
});

test('the fields of all file sets that can be converted, whole and by slices', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'linkstream-'));
  let fields = 0;
  for (const [folder, names] of folders()) {
    const volumes = names.filter((name) => /\.vol\d{4,}$/.test(name));
    for (const name of new Set(volumes.map((volume) => volume.replace(/\.vol\d+$/, '')))) {
      // The expected numbers come from a conversion of the set to one file.
      const single = join(scratch, 'single.lime');
      if (spawnSync(program, ['convert', '--force', join(folder, name), single]).status !== 0) continue;
      const parts = volumes.filter((volume) => volume.startsWith(`${name}.vol`)).sort();
      const set = await open(parts.map((part) => pathToFileURL(join(folder, part))));
      for (const [index, field] of set.fields.entries()) {
        if (!field.precision) continue;
        const array = exported(single, '--field', String(index));
        assert.deepEqual(ofEntry(field.array), [array.type, array.shape], name);
        const expected = numbers(array);
        assert.deepEqual(await set.readField(index), expected, name);
        const times = field.region === 'lattice' ? field.extents.at(-1) : 0;
        for (let slice = 0; slice < times; slice += 1) {
          const part = expected.subarray((slice * expected.length) / times, ((slice + 1) * expected.length) / times);
          assert.deepEqual(await set.readField(index, { slice }), part, `${name}, slice ${slice}`);
        }
        fields += 1;
      }
    }
  }
  rmSync(scratch, { recursive: true });
  assert.ok(fields >= 3, `${fields} fields`);
});

test('a set without one of its volumes has no fields to read', async () => {
  const folder = [...folders().keys()].find((folder) => folder.endsWith('/qio/multi'));
  const parts = ['part4.lime.vol0000', 'part4.lime.vol0001'];
  const set = await open(parts.map((part) => pathToFileURL(join(folder, part))));
  await assert.rejects(set.readField(0), (error) => error instanceof LinkstreamError && /volume/.test(error.message));
});

test('a time slice', async () => {
  const file = await open(await openAsBlob(sample));
  for (const slice of [0, 3, 7]) {
    const expected = numbers(exported(sample, '--slice', String(slice)));
    assert.deepEqual(await file.readField(0, { slice }), expected);
  }
});

test('a request for a field or slice that does not exist is an error', async () => {
  const file = await open(await openAsBlob(sample));
  await assert.rejects(file.readField(1), RangeError);
  await assert.rejects(file.readField(0, { slice: 8 }), RangeError);
});

test('damaged data are an error with rule and offset', async () => {
  const bytes = new Uint8Array(readFileSync(sample));
  bytes[5000] ^= 1;
  const file = await open(bytes);
  await assert.rejects(file.readField(0), (error) => {
    assert.ok(error instanceof LinkstreamError);
    assert.equal(error.class, 'checksum');
    assert.ok(error.rule.length > 0 && error.offset > 0 && error.message.includes('checksum'), error.message);
    return true;
  });
});

test('no slice of a truncated file is read: rule and offset equal the report', async () => {
  const whole = new Uint8Array(readFileSync(sample));
  const { offset, sites, bytes_per_site } = (await open(whole)).fields[0];
  const end = offset + 144 + sites * bytes_per_site - 100;
  const file = await open(whole.subarray(0, end));
  for (const slice of [6, 7]) {
    await assert.rejects(file.readField(0, { slice }), (error) => {
      assert.ok(error instanceof LinkstreamError);
      assert.deepEqual([error.rule, error.class, error.offset], ['lime-payload-truncated', 'truncated', end]);
      return true;
    });
  }
});

test('slices are compared with the data that were verified', async () => {
  const whole = readFileSync(sample);
  const bytes = new Uint8Array(new SharedArrayBuffer(whole.length));
  bytes.set(whole);
  const file = await open(bytes);
  const all = await file.readField(0);
  const length = all.length / 8;
  const { offset, bytes_per_site } = file.fields[0];
  bytes[offset + 144 + 3 * 64 * bytes_per_site] ^= 1;
  await assert.rejects(file.readField(0, { slice: 3 }), { rule: 'checksum-mismatch', class: 'checksum' });
  assert.deepEqual(await file.readField(0, { slice: 4 }), all.subarray(4 * length, 5 * length));
});

test('the matrices of all INEBIN files that are not wrong, whole and by rows', async () => {
  let matrices = 0;
  for (const [folder, names] of folders()) {
    if (!folder.endsWith('/inebin')) continue;
    for (const name of names) {
      const path = join(folder, name);
      const file = await open(pathToFileURL(path));
      const [matrix] = file.matrices;
      if (matrix === undefined || file.report.verdict === 'wrong') continue;
      const expected = exported(path).data;
      const bytes = (entries) => Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
      assert.ok(bytes(await file.readMatrix()).equals(expected), name);
      const width = matrix.rows > 0 ? expected.length / matrix.rows : 0;
      const [from, to] = [Math.floor(matrix.rows / 3), matrix.rows];
      assert.ok(bytes(await file.readMatrix({ from, to })).equals(expected.subarray(from * width)), `${name} by rows`);
      matrices += 1;
    }
  }
  assert.ok(matrices >= 5, `${matrices} matrices`);
});

test('the sections of all scda files that are not wrong', async () => {
  let [sections, read] = [0, 0];
  for (const [folder, names] of folders()) {
    if (!folder.includes('/scda')) continue;
    for (const name of names) {
      const path = join(folder, name);
      const file = await open(pathToFileURL(path));
      if (file.report.verdict === 'wrong') continue;
      // Data that are not compressed are a part of a blob.
      const fromBlob = await open(new Blob([readFileSync(path)]));
      for (const [index, section] of file.sections.entries()) {
        if (section.type === 'F') continue;
        const { data, sizes } = await file.readSection(index);
        for (const source of [file, fromBlob]) {
          const blob = await source.readSectionAsBlob(index);
          assert.deepEqual([new Uint8Array(await blob.data.arrayBuffer()), blob.sizes], [data, sizes], `${name}, ${index}`);
        }
        const { type } = section;
        if (section.bytes === 0) {
          // The section may have more elements, all empty, than an array of NumPy.
          assert.equal(data.length, 0);
        } else if (type === 'V') {
          assert.equal(data.length, sizes.reduce((sum, size) => sum + size, 0), name);
        } else {
          assert.ok(Buffer.from(data).equals(exported(path, '--section', String(index)).data), `${name}, ${index}`);
        }
        if ((type === 'V' || type === 'A') && data.length > 0 && data.length < 1e5) {
          const elements = type === 'V' ? sizes.length : section.n;
          const size = type === 'V' ? undefined : data.length / elements;
          let at = 0;
          for (let element = 0; element < Math.min(elements, 20); element += 1) {
            const bytes = size ?? sizes[element];
            const one = await file.readSection(index, { element });
            assert.ok(Buffer.from(one.data).equals(data.subarray(at, at + bytes)), `${name}, ${index}, ${element}`);
            for (const source of [file, fromBlob]) {
              const blob = await source.readSectionAsBlob(index, { element });
              assert.deepEqual([new Uint8Array(await blob.data.arrayBuffer()), blob.sizes], [one.data, one.sizes]);
            }
            at += bytes;
            read += 1;
          }
          await assert.rejects(file.readSection(index, { element: elements }), RangeError);
          await assert.rejects(file.readSectionAsBlob(index, { element: elements }), RangeError);
          await assert.rejects(fromBlob.readSectionAsBlob(index, { element: elements }), RangeError);
        }
        sections += 1;
      }
    }
  }
  assert.ok(sections >= 10 && read >= 20, `${sections} sections, ${read} elements`);
});

test('a section whose end is missing is an error, also if its data are a part of a blob', async () => {
  const folder = [...folders().keys()].find((folder) => folder.endsWith('/scda'));
  const path = join(folder, 'block-binary.scda');
  const whole = readFileSync(path);
  const { offset, bytes } = (await open(pathToFileURL(path))).sections[1];
  for (const missing of [1, 40]) {
    const file = await open(new Blob([whole.subarray(0, offset + 96 + bytes - missing)]));
    const refused = await file.readSection(1).catch(({ rule, class: errorClass, offset: at }) => ({ rule, errorClass, at }));
    assert.equal(refused.errorClass, 'truncated');
    await assert.rejects(file.readSectionAsBlob(1), ({ rule, class: errorClass, offset: at }) => {
      assert.deepEqual({ rule, errorClass, at }, refused);
      return true;
    });
  }
});

test('bytes', async () => {
  const file = await open(pathToFileURL(sample));
  assert.ok(Buffer.from(await file.readBytes(1000, 200_000)).equals(readFileSync(sample).subarray(1000)));
});
