// Defects of earlier versions of the page, in Chromium and Firefox: lost clicks, lost places, wrong labels.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { inBoth } from './both.js';
import { fixtures, root } from './browser.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const matrix = join(fixtures, 'inebin/real-asymmetric.bin');
const wrong = join(fixtures, 'broken/ildg/data-before-format.lime');

inBoth((it) => {
  test('rows, focus and place of the list stay while files are read', async () => {
    await it.chooseSlow(Array.from({ length: 8 }, (_, index) => `${index}.lime`), 24);
    await it.page.waitForSelector('.file');
    await it.page.evaluate(() => {
      window.row = document.querySelectorAll('.file')[5];
      window.row.focus();
      window.moved = 0;
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes) for (const node of removedNodes) window.moved += node.nodeType === 1 && node.matches('li') ? 1 : 0;
      }).observe(document.querySelector('#files'), { childList: true, subtree: true });
    });
    await it.page.waitForFunction(() => /[1-8] unverified/.test(document.querySelector('#summary').textContent));
    assert.deepEqual(await it.page.evaluate(() => [document.activeElement === window.row, window.row.isConnected, window.moved]), [true, true, 0]);
    await it.page.evaluate(() => window.row.click());
    await it.page.waitForFunction(() => document.querySelector('#verdict h2').textContent.startsWith('5.lime'));
  });

  test('Cancel ends the reading of the right one of two files with one name; it can be read again and removed', async () => {
    await it.hold('survey');
    await it.chooseSlow(['same.lime', 'same.lime', 'same.lime', 'same.lime', 'same.lime'], 1);
    // Files of one name have numbers.
    await it.page.waitForSelector('[aria-label="Cancel same.lime (5)"]');
    await it.click('[aria-label="Cancel same.lime (5)"]');
    await it.page.waitForFunction(() => document.querySelectorAll('#files li')[4].textContent.includes('cancelled'));
    await it.letGo();
    await it.page.waitForFunction(() => !/reading|waiting/.test(document.querySelector('#summary').textContent));
    assert.equal((await it.texts('#summary'))[0], '4 unverified, 1 cancelled');
    await it.click('[aria-label="Retry same.lime (5)"]');
    await it.page.waitForFunction(() => document.querySelector('#summary').textContent === '5 unverified');
    await it.click('[aria-label="Remove same.lime"]');
    await it.page.waitForFunction(() => document.querySelectorAll('#files li').length === 4);
    await it.click('#clear');
    await it.page.waitForFunction(() => document.querySelector('#verdict') === null && document.querySelector('#choose.first'));
  });

  test('the theme is remembered', async () => {
    const shown = () => it.page.evaluate(() => document.documentElement.dataset.theme);
    const first = await shown();
    await it.click('#theme');
    await it.until((first) => document.documentElement.dataset.theme !== first, first);
    await it.page.reload();
    await it.page.waitForSelector('body[data-ready]');
    assert.notEqual(await shown(), first);
  });

  test('the search, the place in the tree and the plots stay while records and views are chosen', async () => {
    await it.choose(sample);
    await it.heading('su3-4x4x4x8.lime: ok');
    await it.page.evaluate(() => {
      const search = document.querySelector('#search');
      search.value = 'scidac';
      search.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await it.frames();
    const found = await it.texts('.tree a');
    assert.ok(found.length > 0 && found.length < 8, found.join());
    await it.click('.tree a');
    await it.page.waitForSelector('#record');
    assert.deepEqual(await it.texts('.tree a'), found);
    assert.equal(await it.page.$eval('#search', (node) => node.value), 'scidac');
    await it.click('nav a[href="#view=physics"]');
    await it.page.waitForSelector('.show-density');
    await it.click('.show-density');
    await it.page.waitForSelector('.heat canvas');
    await it.page.$eval('.heat canvas', (canvas) => (window.drawn = canvas));
    await it.click('nav a[href="#view=findings"]');
    await it.frames();
    await it.click('nav a[href="#view=physics"]');
    await it.frames();
    assert.equal(await it.page.evaluate(() => document.querySelector('.heat canvas') === window.drawn && window.drawn.checkVisibility()), true);
  });

  test('the ticks of an axis differ, and axes have titles', async () => {
    await it.page.evaluate(() => {
      const { fillText } = CanvasRenderingContext2D.prototype;
      window.labels = new Map();
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.labels.set(this.canvas, [...(window.labels.get(this.canvas) ?? []), text]);
        return fillText.call(this, text, ...rest);
      };
    });
    await it.choose(sample);
    await it.heading('su3-4x4x4x8.lime: ok');
    await it.click('nav a[href="#view=physics"]');
    await it.page.waitForFunction(() => window.labels.size >= 4);
    const drawn = await it.page.evaluate(() => [...window.labels].filter(([canvas]) => canvas.isConnected).map(([, labels]) => labels));
    for (const labels of drawn) {
      const numbers = labels.filter((label) => /^-?\d+\.\d+$/.test(label));
      // A plot may have been drawn more than once: the labels of one drawing are different.
      const once = numbers.slice(0, new Set(numbers).size);
      assert.equal(new Set(once).size, once.length, labels.join(' '));
      assert.ok(labels.some((label) => /plaquette|link trace/.test(label)), labels.join(' '));
    }
  });

  test('the names of the axes of a heat map are beside them', async () => {
    await it.choose(sample);
    await it.heading('su3-4x4x4x8.lime: ok');
    await it.click('nav a[href="#view=physics"]');
    await it.page.waitForSelector('.show-density');
    await it.click('.show-density');
    await it.page.waitForSelector('.heat-map > canvas');
    const [map, x, y] = await it.page.evaluate(() => ['.heat-map > canvas', '.heat-x', '.heat-y'].map((selector) => {
      const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
      return { left, right, top, bottom };
    }));
    assert.ok(x.top >= map.bottom && x.left >= map.left - 1 && x.right <= map.right + 1, JSON.stringify([map, x]));
    assert.ok(y.right <= map.left && y.top >= map.top - 1 && y.bottom <= map.bottom + 1, JSON.stringify([map, y]));
  });

  test('a file of another format is not recognised, which is no error; no message advises a command', async () => {
    await it.choose(join(root, 'examples/web/page.png'));
    await it.heading('page.png: not recognised');
    await it.page.waitForFunction(() => /PNG image/.test(document.querySelector('#verdict').textContent));
    assert.equal(await it.page.$eval('#verdict', (node) => node.className), 'none');
    await it.choose(join(fixtures, 'foreign/20b-fnal'));
    await it.heading('20b-fnal: not read');
    assert.match((await it.texts('#verdict')).join(), /This is FNAL, which is recognised but not read\. MILC reads it/);
    assert.equal(await it.page.$eval('#verdict', (node) => node.className), 'none');
    await it.choose(wrong);
    await it.heading('data-before-format.lime: wrong');
    assert.ok((await it.texts('.findings li')).every((text) => !/`linkstream|\| linkstream/.test(text)));
    const main = await it.texts('#verdict .main');
    assert.match(main[0], /^error /);
  });

  test('warnings are named although the verdict is ok', async () => {
    const warned = join(fixtures, 'qio/ildg/ildg_d_nolfn_4x4x4x4.lime');
    await it.choose(warned);
    await it.page.waitForSelector('#verdict.good');
    assert.match((await it.texts('#verdict'))[0], /warning/);
  });

  test('words and numbers of a matrix', async () => {
    await it.choose(join(fixtures, 'inebin/doc-integer.bin'), matrix);
    await it.page.waitForFunction(() => /2 unverified/.test(document.querySelector('#summary')?.textContent ?? ''));
    const all = (await it.texts('#report')).join();
    assert.doesNotMatch(all, /\bnull\b|Infinity|\b1 rows\b|figure/);
    const align = await it.page.$eval('#view td.number', (cell) => getComputedStyle(cell).textAlign);
    assert.equal(align, 'right');
    // Complex numbers, also infinite ones.
    await it.choose(join(fixtures, 'inebin/complex-special.bin'));
    await it.heading('complex-special.bin: unverified');
    await it.until(() => document.querySelectorAll('#view .rows td').length > 0);
    assert.equal(await it.page.$$eval('#view .rows td:not(.number)', (cells) => cells.length), 0);
    assert.match((await it.texts('#view .rows')).join(), /NaN|∞/);
  });

  test('the data of a section are scrolled into view', async () => {
    await it.choose(join(fixtures, 'scda/compressed-varrays.scda'));
    await it.page.waitForSelector('a[aria-label="Show the data of section 2"]');
    await it.click('a[aria-label="Show the data of section 2"]');
    await it.page.waitForSelector('#section h4');
    await it.page.waitForFunction(() => {
      const { top } = document.querySelector('#section').getBoundingClientRect();
      return top >= -2 && top < innerHeight * 0.7;
    });
  });

  test('a long export shows its progress and can be cancelled', async () => {
    await it.page.evaluate((bytes) => {
      // Many rows: the CSV takes some seconds.
      const [rows, columns] = [400_000, 8];
      const header = new Uint8Array(16);
      header.set(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)));
      new DataView(header.buffer).setUint32(8, rows, true);
      new DataView(header.buffer).setUint32(12, columns, true);
      const transfer = new DataTransfer();
      transfer.items.add(new File([header, new Float64Array(rows * columns).map((_, i) => i / 7)], 'large.bin'));
      const input = document.querySelector('#input');
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, readFileSync(matrix).subarray(0, 8).toString('base64'));
    await it.heading('large.bin: unverified');
    await it.click('nav a[href="#view=export"]');
    await it.page.waitForSelector('#save-csv');
    await it.click('#save-csv');
    await it.page.waitForSelector('.task progress');
    await it.page.waitForFunction(() => /[\d,]+ of 400,000 rows/.test(document.querySelector('.task span')?.textContent ?? ''));
    await it.page.$$eval('.task button', ([cancel]) => cancel.click());
    await it.page.waitForFunction(() => document.querySelector('.task') === null);
  });
});
