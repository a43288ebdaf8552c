// The element <linkstream-report> in Chromium and Firefox: on the example page of a portal, and on pages that this file makes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { BROWSERS } from './both.js';
import { fixtures, openEmpty, root } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const whole = readFileSync(sample);
const wrong = readFileSync(join(fixtures, 'broken-inebin/trailing-1.bin'));

/** Answers to requests that are not files: `html` is the body of the page, and `broken` whether the network is down. */
const state = { html: '', broken: false, headers: {}, requests: [], ended: [] };

async function listen() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    state.requests.push(path);
    const send = (bytes, type = 'application/octet-stream') => response.writeHead(200, { 'Content-Type': type, ...state.headers }).end(bytes);
    if (path === '/page') return send(`<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><main>${state.html}</main><script type="module" src="/examples/web/codec/dist/report-element.js"></script>`, 'text/html');
    if (path === '/good.lime') return send(whole);
    if (path === '/wrong.bin') return send(wrong);
    if (path === '/sometimes.lime') return state.broken ? response.writeHead(503).end() : send(whole);
    if (path.startsWith('/slow')) {
      // The first half, and then nothing.
      response.on('close', () => state.ended.push(path));
      response.writeHead(200, { 'Content-Length': whole.length }).write(whole.subarray(0, whole.length / 2));
      return undefined;
    }
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      return send(readFileSync(file), TYPES[extname(file)]);
    } catch {
      return response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let [here, elsewhere] = [];
const address = (server, path) => `http://127.0.0.1:${server.address().port}${path}`;
before(async () => ([here, elsewhere] = [await listen(), await listen()]));
after(() => {
  for (const server of [here, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});

for (const name of BROWSERS) {
  describe(name, () => {
    let page;
    let complaints;
    let close;
    before(async () => ({ page, complaints, close } = await openEmpty(name)));
    after(() => close());

    /** Opens a page with this body. Then the element is defined. */
    async function show(html, headers = {}) {
      Object.assign(state, { html, headers, broken: false });
      [state.requests.length, state.ended.length] = [0, 0];
      await page.goto(address(here, '/page'));
      await page.evaluate(() => customElements.whenDefined('linkstream-report').then(() => true));
    }

    /** Waits until an element has one of some states, and returns what it shows. */
    const settled = (selector = 'linkstream-report', states = ['ok', 'unverified', 'wrong', 'unreadable']) =>
      page.evaluate(async ([selector, states]) => {
        const element = document.querySelector(selector);
        for (const end = performance.now() + 20_000; !states.includes(element.state); ) {
          if (performance.now() > end) throw new Error(`still ${element.state}`);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        const part = (name) => element.shadowRoot.querySelector(`[part=${name}]`)?.textContent;
        return {
          state: element.state, verdict: part('verdict'), physics: part('physics'), sentence: part('sentence'),
          findings: part('findings'), error: part('error'), file: element.report?.file, plaquette: element.report?.fields[0]?.plaquette,
        };
      }, [selector, states]);

    test('the page of a portal', async () => {
      state.headers = {};
      await page.goto(address(here, '/examples/web/portal/'));
      const rows = [];
      for (const row of [1, 2, 3]) rows.push(await settled(`tr:nth-child(${row}) linkstream-report`));
      const [ok, unverified, wrong] = rows;
      assert.equal(ok.verdict, '✓Verified');
      assert.match(ok.physics, /^ILDG SU\(3\), 4×4×4×8, single precision, plaquette 0\.\d{5}$/);
      assert.equal(unverified.verdict, '?Not verified');
      assert.match(unverified.physics, /^scda, \d+ sections$/);
      assert.equal(wrong.verdict, '✗Wrong');
      assert.match(wrong.findings, /1 error.*inebin-/s);
      assert.equal(await page.evaluate(() => document.querySelector('#summary').textContent), '1 verified, 1 not verified, 1 wrong');
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
      assert.deepEqual(violations, []);
    });

    test('a file is read when its element becomes visible, or at once', async () => {
      await show(`<linkstream-report src="/good.lime?top"></linkstream-report><div style="height: 5000px"></div>
        <linkstream-report id="below" src="/wrong.bin"></linkstream-report>`);
      await settled();
      assert.equal(await page.evaluate(() => document.querySelector('#below').state), 'waiting');
      assert.ok(!state.requests.includes('/wrong.bin'));
      await page.evaluate(() => document.querySelector('#below').scrollIntoView());
      assert.equal((await settled('#below')).state, 'wrong');
      await show('<div style="height: 5000px"></div><linkstream-report src="/wrong.bin" loading="eager"></linkstream-report>');
      assert.equal((await settled()).state, 'wrong');
    });

    test('another src, and removal, end what is read', async () => {
      await show('<linkstream-report src="/slow-1"></linkstream-report><linkstream-report id="second" src="/slow-2"></linkstream-report>');
      await settled('linkstream-report', ['loading']);
      while (!state.requests.includes('/slow-1') || !state.requests.includes('/slow-2')) await new Promise((resolve) => setTimeout(resolve, 10));
      await page.evaluate(() => {
        window.reports = [];
        for (const event of ['linkstream-report', 'linkstream-error']) document.addEventListener(event, ({ target, type }) => reports.push([target.src, type]));
        document.querySelector('linkstream-report').src = '/good.lime';
        document.querySelector('#second').remove();
      });
      const { file, plaquette } = await settled('linkstream-report', ['ok']);
      assert.equal(file, 'good.lime');
      assert.ok(plaquette > 0.5);
      while (state.ended.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual([...new Set(state.ended)].sort(), ['/slow-1', '/slow-2']);
      assert.deepEqual(await page.evaluate(() => reports), [['/good.lime', 'linkstream-report']]);
    });

    test('an element that is moved reads its file again, and one without src waits', async () => {
      await show('<linkstream-report src="/good.lime"></linkstream-report><section></section>');
      await settled();
      await page.evaluate(() => document.querySelector('section').append(document.querySelector('linkstream-report')));
      assert.equal((await settled('section linkstream-report', ['ok'])).verdict, '✓Verified');
      await page.evaluate(() => document.querySelector('linkstream-report').removeAttribute('src'));
      assert.match((await settled('linkstream-report', ['waiting'])).sentence, /No file/);
    });

    test('errors name their cause, and reading can be tried again', async () => {
      await show('<linkstream-report src="/sometimes.lime"></linkstream-report>');
      await settled();
      state.broken = true;
      await page.evaluate(() => document.querySelector('linkstream-report').reload());
      const { verdict, error } = await settled('linkstream-report', ['unreadable']);
      assert.equal(verdict, '✗Unreadable');
      assert.match(error, /cannot be read: the server answered 503$/);
      state.broken = false;
      await page.evaluate(() => document.querySelector('linkstream-report').shadowRoot.querySelector('[part=retry]').click());
      assert.equal((await settled('linkstream-report', ['ok'])).verdict, '✓Verified');
      await show(`<linkstream-report src="${address(elsewhere, '/good.lime')}"></linkstream-report>`);
      const refused = await settled();
      assert.equal(refused.state, 'unreadable');
      assert.ok(refused.error.includes(`"Access-Control-Allow-Origin: ${address(here, '')}"`), refused.error);
      await show('<linkstream-report src="http://"></linkstream-report>');
      assert.equal((await settled()).state, 'unreadable');
    });

    test('the attributes open and no-observables', async () => {
      await show('<linkstream-report src="/good.lime" open></linkstream-report>');
      const opened = await settled();
      assert.deepEqual([opened.verdict, opened.plaquette], ['–Structure read', undefined]);
      assert.match(opened.physics, /^ILDG links of 3×3 complex numbers, 4×4×4×8, single precision$/);
      await page.evaluate(() => document.querySelector('linkstream-report').removeAttribute('open'));
      assert.ok((await settled('linkstream-report', ['ok'])).plaquette > 0.5);
      await show('<linkstream-report src="/good.lime" no-observables></linkstream-report>');
      const { state: verdict, plaquette } = await settled();
      assert.deepEqual([verdict, plaquette], ['ok', undefined]);
    });

    test('many elements use two workers', async () => {
      await show('');
      const [workers, states] = await page.evaluate(async () => {
        let workers = 0;
        const Original = Worker;
        window.Worker = class extends Original {
          constructor(...given) {
            super(...given);
            workers += 1;
          }
        };
        const elements = Array.from({ length: 12 }, (_, i) => Object.assign(document.createElement('linkstream-report'), { src: `/good.lime?${i}` }));
        const ended = Promise.all(elements.map((element) => new Promise((resolve) => element.addEventListener('linkstream-report', resolve))));
        elements.forEach((element) => element.setAttribute('loading', 'eager'));
        document.querySelector('main').append(...elements);
        await ended;
        window.Worker = Original;
        return [workers, elements.map(({ state }) => state)];
      });
      assert.ok(workers <= 2, `${workers} workers`);
      assert.deepEqual(new Set(states), new Set(['ok']));
    });

    test('a strict content security policy', async () => {
      await show('<linkstream-report src="/good.lime"></linkstream-report>', {
        'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:",
      });
      assert.equal((await settled()).verdict, '✓Verified');
      const colour = await page.evaluate(() => getComputedStyle(document.querySelector('linkstream-report').shadowRoot.querySelector('[part=verdict]')).color);
      assert.equal(colour, 'rgb(10, 107, 45)');
    });

    test('colours follow the page and its custom properties', async () => {
      await show('<linkstream-report src="/good.lime"></linkstream-report>');
      await settled();
      const colours = await page.evaluate(() => {
        const element = document.querySelector('linkstream-report');
        const colour = () => getComputedStyle(element.shadowRoot.querySelector('[part=verdict]')).color;
        const found = [];
        for (const scheme of ['light', 'dark']) {
          document.documentElement.style.colorScheme = scheme;
          found.push(colour());
        }
        element.style.setProperty('--linkstream-ok', 'rgb(1, 2, 3)');
        return [...found, colour()];
      });
      assert.deepEqual(colours, ['rgb(10, 107, 45)', 'rgb(125, 219, 155)', 'rgb(1, 2, 3)']);
    });

    test('no page has reported another error than those that were made', () => {
      // Firefox reports downloads that are aborted, and the refused request to another origin.
      const made = /^(Failed to read data from the ReadableStream: “AbortError|Cross-Origin Request Blocked: )/;
      assert.deepEqual(complaints.filter((complaint) => !made.test(complaint)), []);
    });
  });
}
