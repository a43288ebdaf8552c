/** Plots with their values as a table, for people who do not see the plot. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { element, table } from './dom';
import { value } from './format';

interface Series {
  label: string;
  values: (number | null)[];
}

interface Options {
  title: string;
  axis: string;
  /** Names of the places on the axis, where they are not numbers. */
  names?: string[];
  log?: boolean;
  bars?: boolean;
}

/** Pixels that a name under the axis takes. */
const NAME_WIDTH = 75;

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4'];

export function plot(x: number[], series: Series[], options: Options): HTMLElement {
  const canvas = element('div', { class: 'plot', role: 'img', 'aria-label': `${options.title}; the values are in the table below` });
  const rows = x.map((at, index) => [
    options.names?.[index] ?? String(at),
    ...series.map(({ values }) => value(values[index])),
  ]);
  const root = element('figure', {},
    element('figcaption', {}, options.title),
    canvas,
    element('details', {}, element('summary', {}, 'Values'), table(options.title, [options.axis, ...series.map(({ label }) => label)], rows)),
  );
  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: color('--text'), grid: { stroke: color('--line') }, ticks: { stroke: color('--line') } };
    const names = options.names;
    const width = Math.max(260, Math.min(canvas.clientWidth || 640, 760));
    // As many names as fit beside each other.
    const step = Math.ceil((x.length * NAME_WIDTH) / width);
    canvas.replaceChildren();
    new uPlot({
      width,
      height: 240,
      scales: { x: { time: false, range: names ? [-0.6, x.length - 0.4] : undefined }, y: { distr: options.log ? 3 : 1 } },
      axes: [
        names ? { ...axis, splits: () => x.filter((_, index) => index % step === 0), values: (_, splits) => splits.map((at) => names[at] ?? '') } : axis,
        { ...axis, size: 78 },
      ],
      series: [{ label: options.axis }, ...series.map(({ label }, index) => ({
        label,
        stroke: color(COLORS[index % COLORS.length]),
        fill: options.bars ? color('--fill') : undefined,
        // Between names there is nothing to be read off.
        width: names && !options.bars ? 0 : 2,
        points: { show: !options.bars, size: names ? 9 : 6, fill: names ? color(COLORS[index % COLORS.length]) : undefined },
        paths: options.bars ? uPlot.paths.bars?.({ size: [0.9] }) : undefined,
      }))],
    }, [x, ...series.map(({ values }) => values)], canvas);
  };
  // Its width is known once it is part of the page.
  requestAnimationFrame(draw);
  const redraw = () => (canvas.isConnected ? draw() : document.removeEventListener('themechange', redraw));
  document.addEventListener('themechange', redraw);
  return root;
}
