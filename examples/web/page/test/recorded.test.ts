import type { FieldEntry, RecordEntry } from 'linkstream';
import { expect, test } from 'vitest';
import { effectiveMass } from '../src/physics/mass';
import { comparisons, digitUnit } from '../src/physics/recorded';

const field = (more: object) => ({ offset: 0, ...more }) as unknown as FieldEntry;

test('a plaquette in a text, its difference and its tolerance', () => {
  const recorded = [{ quantity: 'plaquette', record: 'xlf-info', offset: 8, recorded: '0.5956', computed: 0.59578, agrees: false }];
  expect(comparisons(field({ recorded }))).toEqual([{
    quantity: 'average plaquette', where: 'text of xlf-info', stored: '0.5956', computed: '0.5957800', difference: '1.8e-4',
    tolerance: '1e-4 + rounding', verdict: 'differs',
  }]);
});

test('a value that was not computed has no verdict', () => {
  const recorded = [{ quantity: 'link_trace', record: 'the header', offset: 0, recorded: '5.5e-3', computed: null, agrees: null }];
  expect(comparisons(field({ recorded }))[0]).toMatchObject({ where: 'header', computed: '', difference: '', verdict: 'not computed' });
});

test('checksums of archives, whichever way they are printed', () => {
  const checksums = [
    { name: 'word_sum', stored: '0008E4A1', computed: '8e4a1' },
    { name: 'sum29', stored: '1', computed: '2' },
    { name: 'sum31', stored: null, computed: '3' },
  ];
  expect(comparisons(field({ checksums })).map(({ quantity, verdict }) => [quantity, verdict])).toEqual([['sum of words', 'agrees'], ['checksum sum29', 'differs']]);
});

test('SciDAC checksums: those after the data, before the next field', () => {
  const records = [
    { offset: 100, type: 'scidac-binary-data', text: null },
    { offset: 200, type: 'scidac-checksum', text: '<scidacChecksum><suma>43c9818d</suma><sumb> 1f29d948</sumb></scidacChecksum>' },
    { offset: 300, type: 'scidac-private-record-xml', text: '' },
    { offset: 400, type: 'scidac-binary-data', text: null },
  ] as RecordEntry[];
  const found = comparisons(field({ offset: 100, suma: '43c9818d', sumb: '1f29d949', checksum: 'mismatch' }), records);
  expect(found.map(({ stored, computed, verdict }) => [stored, computed, verdict])).toEqual([
    ['43c9818d', '43c9818d', 'agrees'],
    ['1f29d948', '1f29d949', 'differs'],
  ]);
  expect(comparisons(field({ offset: 400, suma: '1', sumb: '2', checksum: 'absent' }), records)).toEqual([]);
  expect(comparisons(field({ offset: 100, suma: null, sumb: null, checksum: null }), records)[0].verdict).toBe('not computed');
});

test.each([['0.5956', '1e-4'], ['5.956709e-01', '1e-7'], ['12', '1e0'], ['1.', '1e0'], ['-.5', '1e-1'], ['abc', undefined], ['', undefined]])(
  'last digit of %s', (printed, unit) => expect(digitUnit(printed)).toBe(unit));

test('effective mass of a decay, and where it is not defined', () => {
  const mass = effectiveMass([4, 4 * Math.exp(-0.3), 4 * Math.exp(-0.6), 0, 1, Infinity]);
  expect(mass[0]).toBeCloseTo(0.3, 12);
  expect(mass[1]).toBeCloseTo(0.3, 12);
  expect(mass.slice(2)).toEqual([null, null, null, null]);
});
