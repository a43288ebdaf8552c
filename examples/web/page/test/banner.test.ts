/** The line that says what a file contains. */

import type { FieldEntry, Report } from 'linkstream';
import { expect, test } from 'vitest';
import { contentsOf, verification } from '../src/banner';

const field = (more: Partial<FieldEntry>): FieldEntry => ({
  offset: 0, region: 'lattice', source: 'scidac', extents: [4, 4, 4, 8], precision: 32, bytes_per_site: 288, sites: 512,
  array: { type: 'f32', shape: [8, 4, 4, 4, 4, 3, 3, 2], axes: ['t', 'z', 'y', 'x', 'mu', 'row', 'column', 're/im'] }, ...more,
} as FieldEntry);

const lime = (fields: FieldEntry[], more: object = {}): Report => ({
  schema: 3, file: 'a', format: 'lime', bytes: 149_824, verdict: 'ok', unverified: [], error: null, findings: [], ok: true, records: [], fields, ...more,
} as unknown as Report);

const links = { per_site: 4, rows: 3, columns: 3, numbers: 'complex' } as const;
const records = [{ type: 'ildg-format' }];

test.each([
  ['an ILDG gauge field', lime([field({ links, plaquette: 0.595671, max_determinant_deviation: 1e-8 })], { records }),
    'ILDG SU(3) gauge field, 4×4×4×8, single precision, plaquette 0.59567, 150 kB'],
  ['a field of U(2)', lime([field({ links: { ...links, rows: 2, columns: 2 }, precision: 64 })]), 'SciDAC U(2) gauge field, 4×4×4×8, double precision, 150 kB'],
  ['one matrix for each site', lime([field({ links: { ...links, per_site: 1 }, datatype: 'QDP_F3_ColorMatrix' })]), 'SciDAC color matrix, 4×4×4×8, single precision, 150 kB'],
  ['a propagator', lime([field({ datatype: 'USQCD_F3_DiracFermion' }), field({ datatype: 'USQCD_F3_DiracFermion' })]),
    'SciDAC Dirac fermion, 2 fields, 4×4×4×8, single precision, 150 kB'],
  ['a file set', lime([field({ datatype: 'QDP_D3_ColorVector', precision: 64 })], { volumes: [{}, {}] }), 'file set of 2 volumes, SciDAC color vector, 4×4×4×8, double precision, 150 kB'],
  ['a matrix', { ...lime([]), format: 'inebin', type: 'R', rows: 3, columns: 1000 } as unknown as Report, 'INEBIN matrix of real numbers, 3×1,000, 150 kB'],
  ['sections', { ...lime([]), format: 'scda', sections: [{}] } as unknown as Report, 'scda file, 1 section, 150 kB'],
  ['no fields', lime([]), 'LIME, 150 kB'],
])('%s', (_, report, line) => {
  expect(contentsOf(report).join(', ')).toBe(line);
});

test('the state of the verification', () => {
  expect((['ok', 'unverified', 'wrong'] as const).map((verdict) => verification({ ...lime([]), verdict } as Report))).toEqual(['verified', 'not verified', 'wrong']);
});
