/** Matrices as NPY, CSV and raw bytes, made some rows at a time, in blobs: the browser may keep these on the disk. */

import type { Report } from 'linkstream';
import { integer } from './format';
import type { Item } from './item';
import { npyHeader } from './npy';
import { fileBytes } from './records';
import type { Running } from './task';

const ROWS_AT_A_TIME = 1024;
/** NumPy's type of each type of matrix. */
const TYPES: Record<string, string> = { B: '|b1', Z: '<i8', R: '<f8', C: '<c16' };

type Entries = ArrayLike<number | bigint> & ArrayBufferView;

/** Length of the header of an INEBIN file, in bytes. */
const HEADER = 16;

/** The entries as they are stored in the file. */
export function matrixAsBytes(item: Item, report: Report, running: Running): Promise<BlobPart[]> {
  return fileBytes(item, HEADER, report.bytes, running);
}

export async function matrixAsNpy(item: Item, report: Report, running: Running): Promise<BlobPart[]> {
  const header = npyHeader(TYPES[report.type ?? ''], [report.rows ?? 0, report.columns ?? 0]);
  return [header, ...(await pieces(item, report, running, (entries) => entries as unknown as Uint8Array<ArrayBuffer>))];
}

export function matrixAsCsv(item: Item, report: Report, running: Running): Promise<BlobPart[]> {
  const columns = report.columns ?? 0;
  const isComplex = report.type === 'C';
  const width = isComplex ? 2 * columns : columns;
  return pieces(item, report, running, (entries) => {
    let text = '';
    for (let at = 0; at < entries.length; at += width) {
      const row: string[] = [];
      for (let column = 0; column < columns; column += 1) {
        const i = at + (isComplex ? 2 * column : column);
        row.push(isComplex ? `${entries[i]} ${entries[i + 1]}` : String(entries[i]));
      }
      text += `${row.join(',')}\n`;
    }
    return text;
  });
}

async function pieces(
  item: Item,
  report: Report,
  { signal, progress }: Running,
  convert: (entries: Entries) => BlobPart,
): Promise<Blob[]> {
  const rows = report.rows ?? 0;
  const file = await item.open();
  const parts: Blob[] = [];
  for (let from = 0; from < rows; from += ROWS_AT_A_TIME) {
    const to = Math.min(rows, from + ROWS_AT_A_TIME);
    parts.push(new Blob([convert(await file.readMatrix({ from, to, signal }))]));
    progress(to / rows, `${integer(to)} of ${integer(rows)} rows`);
  }
  return parts;
}
