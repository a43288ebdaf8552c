/** Filters and sorting of rows. */

import { latticeOf, type Row, type Verdict, VERDICTS } from './row';

export type Column = 'name' | 'lattice' | 'precision' | 'update' | 'plaquette' | 'unitarity' | 'verdict' | 'size';

export interface Order {
  column: Column;
  isDescending: boolean;
}

export interface Filter {
  /** Words that must be in the name or the verdict, in any case. */
  text: string;
  /** Verdicts to show; empty: all. */
  verdicts: ReadonlySet<Verdict>;
}

/** Compares numbers in names by their values: conf.9 is before conf.10. */
const names = new Intl.Collator('en', { numeric: true });

export function filtered(rows: Row[], { text, verdicts }: Filter): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && verdicts.size === 0) return rows;
  return rows.filter((row) => {
    if (verdicts.size > 0 && !verdicts.has(row.verdict)) return false;
    const searched = `${row.name} ${row.verdict} ${row.message}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** Sorted rows. Rows without a value are last in both directions, and equal rows are sorted by name. */
export function sorted(rows: Row[], { column, isDescending }: Order): Row[] {
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(row, column) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return a.key === b.key ? names.compare(a.row.name, b.row.name) : a.key === undefined ? 1 : -1;
    }
    const compared = typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : names.compare(String(a.key), String(b.key));
    return sign * compared || names.compare(a.row.name, b.row.name) || a.row.id - b.row.id;
  });
  return keyed.map(({ row }) => row);
}

function keyOf(row: Row, column: Column): number | string | undefined {
  switch (column) {
    case 'name': return row.name;
    case 'lattice': return latticeOf(row) || undefined;
    case 'precision': return row.precision;
    case 'update': return row.update?.number;
    case 'plaquette': return row.plaquette;
    case 'unitarity': return row.unitarity;
    case 'verdict': return VERDICTS.indexOf(row.verdict);
    case 'size': return row.size;
  }
}
