// Sections of scda files in Chromium: their data and elements are shown and saved.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { open } from 'linkstream';

import { array, exported } from '../codec/test/npy.js';
import { program } from '../codec/test/program.js';
import { choose, fixtures, openView, saved, usePage } from './browser.js';

let opened, page;
usePage((it) => ([opened, page] = [it, it.page]));

const download = (selector) => saved(page, selector);

/** CSV with a line for each element, of elements with these sizes in bytes. */
function csv(data, sizes) {
  let at = 0;
  return sizes.map((size, index) => `${index},${size},${data.toString('hex', at, (at += size))}\n`).join('');
}

/** Makes an scda file with the program. A piece is `KIND:USER=`, followed by the contents of its files. */
function make(folder, pieces, ...options) {
  const words = pieces.map(([kind, ...contents], piece) => {
    const paths = contents.map((content, index) => join(folder, `${piece}-${index}`));
    paths.forEach((path, index) => writeFileSync(path, contents[index]));
    return kind + paths.join(',');
  });
  const path = join(folder, 'made.scda');
  const { status, stderr } = spawnSync(program, ['scda', 'create', '--force', ...options, path, ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return path;
}

/** Chooses a file, and waits for an element of one of its sections. The section that was shown last may be shown at first. */
async function showSection(path, section, selector = '#save-data') {
  await choose(page, path);
  await openView(page, 'Sections');
  await page.click(`a[aria-label="Show the data of section ${section}"]`);
  await page.waitForSelector(`#section:has(h4:text("Section ${section}:")) ${selector}`);
}

test('sections: data as they were before compression', async () => {
  await choose(page, join(fixtures, 'scda/compressed-blocks.scda'));
  await openView(page, 'Sections');
  await page.waitForSelector('#view table');
  await page.locator('#view td .button').first().click();
  await page.waitForSelector('#section pre');
  assert.match(await page.textContent('#section'), /decompressed/);
});

test('elements of sections, also compressed ones: chosen by keyboard, shown and saved', async () => {
  const cases = [
    // Elements of one size, not compressed and compressed, and elements of various sizes.
    ['scda/arrays-f64.scda', 2, 99],
    ['scda/compressed-arrays.scda', 3, 3],
    ['scda/compressed-varrays.scda', 2, 4],
  ];
  for (const [name, section, wanted] of cases) {
    const path = join(fixtures, name);
    const file = await open(pathToFileURL(path));
    const { data, sizes } = await file.readSection(section);
    const size = sizes[wanted] ?? data.length / file.sections[section].n;
    const from = sizes.length > 0 ? sizes.slice(0, wanted).reduce((sum, bytes) => sum + bytes, 0) : wanted * size;
    const expected = Buffer.from(data.subarray(from, from + size));
    if (sizes.length === 0) {
      assert.ok(exported(path, '--section', String(section)).data.subarray(from, from + size).equals(expected), name);
    }
    await showSection(path, section, '#elements');
    await page.focus('#element');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(String(wanted));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#elements .hex pre');
    const first = [...expected.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    assert.ok((await page.textContent('#elements .hex pre')).includes(` ${first}`), `${name}: ${first}`);
    assert.ok((await download('#save-element')).equals(expected), name);
    assert.ok((await download('#save-data')).equals(Buffer.from(data)), name);
    if (sizes.length === 0) {
      const npy = await download('#save-data-npy');
      assert.match(npy.toString('latin1', 0, 128), new RegExp(`'\\|u1'.*\\(${data.length / size}, ${size}\\)`), name);
      assert.ok(npy.subarray(128).equals(Buffer.from(data)), name);
      assert.equal(await page.locator('#section small').count(), 0, name);
    } else {
      assert.equal(await page.locator('#save-data-npy').count(), 0, name);
      assert.equal(await page.textContent('#section small'), 'Not as .npy: the elements have different sizes.');
    }
    assert.equal((await download('#save-element-csv')).toString(), `${wanted},${size},${expected.toString('hex')}\n`, name);
    const all = sizes.length > 0 ? sizes : Array(file.sections[section].n).fill(size);
    assert.equal((await download('#save-data-csv')).toString(), csv(Buffer.from(data), all), name);
  }
  // There is no element with that number. The browser reports it, and the present element stays.
  await page.fill('#element', '5');
  await page.keyboard.press('Enter');
  assert.equal(await page.$eval('#element', (input) => input.validity.rangeOverflow), true);
  assert.match(await page.textContent('#elements [role=status]'), /^Element 4: /);
  // Sections without elements have no such control.
  await choose(page, join(fixtures, 'scda/inline.scda'));
  await openView(page, 'Sections');
  await page.locator('#view td .button').first().click();
  await page.waitForSelector('#section pre');
  assert.equal(await page.locator('#elements').count(), 0);
  assert.equal(await page.locator('#save-data-csv').count(), 0);
  assert.deepEqual(opened.complaints, []);
});

test('blocks and inline sections, also compressed ones, are saved as raw bytes and as arrays of bytes', async () => {
  const cases = [['inline.scda', 1], ['block-binary.scda', 1], ['compressed-blocks.scda', 2]];
  for (const [name, section] of cases) {
    const path = join(fixtures, 'scda', name);
    const { data } = await (await open(pathToFileURL(path))).readSection(section);
    assert.ok(data.length > 0, name);
    await showSection(path, section);
    assert.ok((await download('#save-data')).equals(Buffer.from(data)), name);
    const saved = array(await download('#save-data-npy'));
    assert.deepEqual([saved.type, saved.shape], ['|u1', [data.length]], name);
    assert.ok(saved.data.equals(Buffer.from(data)), name);
    // They have neither elements nor numbers.
    assert.equal(await page.locator('#save-data-csv').count(), 0, name);
  }
  assert.deepEqual(opened.complaints, []);
});

test('elements of one size in a variable array are an array; elements across pieces of the data are whole in CSV', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const noise = (length) => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * i + (i >> 7)) & 255));
  const same = [noise(5), noise(10).subarray(5), noise(15).subarray(10)];
  // One element is longer than the pieces that are read. Empty elements are at the beginning, between others, and last.
  const various = [noise(0), noise(3_300_001), noise(0), noise(17), noise(0), noise(0)];
  const rows = noise(701 * 4000);
  for (const options of [[], ['--compress']]) {
    const path = make(folder, [['varray:same=', ...same], ['varray:various=', ...various], ['array:rows:701=', rows]], ...options);
    await showSection(path, 1);
    const npy = await download('#save-data-npy');
    assert.match(npy.toString('latin1', 0, 128), /'\|u1'.*\(3, 5\)/);
    assert.ok(npy.subarray(128).equals(Buffer.concat(same)));
    assert.equal((await download('#save-data-csv')).toString(), csv(Buffer.concat(same), [5, 5, 5]));
    await showSection(path, 2);
    assert.equal(await page.locator('#save-data-npy').count(), 0);
    assert.equal((await download('#save-data-csv')).toString(), csv(Buffer.concat(various), various.map(({ length }) => length)));
    assert.ok((await download('#save-data')).equals(Buffer.concat(various)));
    await showSection(path, 3);
    assert.equal((await download('#save-data-csv')).toString(), csv(rows, Array(4000).fill(701)));
  }
  assert.deepEqual(opened.complaints, []);
  rmSync(folder, { recursive: true });
});

test('empty elements of arrays get no lines and no rows: there may be any number of them', async () => {
  await showSection(join(fixtures, 'scda/array-extreme-counts.scda'), 2);
  assert.equal(await page.locator('#save-data-csv').count(), 0);
  const npy = await download('#save-data-npy');
  assert.match(npy.toString('latin1'), /\(0,\)/);
  // Empty elements of a variable array get lines and rows, since each has a size in the file.
  await showSection(join(fixtures, 'scda/varrays.scda'), 5);
  assert.equal((await download('#save-data-csv')).toString(), csv(Buffer.alloc(0), Array(7).fill(0)));
  assert.match((await download('#save-data-npy')).toString('latin1'), /\(7, 0\)/);
});

test('the shown part of a text ends within a character', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const path = make(folder, [['block:notes=', 'ä'.repeat(2047) + 'b' + 'ä'.repeat(100)]]);
  await showSection(path, 1);
  const text = await page.textContent('#section pre');
  assert.equal(text, `${'ä'.repeat(2047)}b`);
  rmSync(folder, { recursive: true });
});
