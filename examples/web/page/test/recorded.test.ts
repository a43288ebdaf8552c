import type { FieldEntry } from 'linkstream';
import { expect, test } from 'vitest';
import { effectiveMass } from '../src/physics/mass';
import { comparisons, digitUnit } from '../src/physics/recorded';

const field = (more: object) => ({ offset: 0, ...more }) as unknown as FieldEntry;

test('a plaquette in a text, its difference and its tolerance', () => {
  const recorded = [{ quantity: 'plaquette', record: 'xlf-info', offset: 8, recorded: '0.5956', computed: 0.59578, agrees: false }];
  expect(comparisons(field({ recorded }))).toEqual([{
    quantity: 'average plaquette', where: 'text of xlf-info', stored: '0.5956', computed: '0.5957800', difference: '1.8e-4',
    tolerance: '1e-4 + rounding', result: 'differs',
  }]);
});

test('a value that was not computed has no result', () => {
  const recorded = [{ quantity: 'link_trace', record: 'the header', offset: 0, recorded: '5.5e-3', computed: null, agrees: null }];
  expect(comparisons(field({ recorded }))[0]).toMatchObject({ where: 'header', computed: '', difference: '', result: 'not computed' });
});

test('checksums that are stored, of any format', () => {
  const checksums = [
    { name: 'word_sum', stored: '0008e4a1', computed: '0008e4a1' },
    { name: 'sum29', stored: '00000001', computed: '00000002' },
    { name: 'sum31', stored: null, computed: '00000003' },
    { name: 'suma', stored: '43c9818d', computed: null },
    { name: 'cksum', stored: '1234567', computed: '1234567' },
  ];
  expect(comparisons(field({ checksums })).map(({ quantity, where, result }) => [quantity, where, result])).toEqual([
    ['sum of words', 'header', 'agrees'],
    ['checksum sum29', 'header', 'differs'],
    ['checksum suma', 'scidac-checksum', 'not computed'],
    ['checksum cksum', 'bqcd-cksum', 'agrees'],
  ]);
});

test.each([['0.5956', '1e-4'], ['5.956709e-01', '1e-7'], ['12', '1e0'], ['1.', '1e0'], ['-.5', '1e-1'], ['abc', undefined], ['', undefined]])(
  'last digit of %s', (printed, unit) => expect(digitUnit(printed)).toBe(unit));

test('effective mass of a decay, and where it is not defined', () => {
  const mass = effectiveMass([4, 4 * Math.exp(-0.3), 4 * Math.exp(-0.6), 0, 1, Infinity]);
  expect(mass[0]).toBeCloseTo(0.3, 12);
  expect(mass[1]).toBeCloseTo(0.3, 12);
  expect(mass.slice(2)).toEqual([null, null, null, null]);
});
