// The page at the width of a phone: tables fit, and controls and labels of plots keep a distance from each other.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { checkOne, sample } from '../codec/test/program.js';
import { choose, fixtures, openView, usePage } from './browser.js';

let context, page;
usePage((opened) => {
  [context, page] = [opened.context, opened.page];
  return page.addInitScript(recordLabels);
});
beforeEach(() => page.setViewportSize({ width: 360, height: 800 }));

/** Records for each canvas the boxes of the texts that have been drawn since it was last cleared. */
function recordLabels() {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(...rectangle) {
      this.canvas.labels = [];
      clearRect.apply(this, rectangle);
    },
    fillText(text, x, y, ...rest) {
      const { actualBoundingBoxLeft, actualBoundingBoxRight, fontBoundingBoxAscent, fontBoundingBoxDescent } = this.measureText(text);
      // The title of a vertical axis is rotated.
      const corners = [[-actualBoundingBoxLeft, -fontBoundingBoxAscent], [actualBoundingBoxRight, fontBoundingBoxDescent]]
        .map(([right, down]) => this.getTransform().transformPoint({ x: x + right, y: y + down }));
      const [across, down] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
      this.canvas.labels?.push({ text, left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) });
      fillText.call(this, text, x, y, ...rest);
    },
  });
}

/** Pairs of boxes that are closer to each other than `gap`, both horizontally and vertically. */
function tooClose(boxes, gap) {
  const isApart = (a, b) => a.right + gap <= b.left || b.right + gap <= a.left || a.bottom + gap <= b.top || b.bottom + gap <= a.top;
  return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => !isApart(a, b)).map((b) => `${a.text} and ${b.text}`));
}

/** All visible buttons, inputs and boxes with a border. Rows of the list of files are left out: they may touch. */
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
  // The limit is 4 pixels, less half a pixel for boxes that are not at whole pixels.
  assert.deepEqual(tooClose(found, 3.5), [], view);
}

/** Asserts that the labels of the axes of each plot do not touch. Returns the plots. */
async function assertLabelsAreApart(least) {
  // Plots are drawn in the next frame, and their labels one frame later.
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

/**
 * Asserts that no table has to be scrolled sideways, and that no cell is cut off. The table of a matrix is left out,
 * since it has as many columns as the matrix.
 */
async function assertTablesFit(view) {
  await page.evaluate(() => document.querySelectorAll('details').forEach((node) => (node.open = true)));
  const tooWide = await page.$$eval('#view table', (tables) =>
    tables.filter((table) => !table.closest('.virtual')).flatMap((table) =>
      [table, ...table.querySelectorAll('td, tbody th')]
        .filter((node) => node.scrollWidth > node.clientWidth || node.getBoundingClientRect().right > innerWidth)
        .map((node) => `${node.tagName} ${node.textContent.slice(0, 60)}: ${node.scrollWidth} in ${node.clientWidth}`)));
  assert.deepEqual(tooWide, [], view);
}

/** Names of the rows, column headers and cells that assistive technology finds in a table. */
async function accessibleTable(name) {
  const session = await context.newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const root = nodes.find((node) => node.role?.value === 'table' && node.name?.value === name);
  assert.ok(root, name);
  const found = { row: [], columnheader: [], cell: [] };
  const visit = (node) => {
    found[node.role?.value]?.push(node.name?.value);
    node.childIds.forEach((id) => visit(byId.get(id)));
  };
  visit(root);
  return found;
}

test('the table of sections: each row is read without scrolling sideways, and stays a row of a table', async () => {
  const name = 'scda/compressed-varrays.scda';
  await choose(page, join(fixtures, name));
  await openView(page, 'Sections');
  await page.waitForSelector('#view table');
  await assertTablesFit('Sections');
  const { sections } = checkOne(join(fixtures, name));
  const { row, columnheader, cell } = await accessibleTable('In the order of the file');
  assert.deepEqual(columnheader, ['number', 'type', 'user string', 'size', 'compression', 'data']);
  assert.equal(row.length, 1 + sections.length);
  assert.equal(cell.length, 6 * sections.length);
  const [caption, table] = await Promise.all(['caption', ''].map((part) => page.$eval(`.cards ${part}`.trim(), (node) => node.clientWidth)));
  assert.equal(caption, table);
  // The cells of a row show the names of their columns, since the header is not visible.
  const labels = await page.$$eval('.cards tbody tr:nth-child(5) td', (cells) => cells.map((node) => getComputedStyle(node, '::before').content));
  assert.deepEqual(labels.map((label) => /^"([^"]*)"/.exec(label)?.[1]), columnheader);
  // On a wide screen, the header is visible, and cells show no names.
  await page.setViewportSize({ width: 1200, height: 800 });
  const wide = await page.$$eval('.cards tbody td', (cells) => new Set(cells.map((node) => getComputedStyle(node, '::before').content)).size);
  assert.equal(wide, 1);
  assert.ok((await page.$eval('.cards thead', (head) => head.getBoundingClientRect().height)) > 10);
});

test('a user string of the largest length', async () => {
  await choose(page, join(fixtures, 'scda/header-user-58.scda'));
  await openView(page, 'Sections');
  await page.waitForSelector('#view table');
  await assertTablesFit('Sections');
});

test('tables of other formats', async () => {
  const views = [
    [sample, 'Physics'],
    [join(fixtures, 'qio/nersc/n3x2_f_little.nersc'), 'Header'],
    [join(fixtures, 'inebin/real-asymmetric.bin'), 'Matrix'],
  ];
  for (const [path, view] of views) {
    await choose(page, path);
    await openView(page, view);
    await page.waitForSelector('#view table', { state: 'attached' });
    await assertTablesFit(view);
  }
});

test('the header and the box to drop files into', async () => {
  const box = (selector) => page.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
  const named = async (selector) => ({ text: selector, ...(await box(selector)) });
  const boxes = await Promise.all(['h1', '#privacy', '#theme', '#choose'].map(named));
  assert.deepEqual(tooClose(boxes, 3.5), []);
  await assertControlsAreApart('no file');
});

test('plots and controls of a gauge field', async () => {
  await choose(page, sample);
  await openView(page, 'Physics');
  await page.click('.show-density');
  await page.waitForSelector('.heat');
  await page.click('.show-histogram');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  const plots = await assertLabelsAreApart(5);
  await assertControlsAreApart('Physics');
  const [planes] = plots;
  // There is room for the names of all planes.
  assert.deepEqual(planes.labels.map(({ text }) => text).filter((text) => /^[xyzt]+$/.test(text)), ['xy', 'xz', 'yz', 'xt', 'yt', 'zt']);
  // When the phone is turned, the plots are redrawn.
  const width = () => page.$eval('.plot canvas', (canvas) => canvas.clientWidth);
  const before = await width();
  await page.setViewportSize({ width: 800, height: 360 });
  await page.waitForFunction((before) => document.querySelector('.plot canvas').clientWidth > 1.5 * before, before);
  await assertLabelsAreApart(5);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.waitForFunction((before) => document.querySelector('.plot canvas').clientWidth === before, before);
  for (const view of ['Structure', 'Export']) {
    await openView(page, view);
    await assertControlsAreApart(view);
  }
});

test('histograms of sizes, and controls of sections', async () => {
  await choose(page, join(fixtures, 'scda/compressed-varrays.scda'));
  await openView(page, 'Sections');
  await page.click('a[aria-label="Show the data of section 2"]');
  await page.fill('#element', '4');
  await page.click('#elements button:has-text("Show the element")');
  await page.waitForSelector('#elements .hex pre');
  const plots = await assertLabelsAreApart(2);
  await assertControlsAreApart('Sections');
  for (const { title, labels } of plots) {
    // Enough sizes have labels, and elements are counted in whole numbers.
    const names = labels.filter(({ text }) => /^\d+( [KM]i)?$/.test(text));
    assert.ok(names.length >= 7 && labels.every(({ text }) => !text.includes('.')), `${title}: ${labels.map(({ text }) => text)}`);
  }
});

test('a matrix', async () => {
  await choose(page, join(fixtures, 'inebin/real-asymmetric.bin'));
  await openView(page, 'Matrix');
  await page.waitForSelector('.rows td');
  await page.click('#show-map');
  await page.waitForSelector('.heat canvas');
  for (const view of ['Matrix', 'Export']) {
    await openView(page, view);
    await assertControlsAreApart(view);
  }
});
