/** Numbers in file names that are not numbers of configurations, but happen to be there. */

import { latticeOf, type Row } from './row';

/** A word for configurations before the number, as in `traj120` and `conf.0012`. */
const WORD = /(traj|trajectory|cfg|conf|config|ckpt|checkpoint|update|upd|lat|seq)[._-]?$/i;
/** Number of files that must differ only in the number, if no such word is before it. */
const LEAST = 3;

/** The name without its number. Names of one Markov chain differ only in the number. */
function without(name: string, number: number): { pattern: string; isNamed: boolean } {
  const found = [...name.matchAll(/\d+/g)].findLast(([digits]) => Number(digits) === number);
  if (!found) return { pattern: name, isNamed: false };
  const before = name.slice(0, found.index);
  return { pattern: `${before}#${name.slice(found.index + found[0].length)}`, isNamed: WORD.test(before) };
}

/** The rows without updates that were taken from the name by chance. */
export function withoutChance(rows: Row[]): Row[] {
  const keyOf = (row: Row) => {
    if (row.update?.from !== 'file name') return undefined;
    const { pattern, isNamed } = without(row.name, row.update.number);
    return isNamed ? undefined : `${latticeOf(row)} ${pattern}`;
  };
  const keys = rows.map(keyOf);
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rows.map((row, index) => {
    const key = keys[index];
    return key !== undefined && (counts.get(key) ?? 0) < LEAST ? unnumbered(row) : row;
  });
}

const known = new WeakMap<Row, Row>();

/** The row without its update. It stays the same object, so that it is not drawn again. */
function unnumbered(row: Row): Row {
  let found = known.get(row);
  if (!found) known.set(row, (found = { ...row, update: undefined }));
  return found;
}
