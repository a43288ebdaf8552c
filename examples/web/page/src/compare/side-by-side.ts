/** Observables and headers of two files, side by side. */

import { type FieldEntry, fieldsOf, type Report } from 'linkstream';
import { value } from '../format';

export interface Row {
  name: string;
  a: string;
  b: string;
  /** Difference of two numbers; empty if one of them is missing. */
  difference: string;
}

const OBSERVABLES: [(field: FieldEntry) => number | null | undefined, string][] = [
  [(field) => field.plaquette, 'plaquette'],
  [(field) => field.spatial_plaquette, 'spatial plaquette'],
  [(field) => field.temporal_plaquette, 'temporal plaquette'],
  [(field) => field.link_trace, 'link trace'],
  [(field) => field.polyakov_loop && field.polyakov_loop[0], 'Polyakov loop, real part'],
  [(field) => field.polyakov_loop && field.polyakov_loop[1], 'Polyakov loop, imaginary part'],
  [(field) => field.max_unitarity_deviation, 'largest deviation from unitarity'],
  [(field) => field.max_determinant_deviation, 'largest deviation of a determinant'],
];

/** Observables that at least one of two files has. Fields are paired in their order. */
export function observables(a: Report, b: Report): Row[] {
  const [first, second] = [fieldsOf(a), fieldsOf(b)];
  const rows: Row[] = [];
  const many = Math.max(first.length, second.length) > 1;
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    for (const [of, name] of OBSERVABLES) {
      const [left, right] = [first, second].map((fields) => fields[index] && of(fields[index]));
      if (left === undefined && right === undefined) continue;
      rows.push(row(many ? `field ${index}: ${name}` : name, left, right));
    }
  }
  return rows;
}

function row(name: string, a: number | null | undefined, b: number | null | undefined): Row {
  const isPair = typeof a === 'number' && typeof b === 'number';
  return { name, a: shown(a), b: shown(b), difference: isPair ? difference(b - a) : '' };
}

const shown = (number: number | null | undefined) => (number === undefined ? '(none)' : value(number));

/** A difference is shown with its order of magnitude, however small it is. */
function difference(number: number): string {
  return number === 0 ? '0' : number.toExponential(3);
}

/** Entries that differ in the headers of NERSC archives or MILC files. */
export function headers(a: Report, b: Report): Row[] {
  if (!a.header || !b.header) return [];
  const [first, second] = [new Map(a.header), new Map(b.header)];
  const keys = new Set([...first.keys(), ...second.keys()]);
  return [...keys].filter((key) => first.get(key) !== second.get(key))
    .map((key) => ({ name: key, a: first.get(key) ?? '(none)', b: second.get(key) ?? '(none)', difference: '' }));
}
