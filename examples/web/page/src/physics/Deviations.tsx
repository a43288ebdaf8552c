/** The histogram of links by their deviation from unitarity. */

import { useMemo } from 'preact/hooks';
import type { Opened } from '../opened';
import { Plot } from '../plots/Plot';
import { useJob } from './hooks';
import { JobOutput } from './JobOutput';
import { DECADES, type LinkShape } from './links';
import { deviations } from './read';

export function Deviations({ file, index, shape }: { file: Opened; index: number; shape: LinkShape }) {
  const job = useJob<number[]>(file, `deviations-${index}`);
  return (
    <section aria-label="Deviation from unitarity">
      <button type="button" class="show-histogram" onClick={() => void job.start(deviations(file, index, shape))}>
        Show the histogram of deviations from unitarity
      </button>
      <JobOutput job={job} unit="Time slice">{(counts) => <Histogram counts={counts} />}</JobOutput>
    </section>
  );
}

function Histogram({ counts }: { counts: number[] }) {
  const shown = useMemo(() => ({
    x: counts.map((_, decade) => decade),
    names: counts.map((_, decade) => `1e${decade + 1 - DECADES}`),
    series: [{ label: 'links', values: counts }],
  }), [counts]);
  return <Plot title="Links by their deviation from unitarity" xLabel="largest element of |U U† − 1|, at least" yLabel="number of links" bars {...shown} />;
}
