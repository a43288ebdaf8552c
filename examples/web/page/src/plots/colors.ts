/** Colours of heat maps. */

/** Colours from the smallest to the largest value: dark blue, green, yellow. The brightness increases. */
const STOPS = [[48, 18, 99], [41, 98, 143], [33, 155, 133], [122, 209, 81], [253, 231, 37]];
/** Colour of values that are not finite. */
const NO_VALUE: [number, number, number] = [128, 128, 128];

/** Red, green and blue of a value between 0 and 1. */
export function colorAt(t: number): [number, number, number] {
  if (!Number.isFinite(t)) return NO_VALUE;
  const at = Math.min(Math.max(t, 0), 1) * (STOPS.length - 1);
  const low = Math.min(Math.floor(at), STOPS.length - 2);
  const mix = (part: number) => Math.round(STOPS[low][part] + (at - low) * (STOPS[low + 1][part] - STOPS[low][part]));
  return [mix(0), mix(1), mix(2)];
}

/** Smallest and largest finite value; undefined if there is none. */
export function extent(values: ArrayLike<number>): { least: number; most: number } | undefined {
  let least = Infinity;
  let most = -Infinity;
  for (let at = 0; at < values.length; at += 1) {
    const found = values[at];
    if (!Number.isFinite(found)) continue;
    if (found < least) least = found;
    if (found > most) most = found;
  }
  return most >= least ? { least, most } : undefined;
}
