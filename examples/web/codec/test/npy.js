// Data of files as the program exports them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { program } from './program.js';

/** Type, shape and bytes of the array in an NPY file. */
export function array(npy) {
  const end = 10 + npy.readUInt16LE(8);
  const header = npy.toString('latin1', 10, end);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((extent) => extent.trim() !== '').map(Number);
  return { type: /'descr': '([^']+)'/.exec(header)[1], shape, data: npy.subarray(end) };
}

/** The array that the program exports from a file. */
export function exported(path, ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const out = join(folder, 'out.npy');
  const { status, stderr } = spawnSync(program, ['export', path, out, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const bytes = readFileSync(out);
  rmSync(folder, { recursive: true });
  return array(bytes);
}

/** The numbers of an array in the byte order of this machine. */
export function numbers({ type, data }) {
  const size = Number(type.slice(2)) / (type[1] === 'c' ? 2 : 1);
  const copy = Buffer.from(data);
  if (type[0] === '>') size === 4 ? copy.swap32() : copy.swap64();
  const buffer = copy.buffer.slice(copy.byteOffset, copy.byteOffset + copy.length);
  return size === 4 ? new Float32Array(buffer) : new Float64Array(buffer);
}

/** Type and shape of the array that the program exports from a field with this entry `array`. */
export function ofEntry({ type, shape, axes }) {
  const bytes = { f32: 4, f64: 8, i32: 4, u8: 1 }[type];
  if (axes.at(-1) === 're/im') return [`>c${2 * bytes}`, shape.slice(0, -1)];
  return [bytes === 1 ? '|u1' : `>${type[0]}${bytes}`, shape];
}
