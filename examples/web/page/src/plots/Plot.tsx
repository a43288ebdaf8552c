/** Plots with axis titles, a legend that shows the values under the pointer, and a table of the values. */

import type uPlot from 'uplot';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { integer, value } from '../format';
import { drawChart } from './chart';
import { useTheme, useWidth } from './hooks';
import './plots.css';
import { colorOf, type PlotProps } from './series';
import { Values } from './Values';

const MAX_WIDTH = 760;

export function Plot(props: PlotProps) {
  const { title, x, xLabel, series, names, bars, log, format = bars ? integer : value, columns = [] } = props;
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host, MAX_WIDTH);
  const theme = useTheme();
  const [pointed, setPointed] = useState<number>();
  // Callers may pass a new function each time, which is no reason to draw again.
  const pick = useRef(props.onPick);
  pick.current = props.onPick;
  const isPicked = props.onPick !== undefined;
  useEffect(() => {
    if (!host.current || width === 0) return undefined;
    const onPick = isPicked ? (index: number) => pick.current?.(index) : undefined;
    const chart: uPlot = drawChart(host.current, width, { ...props, onPick }, setPointed);
    return () => chart.destroy();
  }, [width, theme, title, x, xLabel, props.yLabel, series, names, bars, log, isPicked]);

  const shown = (found: number | null | undefined) => (found == null ? 'no value' : format(found));
  const place = (index: number) => names?.[index] ?? String(x[index]);
  // The space of each value is reserved, so that nothing moves when the pointer does.
  const widths = useMemo(() => series.map(({ values }) => values.reduce<number>((most, found) => Math.max(most, found === null ? 0 : shown(found).length), 0)), [series, bars]);
  const at = pointed !== undefined && pointed < x.length ? pointed : undefined;
  return (
    <figure class="plot-figure">
      <figcaption>{title}</figcaption>
      <div ref={host} class="plot" role="img" aria-label={`${title}: ${props.yLabel} over ${xLabel}; the values are in the table below`} />
      <div class="plot-legend" aria-hidden="true">
        <div class="plot-place">{at !== undefined && <><span>{xLabel}</span> <span>{place(at)}</span></>}</div>
        {series.map((one, index) => (
          <div key={one.label} class="plot-key">
            <span class={`plot-swatch ${bars ? 'bar' : one.dashed ? 'dashed' : one.markers ?? (names ? 'dots' : 'line')}`} style={{ color: `var(${colorOf(one, index)})` }} />
            <span>{one.label}</span>
            {!one.dashed && one.markers !== 'rings' && (
              <span class="plot-value" style={{ minWidth: `${widths[index]}ch` }}>{at === undefined || one.values[at] == null ? '' : shown(one.values[at])}</span>
            )}
          </div>
        ))}
      </div>
      <Values caption={title} head={[xLabel, ...[...series, ...columns].map(({ label }) => label)]} count={x.length} isNamed={names !== undefined}
        row={(index) => [place(index), ...series.map(({ values }) => shown(values[index])), ...columns.map(({ values }) => (values[index] === null ? 'not defined' : value(values[index])))]} />
    </figure>
  );
}
