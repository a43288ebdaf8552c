// node load.js: measures the first verdict of the page after a cold load through a slow network, and prints a table.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

import { sample } from '../codec/test/program.js';
import { CHROMIUM, root } from './browser.js';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
/** Chromium's preset "Fast 3G" (now "Slow 4G"): bits per second, and milliseconds of latency. */
const FAST_3G = { downloadThroughput: (1.6e6 * 0.9) / 8, uploadThroughput: (750e3 * 0.9) / 8, latency: 562.5 };
/** Size in bytes of the file whose bare download is measured in the same run. */
const BARE = 300_000;

/** Serves the built page with gzip, as hosts of static pages do. */
export async function serveGzipped() {
  /** Path and size of the body of each answer. */
  const answers = [];
  const bare = Buffer.alloc(BARE, 7);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    if (path === '/bare') return response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(bare);
    const file = normalize(join(root, 'examples/web/page/dist', path === '/' ? 'index.html' : path));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    const type = TYPES[extname(file)];
    if (!type) return createReadStream(file).pipe(response.writeHead(200, { 'Content-Type': 'application/octet-stream' }));
    const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache' };
    const body = gzipSync(readFileSync(file), { level: 9 });
    answers.push([path, body.length]);
    return response.writeHead(200, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, answers, close: () => server.close() };
}

/**
 * Opens the page, chooses the sample as soon as possible, and returns what the server sent before the verdict. `after` is
 * called before the browser is closed.
 */
export async function firstVerdict({ network, after } = {}) {
  const server = await serveGzipped();
  const browser = await chromium.launch(CHROMIUM);
  try {
    const page = await (await browser.newContext()).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    if (network) await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
    const begin = performance.now();
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.waitForSelector('#input', { state: 'attached' });
    await page.setInputFiles('#input', sample);
    await page.waitForSelector('#verdict.good');
    const seconds = (performance.now() - begin) / 1000;
    const files = [...server.answers];
    const bare = network
      ? await page.evaluate(async () => {
          const from = performance.now();
          await (await fetch('bare', { cache: 'no-store' })).arrayBuffer();
          return (performance.now() - from) / 1000;
        })
      : undefined;
    const more = after ? await after({ page, server }) : undefined;
    return { seconds, bare, files, more };
  } finally {
    await browser.close();
    server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { seconds, bare, files } = await firstVerdict({ network: FAST_3G });
  for (const [name, bytes] of files) console.log(`${bytes.toLocaleString('en').padStart(9)}  ${name}`);
  const sum = files.reduce((total, [, bytes]) => total + bytes, 0);
  console.log(`${sum.toLocaleString('en').padStart(9)}  bytes before the first verdict, in ${files.length} requests`);
  console.log(`first verdict after ${seconds.toFixed(2)} s; a bare download of ${BARE.toLocaleString('en')} bytes takes ${bare.toFixed(2)} s`);
}
