/** The fields of a report as they are read. */

import { described } from './arguments.js';
import type { FieldEntry, Report } from './report.js';

/**
 * Returns the fields of a report, described as `readField` returns them. They differ from `report.fields` for NERSC
 * archives that store two rows of a link: all rows are read, and `links.rows` and `bytes_per_site` count all of them.
 */
export function fieldsOf(report: Report): FieldEntry[] {
  if (typeof report !== 'object' || report === null || !Array.isArray(report.fields)) {
    throw new TypeError(`fieldsOf: the report must be the result of check, or \`report\` of an open file; this is ${described(report)}`);
  }
  return report.fields.map(asRead);
}

function asRead(field: FieldEntry): FieldEntry {
  const { links, array } = field;
  if (!links) return field;
  const rows = array.shape[array.axes.indexOf('row')];
  return { ...field, bytes_per_site: (field.bytes_per_site / links.rows) * rows, links: { ...links, rows } };
}
