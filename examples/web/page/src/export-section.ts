/** The elements of scda sections as NPY and CSV. The results are blobs, which the browser may keep on the disk. */

import { bytes as sizeOf } from './format';
import { npyHeader } from './npy';
import type { Running } from './task';

/** Consecutive elements of an array. */
export interface Elements {
  data: Blob;
  /** Number of the first element, counted from 0. */
  first: number;
  count: number;
  /** Size of each element in bytes, or one size if all elements have the same. */
  sizes: number | number[];
}

/** The elements as an NPY array with a row of bytes for each; `undefined` if they have different sizes. */
export function elementsAsNpy({ data, count, sizes }: Elements): BlobPart[] | undefined {
  const size = typeof sizes === 'number' ? sizes : sizes[0];
  const isArray = typeof sizes === 'number' || sizes.every((other) => other === size);
  return isArray ? [npyHeader('|u1', [count, size]), data] : undefined;
}

/** Number of bytes of the data that are read at a time. */
const PIECE = 1 << 20;

/** The elements as CSV, with a line for each: its number, its size in bytes, and its bytes in hexadecimal. */
export async function elementsAsCsv({ data, first, count, sizes }: Elements, { signal, progress }: Running): Promise<Blob[]> {
  const text = new Text();
  let element = -1;
  let rest = 0;
  const next = () => {
    element += 1;
    rest = typeof sizes === 'number' ? sizes : sizes[element];
    text.put(`${element === 0 ? '' : '\n'}${first + element},${rest},`);
  };
  for (let from = 0; from < data.size; from += PIECE) {
    signal.throwIfAborted();
    progress(from / data.size, `${sizeOf(from)} of ${sizeOf(data.size)}`);
    const piece = new Uint8Array(await data.slice(from, from + PIECE).arrayBuffer());
    for (let at = 0; at < piece.length; ) {
      // Empty elements get their lines without a piece of the data.
      while (rest === 0) next();
      const bytes = piece.subarray(at, at + rest);
      text.putHex(bytes);
      at += bytes.length;
      rest -= bytes.length;
    }
  }
  // Empty elements at the end are in no piece of the data.
  while (element + 1 < count) next();
  text.put('\n');
  return text.parts();
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** Writer of a long text. Only a piece of the text is in memory. */
class Text {
  readonly #encoder = new TextEncoder();
  readonly #piece = new Uint8Array(4 * PIECE);
  #used = 0;
  #parts: Blob[] = [];

  /** Appends a text, which must be shorter than a piece. */
  put(text: string): void {
    this.#reserve(text.length);
    this.#used += this.#encoder.encodeInto(text, this.#piece.subarray(this.#used)).written;
  }

  /** Appends bytes in hexadecimal, at most as many as a piece of the data has. */
  putHex(bytes: Uint8Array): void {
    this.#reserve(2 * bytes.length);
    for (const byte of bytes) {
      this.#piece[this.#used] = DIGITS[byte >> 4];
      this.#piece[this.#used + 1] = DIGITS[byte & 15];
      this.#used += 2;
    }
  }

  parts(): Blob[] {
    this.#flush();
    return this.#parts;
  }

  #reserve(length: number): void {
    if (this.#used + length > this.#piece.length) this.#flush();
  }

  #flush(): void {
    this.#parts.push(new Blob([this.#piece.subarray(0, this.#used)]));
    this.#used = 0;
  }
}
