/** The fields of a report as they are read. */

import type { FieldEntry, Report } from './report.js';

/**
 * Returns the fields of a report, described as `readField` returns them. They differ from `report.fields` for NERSC
 * archives that store two rows of a link: all rows are read, and `links.rows` and `bytes_per_site` count all of them.
 */
export function fieldsOf(report: Report): FieldEntry[] {
  return report.fields.map(asRead);
}

function asRead(field: FieldEntry): FieldEntry {
  const { links, array } = field;
  if (!links) return field;
  const rows = array.shape[array.axes.indexOf('row')];
  return { ...field, bytes_per_site: (field.bytes_per_site / links.rows) * rows, links: { ...links, rows } };
}
