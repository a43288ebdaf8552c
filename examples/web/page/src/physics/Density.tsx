/** The action density on a plane, with sliders for the other coordinates. */

import { useMemo } from 'preact/hooks';
import type { Opened } from '../opened';
import { HeatMap } from '../plots/HeatMap';
import { Slider } from '../plots/Slider';
import { useJob, useKept } from './hooks';
import { JobOutput } from './JobOutput';
import type { LinkShape } from './links';
import { densities } from './read';

interface Slice {
  time: number;
  values: Float64Array;
}

export function Density({ file, index, shape }: { file: Opened; index: number; shape: LinkShape }) {
  const { extents } = shape;
  const job = useJob<Slice>(file, `density-${index}`);
  const [z, setZ] = useKept(file, `density-${index}-z`, 0);
  const [t, setT] = useKept(file, `density-${index}-t`, 0);
  const [latest, setLatest] = useKept<Slice | undefined>(file, `density-${index}-latest`, undefined);
  const request = (time: number) => {
    setT(time);
    void job.start(async (signal, progress) => {
      if (latest?.time === time) return latest;
      const found = await densities(file, index, shape, time)(signal, progress);
      setLatest(found);
      return found;
    });
  };
  const isShown = job.state.kind !== 'idle';
  return (
    <section class="actions" aria-label="Action density">
      <button type="button" class="show-density" onClick={() => request(t)}>Show the action density</button>
      {extents.length > 3 && <Slider id={`slider-${index}-z`} label="z" value={z} last={extents[2] - 1} onInput={setZ} onChange={setZ} />}
      <Slider id={`slider-${index}-t`} label="t" value={t} last={extents[extents.length - 1] - 1} onChange={(time) => (isShown ? request(time) : setT(time))} />
      <JobOutput job={job} unit="Time slice">
        {({ time, values }) => <Plane values={values} width={extents[0]} height={extents.length > 2 ? extents[1] : 1} z={extents.length > 3 ? z : undefined} t={time} />}
      </JobOutput>
    </section>
  );
}

interface PlaneProps {
  values: Float64Array;
  width: number;
  height: number;
  z: number | undefined;
  t: number;
}

function Plane({ values, width, height, z, t }: PlaneProps) {
  const size = width * height;
  const plane = useMemo(() => values.subarray((z ?? 0) * size, ((z ?? 0) + 1) * size), [values, z, size]);
  const place = z === undefined ? `t = ${t}` : `z = ${z}, t = ${t}`;
  return (
    <HeatMap title={`Action density in the x-y plane at ${place}`} values={plane} width={width} height={height} xLabel="x" yLabel="y"
      quantity="Σ (1 − Re tr P / N) over planes, without β" origin="bottom" />
  );
}
