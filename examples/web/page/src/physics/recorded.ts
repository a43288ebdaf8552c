/** Comparison of the values that a file stores with those computed from its data. */

import type { FieldEntry, RecordEntry } from 'linkstream';

/** An entry of `recorded` in the report on a field. */
export interface RecordedEntry {
  quantity: string;
  /** Type of the record with the text. */
  record: string;
  /** Value as printed in the text. */
  recorded: string;
  computed: number | string | null;
  agrees: boolean | null;
}

export interface Comparison {
  quantity: string;
  where: string;
  stored: string;
  computed: string;
  difference: string;
  tolerance: string;
  verdict: 'agrees' | 'differs' | 'not computed';
}

export const NAMES: Record<string, string> = {
  plaquette: 'average plaquette',
  spatial_plaquette_trace: 'spatial plaquette, trace not divided by N',
  temporal_plaquette_trace: 'temporal plaquette, trace not divided by N',
  link_trace: 'link trace',
  norm2: 'sum of squares',
  suma: 'checksum suma',
  sumb: 'checksum sumb',
  nersc_checksum: 'NERSC checksum',
  word_sum: 'sum of words',
  sum29: 'checksum sum29',
  sum31: 'checksum sum31',
};

/** Everything that a file stores about the values of a field. `records` lists the records of a LIME file. */
export function comparisons(field: FieldEntry, records: RecordEntry[] = []): Comparison[] {
  const texts = (field.recorded as RecordedEntry[] | undefined) ?? [];
  return [...archiveSums(field), ...scidacSums(field, records), ...texts.map(ofText)];
}

/** Checksums in the header of a NERSC archive or MILC file. */
function archiveSums({ checksums = [] }: FieldEntry): Comparison[] {
  return checksums.flatMap(({ name, stored, computed }) =>
    stored === null ? [] : [sums(NAMES[name] ?? name, 'header', stored, computed)]);
}

/** SciDAC checksums. The stored ones are in the first checksum record after the data. */
function scidacSums(field: FieldEntry, records: RecordEntry[]): Comparison[] {
  const after = records.filter(({ offset }) => offset > field.offset);
  const end = after.findIndex(({ type }) => type === 'scidac-private-record-xml');
  const text = (end < 0 ? after : after.slice(0, end)).find(({ type }) => type === 'scidac-checksum')?.text ?? '';
  return (['suma', 'sumb'] as const).flatMap((name) => {
    const stored = new RegExp(`<${name}>\\s*([0-9a-fA-F]+)\\s*</${name}>`).exec(text)?.[1];
    const computed = field[name];
    return stored === undefined ? [] : [sums(NAMES[name], 'scidac-checksum', stored, typeof computed === 'string' ? computed : null)];
  });
}

function sums(quantity: string, where: string, stored: string, computed: string | null): Comparison {
  const verdict = computed === null ? 'not computed' : same(stored, computed) ? 'agrees' : 'differs';
  return { quantity, where, stored: digits(stored), computed: computed === null ? '' : digits(computed), difference: '', tolerance: 'exact', verdict };
}

/** A sum of 32 bits with all its digits: some programs write it without leading zeros. */
function digits(sum: string): string {
  return sum.padStart(8, '0');
}

/** Returns whether two hexadecimal numbers are equal. */
function same(a: string, b: string): boolean {
  return Number.parseInt(a, 16) === Number.parseInt(b, 16);
}

/** A quantity in a text. The report says whether it agrees: that depends on the unit, and on the precision of the links. */
function ofText({ quantity, record, recorded, computed, agrees }: RecordedEntry): Comparison {
  const stored = Number(recorded);
  const isNumber = typeof computed === 'number' && recorded.trim() !== '' && Number.isFinite(stored);
  return {
    quantity: NAMES[quantity] ?? quantity,
    where: record.endsWith('header') ? 'header' : `text of ${record}`,
    stored: recorded,
    computed: computed === null ? '' : isNumber ? likePrinted(recorded, computed) : String(computed),
    difference: isNumber ? shortDifference(computed - stored) : '',
    tolerance: typeof computed === 'string' ? 'exact' : `${digitUnit(recorded) ?? '?'} + rounding`,
    verdict: agrees === null ? 'not computed' : agrees ? 'agrees' : 'differs',
  };
}

/** The value of the last digit of a printed number, such as 0.0001 for 0.5956; undefined if it is not a number. */
export function digitUnit(printed: string): string | undefined {
  const found = /^[-+]?(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(printed.trim());
  if (!found || !(found[1] || found[2])) return undefined;
  return `1e${Number(found[3] ?? 0) - (found[2] ?? '').length}`;
}

/** A number with three digits more than the printed one has. */
function likePrinted(printed: string, number: number): string {
  const unit = Number(digitUnit(printed)?.slice(2) ?? -9);
  const isPlain = !/[eE]/.test(printed);
  return isPlain ? number.toFixed(Math.min(17, Math.max(0, 3 - unit))) : number.toExponential(12);
}

function shortDifference(difference: number): string {
  return difference === 0 ? '0' : difference.toExponential(1);
}
