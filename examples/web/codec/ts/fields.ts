/** The fields of a report, in the form in which they are read. */

import type { FieldEntry, Report } from './report.js';

/** The fields of a file as `readField` returns them: links of archives have all rows, also those that are not stored. */
export function fieldsOf(report: Report): FieldEntry[] {
  return (report.fields ?? []).map(asRead);
}

function asRead(field: FieldEntry): FieldEntry {
  const { links, array } = field;
  if (!links) return field;
  const rows = array.shape[array.axes.indexOf('row')];
  return { ...field, bytes_per_site: (field.bytes_per_site / links.rows) * rows, links: { ...links, rows } };
}
