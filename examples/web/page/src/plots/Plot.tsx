/** Plots, each with a table of its values for people who do not see the plot. */

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { integer, value } from '../format';
import { Table } from '../table';
import { labelsOf } from './ticks';

export interface Series {
  label: string;
  values: (number | null)[];
}

export interface PlotProperties {
  title: string;
  x: number[];
  /** Quantity of the horizontal axis. */
  xLabel: string;
  /** Quantity of the vertical axis, with its unit if it has one. */
  yLabel: string;
  series: Series[];
  /** Names of the places on the horizontal axis, if they are not numbers. */
  names?: string[];
  log?: boolean;
  /** Draw bars. The values are counts, that is whole numbers. */
  bars?: boolean;
  /** Draw points that are not connected. */
  points?: boolean;
  /** Places whose points are marked as outliers. */
  marked?: number[];
  /** Called with the index of a place that was clicked. */
  onPick?: (index: number) => void;
}

const MAX_WIDTH = 760;
const HEIGHT = 260;
const FONT = '12px system-ui, sans-serif';
/** Pixels between two names under an axis. */
const NAME_GAP = 8;

/** Distances between the lines of a grid for whole numbers. */
const WHOLE = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4'];

export function Plot(properties: PlotProperties) {
  const { title, x, xLabel, series, names, bars } = properties;
  const canvas = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const latest = useRef(properties);
  latest.current = properties;
  useEffect(() => {
    const box = canvas.current;
    if (!box) return undefined;
    let drawn: uPlot | undefined;
    let width = 0;
    const draw = () => {
      drawn?.destroy();
      drawn = new uPlot(optionsOf(latest.current, width, setAt), [x, ...series.map(({ values }) => values)], box);
    };
    // The width is known only once the plot is part of the page, and changes with the window.
    const observer = new ResizeObserver(() => {
      const found = Math.min(box.clientWidth, MAX_WIDTH);
      if (found === 0 || found === width) return;
      width = found;
      draw();
    });
    observer.observe(box);
    const redraw = () => width > 0 && draw();
    document.addEventListener('themechange', redraw);
    return () => {
      observer.disconnect();
      document.removeEventListener('themechange', redraw);
      drawn?.destroy();
    };
  }, [x, series, properties.marked]);
  const shown = (found: number | null) => (found === null ? '–' : bars ? integer(found) : value(found));
  const nameOf = (index: number) => names?.[index] ?? String(x[index]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="plot" role="img" aria-label={`${title}; the values are in the table below`} ref={canvas} />
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ label }, index) => (
            <li key={label}><span class="swatch" style={{ background: `var(${COLORS[index % COLORS.length]})` }} />{label}</li>
          ))}
        </ul>
      )}
      {/* One line of fixed height, so that nothing moves while the pointer does. */}
      <p class="readout" aria-hidden="true">
        {at === null || at >= x.length
          ? 'Point at the plot to see values.'
          : `${xLabel} ${nameOf(at)}: ${series.map(({ label, values }) => (series.length > 1 ? `${label} ${shown(values[at])}` : shown(values[at]))).join(', ')}`}
      </p>
      <details>
        <summary>Values</summary>
        <Table caption={title} head={[xLabel, ...series.map(({ label }) => label)]}
          rows={x.map((_, index) => [nameOf(index), ...series.map(({ values }) => shown(values[index]))])} />
      </details>
    </figure>
  );
}

function optionsOf({ x, xLabel, yLabel, series, names, log, bars, points, marked, onPick }: PlotProperties, width: number, setAt: (at: number | null) => void): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const lines = { stroke: color('--line'), width: 1 };
  const axis = { font: FONT, labelFont: FONT, labelSize: 18, stroke: color('--text'), grid: lines, ticks: lines };
  const areSeparate = points || names !== undefined;
  const ticks: uPlot.Axis.DynamicValues = (_, splits, _axis, _space, step) => labelsOf(splits, step);
  // Only powers of ten have a label on a logarithmic axis.
  const powers: uPlot.Axis.DynamicValues = (_, splits) => splits.map((at) => (at > 0 && Number.isInteger(Number(Math.log10(at).toFixed(6))) ? `1e${Math.round(Math.log10(at))}` : ''));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false, range: names ? [-0.6, x.length - 0.4] : undefined }, y: { distr: log ? 3 : 1 } },
    axes: [
      {
        ...axis, label: xLabel,
        ...(names
          ? { splits: (drawn: uPlot) => namesThatFit(drawn, names), values: (_: uPlot, splits: number[]) => splits.map((at) => names[at] ?? '') }
          : { incrs: x.every(Number.isInteger) ? WHOLE : undefined, values: ticks }),
      },
      { ...axis, label: yLabel, size: 74, incrs: bars ? WHOLE : undefined, values: log ? powers : ticks },
    ],
    series: [{}, ...series.map(({ label }, index) => ({
      label,
      stroke: color(COLORS[index % COLORS.length]),
      fill: bars ? color('--fill') : undefined,
      // Points are not connected if there are no values between them.
      width: areSeparate && !bars ? 0 : 2,
      points: { show: !bars, size: areSeparate ? 8 : 6, fill: areSeparate ? color(COLORS[index % COLORS.length]) : color('--background') },
      paths: bars ? uPlot.paths.bars?.({ size: [0.9] }) : undefined,
    }))],
    hooks: {
      setCursor: [(drawn) => setAt(drawn.cursor.idx ?? null)],
      ready: [(drawn) => onPick && drawn.over.addEventListener('click', () => drawn.cursor.idx != null && onPick(drawn.cursor.idx))],
      draw: marked?.length ? [(drawn) => mark(drawn, x, series[0].values, marked, color('--bad'))] : [],
    },
  };
}

/** Draws a ring around each marked point. */
function mark(drawn: uPlot, x: number[], values: (number | null)[], marked: number[], stroke: string): void {
  const { ctx } = drawn;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const index of marked) {
    const found = values[index];
    if (found === null) continue;
    ctx.beginPath();
    ctx.arc(drawn.valToPos(x[index], 'x', true), drawn.valToPos(found, 'y', true), 7 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}

/** Places of the names to show under the axis: evenly spaced, and as many as fit beside each other. */
function namesThatFit(drawn: uPlot, names: string[]): number[] {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return [];
  context.font = FONT;
  const boxes = names.map((name, place) => {
    const [at, width] = [drawn.valToPos(place, 'x'), context.measureText(name).width];
    return { place, from: at - width / 2, to: at + width / 2 };
  });
  // The horizontal axis begins at the right of the vertical one.
  const end = drawn.width - drawn.bbox.left / devicePixelRatio;
  for (let step = 1; step < names.length; step += 1) {
    const chosen = boxes.filter(({ place, to }) => place % step === 0 && to <= end);
    if (chosen.every(({ from }, index) => index === 0 || from - chosen[index - 1].to >= NAME_GAP)) return chosen.map(({ place }) => place);
  }
  return [0];
}
