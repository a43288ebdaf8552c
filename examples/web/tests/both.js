// Tests that run in Chromium and in Firefox, or in the browsers named in LINKSTREAM_BROWSERS.

import { after, before, beforeEach, describe } from 'node:test';

import { openFirefox, openPage } from './browser.js';

export const BROWSERS = (process.env.LINKSTREAM_BROWSERS ?? 'Chromium Firefox').split(' ');

/**
 * Defines tests for each browser. `define` is given an object with the page, which is reloaded before each test, and
 * functions that both of the libraries that control browsers can do.
 */
export function inBoth(define) {
  for (const browser of BROWSERS) {
    describe(browser, () => {
      const it = new Used(browser === 'Firefox');
      before(async () => {
        it.opened = it.isFirefox ? await openFirefox() : await openPage();
      });
      after(() => it.opened.close());
      beforeEach(async () => {
        await it.visit('#');
        await it.page.evaluate(() => localStorage.clear());
      });
      define(it);
    });
  }
}

class Used {
  constructor(isFirefox) {
    this.isFirefox = isFirefox;
  }

  get page() {
    return this.opened.page;
  }

  /** Loads the page again, with this end of its address. */
  async visit(hash) {
    await this.page.goto(`${this.opened.server.url}${hash}`);
    await this.page.reload();
    await this.page.waitForSelector('body[data-ready]');
  }

  /** Chooses files of the disk. */
  async choose(...paths) {
    if (this.isFirefox) await (await this.page.$('#input')).uploadFile(...paths);
    else await this.page.setInputFiles('#input', paths);
  }

  /** Waits until a function, which is given one argument, returns something true in the page. */
  until(condition, argument) {
    return this.page.waitForFunction(condition, this.isFirefox ? {} : argument, argument);
  }

  heading(text) {
    return this.until((text) => document.querySelector('#verdict h2')?.textContent === text, text);
  }

  click(selector) {
    return this.page.$eval(selector, (node) => node.click());
  }

  texts(selector) {
    return this.page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));
  }

  frames() {
    return this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Holds back all answers of workers to calls with this name, until `letGo`. */
  hold(name) {
    return this.page.evaluate((name) => {
      const { postMessage } = Worker.prototype;
      const held = new Promise((resolve) => (window.letGo = resolve));
      const holding = new WeakSet();
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.call?.call === name && !holding.has(this)) {
          holding.add(this);
          const take = this.onmessage;
          this.onmessage = async (event) => {
            await held;
            take(event);
          };
        }
        postMessage.call(this, message, ...rest);
      };
    }, name);
  }

  letGo() {
    return this.page.evaluate(() => window.letGo());
  }

  /** Chooses files that take a while to read, and report progress all the time. */
  chooseSlow(names, megabytes) {
    return this.page.evaluate(([names, megabytes]) => {
      const zeros = new Uint8Array(1 << 20);
      const transfer = new DataTransfer();
      // A LIME record whose payload is long: the file is read to its end.
      const header = new Uint8Array(144);
      const view = new DataView(header.buffer);
      view.setUint32(0, 0x456789ab);
      view.setUint16(4, 1);
      view.setUint16(6, 0xc000);
      view.setBigUint64(8, BigInt(megabytes) << 20n);
      new TextEncoder().encodeInto('some-data', header.subarray(16));
      for (const name of names) transfer.items.add(new File([header, ...Array(megabytes).fill(zeros)], name));
      const input = document.querySelector('#input');
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, [names, megabytes]);
  }
}
