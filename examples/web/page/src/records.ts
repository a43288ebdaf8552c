/** Records of LIME files and their places. */

import type { Report } from 'linkstream';
import type { Item } from './item';

const HEADER = 144;

/** Offsets of records, and of the fields in them, are those of the records' headers. */
export function payloadOffset(record: { offset: number }): number {
  return record.offset + HEADER;
}

/** The data of a field in the chosen file; `undefined` if there are several files, or it is not on this machine. */
export function payload(item: Item, field: { offset: number }, length: number): Blob | undefined {
  const [source] = item.sources;
  const begin = payloadOffset(field);
  return !item.isSet && source instanceof Blob ? source.slice(begin, begin + length) : undefined;
}

/** Bytes of a remote file that are read at a time: the browser may keep what is there already on the disk. */
const PIECE = 4 << 20;

/** The payload of a record, of the first volume of a set. */
export function recordBytes(item: Item, record: { offset: number; length: number }): Promise<BlobPart[]> {
  const begin = payloadOffset(record);
  return fileBytes(item, begin, begin + record.length);
}

/** Bytes of a file. Those of a chosen file are read only while they are saved. */
export async function fileBytes(item: Item, begin: number, end: number): Promise<BlobPart[]> {
  const [source] = item.sources;
  if (source instanceof Blob) return [source.slice(begin, end)];
  const file = await item.open();
  const parts: Blob[] = [];
  for (let at = begin; at < end; at += PIECE) {
    parts.push(new Blob([(await file.readBytes(at, Math.min(PIECE, end - at))) as Uint8Array<ArrayBuffer>]));
  }
  return parts;
}

/** Index of the record that has a byte. */
export function recordAt(report: Report, offset: number): number | undefined {
  const index = (report.records ?? []).findLastIndex((record) => record.offset <= offset);
  return index < 0 ? undefined : index;
}

/** The view that shows a byte: in its record, if there are records. */
export function placesView(report: Report): 'structure' | 'bytes' {
  return report.records?.length ? 'structure' : 'bytes';
}
