// Fields of NERSC archives and MILC files equal the fields of LIME files that the program converts them to.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { LinkstreamError, open } from 'linkstream';

import { milc } from './archives.js';
import { exported, numbers } from './npy.js';
import { checkOne, folders, program, sample } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
after(() => rmSync(folder, { recursive: true }));

const nersc = [...folders()].flatMap(([folder, names]) =>
  names.filter((name) => name.endsWith('.nersc')).map((name) => join(folder, name)));
const fixture = (name) => join([...folders().keys()].find((folder) => folder.endsWith('foreign')), name);
const DIMS = [4, 4, 4, 8];
const links = numbers(exported(sample));
/** An order of sites that moves neighbours far apart. */
const LIST = Array.from({ length: 512 }, (_, i) => (i * 37 + 5) % 512);

function converted(path, ...options) {
  const out = join(folder, 'converted.lime');
  const { status, stderr } = spawnSync(program, ['convert', '--force', path, out, ...options], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return out;
}

function written(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Compares the field of an archive with its conversion: the report, all numbers, and each time slice. */
async function compare(path) {
  const archive = await open(pathToFileURL(path));
  const lime = await open(pathToFileURL(converted(path, '--to', 'ildg', '--lfn', 'lfn://test')));
  const [[field], [expected]] = [archive.fields, lime.fields];
  assert.equal(archive.fields.length, 1, path);
  for (const key of ['region', 'extents', 'precision', 'bytes_per_site', 'sites', 'links', 'array']) {
    assert.deepEqual(field[key], expected[key], `${path}: ${key}`);
  }
  const all = await lime.readField(0);
  assert.deepEqual(await archive.readField(0), all, path);
  const times = field.extents.at(-1);
  for (let slice = 0; slice < times; slice += 1) {
    const part = all.subarray((slice * all.length) / times, ((slice + 1) * all.length) / times);
    assert.deepEqual(await archive.readField(0, { slice }), part, `${path}, slice ${slice}`);
  }
  return all;
}

test('all NERSC archives among the fixtures that are not wrong', async () => {
  let compared = 0;
  for (const path of nersc) {
    if (checkOne(path).verdict === 'wrong') continue;
    await compare(path);
    compared += 1;
  }
  assert.ok(compared >= 6, `${compared} archives`);
});

test('NERSC archives of every form', async () => {
  for (const rows of ['full', 'reduced']) {
    for (const order of ['big', 'little']) {
      for (const precision of ['32', '64']) {
        const form = ['--to', 'nersc', '--rows', rows, '--byte-order', order, '--precision', precision];
        if (rows === 'reduced') form.push('--tolerance', '1e-6');
        const path = written('form.nersc', readFileSync(converted(sample, ...form)));
        const all = await compare(path);
        assert.equal(all.constructor.BYTES_PER_ELEMENT, Number(precision) / 8);
      }
    }
  }
});

test('openQCD: the fixture, another lattice, and one that was cut', async () => {
  const path = fixture('20f-openqcd');
  assert.equal(checkOne(path).verdict, 'unverified');
  const found = await compare(path);
  // The fixture has the links of another file, in the order of openQCD.
  const same = await open(pathToFileURL(fixture('22-quda-gauge-D.lime')));
  assert.deepEqual(found, await same.readField(0));
  const out = join(folder, 'other.lime');
  const { status, stderr } = spawnSync(program, ['sample', out, '--force', '--extents', '2x4x6x2'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const double = written('double.lime', readFileSync(converted(out, '--precision', '64')));
  const other = written('other', readFileSync(converted(double, '--to', 'openqcd')));
  assert.equal(checkOne(other).verdict, 'unverified');
  const all = await compare(other);
  assert.deepEqual(Float32Array.from(all), await (await open(pathToFileURL(out))).readField(0));
  await assert.rejects(async () => (await open(readFileSync(path).subarray(0, 5000))).readField(0), LinkstreamError);
});

test('an archive without a byte order whose first link does not show it: the checksum does', async () => {
  const archive = readFileSync(converted(sample, '--to', 'nersc', '--byte-order', 'little'));
  const begin = archive.indexOf('END_HEADER\n') + 11;
  const data = Buffer.from(archive.subarray(begin));
  data.fill(0, 0, 72);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum = (sum + data.readUInt32LE(at)) >>> 0;
  const header = archive.toString('latin1', 0, begin)
    .replace('IEEE32LITTLE', 'IEEE32').replace(/CHECKSUM = .*/, `CHECKSUM = ${sum.toString(16)}`)
    // The first link is not in SU(3), which the recorded observables would show.
    .replace(/(PLAQUETTE|LINK_TRACE) = .*\n/g, '');
  const file = await open(Buffer.concat([Buffer.from(header, 'latin1'), data]));
  const found = await file.readField(0);
  assert.deepEqual(found.subarray(0, 18), new Float32Array(18));
  assert.deepEqual(found.subarray(18), links.subarray(18));
});

test('MILC files in either byte order, with and without a site list', async () => {
  for (const isBig of [false, true]) {
    for (const list of [undefined, LIST]) {
      const path = written('file.milc', milc({ dims: DIMS, links, isBig, list }));
      // The sums do not include the site list.
      assert.equal(checkOne(path).verdict, list ? 'unverified' : 'ok');
      assert.deepEqual(await compare(path), links);
    }
  }
});

test('the form of a source makes no difference', async () => {
  const path = nersc.find((path) => path.endsWith('n3x2_f_little.nersc'));
  const expected = await (await open(pathToFileURL(path))).readField(0);
  const bytes = new Uint8Array(readFileSync(path));
  for (const source of [bytes, await openAsBlob(path), Readable.toWeb(createReadStream(path))]) {
    const file = await open(source);
    assert.deepEqual(await file.readField(0), expected);
    const length = expected.length / file.fields[0].extents[3];
    assert.deepEqual(await file.readField(0, { slice: 1 }), expected.subarray(length, 2 * length));
  }
});

/** Returns the error that a call is rejected with. */
async function refused(call) {
  const error = await call.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof LinkstreamError, String(error));
  return { rule: error.rule, class: error.class, offset: error.offset };
}

test('broken archives: rule, class and offset equal the report', async () => {
  const whole = readFileSync(nersc.find((path) => path.endsWith('n3x2_d.nersc')));
  const listed = milc({ dims: DIMS, links, isBig: false, list: LIST });
  const twice = [...LIST];
  // The site list is invalid although its sums are right: 0, 4, 5 have the same sum, and sum of squares, as 1, 2, 6.
  for (const [from, to] of [[0, 1], [4, 2], [5, 6]]) twice[twice.indexOf(from)] = to;
  const damaged = Buffer.from(listed);
  damaged[damaged.length - 1] ^= 1;
  const cases = {
    'checksum.nersc': readFileSync(nersc.find((path) => path.includes('badsum'))),
    'data.nersc': whole.subarray(0, whole.length - 1000),
    'data.milc': listed.subarray(0, listed.length - 1000),
    'list.milc': listed.subarray(0, 1000),
    'checksum.milc': damaged,
    'twice.milc': milc({ dims: DIMS, links, isBig: true, list: twice }),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const path = written(name, bytes);
    const file = await open(pathToFileURL(path));
    const found = await refused(file.readField(0));
    if (name === 'twice.milc') {
      assert.deepEqual(found, { rule: 'milc-site-list', class: 'rule', offset: 88 });
      continue;
    }
    const { rule, class: errorClass, offset } = checkOne(path).findings.find(({ severity }) => severity === 'error');
    assert.deepEqual(found, { rule, class: errorClass, offset }, name);
  }
  for (const name of ['data.nersc', 'data.milc']) {
    const file = await open(pathToFileURL(join(folder, name)));
    const last = file.fields[0].extents[3] - 1;
    const { rule, class: errorClass, offset } = checkOne(join(folder, name)).findings[0];
    assert.deepEqual(await refused(file.readField(0, { slice: last })), { rule, class: errorClass, offset }, name);
  }
});

test('a request for data that an archive does not have is an error', async () => {
  const file = await open(pathToFileURL(nersc[0]));
  const slice = file.fields[0].extents[3];
  for (const call of [file.readField(1), file.readField(0, { slice })]) {
    await assert.rejects(call, RangeError);
  }
  const header = Buffer.from('BEGIN_HEADER\nDIMENSION_1 = 4\nEND_HEADER\n');
  const broken = await open(new Uint8Array(header));
  assert.deepEqual(broken.fields, []);
  assert.match((await refused(broken.readField(0))).rule, /^nersc-/);
});
