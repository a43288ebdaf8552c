// The report on every fixture equals the report of the program.

import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { check } from 'linkstream';

import { inChunks } from './in-chunks.js';
import { check as checkByProgram, folders, sample } from './program.js';
import { sameReport } from './same-report.js';

/** A file as a user chooses it in a page. */
async function asFile(folder, name) {
  return new File([await openAsBlob(join(folder, name))], name);
}

/** The program reads what is packed; the package names the packing. */
function isPacked(report) {
  return report.findings.some((finding) => finding.rule === 'compression-damaged');
}

test('every fixture', async (t) => {
  let files = 0;
  const verdicts = new Map();
  for (const [folder, names] of folders()) {
    const expected = checkByProgram(folder, names, '--volume');
    for (const name of names) {
      const report = await check(await asFile(folder, name));
      if (isPacked(expected.get(name))) {
        assert.equal(report.findings[0].rule, 'format-not-read', name);
      } else {
        sameReport(report, expected.get(name), name);
      }
      verdicts.set(report.verdict, (verdicts.get(report.verdict) ?? 0) + 1);
      files += 1;
    }
  }
  t.diagnostic(`${files} fixtures: ${[...verdicts].map(([verdict, n]) => `${n} ${verdict}`).join(', ')}`);
  assert.ok(files > 300 && verdicts.size === 3);
});

test('every file set', async () => {
  let sets = 0;
  for (const [folder, names] of folders()) {
    const volumes = names.filter((name) => /\.vol\d{4,}$/.test(name));
    if (volumes.length === 0) continue;
    const expected = checkByProgram(folder, volumes);
    for (const [name, report] of expected) {
      const parts = volumes.filter((volume) => volume.startsWith(`${name}.vol`)).sort();
      if (parts.length === 0) continue;
      const files = await Promise.all(parts.map((part) => asFile(folder, part)));
      sameReport(await check(files), report, name);
      sets += 1;
    }
  }
  assert.ok(sets >= 3, `${sets} sets`);
});

test('the form of a source makes no difference', async () => {
  const [folder, names] = [...folders()].find(([, names]) => names.some((name) => name.endsWith('.lime')));
  const name = names.find((name) => name.endsWith('.lime'));
  const bytes = readFileSync(join(folder, name));
  const expected = checkByProgram(folder, [name]).get(name);
  const named = (report) => ({ ...report, file: name });
  sameReport(await check(pathToFileURL(join(folder, name))), expected, 'file: URL');
  sameReport(named(await check(new Uint8Array(bytes))), expected, 'bytes');
  sameReport(named(await check(new Blob([bytes]))), expected, 'blob');
  sameReport(named(await check(new Blob([bytes]).stream())), expected, 'stream');
});

test('the chunks of a stream make no difference', async () => {
  let files = 0;
  for (const [folder, names] of folders()) {
    for (const name of names.slice(0, 3)) {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      if (bytes.length > 20_000) continue;
      sameReport(await check(inChunks(bytes, 1)), await check(inChunks(bytes, bytes.length)), `${name} in single bytes`);
      files += 1;
    }
  }
  assert.ok(files > 30, `${files} files`);
});

test('a stream whose first chunk is short is reported like its bytes', async () => {
  const bytes = new Uint8Array(readFileSync(sample));
  const expected = await check(bytes);
  assert.equal(expected.verdict, 'ok');
  for (const length of [1, 2, 3]) {
    sameReport(await check(inChunks(bytes, length, bytes.length)), expected, `${length} bytes first`);
  }
  // The file is too short to be recognised, and is read again from its beginning.
  const beginning = bytes.subarray(0, 3);
  sameReport(await check(inChunks(beginning, 1)), await check(beginning), 'three bytes in all');
});

test('options have the same effect as options of the program', async () => {
  for (const [folder, names] of folders()) {
    if (!folder.includes('broken')) continue;
    const expected = checkByProgram(folder, names, '--volume', '--lenient', '--no-observables', '--require-checksum');
    for (const name of names.slice(0, 10)) {
      const options = { lenient: true, observables: false, requireChecksum: true };
      sameReport(await check(await asFile(folder, name), options), expected.get(name), name);
    }
  }
});
