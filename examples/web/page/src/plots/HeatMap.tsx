/** Heat maps: values on a plane as colours. */

import { useEffect, useRef } from 'preact/hooks';
import { value } from '../format';
import { labelsOf, ticksBetween, wholeTicks } from './ticks';

/** An axis of a heat map, with the coordinates of its first and last cell. */
export interface MapAxis {
  label: string;
  first: number;
  last: number;
  /** The coordinate increases downwards, as the rows of a matrix do. Otherwise the origin is at the bottom left. */
  isDown?: boolean;
}

/** Values on a plane, in rows: the coordinate of the horizontal axis changes fastest. */
export interface Map2D {
  title: string;
  /** Name of the values. */
  quantity: string;
  values: ArrayLike<number>;
  width: number;
  height: number;
  x: MapAxis;
  y: MapAxis;
}

/** Numbers along an axis, at most. */
const TICKS = 6;

export function HeatMap({ map }: { map: Map2D }) {
  const { title, quantity, values, width, height, x, y } = map;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [least, most] = range(values, width * height);
  useEffect(() => {
    if (canvas.current) paint(canvas.current, map, least, most);
  }, [map]);
  const bar = most > least ? ticksBetween(least, most, 5) : { values: [], step: 1 };
  const barLabels = labelsOf(bar.values, bar.step);
  return (
    <figure class="heat">
      <figcaption>{title}</figcaption>
      <div class="heat-grid">
        <span class="heat-y">{y.label}</span>
        <div class="heat-ticks vertical">
          {wholeTicks(y.first, y.last, TICKS).map((tick) => {
            const place = 100 * centre(tick, y);
            return <span key={tick} style={y.isDown ? { top: `${place}%` } : { bottom: `${place}%` }}>{tick}</span>;
          })}
        </div>
        <canvas ref={canvas} width={width} height={height} role="img" style={{ aspectRatio: `${Math.min(3, Math.max(1 / 2, width / height))}` }}
          aria-label={`${title}: ${quantity} from ${value(least)} to ${value(most)}`} />
        <div class="heat-ticks horizontal">
          {wholeTicks(x.first, x.last, TICKS).map((tick) => <span key={tick} style={{ left: `${100 * centre(tick, x)}%` }}>{tick}</span>)}
        </div>
        <span class="heat-x">{x.label}</span>
        <div class="heat-bar" aria-hidden="true">
          {bar.values.map((tick, index) => <span key={tick} style={{ bottom: `${(100 * (tick - least)) / (most - least)}%` }}>{barLabels[index]}</span>)}
        </div>
      </div>
      <p>{most > least ? `${quantity}: ${value(least)} (dark) to ${value(most)} (bright)` : `${quantity}: ${value(least)} everywhere`}</p>
    </figure>
  );
}

/** Place of the centre of a cell along an axis, from 0 to 1. */
function centre(tick: number, { first, last }: MapAxis): number {
  return (tick - first + 0.5) / (last - first + 1);
}

function range(values: ArrayLike<number>, count: number): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < count; i += 1) {
    if (!Number.isFinite(values[i])) continue;
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  return least > most ? [NaN, NaN] : [least, most];
}

function paint(canvas: HTMLCanvasElement, { values, width, height, y }: Map2D, least: number, most: number): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(width, height);
  for (let row = 0; row < height; row += 1) {
    const from = y.isDown ? row : height - 1 - row;
    for (let column = 0; column < width; column += 1) {
      const found = values[from * width + column];
      const [red, green, blue] = colour(most > least ? (found - least) / (most - least) : Number.isFinite(found) ? 0.5 : NaN);
      image.data.set([red, green, blue, 255], 4 * (row * width + column));
    }
  }
  context.putImageData(image, 0, 0);
}

/** Colour of a value between 0 and 1, from dark blue over green to yellow. The brightness increases with the value. */
function colour(t: number): [number, number, number] {
  if (!Number.isFinite(t)) return [128, 128, 128];
  const stops = [[48, 18, 99], [41, 98, 143], [33, 155, 133], [122, 209, 81], [253, 231, 37]];
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const mix = (c: number) => Math.round(stops[low][c] + (at - low) * (stops[low + 1][c] - stops[low][c]));
  return [mix(0), mix(1), mix(2)];
}
