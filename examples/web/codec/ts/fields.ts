/** The fields of a report, in the form in which they are read. */

import type { FieldEntry, Report } from './report.js';

/** The fields of a file as `readField` returns them: links of archives have all rows, also those that are not stored. */
export function fieldsOf(report: Report): FieldEntry[] {
  const fields = report.fields ?? [];
  return report.format === 'nersc' || report.format === 'milc' ? fields.map(withAllRows) : fields;
}

function withAllRows(field: FieldEntry): FieldEntry {
  const { links } = field;
  if (!links) return field;
  const bytes = (field.bytes_per_site / links.rows) * links.columns;
  return { ...field, bytes_per_site: bytes, links: { ...links, rows: links.columns } };
}
