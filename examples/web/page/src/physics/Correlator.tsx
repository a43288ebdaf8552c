/** Correlators: the sum of the squares of all numbers of each time slice, with the effective mass. */

import { useMemo } from 'preact/hooks';
import type { Opened } from '../opened';
import { Plot } from '../plots/Plot';
import { effectiveMass } from './mass';
import { useJob } from './hooks';
import { JobOutput } from './JobOutput';
import { squares } from './read';

interface Props {
  file: Opened;
  /** Name of the computation in the file. */
  name: string;
  title: string;
  button: string;
  /** Fields whose squares are added. */
  indices: number[];
  times: number[];
}

export function Correlator({ file, name, title, button, indices, times }: Props) {
  const job = useJob<number[]>(file, name);
  return (
    <section aria-label="Correlator">
      <button type="button" class="show-norms" onClick={() => void job.start(squares(file, indices, times.length))}>{button}</button>
      <JobOutput job={job} unit="Time slice">{(sums) => <Result title={title} times={times} sums={sums} />}</JobOutput>
    </section>
  );
}

function Result({ title, times, sums }: { title: string; times: number[]; sums: number[] }) {
  const shown = useMemo(() => {
    const mass = effectiveMass(sums);
    return {
      series: [{ label: 'C(t)', values: sums.map((sum) => (sum > 0 && Number.isFinite(sum) ? sum : null)) }],
      columns: mass.some((found) => found !== null) ? [{ label: 'effective mass ln(C(t) / C(t+1))', values: mass }] : [],
      left: sums.filter((sum) => !(sum > 0 && Number.isFinite(sum))).length,
    };
  }, [sums]);
  return (
    <div class="correlator">
      <Plot title={title} x={times} xLabel="t" yLabel="C(t), logarithmic scale" log format={exact} series={shown.series} columns={shown.columns} />
      {shown.left > 0 && <p>{shown.left === 1 ? '1 time slice is' : `${shown.left} time slices are`} not drawn: C(t) is 0 or not finite there.</p>}
    </div>
  );
}

function exact(sum: number): string {
  return sum.toExponential(9);
}
