/** Bytes in hexadecimal, one page at a time. */

import { useEffect, useState } from 'preact/hooks';
import { integer } from '../format';
import type { Item } from '../item';
import { Failure, useLatest } from '../task';

const PAGE = 512;
const WIDTH = 16;

/** A range of bytes to show. */
export interface Shown {
  /** Name by which a range is recognised: another name, other bytes. */
  key: string;
  /** Number of the first byte. */
  begin: number;
  /** Number of bytes. */
  length: number;
  /** Name of the object that contains the bytes, such as `the file`. */
  of: string;
  /** Reads bytes from the byte with number `from` on. */
  read(from: number, length: number): Promise<Uint8Array>;
}

/** A range of bytes of a file, or of a volume. */
export function inFile(item: Item, begin: number, length: number, volume = 0): Shown {
  return {
    key: `${item.id}/${volume}/${begin}/${length}`, begin, length, of: 'the file',
    read: async (from, size) => (await item.open()).readBytes(from, size, { volume }),
  };
}

/** Shows the page that contains the byte with number `focus`, and marks its line. Without `focus`, the first page. */
export function Hex({ shown: { key, begin, length, of, read }, focus, visits }: { shown: Shown; focus?: number; visits?: number }) {
  const last = Math.max(0, Math.ceil(length / PAGE) - 1);
  const within = (page: number) => Math.min(last, Math.max(0, page));
  const start = within(Math.floor(((focus ?? begin) - begin) / PAGE));
  const [page, setPage] = useState(start);
  useEffect(() => setPage(start), [key, focus, visits]);
  const from = begin + page * PAGE;
  const { value, error } = useLatest(
    async () => ({ page, from, data: await read(from, Math.min(PAGE, begin + length - from)) }), [key, page]);
  if (length === 0) return <div class="hex"><p>There are no bytes.</p></div>;
  const move = (label: string, to: (page: number) => number) => (
    <button type="button" disabled={within(to(page)) === page} onClick={() => setPage((now) => within(to(now)))}>{label}</button>
  );
  return (
    <div class="hex">
      {value && <p>{`Bytes ${integer(value.from)} to ${integer(value.from + value.data.length - 1)} of ${of}, page ${integer(value.page + 1)} of ${integer(last + 1)}`}</p>}
      <p class="actions">
        {move('First', () => 0)}{move('Previous', (now) => now - 1)}{move('Next', (now) => now + 1)}{move('Last', () => last)}
      </p>
      {value && <pre role="region" tabIndex={0} aria-label={`Bytes of ${of}`}>{lines(value.data, value.from, focus)}</pre>}
      <Failure message={error} />
    </div>
  );
}

function lines(data: Uint8Array, from: number, focus = -1) {
  const out = [];
  for (let at = 0; at < data.length; at += WIDTH) {
    const row = data.subarray(at, at + WIDTH);
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(WIDTH * 3);
    const text = [...row].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    const line = `${(from + at).toString().padStart(12)}  ${hex} ${text}\n`;
    const isFocus = focus >= from + at && focus < from + at + WIDTH;
    out.push(isFocus ? <mark key={at}>{line}</mark> : line);
  }
  return out;
}
