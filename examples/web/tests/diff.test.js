// The comparison of two files in Chromium and Firefox, from blobs and from addresses, and the messages about wrong sources.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { BROWSERS } from './both.js';
import { openEmpty, root } from './browser.js';
import { serve } from './server.js';

for (const name of BROWSERS) {
  describe(name, () => {
    let [opened, server] = [];
    before(async () => {
      [opened, server] = [await openEmpty(name), await serve({ '/': root })];
      await opened.page.goto(`${server.url}examples/web/portal/index.html`);
    });
    after(async () => {
      await opened.close();
      server.close();
    });

    test('equal files, and one flipped bit', async () => {
      const found = await opened.page.evaluate(async () => {
        const { diff } = await import('/examples/web/codec/dist/index.js');
        const url = new URL('/examples/su3-4x4x4x8.lime', location);
        const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
        const blob = new Blob([bytes]);
        const equal = await Promise.all([diff(url, url), diff(url, blob), diff(blob, bytes), diff(blob.stream(), url)]);
        bytes[50_000] ^= 1;
        const refusal = await diff(url, bytes).catch((error) => error.message);
        const changed = await diff(url, new File([bytes], 'copy.lime'), { damaged: true });
        return { equal: equal.map(({ same }) => same), refusal, changed };
      });
      assert.deepEqual(found.equal, [true, true, true, true]);
      assert.match(found.refusal, /^second file, file: .*checksum.*option `damaged`/);
      const { same, a, b, data, damage } = found.changed;
      assert.deepEqual([same, a, b, data[0].differing, damage.length], [false, 'su3-4x4x4x8.lime', 'copy.lime', 1, 1]);
    });

    test('a list of files, an answer and an address as text are no sources', async () => {
      const messages = await opened.page.evaluate(async () => {
        const { check } = await import('/examples/web/codec/dist/index.js');
        const { files } = Object.assign(document.createElement('input'), { type: 'file' });
        const wrong = [files, await fetch('/examples/su3-4x4x4x8.lime'), '/lat.lime', document.body];
        return Promise.all(wrong.map((source) => check(source).catch((error) => `${error.name}: ${error.message}`)));
      });
      const ends = [/FileList: pass one of its files, or Array\.from/, /Response: pass its body$/, /"\/lat\.lime": pass a URL/, /HTMLBodyElement$/];
      for (const [index, end] of ends.entries()) {
        assert.match(messages[index], /^TypeError: check: the source must be a File or Blob, a URL, a Uint8Array/);
        assert.match(messages[index], end);
      }
    });
  });
}
