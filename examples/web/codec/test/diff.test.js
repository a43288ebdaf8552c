// The package and the program, `linkstream diff --json`, print the same comparison of two files.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { diff, LinkstreamError } from 'linkstream';

import { milc } from './archives.js';
import { exported, numbers } from './npy.js';
import { folders, program, sample } from './program.js';
import { sameReport } from './same-report.js';

const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
after(() => rmSync(folder, { recursive: true }));

/** Status and JSON of the program. */
function byProgram(a, b, ...options) {
  const { status, stdout, stderr } = spawnSync(program, ['diff', '--json', ...options, '--', a, b], { encoding: 'utf8' });
  return { status, stderr, report: JSON.parse(stdout) };
}

/** Asserts that the package compares two files, or file sets, as the program does. Returns the report. */
async function same(a, b, options = {}, ...asked) {
  const source = (path) => (Array.isArray(path) ? path.map((one) => pathToFileURL(one)) : pathToFileURL(path));
  const name = (path) => (Array.isArray(path) ? path[0] : path);
  const { status, report: expected, stderr } = byProgram(name(a), name(b), ...asked);
  if (status === 2) {
    await assert.rejects(diff(source(a), source(b), options), (error) => {
      assert.ok(error instanceof LinkstreamError, `${error}`);
      assert.equal(/^(first|second) file, /.exec(error.message)?.[1], expected.in === 'a' ? 'first' : 'second', `${error.message}: ${stderr}`);
      return true;
    });
    return undefined;
  }
  const report = await diff(source(a), source(b), options);
  const where = `${name(a)} and ${name(b)}`;
  sameReport({ ...report, a: '', b: '' }, { ...expected, a: '', b: '' }, where);
  assert.equal(report.same, status === 0, where);
  assert.equal(report.a, basename(name(a)).replace(/\.vol\d+$/, ''));
  return report;
}

/** Copies a file with one changed byte. */
function changed(path, at, mask = 1) {
  const bytes = readFileSync(path);
  bytes[at < 0 ? bytes.length + at : at] ^= mask;
  const copy = join(folder, `changed-${basename(path)}`);
  writeFileSync(copy, bytes);
  return copy;
}

const every = [...folders()].flatMap(([folder, names]) => names.map((name) => join(folder, name)));

test('two files of one folder, of each format', async (t) => {
  const results = {};
  for (const [folder, names] of folders()) {
    // The program finds all volumes of a set by the name of one.
    if (/\/vol\d{4,}$/.test(folder)) continue;
    const files = names.filter((name) => !/\.vol\d{4,}$/.test(name)).map((name) => join(folder, name));
    for (const [index, path] of files.slice(0, 12).entries()) {
      const other = files[(index + 1) % files.length];
      const report = await same(path, other);
      const result = report === undefined ? 'refused' : report.same ? 'same' : 'different';
      results[result] = (results[result] ?? 0) + 1;
    }
  }
  t.diagnostic(JSON.stringify(results));
  assert.ok(results.refused > 20 && results.different > 20, JSON.stringify(results));
});

test('a file and itself, in all forms of sources', async () => {
  const bytes = new Uint8Array(readFileSync(sample));
  const blob = await openAsBlob(sample);
  for (const source of [bytes, blob, blob.stream(), new File([blob], 'copy.lime')]) {
    const report = await diff(source, pathToFileURL(sample));
    assert.equal(report.same, true);
    assert.equal(report.b, basename(sample));
  }
  assert.equal(bytes.length, readFileSync(sample).length);
});

test('one flipped bit', async () => {
  const copy = changed(sample, 50_000);
  assert.equal(await same(sample, copy), undefined);
  await assert.rejects(diff(pathToFileURL(sample), pathToFileURL(copy)), (error) => {
    assert.equal(error.class, 'checksum');
    return /second file, .*option `damaged`/.test(error.message);
  });
  const report = await same(sample, copy, { damaged: true }, '--damaged');
  assert.equal(report.same, false);
  assert.equal(report.data[0].differing, 1);
  assert.equal(report.damage[0].in, 'b');
});

test('tolerances, and data only', async () => {
  const copy = changed(sample, 50_003);
  const [exact] = (await same(sample, copy, { damaged: true }, '--damaged')).data;
  assert.equal(exact.same, false);
  const { difference } = exact.largest_absolute;
  const within = await same(sample, copy, { damaged: true, tolerance: difference }, '--damaged', '--tolerance', String(difference));
  assert.equal(within.data[0].same, true);
  const { difference: relative } = exact.largest_relative;
  await same(sample, copy, { damaged: true, relativeTolerance: relative }, '--damaged', '--relative-tolerance', String(relative));
  const precise = join(folder, 'double.lime');
  assert.equal(spawnSync(program, ['convert', '--precision', '64', sample, precise]).status, 0);
  assert.equal((await same(sample, precise)).same, false);
  assert.equal((await same(sample, precise, { data: true }, '--data')).documents_compared, 0);
});

test('archives are compared with each other and with the LIME files made of them', async () => {
  const links = numbers(exported(sample));
  const list = Array.from({ length: 512 }, (_, i) => (i * 37 + 5) % 512);
  const milcFiles = [{ isBig: true }, { isBig: false }, { isBig: true, list }].map((form, index) => {
    const path = join(folder, `${index}.milc`);
    writeFileSync(path, milc({ dims: [4, 4, 4, 8], links, ...form }));
    return path;
  });
  const surplus = join(folder, 'surplus.milc');
  writeFileSync(surplus, Buffer.concat([readFileSync(milcFiles[0]), Buffer.alloc(5)]));
  const nersc = every.filter((path) => path.endsWith('.nersc'));
  let archives = 0;
  for (const path of [...nersc, ...milcFiles, surplus, changed(milcFiles[0], -5), changed(nersc[0], -5)]) {
    const lime = join(folder, 'converted.lime');
    const converted = spawnSync(program, ['convert', '--force', path, lime]);
    const report = await same(path, converted.status === 0 ? lime : sample);
    await same(path, sample, { damaged: true, data: true }, '--damaged', '--data');
    if (converted.status !== 0) continue;
    assert.ok(report.data.length === 1 && report.data[0].same, path);
    archives += 1;
  }
  assert.ok(archives >= 5, `${archives} archives`);
  assert.equal((await same(milcFiles[0], milcFiles[2])).same, true);
  assert.equal((await same(milcFiles[0], surplus)).same, false);
});

test('file sets are compared with single files and with each other', async () => {
  let sets = 0;
  for (const [at, names] of folders()) {
    const volumes = names.filter((name) => /\.vol\d{4,}$/.test(name));
    for (const name of new Set(volumes.map((volume) => volume.replace(/\.vol\d+$/, '')))) {
      const parts = volumes.filter((volume) => volume.startsWith(`${name}.vol`)).sort().map((volume) => join(at, volume));
      const single = join(folder, 'single.lime');
      const converted = spawnSync(program, ['convert', '--force', join(at, name), single]);
      const report = await same(parts, converted.status === 0 ? single : sample);
      if (converted.status === 0) {
        assert.equal(report.documents_compared > 0, true);
        sets += 1;
      }
    }
  }
  assert.ok(sets >= 3, `${sets} sets`);
});

test('files of a server without range requests, and one that is not there', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end();
    else response.end(readFileSync(sample));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = (name) => new URL(`http://127.0.0.1:${server.address().port}/${name}`);
  const { same, a, b } = await diff(address('first.lime'), address('second.lime'));
  assert.deepEqual([same, a, b], [true, 'first.lime', 'second.lime']);
  await assert.rejects(diff(address('first.lime'), address('missing')), { class: 'source' });
  server.closeAllConnections();
  server.close();
});

test('a source that fails, and a signal', async () => {
  const missing = pathToFileURL(join(dirname(sample), 'missing.lime'));
  await assert.rejects(diff(pathToFileURL(sample), missing), { class: 'source' });
  await assert.rejects(diff(missing, pathToFileURL(sample)), { class: 'source' });
  const seen = [];
  await diff(await openAsBlob(sample), await openAsBlob(sample), { onProgress: ({ bytes }) => seen.push(bytes) });
  assert.ok(seen.length > 0);
  const reason = new Error('no longer needed');
  await assert.rejects(diff(pathToFileURL(sample), pathToFileURL(sample), { signal: AbortSignal.abort(reason) }), reason);
});
