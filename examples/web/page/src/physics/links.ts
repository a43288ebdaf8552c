/** Arithmetic on the links of time slices. Links are complex matrices, with real and imaginary parts alternating. */

export interface LinkShape {
  /** Extents of the lattice, x first. */
  extents: number[];
  /** Number of links of a site. */
  links: number;
  colors: number;
}

type Numbers = Float32Array | Float64Array;

/** Computes out = a b, or a b† if `adjoint`. */
function multiply(n: number, a: Numbers, i: number, b: Numbers, j: number, out: Float64Array, adjoint: boolean): void {
  for (let row = 0; row < n; row += 1) {
    for (let column = 0; column < n; column += 1) {
      let re = 0;
      let im = 0;
      for (let k = 0; k < n; k += 1) {
        const left = i + 2 * (row * n + k);
        const right = j + 2 * (adjoint ? column * n + k : k * n + column);
        const sign = adjoint ? -1 : 1;
        re += a[left] * b[right] - sign * a[left + 1] * b[right + 1];
        im += sign * a[left] * b[right + 1] + a[left + 1] * b[right];
      }
      out[2 * (row * n + column)] = re;
      out[2 * (row * n + column) + 1] = im;
    }
  }
}

/**
 * The Wilson action density of each site of a time slice: the sum of 1 - Re tr U_plaquette / N over the planes. `next`
 * is the slice after it (periodic).
 */
export function actionDensity(shape: LinkShape, current: Numbers, next: Numbers): Float64Array {
  const { extents, links, colors: n } = shape;
  const space = extents.slice(0, -1);
  const sites = space.reduce((product, extent) => product * extent, 1);
  const size = 2 * n * n;
  const strides = space.map((_, mu) => space.slice(0, mu).reduce((product, extent) => product * extent, 1));
  const neighbour = (site: number, mu: number) => {
    const x = Math.floor(site / strides[mu]) % space[mu];
    return x + 1 === space[mu] ? site - x * strides[mu] : site + strides[mu];
  };
  const density = new Float64Array(sites);
  const upper = new Float64Array(size);
  const lower = new Float64Array(size);
  const directions = Math.min(links, extents.length);
  for (let site = 0; site < sites; site += 1) {
    let sum = 0;
    for (let mu = 0; mu < directions; mu += 1) {
      for (let nu = mu + 1; nu < directions; nu += 1) {
        const isTime = nu === space.length;
        const forward = neighbour(site, mu);
        const up = isTime ? site : neighbour(site, nu);
        const at = (x: number, direction: number) => (x * links + direction) * size;
        // U_mu(x) U_nu(x+mu) against U_nu(x) U_mu(x+nu).
        multiply(n, current, at(site, mu), current, at(forward, nu), upper, false);
        multiply(n, current, at(site, nu), isTime ? next : current, at(up, mu), lower, false);
        let trace = 0;
        for (let k = 0; k < size; k += 1) trace += upper[k] * lower[k];
        sum += 1 - trace / n;
      }
    }
    density[site] = sum;
  }
  return density;
}

/** Number of decades of the histogram: the first has deviations below 1e-17, the last deviations of 1 and more. */
export const DECADES = 18;

/** Numbers of links of a slice by their deviation from unitarity, the largest element of |U U† - 1|, in decades. */
export function unitarity(shape: LinkShape, slice: Numbers): number[] {
  const { colors: n } = shape;
  const size = 2 * n * n;
  const counts = new Array<number>(DECADES).fill(0);
  const product = new Float64Array(size);
  for (let link = 0; link + size <= slice.length; link += size) {
    multiply(n, slice, link, slice, link, product, true);
    let largest = 0;
    for (let k = 0; k < n * n; k += 1) {
      const re = product[2 * k] - (k % (n + 1) === 0 ? 1 : 0);
      largest = Math.max(largest, Math.hypot(re, product[2 * k + 1]));
    }
    // The first decade has the exponent -17. Deviations that are infinite or not a number count as the last decade.
    const decade = Number.isFinite(largest) && largest > 0 ? Math.floor(Math.log10(largest)) + DECADES - 1 : largest === 0 ? 0 : DECADES - 1;
    counts[Math.min(DECADES - 1, Math.max(0, decade))] += 1;
  }
  return counts;
}

/** Sum of the squares of all numbers. */
export function squaredNorm(slice: Numbers): number {
  let sum = 0;
  for (const number of slice) sum += number * number;
  return sum;
}
