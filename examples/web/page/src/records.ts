/** Records of LIME files and their places. */

import type { Report } from 'linkstream';
import type { Item } from './item';

const HEADER = 144;

/** Offsets of records, and of the fields in them, are those of the records' headers. */
export function payloadOffset(record: { offset: number }): number {
  return record.offset + HEADER;
}

/** The payload of a record in the chosen file; `undefined` if there are several, or it is not on this machine. */
export function payload(item: Item, record: { offset: number }, length: number): Blob | undefined {
  const [source] = item.sources;
  const begin = payloadOffset(record);
  return !item.isSet && source instanceof Blob ? source.slice(begin, begin + length) : undefined;
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
