/** Effective masses. */

/**
 * The effective mass between each time and the next: the logarithm of the ratio of their correlators. It is null where
 * a correlator is not positive and finite, and at the last time.
 */
export function effectiveMass(correlator: number[]): (number | null)[] {
  return correlator.map((now, at) => {
    const next = correlator[at + 1];
    const ratio = now / next;
    return now > 0 && next > 0 && Number.isFinite(ratio) && ratio > 0 ? Math.log(ratio) : null;
  });
}
