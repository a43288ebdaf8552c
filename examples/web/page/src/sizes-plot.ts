/** Histograms of sizes. */

import { binary } from './format';
import { plot } from './plot';

/** Plots how many sizes in bytes lie between successive powers of two. */
export function sizesPlot(sizes: number[], title: string): HTMLElement {
  const counts: number[] = [];
  for (const size of sizes) {
    const power = size === 0 ? 0 : Math.floor(Math.log2(size)) + 1;
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const values = Array.from(counts, (count) => count ?? 0);
  const names = values.map((_, power) => (power === 0 ? '0' : binary(power - 1)));
  return plot(values.map((_, power) => power), [{ label: 'number', values }], { title, axis: 'bytes, at least', names, bars: true });
}
