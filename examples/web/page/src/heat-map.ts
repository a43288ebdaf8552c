/** Heat maps: values on a plane as colours. */

import { element } from './dom';
import { value } from './format';

export function heatMap(values: ArrayLike<number>, width: number, height: number, title: string): HTMLElement {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < width * height; i += 1) {
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  const canvas = element('canvas', { width, height, role: 'img', 'aria-label': `${title}: from ${value(least)} to ${value(most)}` });
  const context = canvas.getContext('2d');
  const image = context?.createImageData(width, height);
  for (let i = 0; image && i < width * height; i += 1) {
    const [red, green, blue] = colour(most > least ? (values[i] - least) / (most - least) : 0.5);
    image.data.set([red, green, blue, 255], 4 * i);
  }
  if (image) context?.putImageData(image, 0, 0);
  return element('figure', { class: 'heat' },
    element('figcaption', {}, title),
    canvas,
    element('p', {}, element('span', { class: 'scale', 'aria-hidden': 'true' }), ` ${value(least)} (dark) to ${value(most)} (bright)`),
  );
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
