/** Drawing of plots by uPlot. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { labelsOf, logLabels } from './ticks';
import { colorOf, type PlotProps, type PlotSeries } from './series';

const FONT = '12px system-ui, sans-serif';
const HEIGHT = 260;
/** Pixels between two names under an axis. */
const NAME_GAP = 8;
/** Pixels beside a label of the vertical axis: the tick, its gap, and a margin. */
const BESIDE_LABEL = 20;
const LABEL_HEIGHT = 28;
/** Height of the horizontal axis without its title, in pixels. */
const HORIZONTAL = 32;

/** Distances between the lines of a grid for whole numbers. */
const WHOLE = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** Draws a plot in an empty element. `point` is called with the index of the place under the pointer. */
export function drawChart(host: HTMLElement, width: number, props: PlotProps, point: (index: number | undefined) => void): uPlot {
  const { x, names, series, log, bars } = props;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const lines = { stroke: color('--line'), width: 1 };
  const axis = { font: FONT, labelFont: FONT, labelSize: 20, labelGap: 2, stroke: color('--text'), grid: lines, ticks: lines };
  const vertical: uPlot.Axis = {
    ...axis,
    label: props.yLabel,
    size: (_, labels) => Math.ceil(Math.max(20, ...(labels ?? []).map((label) => widthOf(String(label ?? ''))))) + BESIDE_LABEL,
    incrs: bars && !log ? WHOLE : undefined,
    filter: (_, splits) => splits,
    values: (drawn, splits, _axis, _space, step) => (log ? logLabels(splits, drawn.height / LABEL_HEIGHT) : labelsOf(splits, step)),
  };
  const horizontal: uPlot.Axis = names
    ? { ...axis, size: HORIZONTAL, label: props.xLabel, splits: (drawn) => namesThatFit(drawn, names), values: (_, splits) => splits.map((at) => names[at] ?? '') }
    : { ...axis, size: HORIZONTAL, label: props.xLabel, incrs: WHOLE, values: (_, splits, _axis, _space, step) => labelsOf(splits, step) };
  const chart = new uPlot({
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: !bars } },
    scales: {
      x: { time: false, range: names ? [-0.6, x.length - 0.4] : rangeOfOne(x) },
      y: { distr: log ? 3 : 1 },
    },
    axes: [horizontal, vertical],
    series: [{}, ...series.map((one, index) => drawn(one, color(colorOf(one, index)), props, color))],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] },
  }, [x, ...series.map(({ values }) => (log ? values.map(positive) : values))], host);
  const { onPick } = props;
  if (onPick) {
    chart.over.style.cursor = 'pointer';
    chart.over.addEventListener('click', () => {
      if (chart.cursor.idx != null) onPick(chart.cursor.idx);
    });
  }
  return chart;
}

function drawn(one: PlotSeries, stroke: string, { names, bars, x }: PlotProps, color: (name: string) => string): uPlot.Series {
  if (bars) return { stroke, fill: color('--fill'), width: 2, points: { show: false }, paths: uPlot.paths.bars?.({ size: [0.9] }) };
  if (one.dashed) return { stroke, width: 1.5, dash: [6, 4], points: { show: false } };
  if (one.markers === 'rings') return { stroke, width: 0, points: { show: true, size: 13, width: 2, fill: 'transparent', stroke } };
  // Points are not connected where there are no values between them, as between names.
  const isSeparate = one.markers === 'dots' || names !== undefined;
  const size = x.length > 500 ? 4 : isSeparate ? 8 : 6;
  return { stroke, width: isSeparate ? 0 : 2, points: { show: true, size, fill: isSeparate ? stroke : color('--background'), stroke } };
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

/** The range of an axis with one place, which would otherwise have no width. */
function rangeOfOne(x: number[]): uPlot.Range.MinMax | undefined {
  return x.length > 0 && x[0] === x[x.length - 1] ? [x[0] - 1, x[0] + 1] : undefined;
}

let context: CanvasRenderingContext2D | null | undefined;

/** Width of a label in pixels. */
function widthOf(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = FONT;
  return context.measureText(text).width;
}

/** Places of the names to show under the axis: evenly spaced, and as many as fit beside each other. */
function namesThatFit(chart: uPlot, names: string[]): number[] {
  // Of many names, only as many are measured as could fit if they had one letter.
  const least = Math.max(1, Math.floor((names.length * (NAME_GAP + 6)) / Math.max(1, chart.width)));
  // The horizontal axis begins at the right of the vertical one.
  const begin = -chart.bbox.left / devicePixelRatio;
  const end = chart.width + begin;
  for (let step = least; step < names.length; step += 1) {
    const chosen: { place: number; from: number; to: number }[] = [];
    for (let place = 0; place < names.length; place += step) {
      const [at, width] = [chart.valToPos(place, 'x'), widthOf(names[place])];
      if (at + width / 2 <= end && at - width / 2 >= begin) chosen.push({ place, from: at - width / 2, to: at + width / 2 });
    }
    if (chosen.every(({ from }, index) => index === 0 || from - chosen[index - 1].to >= NAME_GAP)) return chosen.map(({ place }) => place);
  }
  return [0];
}
