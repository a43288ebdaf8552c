// node screenshots.js DIRECTORY: saves pictures of the main views, light, dark and narrow, and page.png for the README.

import { join } from 'node:path';

import { choose, fixtures, openPage, root } from './browser.js';

const folder = process.argv[2];
const sample = join(root, 'examples/su3-4x4x4x8.lime');

const VIEWS = [
  ['structure', sample, '#record=3', async () => {}],
  ['findings', join(fixtures, 'broken/ildg'), '#view=findings', async () => {}],
  ['physics', sample, '#view=physics', async (page) => {
    await page.click('.show-density');
    await page.waitForSelector('.heat');
    await page.waitForSelector('.uplot');
  }],
  ['matrix', join(fixtures, 'inebin/real-large.bin'), '#view=matrix', async (page) => {
    await page.click('#show-map');
    await page.waitForSelector('.heat');
  }],
  ['sections', join(fixtures, 'scda/compressed-varrays.scda'), '#view=sections', async (page) => {
    await page.click('a[aria-label="Show the data of section 5"]');
    await page.waitForSelector('#section pre');
    await page.fill('#element', '4');
    await page.click('#elements button:has-text("Show the element")');
    await page.waitForSelector('#elements .hex pre');
  }],
  ['header', join(fixtures, 'qio/nersc/n3x2_f_little.nersc'), '#view=header', async () => {}],
  ['export', sample, '#view=export', async () => {}],
];

const { readdirSync, statSync } = await import('node:fs');
const { page, server, close } = await openPage();
for (const [style, width, colorScheme] of [['light', 1100, 'light'], ['dark', 1100, 'dark'], ['narrow', 360, 'light']]) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  for (const [name, path, hash, prepare] of VIEWS) {
    await page.goto(server.url + hash);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    const files = statSync(path).isDirectory() ? readdirSync(path).slice(0, 8).map((file) => join(path, file)) : [path];
    await choose(page, files);
    await prepare(page);
    await page.screenshot({ path: join(folder, `${name}-${style}.png`), fullPage: true });
    if (name === 'physics' && style === 'light') {
      // From the verdict to the last plot.
      await page.evaluate(() => scrollTo(0, 0));
      const box = (selector) => page.locator(selector).boundingBox();
      const [{ y: top }, { y, height }] = [await box('#verdict'), await box('.plots')];
      await page.screenshot({ path: join(folder, 'page.png'), fullPage: true, clip: { x: 0, y: top - 8, width, height: y + height - top } });
    }
  }
}
await close();
