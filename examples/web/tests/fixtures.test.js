// Every fixture in Chromium: the page shows the verdict of the program and the findings, without errors in the console.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { check, folders } from '../codec/test/program.js';
import { asList, choose, openPage } from './browser.js';

let opened;
before(async () => (opened = await openPage()));
after(() => opened.close());

/** The word that the page shows. Files of other formats are not read or not recognised, which is no damage. */
function wordOf({ verdict, format, findings }) {
  // The page decompresses gzip files. The fixture is an incomplete one.
  if (findings.some(({ rule, message }) => rule === 'compression-damaged' && message.startsWith('the gzip data'))) return 'unreadable';
  if (findings.some(({ rule, message }) => rule === 'format-not-read' && !message.includes('| linkstream'))) return 'not read';
  return format === 'unknown' ? 'not recognised' : verdict;
}

test('every fixture has the verdict of the program', async (t) => {
  const { page, complaints } = opened;
  let files = 0;
  for (const [folder, names] of folders()) {
    // Volumes are tested as file sets in page.test.js.
    const single = names.filter((name) => !/\.vol\d{4,}$/.test(name));
    if (single.length === 0 || /vol\d{4}$/.test(folder)) continue;
    const expected = check(folder, single, '--slices');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await choose(page, single.map((name) => join(folder, name)));
    if (single.length > 1) await asList(page);
    const shown = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('.file')];
      const one = document.querySelector('#verdict h2').textContent.split(': ');
      return rows.length > 0
        ? rows.map((row) => [row.lastChild.textContent.trim(), row.querySelector('.word').textContent])
        : [[one.slice(0, -1).join(': '), one.at(-1)]];
    });
    for (const [name, word] of shown) assert.equal(word, wordOf(expected.get(name)), join(folder, name));
    assert.equal(shown.length, single.length, folder);
    files += shown.length;
  }
  assert.deepEqual(complaints, []);
  assert.ok(files > 400, `${files} files`);
  t.diagnostic(`${files} fixtures`);
});

test('findings of broken files of every class are shown, with a link to the byte', async (t) => {
  const { page, complaints } = opened;
  const classes = new Map();
  for (const [folder, names] of folders()) {
    const single = names.filter((name) => !/\.vol\d{4,}$/.test(name));
    if (single.length === 0 || /vol\d{4}$/.test(folder)) continue;
    for (const [name, report] of check(folder, single)) {
      for (const finding of report.findings) {
        // Messages of gzip files are about their contents. Files that are not recognised have no findings: the verdict says it.
        if (!classes.has(finding.class) && !['unreadable', 'not read', 'not recognised'].includes(wordOf(report))) classes.set(finding.class, [join(folder, name), finding, report]);
      }
    }
  }
  assert.ok(classes.size >= 10, [...classes.keys()].join());
  for (const [errorClass, [path, finding]] of classes) {
    await page.goto(`${opened.server.url}#view=findings`);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await choose(page, path);
    // Each part of a message has a line of its own. Parts with commands are left out.
    const [part] = finding.message.split('; ');
    const item = page.locator('.findings li', { hasText: part }).first();
    assert.match(await item.textContent(), new RegExp(finding.rule), errorClass);
    assert.match(await item.locator('a').getAttribute('href'), new RegExp(`offset=${finding.offset}`));
  }
  assert.deepEqual(complaints, []);
  t.diagnostic(`classes: ${[...classes.keys()].sort().join(', ')}`);
});
