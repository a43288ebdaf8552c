/** The table of an ensemble as CSV and JSON. */

import { latticeOf, type Row } from './row';
import { isOutlier, type Judgement } from './findings';

const COLUMNS = ['name', 'lattice', 'precision_bits', 'datatype', 'update', 'update_from', 'plaquette', 'outlier', 'findings', 'polyakov_loop_re', 'polyakov_loop_im', 'max_unitarity_deviation', 'verdict', 'bytes', 'message'] as const;

type Exported = Record<(typeof COLUMNS)[number], string | number | boolean | null>;

/** All properties of rows, in their order. Without a judgement, it is not known which are outliers. */
export function exportedRows(rows: Row[], judgement: Pick<Judgement, 'kinds'> | undefined): Exported[] {
  return rows.map((row) => ({
    name: row.name,
    lattice: latticeOf(row).replaceAll('×', 'x') || null,
    precision_bits: row.precision ?? null,
    datatype: row.datatype ?? null,
    update: row.update?.number ?? null,
    update_from: row.update?.from ?? null,
    plaquette: row.plaquette ?? null,
    outlier: judgement && row.plaquette !== undefined ? isOutlier(judgement, row.id) : null,
    findings: judgement?.kinds.get(row.id)?.join(' ') ?? null,
    polyakov_loop_re: row.loop?.[0] ?? null,
    polyakov_loop_im: row.loop?.[1] ?? null,
    max_unitarity_deviation: row.unitarity ?? null,
    verdict: row.verdict,
    bytes: row.size ?? null,
    message: row.message || null,
  }));
}

export function toJson(rows: Exported[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** CSV as RFC 4180 describes it. Absent values are empty. */
export function toCsv(rows: Exported[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/**
 * Texts are in quotes. Spreadsheets take a text for a formula if it begins with one of these characters, also within
 * quotes: such texts, which a file's name may be, get an apostrophe.
 */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
