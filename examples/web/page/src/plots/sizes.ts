/** Histograms of sizes. */

import { binary } from '../format';

/** Counts the sizes in bytes that lie between successive powers of two. */
export function countSizes(sizes: number[]): { counts: number[]; names: string[] } {
  const counts: number[] = [];
  for (const size of sizes) {
    const power = size === 0 ? 0 : Math.floor(Math.log2(size)) + 1;
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const values = Array.from(counts, (count) => count ?? 0);
  return { counts: values, names: values.map((_, power) => (power === 0 ? '0' : binary(power - 1))) };
}
