/** Statistics of the plaquettes of an ensemble. */

import { latticeOf, precisionOf, type Row, type Verdict, VERDICTS } from './row';

/** Files with the same lattice, precision and datatype. Only their plaquettes may be averaged. */
export interface Group {
  name: string;
  /** Files with a plaquette. */
  rows: Row[];
}

export interface Summary {
  /** Number of files with a plaquette and without errors. Only these enter the statistics. */
  count: number;
  mean: number;
  /** Standard deviation, with n - 1; undefined for fewer than two files. */
  deviation: number | undefined;
  /** Standard error of the mean if the configurations were independent, which they are not. */
  naiveError: number | undefined;
  least: number;
  most: number;
  outliers: number;
  /** Files with a plaquette and errors. They are left out. */
  withErrors: number;
}

/** The groups, the largest first. */
export function groupsOf(rows: Row[]): Group[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.plaquette === undefined) continue;
    const name = [latticeOf(row), precisionOf(row) && `${precisionOf(row)} precision`, row.datatype].filter(Boolean).join(', ');
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups].map(([name, members]) => ({ name, rows: members })).sort((a, b) => b.rows.length - a.rows.length || (a.name < b.name ? -1 : 1));
}

/** Plaquettes of the files of a group without errors. */
export function soundPlaquettes({ rows }: Group): number[] {
  return rows.flatMap(({ verdict, plaquette }) => (verdict === 'wrong' || plaquette === undefined ? [] : [plaquette]));
}

/** Undefined if all files of the group have errors. `outliers` are the files that are outliers. */
export function summaryOf(group: Group, outliers: ReadonlySet<number>): Summary | undefined {
  const values = soundPlaquettes(group);
  const count = values.length;
  if (count === 0) return undefined;
  // The mean is subtracted before squaring: the values differ in their last digits only.
  const mean = values.reduce((sum, value) => sum + (value - values[0]), 0) / count + values[0];
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = count > 1 ? Math.sqrt(squares / (count - 1)) : undefined;
  return {
    count, mean, deviation,
    naiveError: deviation === undefined ? undefined : deviation / Math.sqrt(count),
    least: values.reduce((a, b) => Math.min(a, b)),
    most: values.reduce((a, b) => Math.max(a, b)),
    outliers: group.rows.filter(({ id }) => outliers.has(id)).length,
    withErrors: group.rows.length - count,
  };
}

/** Numbers of files by verdict, without verdicts that no file has. */
export function countsOf(rows: Row[]): [Verdict, number][] {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return VERDICTS.flatMap((verdict) => (counts.has(verdict) ? [[verdict, counts.get(verdict) ?? 0] as [Verdict, number]] : []));
}

export function medianOf(values: number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const middle = ordered.length >> 1;
  return ordered.length % 2 === 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}
