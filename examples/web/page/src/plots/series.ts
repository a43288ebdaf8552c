/** Content of a plot. */

export interface PlotSeries {
  label: string;
  /** One value for each place on the horizontal axis; null where there is none. */
  values: (number | null)[];
  /** Name of a colour in the style sheet, such as `--bad`. Series without one have the colours of the theme in turn. */
  color?: string;
  /** Separate markers, not connected by a line: dots, or rings around the dots of another series. */
  markers?: 'dots' | 'rings';
  /** A dashed line without markers, for a constant. */
  dashed?: boolean;
}

export interface PlotProps {
  title: string;
  x: number[];
  xLabel: string;
  yLabel: string;
  series: PlotSeries[];
  /** Names of the places, if they are not numbers. `x` then counts from 0. */
  names?: string[];
  /** Logarithmic vertical axis. Values that are not positive are left out. */
  log?: boolean;
  /** Draw bars. The values are counts, that is whole numbers. */
  bars?: boolean;
  /** Text of a value, if not the usual one. */
  format?: (value: number) => string;
  /** More columns of the table of values. They are not drawn. */
  columns?: { label: string; values: (number | null)[] }[];
  /** Called with the index of the place that was clicked. */
  onPick?: (index: number) => void;
}

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4'];

export function colorOf(series: PlotSeries, index: number): string {
  return series.color ?? COLORS[index % COLORS.length];
}
