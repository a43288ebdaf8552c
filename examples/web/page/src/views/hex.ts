/** Bytes in hexadecimal, one page at a time. */

import { latest } from '../attempt';
import { button, element } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';

const PAGE = 512;
const WIDTH = 16;

/** A range of bytes to show. */
export interface Shown {
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
  return { begin, length, of: 'the file', read: async (from, size) => (await item.open()).readBytes(from, size, { volume }) };
}

/** Shows the page that contains the byte with number `focus`, and marks its line. Without `focus`, the first page. */
export function hexView({ begin, length, of, read }: Shown, focus?: number): HTMLElement {
  const root = element('div', { class: 'hex' });
  if (length === 0) {
    root.append(element('p', {}, 'There are no bytes.'));
    return root;
  }
  const last = Math.ceil(length / PAGE) - 1;
  const within = (page: number) => Math.min(last, Math.max(0, page));
  // The buttons count from the page requested last, which may not have been read yet.
  let asked = 0;
  const show = latest(root, async (page: number) => {
    asked = page;
    const from = begin + page * PAGE;
    const size = Math.min(PAGE, begin + length - from);
    const move = (label: string, to: (from: number) => number) =>
      button(label, () => void show(within(to(asked))), { disabled: within(to(page)) === page });
    const data = await read(from, size);
    return [
      element('p', {}, `Bytes ${integer(from)} to ${integer(from + data.length - 1)} of ${of}, page ${integer(page + 1)} of ${integer(last + 1)}`),
      element('p', { class: 'actions' },
        move('First', () => 0), move('Previous', (from) => from - 1), move('Next', (from) => from + 1), move('Last', () => last)),
      element('pre', { role: 'region', tabindex: '0', 'aria-label': `Bytes of ${of}` }, ...lines(data, from, focus)),
    ];
  });
  void show(within(Math.floor(((focus ?? begin) - begin) / PAGE)));
  return root;
}

function lines(data: Uint8Array, from: number, focus = -1): (Node | string)[] {
  const out: (Node | string)[] = [];
  for (let at = 0; at < data.length; at += WIDTH) {
    const row = data.subarray(at, at + WIDTH);
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(WIDTH * 3);
    const text = [...row].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    const line = `${(from + at).toString().padStart(12)}  ${hex} ${text}\n`;
    const isFocus = focus >= from + at && focus < from + at + WIDTH;
    out.push(isFocus ? element('mark', {}, line) : line);
  }
  return out;
}
