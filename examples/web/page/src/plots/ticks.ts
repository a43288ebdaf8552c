/** Numbers along an axis. */

/** Number of decimals that a step of a grid needs, such as 4 for 0.0025. */
export function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 15; decimals += 1) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 15;
}

/** Labels of evenly spaced values. All have the decimals of their step, so that no two are equal. */
export function labelsOf(values: number[], step: number): string[] {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest !== 0 && (largest < 1e-3 || largest >= 1e6)) {
    const exponent = Math.floor(Math.log10(largest));
    const decimals = decimalsOf(step / 10 ** exponent);
    return values.map((value) => (value === 0 ? '0' : `${(value / 10 ** exponent).toFixed(decimals)}e${exponent}`));
  }
  const decimals = decimalsOf(step);
  // There is no negative zero on an axis.
  return values.map((value) => (Math.abs(value) < step / 1e6 ? 0 : value).toFixed(decimals));
}

/** About `count` evenly spaced round values between two numbers, and their step. */
export function ticksBetween(from: number, to: number, count: number): { values: number[]; step: number } {
  const span = to - from;
  if (!(span > 0)) return { values: [from], step: Math.abs(from) || 1 };
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 2.5, 5, 10].map((digit) => digit * power).find((one) => span / one <= count) ?? 10 * power;
  const values: number[] = [];
  for (let n = Math.ceil(from / step - 1e-9); n * step <= to + 1e-9 * step; n += 1) values.push(n * step);
  return { values, step };
}

/** About `count` evenly spaced whole numbers from `first` to `last`, both included. */
export function wholeTicks(first: number, last: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(ticksBetween(first, last, count).step));
  const ticks: number[] = [];
  for (let tick = first; tick <= last; tick += step) ticks.push(tick);
  return ticks;
}
