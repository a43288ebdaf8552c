// The package in Deno: fixtures of every format have the same verdict as in the program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { check, folders, sample } from '../../codec/test/program.js';
import { root } from '../browser.js';

const deno = join(root, 'examples/web/node_modules/.bin/deno');

test('a file of each format and verdict', (t) => {
  const files = new Map([['sample', [sample, 'ok']]]);
  for (const [folder, names] of folders()) {
    for (const [name, { format, verdict }] of check(folder, names, '--volume')) {
      const kind = `${format}, ${verdict}`;
      if (!files.has(kind)) files.set(kind, [join(folder, name), verdict]);
    }
  }
  assert.ok(files.size >= 12, [...files.keys()].join('; '));
  for (const [path, verdict] of files.values()) {
    const script = join(root, 'examples/web/node/verify.js');
    const { stdout, stderr, status } = spawnSync(deno, ['run', '--allow-read', script, path], { encoding: 'utf8' });
    assert.match(stdout, new RegExp(`: ${verdict}\n`), `${path}: ${stderr}`);
    assert.equal(status, verdict === 'wrong' ? 1 : 0, path);
  }
  t.diagnostic(`${files.size} files: ${[...files.keys()].join('; ')}`);
});
