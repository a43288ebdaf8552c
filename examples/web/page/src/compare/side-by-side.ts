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

const OBSERVABLES: [keyof FieldEntry, string][] = [
  ['plaquette', 'plaquette'],
  ['spatial_plaquette', 'spatial plaquette'],
  ['temporal_plaquette', 'temporal plaquette'],
  ['link_trace', 'link trace'],
  ['max_unitarity_deviation', 'largest deviation from unitarity'],
  ['max_determinant_deviation', 'largest deviation of a determinant'],
];

/** Observables that at least one of two files has. Fields are paired in their order. */
export function observables(a: Report, b: Report): Row[] {
  const [first, second] = [fieldsOf(a), fieldsOf(b)];
  const rows: Row[] = [];
  const many = Math.max(first.length, second.length) > 1;
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    for (const [key, name] of OBSERVABLES) {
      const [left, right] = [first[index]?.[key], second[index]?.[key]];
      if (left === undefined && right === undefined) continue;
      rows.push(row(many ? `field ${index + 1}: ${name}` : name, left as number | null | undefined, right as number | null | undefined));
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
