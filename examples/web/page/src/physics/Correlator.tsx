/** Correlators: the sum of the squares of all numbers of each time slice, with the effective mass. */

import { useMemo } from 'preact/hooks';
import { value } from '../format';
import type { Opened } from '../opened';
import { Plot } from '../plots/Plot';
import { effectiveMass } from './correlator';
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
  const series = useMemo(() => [{ label: 'C(t)', values: sums.map((sum) => (sum > 0 && Number.isFinite(sum) ? sum : null)) }], [sums]);
  const mass = useMemo(() => effectiveMass(sums), [sums]);
  const isDefined = mass.some((found) => found !== null);
  const left = sums.filter((sum) => !(sum > 0)).length;
  return (
    <div>
      <Plot title={title} x={times} xLabel="t" yLabel="C(t), logarithmic" series={series} log />
      {left > 0 && <p>{left === 1 ? '1 time slice is' : `${left} time slices are`} not drawn: the logarithmic scale has no place for 0.</p>}
      <details>
        <summary>Correlator and effective mass</summary>
        <table class="numbers correlator">
          <caption>{title}{isDefined ? '; effective mass ln(C(t) / C(t+1)), in lattice units' : ''}</caption>
          <thead><tr><th scope="col">t</th><th scope="col">C(t)</th>{isDefined && <th scope="col">effective mass</th>}</tr></thead>
          <tbody>
            {times.map((time, at) => (
              <tr key={time}><td>{time}</td><td>{sums[at].toExponential(9)}</td>{isDefined && <td>{mass[at] === null ? 'not defined' : value(mass[at])}</td>}</tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
