// Findings on 20,000 files, the most that the page takes: the page stays responsive.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { CALM, emptyStore, history, manifest } from '../../codec/test/store.js';
import { openPage, root } from '../browser.js';

const FILES = 20_000;
/** Longest time in milliseconds that the page may be blocked. */
const LONGEST = 300;

let folder, opened;
before(async () => {
  folder = emptyStore();
  history(folder, CALM);
  opened = await openPage({ folders: { '/codec/': `${root}examples/web/codec/dist` } });
});
after(async () => {
  await opened?.close();
  rmSync(folder, { recursive: true });
});

test('20,000 files', async (t) => {
  const { found, seconds, longest } = await opened.page.evaluate(async ([some, files]) => {
    const { ensemble, preload } = await import('/codec/index.js');
    const entries = some.map((line) => JSON.parse(line));
    // Each file has other data. One is missing.
    const lines = Array.from({ length: files + 1 }, (_, index) => {
      const entry = structuredClone(entries[index % entries.length]);
      entry.file = `lat.${10 * (index + 1)}`;
      entry.sha256 = String(index).padStart(64, '0');
      Object.assign(entry.fields[0], { cksum: index, link_trace: entry.fields[0].link_trace + index * 1e-9 });
      return JSON.stringify(entry);
    });
    lines.splice(files / 2, 1);
    await preload(1, ['ensemble']);
    let longest = 0;
    let isDone = false;
    const beat = (last) => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      if (!isDone) setTimeout(() => beat(now), 5);
    };
    beat(performance.now());
    const since = performance.now();
    const found = await ensemble(lines);
    isDone = true;
    return { found, seconds: (performance.now() - since) / 1000, longest };
  }, [manifest(folder), FILES]);
  t.diagnostic(`${seconds.toFixed(2)} s; blocked for at most ${longest.toFixed(0)} ms`);
  assert.deepEqual(found.ensembles[0].findings.map(({ kind }) => kind), ['gap']);
  assert.equal(found.ensembles[0].files, FILES);
  assert.ok(longest < LONGEST, `${longest} ms`);
});
