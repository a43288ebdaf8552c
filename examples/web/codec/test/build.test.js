// The build of the package: it is never silent about why it ended.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const codec = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'linkstream-build-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a copy of the build with other programs in place of the compiler. */
function build(programs) {
  const copy = mkdtempSync(join(folder, 'copy-'));
  const package_ = join(copy, 'examples/web/codec');
  const tools = join(copy, 'tools');
  for (const path of [join(package_, 'dist'), tools]) mkdirSync(path, { recursive: true });
  cpSync(join(codec, 'build.js'), join(package_, 'build.js'));
  cpSync(join(codec, 'package.json'), join(package_, 'package.json'));
  cpSync(join(codec, 'modules'), join(package_, 'modules'), { recursive: true });
  symlinkSync(join(codec, '../node_modules'), join(copy, 'examples/web/node_modules'));
  writeFileSync(join(package_, 'dist/former'), '');
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  }
  const PATH = `${tools}:${process.env.PATH}`;
  const { status, stderr } = spawnSync(process.execPath, [join(package_, 'build.js')], { encoding: 'utf8', env: { ...process.env, PATH } });
  assert.deepEqual(readdirSync(join(package_, 'dist')), ['former'], 'the former package stays');
  return { status, stderr };
}

test('a compiler that is too old, or ends with an error or by a signal', () => {
  assert.ok(existsSync(join(codec, '../node_modules/esbuild')));
  const old = build({ rustc: 'echo rustc 1.91.0' });
  assert.equal(old.status, 1);
  assert.match(old.stderr, /Rust 1\.92 or later is needed; this is rustc 1\.91\.0/);
  const failed = build({ rustc: 'echo rustc 1.92.0', cargo: 'echo "error: no such crate" >&2; exit 101' });
  assert.equal(failed.status, 101);
  assert.match(failed.stderr, /error: no such crate/);
  const killed = build({ rustc: 'echo rustc 1.92.0', cargo: 'kill -KILL $$' });
  assert.equal(killed.status, 1);
  assert.match(killed.stderr, /cargo was ended by the signal SIGKILL/);
});
