import { check, diff, type Report } from 'linkstream';
import { expect, test } from 'vitest';
import sample from '../../../su3-4x4x4x8.lime?url&inline';
import scda from '../../../../host-tests/fixtures/scda/arbitrary-mixed-all.scda?url&inline';
import { headers, observables } from '../src/compare/side-by-side';
import { changeRow, dataWords, placeOf, verdictOf } from '../src/compare/words';

/** The bytes of a file that is imported as a data: address. */
const bytesOf = async (address: string) => new Uint8Array(await (await fetch(address)).arrayBuffer());
const SAMPLE = await bytesOf(sample);
const EXACT = { absolute: 0, relative: 0 };
const summary = async (...files: Parameters<typeof diff>) => verdictOf(await diff(...files), EXACT);

/** The sample with another last bit in the first number of its gauge field, and without its checksum record. */
async function changed(): Promise<Uint8Array> {
  const { records = [] } = (await check(SAMPLE)) as Report;
  const data = records.find(({ type }) => type === 'ildg-binary-data');
  const bytes = SAMPLE.slice();
  bytes[(data?.offset ?? 0) + 144 + 3] ^= 1;
  return bytes;
}

test('equal files', async () => {
  expect(await summary(SAMPLE, SAMPLE)).toEqual({ tone: 'good', summary: 'The files are equal.' });
  expect(verdictOf(await diff(SAMPLE, SAMPLE, { tolerance: 1e-6 }), { absolute: 1e-6, relative: 0 }).summary).toBe('The files are equal within the tolerance.');
});

test('a single bit is found, and a tolerance covers it', async () => {
  const other = await changed();
  const report = await diff(SAMPLE, other, { damaged: true });
  expect(verdictOf(report, EXACT)).toMatchObject({ tone: 'bad', summary: 'The files differ in their data, as far as they can be read.' });
  const [data] = report.data;
  expect(dataWords(data)).toBe('36,864 numbers compared; 1 differs.');
  expect(data.compared_as === 'numbers' && data.largest_absolute && placeOf(data.largest_absolute)).toBe('site (0, 0, 0, 0), link x, row 0, column 0, real part');
  const tolerant = await diff(SAMPLE, other, { damaged: true, tolerance: 1e-5 });
  expect(verdictOf(tolerant, { absolute: 1e-5, relative: 0 })).toEqual({ tone: 'fair', summary: 'The files are equal within the tolerance, as far as they can be read.' });
  expect(dataWords(tolerant.data[0])).toBe('36,864 numbers compared; none differs by more than the tolerance.');
});

test('files of different formats are refused, with the reason', async () => {
  expect(await summary(SAMPLE, await bytesOf(scda))).toEqual({
    tone: 'bad', summary: 'The files cannot be compared: the first is a file of the format LIME, and the second of the format scda.',
  });
});

test('documents and structure that differ', () => {
  const report = { schema: 3 as const, a: 'a', b: 'b', same: false, structure: [], documents_compared: 1, data: [], damage: [], documents: [{ name: 'd', changes: [] }] };
  const numbers = { compared_as: 'numbers' as const, name: 'field 0', same: true, compared: 2, differing: 0, not_finite: 1, largest_absolute: null, largest_relative: null, ranges: [], ranges_left_out: 0, bytes_a: [], bytes_b: [] };
  expect(verdictOf(report, EXACT).summary).toBe('The files differ in 1 document.');
  expect(verdictOf({ ...report, data: [numbers] }, EXACT)).toEqual({ tone: 'fair', summary: 'The numbers are equal, but the files differ in 1 document.' });
  expect(verdictOf({ ...report, same: true, documents: [], documents_compared: 0 }, EXACT).summary).toMatch(/^Nothing was compared/);
  expect(dataWords(numbers)).toBe('2 numbers compared; all are equal. 1 pair is not finite.');
  expect(dataWords({ compared_as: 'bytes', name: 'x', same: false, bytes: [10, 12], differing: 3, first: 4, ranges: [[4, 7]], ranges_left_out: 0 })).toBe('10 and 12 bytes compared; 3 differ. The first is byte 4.');
  expect(changeRow({ path: '/a', a: null, b: '1' })).toEqual(['/a', '(none)', '1']);
  expect(changeRow({ left_out: 1200 })[0]).toBe('1,200 more');
});

test('observables and headers side by side', async () => {
  const a = await check(SAMPLE);
  const b = await check(await changed());
  const [plaquette] = observables(a, b);
  expect(plaquette).toMatchObject({ name: 'plaquette', a: expect.stringMatching(/^0\.59/), b: expect.stringMatching(/^0\.59/) });
  expect(plaquette.difference).toMatch(/^(-?\d\.\d{3}e-\d+|0)$/);
  const loop = observables(a, b).filter(({ name }) => name.startsWith('Polyakov loop'));
  expect(loop.map(({ name, a: of }) => [name, of.slice(0, 8)])).toEqual([['Polyakov loop, real part', '0.061301'], ['Polyakov loop, imaginary part', '-0.02923']]);
  expect(observables(a, a).every(({ difference }) => difference === '0')).toBe(true);
  const archive = (header: [string, string][]) => ({ ...a, header }) as unknown as Report;
  expect(headers(archive([['PLAQUETTE', '1'], ['X', 'same']]), archive([['PLAQUETTE', '2'], ['X', 'same'], ['Y', 'new']]))).toEqual([
    { name: 'PLAQUETTE', a: '1', b: '2', difference: '' }, { name: 'Y', a: '(none)', b: 'new', difference: '' },
  ]);
});
