/** The histogram of all links by their deviation from unitarity. */

import { useMemo, useState } from 'preact/hooks';
import type { Item } from '../item';
import { Plot } from '../plots/Plot';
import { TaskState, useTask } from '../task';
import { compute } from './compute';
import { DECADES, type LinkShape } from './links';

const PLACES = Array.from({ length: DECADES }, (_, decade) => decade);
const NAMES = PLACES.map((decade) => `1e${decade + 1 - DECADES}`);

export function Deviations({ item, index, shape }: { item: Item; index: number; shape: LinkShape }) {
  const task = useTask();
  const [counts, setCounts] = useState<number[]>();
  const times = shape.dims[shape.dims.length - 1];
  const show = () => task.start('Reading links', async ({ signal, progress }) => {
    const sum = new Array<number>(DECADES).fill(0);
    const file = await item.open();
    for (let slice = 0; slice < times; slice += 1) {
      const links = await file.readField(index, { slice, signal });
      const found = await compute<number[]>({ task: 'unitarity', shape, slice: links });
      found.forEach((count, decade) => (sum[decade] += count));
      progress((slice + 1) / times, `time slice ${slice + 1} of ${times}`);
    }
    signal.throwIfAborted();
    setCounts(sum);
  });
  const series = useMemo(() => [{ label: 'links', values: counts ?? [] }], [counts]);
  return (
    <section aria-label="Deviation from unitarity">
      <button type="button" class="show-histogram" onClick={show}>Show the histogram of deviations from unitarity</button>
      <TaskState task={task} />
      {counts && (
        <Plot title="Links by their deviation from unitarity" x={PLACES} xLabel="deviation of at least" yLabel="number of links"
          series={series} names={NAMES} bars />
      )}
    </section>
  );
}
