/** Correlators: the squared norm of a propagator or vector on each time slice. */

/** Value on a time slice; null if it is not a positive finite number. */
export type Value = number | null;

/**
 * The effective mass between two neighbouring time slices, log(C(t) / C(t+1)); null if it does not exist, or if the
 * slices are not neighbours.
 */
export function effectiveMasses(times: number[], values: Value[]): Value[] {
  return values.map((value, index) => {
    const next = values[index + 1];
    if (value === null || next == null || times[index + 1] !== times[index] + 1) return null;
    return Math.log(value / next);
  });
}

/** The value as it can be drawn on a logarithmic axis. */
export function positive(norm: number): Value {
  return norm > 0 && Number.isFinite(norm) ? norm : null;
}
