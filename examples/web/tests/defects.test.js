// Defects of earlier versions of the page, in Chromium and Firefox: lost clicks, lost places, wrong labels.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';

import { fixtures, openFirefox, openPage, root } from './browser.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const matrix = join(fixtures, 'inebin/real-asymmetric.bin');
const wrong = join(fixtures, 'broken/ildg/data-before-format.lime');

for (const browser of ['Chromium', 'Firefox']) {
  describe(browser, () => {
    let opened, page;
    before(async () => {
      opened = browser === 'Firefox' ? await openFirefox() : await openPage();
      page = opened.page;
    });
    after(() => opened.close());
    beforeEach(async () => {
      await page.goto(`${opened.server.url}#`);
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      await page.evaluate(() => localStorage.clear());
    });

    /** Chooses files of the disk. */
    const choose = async (...paths) => {
      if (browser === 'Firefox') await (await page.$('#input')).uploadFile(...paths);
      else await page.setInputFiles('#input', paths);
    };
    const heading = (text) => page.waitForFunction((text) => document.querySelector('#verdict h2')?.textContent === text, browser === 'Firefox' ? {} : text, text);
    const click = (selector) => page.$eval(selector, (node) => node.click());
    const texts = (selector) => page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));
    const frames = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

    /**
     * Chooses files whose reading does not end until `release` is called, and reports progress all the time: streams
     * of a page without shared memory are read into a blob first, so a large sparse file takes its place.
     */
    const chooseSlow = (names, megabytes) => page.evaluate(([names, megabytes]) => {
      const zeros = new Uint8Array(1 << 20);
      const transfer = new DataTransfer();
      // A LIME record whose payload is long: the file is read to its end.
      const header = new Uint8Array(144);
      const view = new DataView(header.buffer);
      view.setUint32(0, 0x456789ab);
      view.setUint16(4, 1);
      view.setUint16(6, 0xc000);
      view.setBigUint64(8, BigInt(megabytes) << 20n);
      new TextEncoder().encodeInto('some-data', header.subarray(16));
      for (const name of names) transfer.items.add(new File([header, ...Array(megabytes).fill(zeros)], name));
      const input = document.querySelector('#input');
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, [names, megabytes]);

    test('rows, focus and place of the list stay while files are read', async () => {
      await chooseSlow(Array.from({ length: 8 }, (_, index) => `${index}.lime`), 24);
      await page.waitForSelector('.file');
      await page.evaluate(() => {
        window.row = document.querySelectorAll('.file')[5];
        window.row.focus();
        window.moved = 0;
        new MutationObserver((changes) => {
          for (const { removedNodes } of changes) for (const node of removedNodes) window.moved += node.nodeType === 1 && node.matches('li') ? 1 : 0;
        }).observe(document.querySelector('#files'), { childList: true, subtree: true });
      });
      await page.waitForFunction(() => /[1-8] unverified/.test(document.querySelector('#summary').textContent));
      assert.deepEqual(await page.evaluate(() => [document.activeElement === window.row, window.row.isConnected, window.moved]), [true, true, 0]);
      await page.evaluate(() => window.row.click());
      await page.waitForFunction(() => document.querySelector('#verdict h2').textContent.startsWith('5.lime'));
    });

    test('Cancel ends the reading of the right one of two files with one name; it can be read again and removed', async () => {
      await chooseSlow(['same.lime', 'same.lime', 'same.lime', 'same.lime', 'same.lime'], 24);
      // Files of one name have numbers.
      await page.waitForSelector('[aria-label="Cancel same.lime (5)"]');
      await click('[aria-label="Cancel same.lime (5)"]');
      await page.waitForFunction(() => document.querySelectorAll('#files li')[4].textContent.includes('cancelled'));
      await page.waitForFunction(() => !/reading|waiting/.test(document.querySelector('#summary').textContent));
      assert.equal((await texts('#summary'))[0], '4 unverified, 1 cancelled');
      await click('[aria-label="Retry same.lime (5)"]');
      await page.waitForFunction(() => document.querySelector('#summary').textContent === '5 unverified');
      await click('[aria-label="Remove same.lime"]');
      await page.waitForFunction(() => document.querySelectorAll('#files li').length === 4);
      await click('#clear');
      await page.waitForFunction(() => document.querySelector('#verdict') === null && document.querySelector('#choose.first'));
    });

    test('the theme is remembered', async () => {
      const shown = () => page.evaluate(() => document.documentElement.dataset.theme);
      const first = await shown();
      await click('#theme');
      await page.waitForFunction((first) => document.documentElement.dataset.theme !== first, browser === 'Firefox' ? {} : first, first);
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      assert.notEqual(await shown(), first);
    });

    test('the search, the place in the tree and the plots stay while records and views are chosen', async () => {
      await choose(sample);
      await heading('su3-4x4x4x8.lime: ok');
      await page.evaluate(() => {
        const search = document.querySelector('#search');
        search.value = 'scidac';
        search.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await frames();
      const found = await texts('.tree a');
      assert.ok(found.length > 0 && found.length < 8, found.join());
      await click('.tree a');
      await page.waitForSelector('#record');
      assert.deepEqual(await texts('.tree a'), found);
      assert.equal(await page.$eval('#search', (node) => node.value), 'scidac');
      await click('nav a[href="#view=physics"]');
      await page.waitForSelector('.show-density');
      await click('.show-density');
      await page.waitForSelector('.heat canvas');
      await page.$eval('.heat canvas', (canvas) => (window.drawn = canvas));
      await click('nav a[href="#view=findings"]');
      await frames();
      await click('nav a[href="#view=physics"]');
      await frames();
      assert.equal(await page.evaluate(() => document.querySelector('.heat canvas') === window.drawn && window.drawn.checkVisibility()), true);
    });

    test('a link to a record that does not exist says so', async () => {
      await page.goto(`${opened.server.url}#record=99`);
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      await choose(sample);
      await heading('su3-4x4x4x8.lime: ok');
      await page.waitForSelector('#view [role=alert]');
      assert.match((await texts('#view [role=alert]'))[0], /no record 99: the file has 8 records/);
    });

    test('the ticks of an axis differ, and axes have titles', async () => {
      await page.evaluate(() => {
        const { fillText } = CanvasRenderingContext2D.prototype;
        window.labels = new Map();
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
          window.labels.set(this.canvas, [...(window.labels.get(this.canvas) ?? []), text]);
          return fillText.call(this, text, ...rest);
        };
      });
      await choose(sample);
      await heading('su3-4x4x4x8.lime: ok');
      await click('nav a[href="#view=physics"]');
      await page.waitForFunction(() => window.labels.size >= 4);
      const drawn = await page.evaluate(() => [...window.labels].filter(([canvas]) => canvas.isConnected).map(([, labels]) => labels));
      for (const labels of drawn) {
        const numbers = labels.filter((label) => /^-?\d+\.\d+$/.test(label));
        // A plot may have been drawn more than once: the labels of one drawing are different.
        const once = numbers.slice(0, new Set(numbers).size);
        assert.equal(new Set(once).size, once.length, labels.join(' '));
        assert.ok(labels.some((label) => /plaquette|link trace/.test(label)), labels.join(' '));
      }
    });

    test('a file of another format is not recognised, which is no error; no message advises a command', async () => {
      await choose(join(root, 'examples/web/page.png'));
      await heading('page.png: not recognised');
      await page.waitForFunction(() => /PNG image/.test(document.querySelector('#verdict').textContent));
      assert.equal(await page.$eval('#verdict', (node) => node.className), 'none');
      await choose(wrong);
      await heading('data-before-format.lime: wrong');
      assert.ok((await texts('.findings li')).every((text) => !/`linkstream|\| linkstream/.test(text)));
      const main = await texts('#verdict .main');
      assert.match(main[0], /^error /);
    });

    test('warnings are named although the verdict is ok', async () => {
      const warned = join(fixtures, 'qio/ildg/ildg_d_nolfn_4x4x4x4.lime');
      await choose(warned);
      await page.waitForSelector('#verdict.good');
      assert.match((await texts('#verdict'))[0], /warning/);
    });

    test('words and numbers of a matrix', async () => {
      await choose(join(fixtures, 'inebin/doc-integer.bin'), matrix);
      await page.waitForFunction(() => /2 unverified/.test(document.querySelector('#summary')?.textContent ?? ''));
      const all = (await texts('#report')).join();
      assert.doesNotMatch(all, /\bnull\b|Infinity|\b1 rows\b|figure/);
      const align = await page.$eval('#view td.number', (cell) => getComputedStyle(cell).textAlign);
      assert.equal(align, 'right');
    });

    test('the data of a section are scrolled into view', async () => {
      await choose(join(fixtures, 'scda/compressed-varrays.scda'));
      await page.waitForSelector('a[aria-label="Show the data of section 5"]');
      await click('a[aria-label="Show the data of section 5"]');
      await page.waitForSelector('#section h4');
      await page.waitForFunction(() => {
        const { top } = document.querySelector('#section').getBoundingClientRect();
        return top >= -2 && top < innerHeight * 0.7;
      });
    });

    test('a long export shows its progress and can be cancelled', async () => {
      await page.evaluate((bytes) => {
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
      await heading('large.bin: unverified');
      await click('nav a[href="#view=export"]');
      await page.waitForSelector('#save-csv');
      await click('#save-csv');
      await page.waitForSelector('.task progress');
      await page.waitForFunction(() => /[\d,]+ of 400,000 rows/.test(document.querySelector('.task span')?.textContent ?? ''));
      await page.$$eval('.task button', ([cancel]) => cancel.click());
      await page.waitForFunction(() => document.querySelector('.task') === null);
    });
  });
}
