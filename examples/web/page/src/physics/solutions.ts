/** The solutions of a propagator that a file has as separate fields, one for each spin and color of the source. */

import type { FieldEntry, Report } from 'linkstream';

interface UsqcdEntry {
  offset: number;
  role: 'source' | 'solution' | null;
}

/** Indices of the solutions, if there are several and all cover the same sites. */
export function solutions(report: Report, fields: FieldEntry[]): number[] | undefined {
  const entries = (report.usqcd as { entries: UsqcdEntry[] } | undefined)?.entries ?? [];
  const offsets = new Set(entries.filter(({ role }) => role === 'solution').map(({ offset }) => offset));
  const found = fields.flatMap((field, index) => (offsets.has(field.offset) && field.precision !== null && field.region !== 'global' ? [index] : []));
  const places = new Set(found.map((index) => JSON.stringify([fields[index].extents, fields[index].lower, fields[index].upper])));
  return found.length > 1 && places.size === 1 ? found : undefined;
}
