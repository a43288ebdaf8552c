/** The plot of a histogram of sizes. */

import { useMemo } from 'preact/hooks';
import { Plot } from './Plot';
import { countSizes } from './sizes';

export function SizesPlot({ sizes, title, yLabel }: { sizes: number[]; title: string; yLabel: string }) {
  const shown = useMemo(() => {
    const { counts, names } = countSizes(sizes);
    return { x: counts.map((_, power) => power), names, series: [{ label: 'number', values: counts }] };
  }, [sizes]);
  return <Plot title={title} xLabel="bytes, at least" yLabel={yLabel} bars {...shown} />;
}
