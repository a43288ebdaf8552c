// LIME files with one record that takes no room on the disk.

import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A directory that is removed after the tests. */
export const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
after(() => rmSync(folder, { recursive: true }));

/** Makes a LIME file with one record of `length` bytes, which take no room on the disk. */
export function sparse(name, length) {
  const header = Buffer.alloc(144);
  header.writeUInt32BE(0x456789ab, 0);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(0xc000, 6);
  header.writeBigUInt64BE(BigInt(length), 8);
  header.write('payload', 16);
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, 144 + Math.ceil(length / 8) * 8);
  closeSync(file);
  return path;
}
