/** Positions and labels of ticks. */

/** Most decimals of a label without an exponent: of small numbers, and of others. */
const MOST_DECIMALS = { small: 4, other: 10 };
const SMALL = 1e-3;
/** Numbers from here on are written with an exponent. */
const LARGE = 1e6;

/** Number of decimals of a step: 0 for 5, 1 for 2.5, 3 for 0.001. */
export function decimalsOf(step: number): number {
  if (!(step > 0) || !Number.isFinite(step)) return 0;
  // Steps have at most two significant digits. The product of a decimal and a power of ten is rounded.
  const [digits, exponent] = step.toExponential(2).split('e');
  return Math.max(0, digits.replace(/\.?0+$/, '').replace(/^\d\.?/, '').length - Number(exponent));
}

/** Labels of ticks at multiples of a step. All have the same number of decimals, so that no two are equal. */
export function labelsOf(ticks: number[], step: number): string[] {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const decimals = decimalsOf(step);
  if (largest < LARGE && decimals <= (largest < SMALL ? MOST_DECIMALS.small : MOST_DECIMALS.other)) {
    // Rounding may make a negative number zero.
    return ticks.map((tick) => tick.toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1'));
  }
  const power = largest > 0 ? Math.floor(Math.log10(largest) + 1e-9) : 0;
  const scaled = decimalsOf(Number((step / 10 ** power).toPrecision(3)));
  return ticks.map((tick) => {
    const mantissa = (tick / 10 ** power).toFixed(scaled).replace(/^-(0(\.0*)?)$/, '$1');
    return Number(mantissa) === 0 ? '0' : `${mantissa}e${power}`;
  });
}

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = Math.floor(Math.log10(least));
  for (const digit of [1, 2, 2.5, 5, 10]) {
    const step = Number(`${digit}e${power}`);
    // The tolerance lets 0.1 + 0.2 count as 0.3.
    if (step >= least * (1 - 1e-9)) return step;
  }
  return Number(`1e${power + 1}`);
}

/** At most `most` ticks between two numbers, at multiples of a step, and their labels. */
export function ticksBetween(from: number, to: number, most: number): { ticks: number[]; labels: string[] } {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { ticks: [], labels: [] };
  if (!(to > from)) return { ticks: [from], labels: [shortest(from)] };
  let step = niceStep((to - from) / Math.max(1, most));
  let ticks = multiples(from, to, step);
  while (ticks.length > Math.max(1, most)) {
    step = niceStep(step * 1.01);
    ticks = multiples(from, to, step);
  }
  return { ticks, labels: labelsOf(ticks, step) };
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const decimals = Math.min(100, decimalsOf(step));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => Number(((first + place) * step).toFixed(decimals)));
}

/** At most `most` of the whole numbers from 0 to `count` - 1, evenly spaced, beginning with 0. */
export function wholeTicks(count: number, most: number): number[] {
  let step = 1;
  while (Math.ceil(count / step) > Math.max(1, most)) step = Math.ceil(niceStep(step * 1.01));
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
}

/**
 * Labels of ticks on a logarithmic axis, empty for ticks without a label: powers of ten, or, if there are fewer than two
 * of them, also their multiples. At most `most` ticks have a label.
 */
export function logLabels(ticks: number[], most: number): string[] {
  const powers = ticks.filter(isPower);
  if (powers.length < 2) {
    const every = Math.max(1, Math.ceil(ticks.length / Math.max(1, most)));
    return ticks.map((tick, place) => (place % every === 0 ? shortest(tick) : ''));
  }
  const every = Math.max(1, Math.ceil(powers.length / Math.max(1, most)));
  const labelled = new Set(powers.filter((_, place) => place % every === 0));
  return ticks.map((tick) => (labelled.has(tick) ? `1e${Math.round(Math.log10(tick))}` : ''));
}

function isPower(tick: number): boolean {
  const exponent = Math.log10(tick);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9;
}

/** A number with as few digits as it needs, up to six. */
function shortest(number: number): string {
  const rounded = Number(number.toPrecision(6));
  return rounded !== 0 && (Math.abs(rounded) < SMALL || Math.abs(rounded) >= LARGE) ? rounded.toExponential().replace('e+', 'e') : String(rounded);
}
