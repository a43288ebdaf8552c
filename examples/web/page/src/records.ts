/** Records of LIME files and their places. */

import type { RecordEntry, Report } from 'linkstream';

const HEADER = 144;

/** Offsets of records are those of their headers. */
export function payloadOffset(record: RecordEntry): number {
  return record.offset + HEADER;
}

/** Index of the record that has a byte. */
export function recordAt(report: Report, offset: number): number | undefined {
  const index = (report.records ?? []).findLastIndex((record) => record.offset <= offset);
  return index < 0 ? undefined : index;
}
