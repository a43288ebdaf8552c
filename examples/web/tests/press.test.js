// A click on a control takes effect although results appear on the page between press and release.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { choose, fixtures, holdAnswer, openView, pressDuring, settled, usePage } from './browser.js';

let page;
usePage((opened) => (page = opened.page));

const varrays = join(fixtures, 'scda/compressed-varrays.scda');

for (const width of [1200, 360]) {
  test(`an element of a section, while the data of the section arrive, ${width} pixels wide`, async () => {
    await page.setViewportSize({ width, height: 800 });
    await choose(page, varrays);
    await openView(page, 'Sections');
    const letGo = await holdAnswer(page, 'readSection');
    await page.click('a[aria-label="Show the data of section 2"]');
    await page.fill('#element', '4');
    const top = () => page.$eval('#elements', (form) => form.getBoundingClientRect().top + scrollY);
    const before = await top();
    await pressDuring(page, '#elements button:has-text("Show the element")', letGo);
    await page.waitForSelector('#elements .hex pre');
    assert.match(await page.textContent('#elements [role=status]'), /^Element 4: /);
    await page.waitForSelector('#save-data');
    assert.equal(await top(), before);
    await page.setViewportSize({ width: 1200, height: 800 });
  });
}

test('the next page of bytes, while the present one arrives', async () => {
  await choose(page, varrays);
  await openView(page, 'Bytes');
  await page.waitForSelector('.hex pre');
  const letGo = await holdAnswer(page, 'readBytes');
  await page.click('.hex button:has-text("Next")');
  await pressDuring(page, '.hex button:has-text("Next")', letGo);
  await page.waitForSelector('.hex p:has-text("page 3 of")');
});

test('a file of the list, while others are checked', async () => {
  const letGo = await holdAnswer(page, 'survey');
  await page.setInputFiles('#input', [sample, varrays]);
  const isShown = (name) => page.waitForSelector(`#verdict h2:has-text("${name}")`);
  await isShown('su3-4x4x4x8.lime: reading');
  await pressDuring(page, '.file >> nth=1', letGo);
  await isShown('compressed-varrays.scda: ');
  await settled(page);
  await isShown('compressed-varrays.scda: ok');
});

test('a plot, while another arrives', async () => {
  await choose(page, sample);
  await openView(page, 'Physics');
  const letGo = await holdAnswer(page, 'readField');
  await page.click('.show-density');
  await pressDuring(page, '.show-histogram', letGo);
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  await page.waitForSelector('.heat');
});
