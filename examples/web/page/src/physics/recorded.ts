/** Comparison of the values that a file stores with those computed from its data. */

import type { FieldEntry } from 'linkstream';

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
  result: 'agrees' | 'differs' | 'not computed';
}

export const NAMES: Record<string, string> = {
  plaquette: 'average plaquette',
  spatial_plaquette_trace: 'spatial plaquette, trace not divided by N',
  temporal_plaquette_trace: 'temporal plaquette, trace not divided by N',
  link_trace: 'link trace',
  norm2: 'sum of squares',
  suma: 'checksum suma',
  sumb: 'checksum sumb',
  cksum: 'checksum cksum',
  nersc_checksum: 'NERSC checksum',
  word_sum: 'sum of words',
  sum29: 'checksum sum29',
  sum31: 'checksum sum31',
};

/** Records of LIME files that have checksums. */
const RECORDS: Record<string, string> = { suma: 'scidac-checksum', sumb: 'scidac-checksum', cksum: 'bqcd-cksum' };

/** Everything that a file stores about the values of a field. */
export function comparisons(field: FieldEntry): Comparison[] {
  const texts = (field.recorded as RecordedEntry[] | undefined) ?? [];
  return [...checksums(field), ...texts.map(ofText)];
}

/** Checksums that the file stores. */
function checksums(field: FieldEntry): Comparison[] {
  return (field.checksums ?? []).flatMap(({ name, stored, computed }) =>
    stored === null ? [] : [sums(NAMES[name] ?? name, RECORDS[name] ?? 'header', stored, computed)]);
}

function sums(quantity: string, where: string, stored: string, computed: string | null): Comparison {
  const result = computed === null ? 'not computed' : stored === computed ? 'agrees' : 'differs';
  return { quantity, where, stored, computed: computed ?? '', difference: '', tolerance: 'exact', result };
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
    result: agrees === null ? 'not computed' : agrees ? 'agrees' : 'differs',
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
