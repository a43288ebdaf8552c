/** Numbers for people. */

import type { Count } from 'linkstream';

/** A size in bytes, with three digits and a decimal unit if it is large. */
export function bytes(size: Count): string {
  let value = Number(size);
  if (value < 10_000) return `${size.toLocaleString('en')} ${plural(size, 'byte')}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** The power of two with this exponent, with a binary prefix. */
export function binary(power: number): string {
  return `${2 ** (power % 10)}${['', ' Ki', ' Mi', ' Gi', ' Ti', ' Pi'][Math.floor(power / 10)]}`;
}

/** A time in seconds, rounded up, in minutes and seconds. */
export function seconds(count: number): string {
  const whole = Math.ceil(count);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** An integer with separators. An integer beyond 2^53 is a string of digits, and stays so. */
export function integer(count: Count): string {
  return count.toLocaleString('en');
}

/** A value of an observable or a matrix. Reports have null for values that are not finite or do not exist. */
export function value(number: number | null | undefined): string {
  if (number === null || number === undefined) return 'no finite value';
  if (number === 0) return '0';
  return Math.abs(number) >= 1e-4 && Math.abs(number) < 1e6 ? number.toFixed(9) : number.toExponential(3);
}

/** The noun, with an s unless there is exactly one. */
export function plural(count: Count, noun: string): string {
  return Number(count) === 1 ? noun : `${noun}s`;
}
