/** NPY files, version 1.0. */

const ALIGNMENT = 64;
const BEFORE = 10;

/** The header of an array in C order. `type` is NumPy's, such as `>f8`. */
export function npyHeader(type: string, shape: number[]): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((BEFORE + text.length + 1) / ALIGNMENT) * ALIGNMENT - BEFORE;
  const padded = `${text.padEnd(length - 1)}\n`;
  return new Uint8Array([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, length & 255, length >> 8, ...new TextEncoder().encode(padded)]);
}

/** Bytes as an array of numbers from 0 to 255. Those of a chosen file are read only while the array is saved. */
export function bytesAsNpy(bytes: BlobPart[]): BlobPart[] {
  // A file that ends early has fewer than its headers announce.
  const data = new Blob(bytes);
  return [npyHeader('|u1', [data.size]), data];
}
