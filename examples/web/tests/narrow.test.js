// At the width of a phone: controls and the labels of plots keep a distance from each other.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { choose, fixtures, usePage } from './browser.js';

let page;
usePage((opened) => {
  page = opened.page;
  return page.addInitScript(recordLabels);
});
beforeEach(() => page.setViewportSize({ width: 360, height: 800 }));

/** Keeps, for each canvas, the boxes of the texts that have been drawn since it was cleared last. */
function recordLabels() {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(...rectangle) {
      this.canvas.labels = [];
      clearRect.apply(this, rectangle);
    },
    fillText(text, x, y, ...rest) {
      const { actualBoundingBoxLeft, actualBoundingBoxRight, fontBoundingBoxAscent, fontBoundingBoxDescent } = this.measureText(text);
      const { e, f } = this.getTransform();
      const [left, right] = [x + e - actualBoundingBoxLeft, x + e + actualBoundingBoxRight];
      this.canvas.labels?.push({ text, left, right, top: y + f - fontBoundingBoxAscent, bottom: y + f + fontBoundingBoxDescent });
      fillText.call(this, text, x, y, ...rest);
    },
  });
}

/** Pairs of boxes that are closer to each other than `gap`, horizontally and vertically. */
function tooClose(boxes, gap) {
  const isApart = (a, b) => a.right + gap <= b.left || b.right + gap <= a.left || a.bottom + gap <= b.top || b.bottom + gap <= a.top;
  return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => !isApart(a, b)).map((b) => `${a.text} and ${b.text}`));
}

/** All buttons, fields and boxes with a border that can be seen. Rows of the list of files are one control. */
const controls = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('button:not(.file), .button, input:not(.button input), summary, pre, .hex, #theme')].flatMap((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const isSeen = node.checkVisibility() && right > left && !node.querySelector('button, pre');
      return isSeen ? [{ text: node.textContent.trim().slice(0, 30) || node.id || node.tagName, left, right, top, bottom }] : [];
    }));

async function assertControlsAreApart(view) {
  const found = await controls();
  assert.ok(found.length >= 5, `${view}: ${found.length} controls`);
  // Half a pixel is lost where boxes are not at whole pixels.
  assert.deepEqual(tooClose(found, 3.5), [], view);
}

/** The labels under and beside the axes of each plot, which do not touch. */
async function assertLabelsAreApart(least) {
  // Plots are drawn with the next frame, their labels with the one after it.
  await page.waitForFunction((least) => {
    const plots = [...document.querySelectorAll('.plot canvas')];
    return plots.length >= least && plots.every((canvas) => canvas.labels?.length > 1);
  }, least);
  const plots = await page.$$eval('.plot canvas', (all) =>
    all.map((canvas) => ({ title: canvas.closest('figure').querySelector('figcaption').textContent, width: canvas.width, labels: canvas.labels })));
  for (const { title, width, labels } of plots) {
    assert.deepEqual(tooClose(labels, 4), [], title);
    const outside = labels.filter(({ left, right }) => left < 0 || right > width);
    assert.deepEqual(outside, [], `${title}, ${width} pixels wide`);
  }
  return plots;
}

test('the header and the box to drop files into', async () => {
  const box = (selector) => page.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
  const named = async (selector) => ({ text: selector, ...(await box(selector)) });
  const boxes = await Promise.all(['h1', '#privacy', '#theme', '#choose'].map(named));
  assert.deepEqual(tooClose(boxes, 3.5), []);
  await assertControlsAreApart('no file');
});

test('plots and controls of a gauge field', async () => {
  await choose(page, sample);
  await page.click('nav a:has-text("Physics")');
  await page.click('.show-density');
  await page.waitForSelector('.heat');
  await page.click('.show-histogram');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  const plots = await assertLabelsAreApart(5);
  await assertControlsAreApart('Physics');
  const [planes] = plots;
  // There is room for all of them.
  assert.deepEqual(planes.labels.map(({ text }) => text).filter((text) => /^[xyzt]+$/.test(text)), ['xy', 'xz', 'yz', 'xt', 'yt', 'zt']);
  // Turned by a quarter, they are drawn anew, with more labels.
  const width = () => page.$eval('.plot canvas', (canvas) => canvas.clientWidth);
  const before = await width();
  await page.setViewportSize({ width: 800, height: 360 });
  await page.waitForFunction((before) => document.querySelector('.plot canvas').clientWidth > 1.5 * before, before);
  await assertLabelsAreApart(5);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.waitForFunction((before) => document.querySelector('.plot canvas').clientWidth === before, before);
  for (const view of ['Structure', 'Export']) {
    await page.click(`nav a:has-text("${view}")`);
    await assertControlsAreApart(view);
  }
});

test('histograms of sizes, and controls of sections', async () => {
  await choose(page, join(fixtures, 'scda/compressed-varrays.scda'));
  await page.click('nav a:has-text("Sections")');
  await page.click('button[aria-label="Show the data of section 4"]');
  await page.fill('#element', '4');
  await page.click('#elements button:has-text("Show the element")');
  await page.waitForSelector('#elements .hex pre');
  const plots = await assertLabelsAreApart(2);
  await assertControlsAreApart('Sections');
  for (const { title, labels } of plots) {
    // As many names as this are read off easily; elements are counted in whole numbers.
    const names = labels.filter(({ text }) => /^\d+( [KM]i)?$/.test(text));
    assert.ok(names.length >= 7 && labels.every(({ text }) => !text.includes('.')), `${title}: ${labels.map(({ text }) => text)}`);
  }
});

test('a matrix', async () => {
  await choose(page, join(fixtures, 'inebin/real-asymmetric.bin'));
  await page.click('nav a:has-text("Matrix")');
  await page.waitForSelector('.rows td');
  await page.click('#show-map');
  await page.waitForSelector('.heat canvas');
  for (const view of ['Matrix', 'Export']) {
    await page.click(`nav a:has-text("${view}")`);
    await assertControlsAreApart(view);
  }
});
