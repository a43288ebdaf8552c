/** Records of LIME files and their positions. */

import type { Report } from 'linkstream';
import { bytes } from './format';
import type { Item } from './item';
import type { Running } from './task';

/** Length of the header of a record, in bytes. */
const HEADER = 144;

/** Position of the payload of a record. The offsets of records and of fields are the positions of headers. */
export function payloadOffset(record: { offset: number }): number {
  return record.offset + HEADER;
}

/** The data of a field in the chosen file; `undefined` for file sets and for remote files. */
export function payload(item: Item, field: { offset: number }, length: number): Blob | undefined {
  const [source] = item.sources;
  const begin = payloadOffset(field);
  return !item.isSet && source instanceof Blob ? source.slice(begin, begin + length) : undefined;
}

/** Number of bytes of a remote file that are read at a time, into blobs, which the browser may keep on the disk. */
const PIECE = 4 << 20;

/** The payload of a record. Records of a file set are in its first volume. */
export function recordBytes(item: Item, record: { offset: number; length: number }, running: Running): Promise<BlobPart[]> {
  const begin = payloadOffset(record);
  return fileBytes(item, begin, begin + record.length, running);
}

/** Bytes of a file, from `begin` up to `end`. Bytes of a chosen file are read only while they are saved. */
export async function fileBytes(item: Item, begin: number, end: number, { signal, progress }: Running): Promise<BlobPart[]> {
  const [source] = item.sources;
  if (source instanceof Blob) return [source.slice(begin, end)];
  const file = await item.open();
  const parts: Blob[] = [];
  for (let at = begin; at < end; at += PIECE) {
    parts.push(new Blob([(await file.readBytes(at, Math.min(PIECE, end - at), { signal })) as Uint8Array<ArrayBuffer>]));
    progress((at - begin) / (end - begin), `${bytes(at - begin)} of ${bytes(end - begin)}`);
  }
  return parts;
}

/** Index of the record that contains the byte at an offset. */
export function recordAt(report: Report, offset: number): number | undefined {
  const index = (report.records ?? []).findLastIndex((record) => record.offset <= offset);
  return index < 0 ? undefined : index;
}

/** Name of the view that shows a single byte. If there are records, the byte is shown in its record. */
export function placesView(report: Report): 'structure' | 'bytes' {
  return report.records?.length ? 'structure' : 'bytes';
}
