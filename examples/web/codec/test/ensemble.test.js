// Lines about files, and findings on many, equal what the program prints.

import assert from 'node:assert/strict';
import { copyFileSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { check, describe, ensemble } from 'linkstream';

import { check as checkByProgram, folders, sample } from './program.js';
import { sameReport } from './same-report.js';
import { CALM, configuration, emptyStore, findings, history, manifest, THERMALISING } from './store.js';

const stores = [];
after(() => stores.forEach((store) => rmSync(store, { recursive: true })));
function store() {
  stores.push(emptyStore());
  return stores.at(-1);
}

/** A line without the times, which a page does not know. */
function timeless(line) {
  const { modified, changed, read, ...others } = JSON.parse(line);
  assert.match(read, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  return others;
}

/** Describes the files of a directory. */
async function lines(folder, names, options) {
  const described = names.map(async (name) => describe(await openAsBlob(join(folder, name)), { ...options, path: name }));
  return (await Promise.all(described)).map(({ line }) => line);
}

/** Asserts that the package finds what the program finds. Plaquettes in messages may differ in their last digits. */
async function sameFindings(folder, names) {
  const rounded = (found) => JSON.parse(JSON.stringify(found).replace(/\b0\.\d{10}\d+/g, (digits) => digits.slice(0, 12)));
  const { unhashed, ...found } = await ensemble(await lines(folder, names));
  sameReport(rounded(found), rounded(findings(folder)), folder);
  assert.deepEqual(unhashed, []);
  return found;
}

const kinds = ({ ensembles: [first], store }) => [first.findings.map(({ kind }) => kind), store.findings.map(({ kind }) => kind)];

test('the line about every fixture is that of the program', async () => {
  let files = 0;
  for (const [folder, names] of folders()) {
    const expected = new Map(manifest(folder).map((line) => [JSON.parse(line).file, line]));
    for (const name of names) {
      const line = expected.get(name);
      // The program reads what is packed, and looks for the other volumes of a set.
      if (line === undefined || /"(packing|members|set)":|"compression-damaged"|"volume-site-list-missing"/.test(line)) continue;
      const described = await describe(await openAsBlob(join(folder, name)), { path: name });
      sameReport(timeless(described.line), timeless(line), join(folder, name));
      files += 1;
    }
  }
  assert.ok(files > 300, `${files} files`);
});

test('the report is that of check', async () => {
  const { report } = await describe(pathToFileURL(sample), { slices: true });
  sameReport(report, await check(pathToFileURL(sample), { slices: true }), 'report');
  const { line } = await describe(pathToFileURL(sample));
  assert.equal(JSON.parse(line).file, basename(sample));
});

test('a file set has one line, which has no hash', async () => {
  const [folder, names] = [...folders()].find(([, names]) => names.filter((name) => /\.vol\d{4}$/.test(name)).length > 1);
  const [expected] = checkByProgram(folder, names.filter((name) => /\.vol\d{4}$/.test(name))).values();
  const volumes = names.filter((name) => name.startsWith(`${expected.file}.vol`)).sort();
  const files = await Promise.all(volumes.map(async (name) => new File([await openAsBlob(join(folder, name))], name)));
  const { report, line } = await describe(files, { path: `a/${expected.file}` });
  sameReport(report, expected, 'report');
  const { file, set, bytes, verdict, sha256 } = JSON.parse(line);
  assert.deepEqual({ file, set, bytes, verdict, sha256 }, { file: `a/${expected.file}`, set: expected.file, bytes: expected.bytes, verdict: expected.verdict, sha256: undefined });
});

test('a packed file is one of another format, and only a file that is named like one is damaged', async () => {
  const verdict = async (bytes) => JSON.parse((await describe(new Uint8Array(bytes), { path: 'lat.10.gz' })).line).verdict;
  assert.deepEqual([await verdict(gzipSync(readFileSync(sample))), await verdict(Buffer.from('no gzip file'))], ['other', 'wrong']);
});

test('a thermalisation has no findings', async () => {
  const folder = store();
  const found = await sameFindings(folder, history(folder, THERMALISING));
  assert.deepEqual(kinds(found), [[], []]);
  assert.ok(found.store.ok && found.ensembles[0].ok);
});

test('an outlier, a gap, a repeat, a copy, and other parameters are found', async () => {
  const folder = store();
  const names = history(folder, [...CALM.slice(0, 6), 2, ...CALM.slice(7)]);
  assert.deepEqual(kinds(await sameFindings(folder, names)), [['plaquette-outlier'], []]);
  rmSync(join(folder, 'lat.40'));
  configuration(join(folder, 'lat.050'), 1.507);
  copyFileSync(join(folder, 'lat.90'), join(folder, 'copy'));
  configuration(join(folder, 'lat.130'), 1.513, '--lfn', 'lfn://other/130');
  const now = [...names.filter((name) => name !== 'lat.40'), 'lat.050', 'lat.130', 'copy'];
  const found = await sameFindings(folder, now);
  assert.deepEqual(kinds(found), [['gap', 'same-number', 'plaquette-outlier'], ['same-content']]);
  assert.match(found.ensembles[0].findings[0].message, /1 file is missing: lat\.40$/);
  assert.deepEqual(found.store.findings[0].files, ['copy', 'lat.90']);
});

test('lines of a manifest give the JSON of the program', async () => {
  for (const [folder] of folders()) {
    const { unhashed, ...found } = await ensemble(manifest(folder));
    assert.deepEqual(unhashed, []);
    const expected = findings(folder);
    // Without an ensemble, the program prints nothing.
    if (expected.store !== undefined) assert.deepEqual(found, expected, folder);
  }
});

test('only files with a pattern', async () => {
  const folder = store();
  const names = history(folder, CALM.slice(0, 4));
  configuration(join(folder, 'other.7'), 1.52);
  const found = await ensemble(await lines(folder, [...names, 'other.7']), { name: 'lat.{n}' });
  assert.deepEqual(found.ensembles, findings(folder, '--name', 'lat.{n}').ensembles.map((one, index) => ({ ...one, plaquette_median: found.ensembles[index].plaquette_median, plaquette_spread: found.ensembles[index].plaquette_spread })));
  await assert.rejects(ensemble([], { name: 'lat' }), /a pattern has \{n\} once/);
});

test('large files get a hash on request', async () => {
  const folder = store();
  // The sample, and bytes after its end.
  const large = Buffer.alloc((8 << 20) + 1);
  readFileSync(sample).copy(large);
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), large);
  const [a, b] = await lines(folder, ['a', 'b']);
  for (const line of [a, b]) assert.equal(JSON.parse(line).sha256, undefined);
  const found = await ensemble([a, b]);
  assert.deepEqual([found.unhashed, found.store.findings], [['a', 'b'], []]);
  const hashed = await lines(folder, ['a', 'b'], { hash: true });
  hashed.forEach((line, index) => sameReport(timeless(line), timeless(manifest(folder)[index]), line));
  const now = await ensemble(hashed);
  assert.deepEqual([now.unhashed, now.store.findings.map(({ kind }) => kind)], [[], ['same-content']]);
});

test('wrong arguments', async () => {
  const { line } = await describe(pathToFileURL(sample));
  await assert.rejects(ensemble(line), TypeError);
  await assert.rejects(ensemble([1]), /line 0 must be a text without a line feed; this is the number 1/);
  await assert.rejects(ensemble([`${line}\n`]), /line 0 must be a text without a line feed/);
  await assert.rejects(ensemble([line, line]), /line 2: su3-4x4x4x8\.lime is there twice/);
  await assert.rejects(ensemble(['{}']), /line 1 is not a line of a manifest/);
  await assert.rejects(describe(pathToFileURL(sample), { path: '../a' }), /'\.\.'/);
  await assert.rejects(describe(pathToFileURL(sample), { path: 7 }), /the option "path" must be a text/);
});
