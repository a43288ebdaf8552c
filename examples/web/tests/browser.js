// Opens the page in the browsers of Debian, and uses it.

import { readFileSync } from 'node:fs';
import { after, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';

import { serve } from './server.js';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const fixtures = `${root}host-tests/fixtures/`;

export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

/** Firefox is used with Puppeteer, since Playwright can only control its own build of Firefox. */
export const FIREFOX = { browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true };

/** Opens the page in Chromium. `complaints` collects its errors and warnings. */
export async function openPage(options = {}) {
  const server = await serve({ '/': `${root}examples/web/page/dist`, '/fixtures/': fixtures, '/sample/': `${root}examples`, ...options.folders }, options.headers);
  const browser = await chromium.launch(CHROMIUM);
  const context = await browser.newContext({ acceptDownloads: true, ...options.context });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);
  await page.waitForSelector('body[data-ready]');
  return { page, browser, context, server, complaints, close: async () => (await browser.close(), server.close()) };
}

/** Opens the page in Firefox. */
export async function openFirefox(folders = {}) {
  const server = await serve({ '/': `${root}examples/web/page/dist`, ...folders });
  const browser = await puppeteer.launch(FIREFOX);
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);
  await page.waitForSelector('body[data-ready]');
  return { page, browser, server, complaints, close: async () => (await browser.close(), server.close()) };
}

/** Reloads the page. No file is open afterwards, and `complaints` is empty. */
async function again({ page, server, complaints }) {
  await page.goto(`${server.url}#`);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  complaints.length = 0;
}

/**
 * Opens the page before the first test of the calling file, passes it to `take`, and closes it after the last test. The
 * page is reloaded before each test, so that no test depends on files that another test has opened.
 */
export function usePage(take) {
  let opened;
  before(async () => take((opened = await openPage())));
  after(() => opened.close());
  beforeEach(() => again(opened));
}

/** Chooses files, and waits until every file has a verdict. */
export async function choose(page, files, timeout) {
  await page.setInputFiles('#input', files);
  await rendered(page);
  await settled(page, timeout);
}

/** Waits until what has been done so far is rendered, which happens once a frame. */
export async function rendered(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Width and height of an element once it is drawn: a plot is drawn anew when its data change. */
export async function sizeOf(page, selector) {
  const size = await page.waitForFunction((of) => {
    const { width, height } = document.querySelector(of)?.getBoundingClientRect() ?? {};
    return width > 0 && { width, height };
  }, selector);
  return size.jsonValue();
}

/** Waits until every file has a verdict. */
export async function settled(page, timeout = 60_000) {
  await page.waitForFunction(() => {
    const verdict = document.querySelector('#verdict');
    const summary = document.querySelector('#summary')?.textContent ?? '';
    return verdict && !/: (reading|waiting)$/.test(verdict.querySelector('h2').textContent) && !/reading|waiting/.test(summary);
  }, undefined, { timeout });
}

/** Shows several files as a list. Many are shown as a table at first. */
export async function asList(page) {
  await page.click('#as-list');
  await page.waitForSelector('.file');
}

/** Opens a view of the present file, and waits until it is shown. */
export async function openView(page, name) {
  await page.click(`nav a:has-text("${name}")`);
  await page.waitForSelector(`#view[data-view="${name.toLowerCase()}"]`, { state: 'attached' });
}

/** Holds back the answer of a worker to the next call with this name. The returned function releases it to the page. */
export async function holdAnswer(page, name) {
  await page.evaluate((name) => {
    const { postMessage } = Worker.prototype;
    window.held = new Promise((resolve) => (window.letGo = resolve));
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call?.call === name) {
        Worker.prototype.postMessage = postMessage;
        const take = this.onmessage;
        this.onmessage = async (event) => {
          await window.held;
          take(event);
        };
      }
      postMessage.call(this, message, ...rest);
    };
  }, name);
  return () => page.evaluate(() => window.letGo());
}

/** Clicks a button. `meanwhile` is called between press and release. */
export async function pressDuring(page, selector, meanwhile) {
  await page.hover(selector);
  await page.mouse.down();
  await meanwhile();
  // Time for the page to show the results, which it must not do before the release.
  await page.waitForTimeout(200);
  await page.mouse.up();
}

/** Time in milliseconds between downloads. Chromium silently drops the eleventh download within a second. */
const BETWEEN_DOWNLOADS = 110;

/** Clicks a button that saves a file, and returns the contents of the file. */
export async function saved(page, selector) {
  await page.waitForTimeout(BETWEEN_DOWNLOADS);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return readFileSync(await download.path());
}

/** Opens an empty page in Chromium or in Firefox. Only functions that both libraries have in common may be used. */
export async function openEmpty(name) {
  const isChromium = name === 'Chromium';
  const browser = await (isChromium ? chromium.launch(CHROMIUM) : puppeteer.launch(FIREFOX));
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints, close: () => browser.close() };
}
