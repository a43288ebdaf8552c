/** Histograms of sizes. */

import { useMemo } from 'preact/hooks';
import { binary } from '../format';
import { Plot } from './Plot';

/** Plots how many sizes in bytes lie between successive powers of two. `counted` names what has the sizes. */
export function SizesPlot({ sizes, title, counted }: { sizes: number[]; title: string; counted: string }) {
  const { x, series, names } = useMemo(() => histogram(sizes, counted), [sizes, counted]);
  return <Plot title={title} x={x} xLabel="bytes, at least" yLabel={`number of ${counted}`} series={series} names={names} bars />;
}

function histogram(sizes: number[], label: string) {
  const counts: number[] = [];
  for (const size of sizes) {
    const power = size === 0 ? 0 : Math.floor(Math.log2(size)) + 1;
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const values = Array.from(counts, (count) => count ?? 0);
  const names = values.map((_, power) => (power === 0 ? '0' : binary(power - 1)));
  return { x: values.map((_, power) => power), series: [{ label, values }], names };
}
