// node screenshots.js DIRECTORY: saves pictures of twelve states of the page, light and dark, wide and narrow, and page.png
// for the README.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { choose, fixtures, openPage, rendered, root } from './browser.js';

const folder = process.argv[2];
const sample = join(root, 'examples/su3-4x4x4x8.lime');
/** Some files of a directory of fixtures. */
const some = (name, ending, count) => readdirSync(join(fixtures, name)).filter((file) => file.endsWith(ending)).slice(0, count).map((file) => join(fixtures, name, file));

/** Name, files, address, and what is done before the picture is taken. */
const STATES = [
  ['start', [], '', async () => {}],
  ['verdict', [sample], '', async () => {}],
  ['record', [sample], '#record=2', async () => {}],
  ['findings', [join(fixtures, 'broken/ildg/data-before-format.lime')], '#view=findings', async () => {}],
  ['physics', [sample], '#view=physics', async (page) => {
    await page.click('.show-density');
    await page.waitForSelector('.heat');
    await page.waitForSelector('.uplot');
  }],
  ['correlator', [join(fixtures, 'qio/usqcd/prop_c1d12.lime')], '#view=physics', async (page) => {
    await page.locator('.show-norms').first().click();
    await page.waitForSelector('.uplot');
  }],
  ['matrix', [join(fixtures, 'inebin/real-large.bin')], '#view=matrix', async (page) => {
    await page.click('#show-map');
    await page.waitForSelector('.heat');
  }],
  ['sections', [join(fixtures, 'scda/compressed-varrays.scda')], '#section=2', async (page) => {
    await page.waitForSelector('#section pre');
    await page.fill('#element', '4');
    await page.click('#elements button:has-text("Show the element")');
    await page.waitForSelector('#elements .hex pre');
  }],
  ['header', [join(fixtures, 'qio/nersc/n3x2_f_little.nersc')], '#view=header', async () => {}],
  ['export', [sample], '#view=export', async () => {}],
  ['ensemble', [...some('qio/single', '.lime', 30), ...some('broken/ildg', '.lime', 6), sample], '', async () => {}],
  ['unrecognised', [join(root, 'examples/web/page.png')], '', (page) => page.waitForSelector('.seeming:not(:empty)')],
];

const STYLES = [['light', 1100, 'light'], ['dark', 1100, 'dark'], ['narrow', 360, 'light'], ['narrow-dark', 360, 'dark']];

const { page, server, close } = await openPage();
for (const [style, width, colorScheme] of STYLES) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  for (const [name, files, hash, prepare] of STATES) {
    await page.goto(server.url + hash);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    if (files.length > 0) await choose(page, files);
    await prepare(page);
    await rendered(page);
    await page.screenshot({ path: join(folder, `${name}-${style}.png`), fullPage: true });
    if (name === 'physics' && style === 'light') {
      // The verdict and the averages.
      await page.evaluate(() => scrollTo(0, 0));
      const { y: top } = await page.locator('#verdict').boundingBox();
      await page.screenshot({ path: join(folder, 'page.png'), fullPage: true, clip: { x: 0, y: top - 8, width, height: 548 } });
    }
  }
}
await close();
