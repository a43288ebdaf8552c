/** Heat maps: values on a plane as colours, with axes and a colour bar. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { integer, value } from '../format';
import { colorAt, extent } from './colors';
import './plots.css';
import { ticksBetween, wholeTicks } from './ticks';
import { Values } from './Values';

/** Number of ticks of an axis, at most. */
const TICKS = 8;
const BAR_TICKS = 5;
/** Number of colours in the colour bar. */
const BAR = 64;

export interface HeatMapProps {
  title: string;
  /** Row by row, from the row with the number 0 of the vertical axis. */
  values: ArrayLike<number>;
  width: number;
  height: number;
  xLabel: string;
  yLabel: string;
  /** The quantity, beside the colour bar. */
  quantity: string;
  /** Place of the first row: at the top, as in a matrix, or at the bottom, as in a coordinate system. */
  origin: 'top' | 'bottom';
  /** Numbers of the columns and rows that are shown, if they are not all. */
  columns?: (at: number) => number;
  rows?: (at: number) => number;
}

export function HeatMap({ title, values, width, height, xLabel, yLabel, quantity, origin, columns = same, rows = same }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const bar = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState<[number, number]>();
  const range = extent(values);
  const drawnRow = (row: number) => (origin === 'bottom' ? height - 1 - row : row);

  useEffect(() => {
    const scale = range && range.most > range.least ? 1 / (range.most - range.least) : 0;
    const at = (found: number) => (scale > 0 && range ? (found - range.least) * scale : Number.isFinite(found) ? 0.5 : NaN);
    paint(canvas.current, width, height, (x, y) => at(values[drawnRow(y) * width + x]));
    paint(bar.current, 1, BAR, (_, y) => (scale > 0 ? 1 - y / (BAR - 1) : 0.5));
  }, [values, width, height, origin]);

  const point = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, top, width: across, height: down } = event.currentTarget.getBoundingClientRect();
    const clamp = (at: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(at * count)));
    setPointed([clamp((event.clientX - left) / across, width), drawnRow(clamp((event.clientY - top) / down, height))]);
  };
  const summary = range ? `from ${value(range.least)} to ${value(range.most)}` : 'no finite values';
  const scale = range ? ticksBetween(range.least, range.most, BAR_TICKS) : { ticks: [], labels: [] };
  const share = (tick: number) => (range && range.most > range.least ? (tick - range.least) / (range.most - range.least) : 0.5);
  return (
    <figure class="heat">
      <figcaption>{title}</figcaption>
      <div class="heat-map">
        <span class="heat-y">{yLabel}</span>
        <div class="heat-ticks y" aria-hidden="true">
          {wholeTicks(height, TICKS).map((row) => <span key={row} style={{ top: `${((drawnRow(row) + 0.5) / height) * 100}%` }}>{integer(rows(row))}</span>)}
        </div>
        <canvas ref={canvas} width={width} height={height} style={{ aspectRatio: shapeOf(width, height) }} role="img" onPointerMove={point}
          onPointerLeave={() => setPointed(undefined)}
          aria-label={`${title}: ${summary}. ${xLabel} increases to the right, ${yLabel} ${origin === 'bottom' ? 'upwards' : 'downwards'}`} />
        <div class="heat-bar"><canvas ref={bar} width={1} height={BAR} aria-hidden="true" /></div>
        <div class="heat-ticks bar" aria-hidden="true">
          {scale.ticks.map((tick, place) => <span key={tick} style={{ top: `${(1 - share(tick)) * 100}%` }}>{scale.labels[place]}</span>)}
          {/* The labels have absolute positions. This one reserves the width of the longest. */}
          <span class="widest">{longest(scale.labels)}</span>
        </div>
        <span class="heat-quantity">{quantity}</span>
        <div class="heat-ticks x" aria-hidden="true">
          {wholeTicks(width, TICKS).map((column) => <span key={column} style={{ left: `${((column + 0.5) / width) * 100}%` }}>{integer(columns(column))}</span>)}
        </div>
        <span class="heat-x">{xLabel}</span>
      </div>
      <p class="heat-value" aria-hidden="true">
        {pointed ? `${xLabel} = ${integer(columns(pointed[0]))}, ${yLabel} = ${integer(rows(pointed[1]))}: ${shown(values[pointed[1] * width + pointed[0]])}` : summary}
      </p>
      <Values caption={title} count={width * height} head={[xLabel, yLabel, quantity]}
        row={(at) => [integer(columns(at % width)), integer(rows(Math.floor(at / width))), shown(values[at])]} />
    </figure>
  );
}

function same(at: number): number {
  return at;
}

function shown(found: number): string {
  return value(Number.isFinite(found) ? found : null);
}

function longest(labels: string[]): string {
  return labels.reduce((most, label) => (label.length > most.length ? label : most), '');
}

/** The ratio of the sides: that of the plane, but no side is more than four times as long as the other. */
function shapeOf(width: number, height: number): string {
  return String(Math.min(4, Math.max(0.25, width / height)));
}

function paint(canvas: HTMLCanvasElement | null, width: number, height: number, at: (x: number, y: number) => number): void {
  const context = canvas?.getContext('2d');
  if (!context || width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) image.data.set([...colorAt(at(x, y)), 255], 4 * (y * width + x));
  }
  context.putImageData(image, 0, 0);
}
