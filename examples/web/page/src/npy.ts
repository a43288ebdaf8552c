/** NPY files, version 1.0. */

import type { ArrayEntry } from 'linkstream';

const ALIGNMENT = 64;
const BEFORE = 10;

/** The header of an NPY file with an array in C order. `type` is NumPy's, such as `>f8`. */
export function npyHeader(type: string, shape: number[]): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((BEFORE + text.length + 1) / ALIGNMENT) * ALIGNMENT - BEFORE;
  const padded = `${text.padEnd(length - 1)}\n`;
  return new Uint8Array([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, length & 255, length >> 8, ...new TextEncoder().encode(padded)]);
}

const SIZES = { f32: 4, f64: 8, i32: 4, u8: 1 };

/** Type and shape of an array in NumPy, where real and imaginary part are one complex number. */
export function npyArray({ type, shape, axes }: ArrayEntry, order: '<' | '>'): { type: string; shape: number[] } {
  const size = SIZES[type];
  if (axes.at(-1) === 're/im') return { type: `${order}c${2 * size}`, shape: shape.slice(0, -1) };
  return { type: size === 1 ? '|u1' : `${order}${type[0]}${size}`, shape };
}

/** Bytes as an NPY array of numbers from 0 to 255. Bytes of a chosen file are read only while the array is saved. */
export function bytesAsNpy(bytes: BlobPart[]): BlobPart[] {
  // The length is counted, since a truncated file has fewer bytes than its headers announce.
  const data = new Blob(bytes);
  return [npyHeader('|u1', [data.size]), data];
}
