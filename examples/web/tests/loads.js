// Cold loads of the page, from a server that compresses and allows caching as usual static hosts do.

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

import { sample } from '../codec/test/program.js';
import { CHROMIUM, root } from './browser.js';

const dist = join(root, 'examples/web/page/dist');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** The preset "Fast 3G" of Chromium's developer tools: 1.6 Mbit/s and 150 ms, corrected for its way of throttling. */
const FAST_3G = { offline: false, latency: 150 * 3.75, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (750e3 / 8) * 0.9 };

/** Serves the page, an empty page and 300 kB. `transferred` counts all bytes sent, with headers. */
async function host() {
  const bare = randomBytes(300_000);
  const paths = [];
  const sockets = new Set();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    paths.push(path);
    if (path === '/empty') return response.setHeader('Content-Type', 'text/html').end('<!doctype html>');
    if (path === '/bare') return response.end(bare);
    const file = normalize(join(dist, path === '/' ? 'index.html' : path));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    const type = TYPES[extname(file)];
    const headers = { 'Content-Type': type ?? 'application/octet-stream', 'Cache-Control': 'max-age=600' };
    const contents = readFileSync(file);
    if (type) response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }).end(gzipSync(contents));
    else response.writeHead(200, headers).end(contents);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transferred = () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
  return { url: `http://127.0.0.1:${server.address().port}/`, paths, transferred, close: () => (server.closeAllConnections(), server.close()) };
}

/** Opens an empty tab of a new profile. */
async function tab(isThrottled) {
  const browser = await chromium.launch(CHROMIUM);
  const page = await (await browser.newContext()).newPage();
  if (isThrottled) {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', FAST_3G);
  }
  return { browser, page };
}

/**
 * Loads the page with an empty cache, and chooses the sample as soon as the page accepts a file. `later` is called after
 * the verdict. `seconds` is the time from the request for the page to the verdict.
 */
export async function coldLoad({ isThrottled = false, later = async () => {} } = {}) {
  const server = await host();
  const { browser, page } = await tab(isThrottled);
  try {
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.waitForSelector('#input', { state: 'attached' });
    await page.setInputFiles('#input', sample);
    const verdict = await page.waitForFunction(() => {
      const text = document.querySelector('#verdict h2')?.textContent;
      return text && !/: (reading|waiting)$/.test(text) && { text, seconds: performance.now() / 1000 };
    });
    const first = { ...(await verdict.jsonValue()), bytes: server.transferred(), paths: [...server.paths] };
    await later(page, server.paths);
    return first;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Time in seconds that a throttled page needs to fetch 300 kB. */
export async function bareFetch() {
  const server = await host();
  const { browser, page } = await tab(true);
  try {
    await page.goto(`${server.url}empty`);
    return await page.evaluate(async () => {
      const begin = performance.now();
      await (await fetch('/bare')).arrayBuffer();
      return (performance.now() - begin) / 1000;
    });
  } finally {
    await browser.close();
    server.close();
  }
}
