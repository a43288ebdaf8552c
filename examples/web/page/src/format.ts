/** Numbers for people. */

export function bytes(count: number): string {
  if (count < 10_000) return `${count.toLocaleString('en')} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** A power of two, as short as can be. */
export function binary(power: number): string {
  return `${2 ** (power % 10)}${['', ' Ki', ' Mi', ' Gi', ' Ti', ' Pi'][Math.floor(power / 10)]}`;
}

export function seconds(count: number): string {
  const whole = Math.ceil(count);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function integer(count: number): string {
  return count.toLocaleString('en');
}

export function value(number: number | null | undefined): string {
  if (number === null || number === undefined) return 'not a number';
  if (number === 0) return '0';
  return Math.abs(number) >= 1e-4 && Math.abs(number) < 1e6 ? number.toFixed(9) : number.toExponential(3);
}
