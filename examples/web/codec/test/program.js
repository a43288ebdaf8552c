// The program and the fixtures: tests compare the package with reports of the program.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const fixtures = join(root, 'host-tests/fixtures');
export const program = join(root, 'target/release/linkstream');

/** Directories of fixtures, with the names of the files in each. */
export function folders() {
  const found = new Map();
  for (const entry of readdirSync(fixtures, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(toml|md|gitattributes|csv|txt)$/.test(entry.name)) continue;
    const folder = entry.parentPath;
    found.set(folder, [...(found.get(folder) ?? []), entry.name]);
  }
  return found;
}

export const sample = join(root, 'examples/su3-4x4x4x8.lime');

/** Reports that `check --json` prints about files of a directory, by their names. */
export function check(folder, names, ...options) {
  const { stdout, error } = spawnSync(program, ['check', '--json', '--threads', '1', ...options, '--', ...names], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  const reports = stdout.trim().split('\n').map((line) => JSON.parse(line));
  return new Map(reports.map((report) => [report.file, report]));
}

/** Report that it prints about one file. */
export function checkOne(path, ...options) {
  return check(dirname(path), [basename(path)], ...options).get(basename(path));
}
