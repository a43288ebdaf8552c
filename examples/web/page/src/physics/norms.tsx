/** The correlator of a propagator or vector: its squared norm on each time slice, on a logarithmic scale. */

import type { FieldEntry } from 'linkstream';
import { useMemo, useState } from 'preact/hooks';
import { value } from '../format';
import type { Item } from '../item';
import { Plot } from '../plots/Plot';
import { Table } from '../table';
import { TaskState, useTask } from '../task';
import { compute } from './compute';
import { effectiveMasses, positive, type Value } from './correlator';

export function Norms({ item, index, field }: { item: Item; index: number; field: FieldEntry }) {
  const task = useTask();
  const times = useMemo(() => timesOf(field), [field]);
  const [norms, setNorms] = useState<Value[]>();
  const show = () => task.start('Reading time slices', async ({ signal, progress }) => {
    const file = await item.open();
    const found: Value[] = [];
    for (let slice = 0; slice < times.length; slice += 1) {
      found.push(positive(await compute<number>({ task: 'norm', slice: await file.readField(index, { slice, signal }) })));
      progress((slice + 1) / times.length, `time slice ${slice + 1} of ${times.length}`);
    }
    signal.throwIfAborted();
    setNorms(found);
  });
  const series = useMemo(() => [{ label: 'squared norm', values: norms ?? [] }], [norms]);
  return (
    <section aria-label="Norms">
      <button type="button" class="show-norms" onClick={show}>Show the correlator (squared norm of each time slice)</button>
      <TaskState task={task} />
      {norms && (
        <>
          <Plot title="Correlator: squared norm of each time slice" x={times} xLabel="t" yLabel="Σ |ψ|²" series={series} log />
          <Table caption="Effective mass log(C(t) / C(t+1))" head={['t', 'effective mass']}
            rows={effectiveMasses(times, norms).map((mass, place) => [String(times[place]), mass === null ? '–' : value(mass)])} />
        </>
      )}
    </section>
  );
}

/** Times of the slices of a field. A field on a hypercube, such as a source, may have only some of them. */
function timesOf({ dims, lower, upper }: FieldEntry): number[] {
  const [first, last] = [lower?.at(-1) ?? 0, upper?.at(-1) ?? dims[dims.length - 1] - 1];
  return Array.from({ length: last - first + 1 }, (_, slice) => first + slice);
}
