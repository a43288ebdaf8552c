/** Plots, each with a table of its values for people who do not see the plot. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { element, table } from './dom';
import { integer, value } from './format';

interface Series {
  label: string;
  values: (number | null)[];
}

interface Options {
  title: string;
  axis: string;
  /** Names of the places on the axis, if they are not numbers. */
  names?: string[];
  log?: boolean;
  /** Draw bars. The values are counts, that is whole numbers. */
  bars?: boolean;
}

const MAX_WIDTH = 760;
const FONT = '12px system-ui, sans-serif';
/** Pixels between two names under an axis. */
const NAME_GAP = 8;

/** Distances between the lines of a grid for whole numbers. */
const WHOLE = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4'];

export function plot(x: number[], series: Series[], options: Options): HTMLElement {
  const canvas = element('div', { class: 'plot', role: 'img', 'aria-label': `${options.title}; the values are in the table below` });
  const shown = (found: number | null) => (options.bars && found !== null ? integer(found) : value(found));
  const rows = x.map((at, index) => [
    options.names?.[index] ?? String(at),
    ...series.map(({ values }) => shown(values[index])),
  ]);
  const root = element('figure', {},
    element('figcaption', {}, options.title),
    canvas,
    element('details', {}, element('summary', {}, 'Values'), table(options.title, [options.axis, ...series.map(({ label }) => label)], rows)),
  );
  let width = 0;
  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const lines = { stroke: color('--line'), width: 1 };
    const axis = { font: FONT, stroke: color('--text'), grid: lines, ticks: lines };
    const names = options.names;
    canvas.replaceChildren();
    new uPlot({
      width,
      height: 240,
      scales: { x: { time: false, range: names ? [-0.6, x.length - 0.4] : undefined }, y: { distr: options.log ? 3 : 1 } },
      axes: [
        names
          ? { ...axis, splits: (drawn) => namesThatFit(drawn, names), values: (_, splits) => splits.map((at) => names[at] ?? '') }
          : { ...axis, incrs: WHOLE },
        { ...axis, size: 78, incrs: options.bars ? WHOLE : undefined },
      ],
      series: [{ label: options.axis, value: (_, at) => (at === null ? '--' : names?.[at] ?? String(at)) }, ...series.map(({ label }, index) => ({
        label,
        value: (_: uPlot, found: number | null) => (found === null ? '--' : shown(found)),
        stroke: color(COLORS[index % COLORS.length]),
        fill: options.bars ? color('--fill') : undefined,
        // Points are not connected, since there are no values between names.
        width: names && !options.bars ? 0 : 2,
        points: { show: !options.bars, size: names ? 9 : 6, fill: names ? color(COLORS[index % COLORS.length]) : color('--background') },
        paths: options.bars ? uPlot.paths.bars?.({ size: [0.9] }) : undefined,
      }))],
    }, [x, ...series.map(({ values }) => values)], canvas);
  };
  // The width is known only once the plot is part of the page, and changes with the window.
  new ResizeObserver(() => {
    const found = Math.min(canvas.clientWidth, MAX_WIDTH);
    if (found === 0 || found === width) return;
    width = found;
    draw();
  }).observe(canvas);
  const redraw = () => (canvas.isConnected ? draw() : document.removeEventListener('themechange', redraw));
  document.addEventListener('themechange', redraw);
  return root;
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
