// Accessibility: axe finds no violation in any view, and every view fits the width of a phone.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { CALM, emptyStore, history } from '../codec/test/store.js';
import { choose, fixtures, openView, rendered, usePage } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let page;
usePage((opened) => (page = opened.page));

/**
 * Asserts that axe finds no violation in each view, light and dark, wide and narrow. `prepare` brings a view into the
 * state to test.
 */
async function accessible(views) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [view, prepare] of Object.entries(views)) {
        await openView(page, view);
        await prepare?.();
        await rendered(page);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        assert.deepEqual(found, [], `${view}, ${colorScheme}, ${width}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${view} is ${overflow} pixels too wide at ${width}`);
      }
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1200, height: 800 });
}

test('records, findings, plots, exports', async () => {
  await choose(page, sample);
  await accessible({
    Structure: () => page.click('.tree a >> nth=2'),
    Findings: undefined,
    Physics: async () => {
      await page.click('.show-density');
      await page.waitForSelector('.heat');
      await page.click('.show-histogram');
      await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
    },
    Export: undefined,
  });
});

test('sections and their elements', async () => {
  await choose(page, join(fixtures, 'scda/compressed-varrays.scda'));
  await accessible({
    Sections: async () => {
      await page.click('a[aria-label="Show the data of section 2"]');
      await page.fill('#element', '4');
      await page.click('#elements button:has-text("Show the element")');
      await page.waitForSelector('#elements .hex pre');
    },
    Bytes: () => page.waitForSelector('#view .hex pre'),
  });
});

test('matrices', async () => {
  await choose(page, join(fixtures, 'inebin/real-asymmetric.bin'));
  await accessible({
    Matrix: async () => {
      await page.waitForSelector('.rows td');
      await page.click('#show-map');
      await page.waitForSelector('.heat canvas');
    },
  });
});

test('an ensemble with findings', async () => {
  const folder = emptyStore();
  const names = history(folder, [...CALM.slice(0, 6), 2, ...CALM.slice(7)]);
  await choose(page, names.filter((name) => name !== 'lat.40').map((name) => join(folder, name)));
  rmSync(folder, { recursive: true });
  await page.waitForSelector('.ensemble-findings li');
  await accessible({ Structure: undefined });
});

test('headers of archives', async () => {
  await choose(page, join(fixtures, 'qio/nersc/n3x2_f.nersc'));
  await accessible({ Header: undefined, Export: undefined });
});
