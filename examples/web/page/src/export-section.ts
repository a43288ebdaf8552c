/**
 * The elements of scda sections as NPY and CSV. What is made of them are blobs, which the browser may keep on the disk.
 */

import { npyHeader } from './npy';

/** Elements one after the other. */
export interface Elements {
  data: Blob;
  /** The number of the first one. */
  first: number;
  count: number;
  /** Bytes of each element, or of all of them if they have the same size. */
  sizes: number | number[];
}

/** A row of bytes for each element; `undefined` if they have different sizes. */
export function elementsAsNpy({ data, count, sizes }: Elements): BlobPart[] | undefined {
  const size = typeof sizes === 'number' ? sizes : sizes[0];
  const isArray = typeof sizes === 'number' || sizes.every((other) => other === size);
  return isArray ? [npyHeader('|u1', [count, size]), data] : undefined;
}

/** Bytes of the data that are read at a time. */
const PIECE = 1 << 20;

/** A line for each element: its number, its size in bytes, and its bytes in hexadecimal. */
export async function elementsAsCsv({ data, first, count, sizes }: Elements): Promise<Blob[]> {
  const text = new Text();
  let element = -1;
  let rest = 0;
  const next = () => {
    element += 1;
    rest = typeof sizes === 'number' ? sizes : sizes[element];
    text.put(`${element === 0 ? '' : '\n'}${first + element},${rest},`);
  };
  for (let from = 0; from < data.size; from += PIECE) {
    const piece = new Uint8Array(await data.slice(from, from + PIECE).arrayBuffer());
    for (let at = 0; at < piece.length; ) {
      while (rest === 0) next();
      const bytes = piece.subarray(at, at + rest);
      text.putHex(bytes);
      at += bytes.length;
      rest -= bytes.length;
    }
  }
  // Those at the end without bytes.
  while (element + 1 < count) next();
  text.put('\n');
  return text.parts();
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** A long text, of which only a piece is in memory. */
class Text {
  readonly #encoder = new TextEncoder();
  readonly #piece = new Uint8Array(4 * PIECE);
  #used = 0;
  #parts: Blob[] = [];

  /** A short text. */
  put(text: string): void {
    this.#reserve(text.length);
    this.#used += this.#encoder.encodeInto(text, this.#piece.subarray(this.#used)).written;
  }

  /** Bytes, of which there are no more than in a piece of the data. */
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
