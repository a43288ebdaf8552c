// The packed package in a program of Node outside of the workspace.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { sample } from '../codec/test/program.js';
import { root } from './browser.js';

test('the packed package verifies a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  try {
    const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [packed] = JSON.parse(npm('pack', '--json', join(root, 'examples/web/codec')));
    t.diagnostic(`${packed.filename}: ${packed.files.length} files, ${packed.size} bytes`);
    assert.ok(packed.files.every(({ path }) => /^(dist\/|LICENSE-(APACHE|MIT)$|README\.md$|package\.json$)/.test(path)));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    npm('install', '--offline', join(folder, packed.filename));
    copyFileSync(join(root, 'examples/web/node/verify.js'), join(folder, 'verify.js'));
    const said = execFileSync(process.execPath, ['verify.js', sample], { cwd: folder, encoding: 'utf8' });
    assert.equal(said, 'su3-4x4x4x8.lime: ok\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
