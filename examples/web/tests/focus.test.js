// The keyboard focus in Chromium and Firefox: it stays nearby when the focused control vanishes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { inBoth } from './both.js';
import { fixtures, root } from './browser.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const matrix = join(fixtures, 'inebin/real-asymmetric.bin');
const sections = join(fixtures, 'scda/compressed-varrays.scda');

inBoth((it) => {
  /** Presses a control by the keyboard. */
  const press = async (selector) => {
    await it.page.focus(selector);
    await it.page.keyboard.press('Enter');
  };
  const focused = () => it.page.evaluate(() => {
    const { tagName, id, textContent, ariaLabel } = document.activeElement;
    return id ? `#${id}` : `${tagName} ${ariaLabel ?? textContent}`;
  });
  const focusOn = (pattern) => it.until((pattern) => {
    const { id, textContent, ariaLabel } = document.activeElement;
    return new RegExp(pattern).test(id || ariaLabel || textContent);
  }, pattern);

  test('Cancel and Retry of the selected file', async () => {
    await it.hold('survey');
    await it.chooseSlow(['long.lime'], 1);
    await it.page.waitForSelector('#cancel');
    await press('#cancel');
    await it.heading('long.lime: cancelled');
    await focusOn('^retry$');
    await it.letGo();
    await it.page.keyboard.press('Enter');
    // The file is read again. When it has been read, a control of the report has the focus, and not one that removes it.
    await it.until(() => /: unverified$/.test(document.querySelector('#verdict h2')?.textContent ?? ''));
    await it.frames();
    assert.notEqual(await focused(), '#remove');
    assert.doesNotMatch(await focused(), /^BODY/);
  });

  test('Cancel of a file in the list, also when the file is complete before it is pressed', async () => {
    await it.hold('survey');
    await it.chooseSlow(['a.lime', 'b.lime', 'c.lime'], 1);
    await it.page.waitForSelector('[aria-label="Cancel c.lime"]');
    await it.page.focus('[aria-label="Cancel c.lime"]');
    await it.letGo();
    await it.until(() => document.querySelector('#summary').textContent === '3 unverified');
    await it.frames();
    assert.match(await focused(), /^BUTTON .*c\.lime$/);
    assert.doesNotMatch(await focused(), /Remove/);
  });

  test('Remove: the next file, then the previous one, then the choice of files', async () => {
    await it.choose(sample, matrix, sections);
    await it.until(() => document.querySelector('#summary')?.textContent === '2 ok, 1 unverified');
    await press('[aria-label="Remove real-asymmetric.bin"]');
    await it.until(() => document.querySelectorAll('#files li').length === 2);
    await focusOn('compressed-varrays.scda$');
    await press('[aria-label="Remove compressed-varrays.scda"]');
    // A single file has no list.
    await it.until(() => document.querySelector('#files').hidden);
    await it.frames();
    assert.doesNotMatch(await focused(), /^BODY|Remove/);
    await press('#remove');
    await it.until(() => document.querySelector('#choose.first'));
    await it.frames();
    assert.equal(await focused(), '#input');
  });

  test('a click elsewhere, or Tab, moves the focus as always', async () => {
    await it.choose(sample, matrix);
    await it.until(() => document.querySelector('#summary')?.textContent === '1 ok, 1 unverified');
    await it.page.focus('[aria-label="Remove real-asymmetric.bin"]');
    await it.page.evaluate(() => document.activeElement.blur());
    await it.click('[aria-label="Remove real-asymmetric.bin"]');
    await it.until(() => document.querySelector('#files').hidden);
    await it.frames();
    assert.match(await focused(), /^BODY/);
  });
});
