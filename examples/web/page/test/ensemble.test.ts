import type { Report } from 'linkstream';
import { describe, expect, test } from 'vitest';
import { filtered, sorted } from '../src/ensemble/arrange';
import { withoutChance } from '../src/ensemble/chance';
import type { EnsembleEntry } from '../src/ensemble/entry';
import { exportedRows, toCsv, toJson } from '../src/ensemble/export';
import { isOutlier, OUTLIER } from '../src/ensemble/findings';
import { historyOf } from '../src/ensemble/history';
import { type Row, rowOf } from '../src/ensemble/row';
import { countsOf, groupsOf, medianOf, summaryOf } from '../src/ensemble/statistics';
import { updateOf } from '../src/ensemble/update';

/** A report on a gauge field. */
function report(more: Partial<Report> = {}, field: object = {}): Report {
  const links = { offset: 0, region: 'lattice', extents: [4, 4, 4, 8], precision: 32, datatype: 'USQCD_F3_ColorMatrix', plaquette: 0.5956709, max_unitarity_deviation: 8.37e-8, ...field };
  return { schema: 3, file: 'a', format: 'lime', bytes: 100, verdict: 'ok', unverified: [], error: null, findings: [], ok: true, fields: [links], ...more } as unknown as Report;
}

let last = 0;
function entry(name: string, more: Partial<EnsembleEntry> = {}): EnsembleEntry {
  last += 1;
  return { id: last, name, path: name, size: undefined, state: 'done', report: report(), ...more };
}

const NONE: ReadonlySet<number> = new Set();
const PLAQUETTES = [0.5956709, 0.5957012, 0.5956344, 0.5955981, 0.5956604, 0.5957233, 0.61];
const rowsOf = (plaquettes: number[], field: object = {}): Row[] =>
  plaquettes.map((plaquette, at) => rowOf(entry(`conf.${at}.lime`, { report: report({}, { plaquette, ...field }) })));

test('files of other programs, and unknown ones, are not wrong', () => {
  const unknown = (rule: string, message: string) => rowOf(entry('other', {
    report: report({ format: 'unknown', verdict: 'wrong', fields: [], findings: [{ severity: 'error', rule, message }] } as unknown as Partial<Report>),
  })).verdict;
  expect(unknown('format-not-read', 'this is FNAL, which is recognised but not read; MILC reads it')).toBe('not read');
  expect(unknown('format-not-read', 'this is zip: `unzip -p FILE | linkstream check -` reads what is in it')).toBe('not recognised');
  expect(unknown('format-unknown', 'not a file that linkstream reads: it looks like text')).toBe('not recognised');
});

describe('update', () => {
  test.each([
    ['ckpoint_lat.1000', 1000], ['conf.0012.lime', 12], ['su3-4x4x4x8.lime', undefined], ['l3248f211b580m002m0065m838_cfg_310.ildg', 310],
    ['b6.0_traj120.lime', 120], ['wilson_b5.95.0100', 100], ['beta6.0.lime', undefined], ['run-2/conf-7.lime.gz', 7], ['sample.lime', undefined],
  ])('in the file name %s: %s', (name, number) => {
    expect(updateOf(undefined, name)).toEqual(number === undefined ? undefined : { number, from: 'file name' });
  });
  test('numbers that are in a name by chance are no updates', () => {
    const numbers = (...names: string[]) => withoutChance(names.map((name) => rowOf(entry(name)))).map(({ update }) => update?.number);
    // With a word for configurations, or if several files of one lattice differ in the number alone.
    expect(numbers('conf.7.lime', 'b6.0_traj120.lime')).toEqual([7, 120]);
    expect(numbers('l88-100', 'l88-110', 'l88-120')).toEqual([100, 110, 120]);
    expect(numbers('dim1_17.lime', 'complex_d_3.lime', 'other_3.lime')).toEqual([undefined, undefined, undefined]);
    const lattices = [1, 17, 100].map((extent) => rowOf(entry(`dim1_${extent}.lime`, { report: report({}, { extents: [extent] }) })));
    expect(withoutChance(lattices).map(({ update }) => update)).toEqual([undefined, undefined, undefined]);
    const [row] = withoutChance([lattices[0]]);
    expect(withoutChance([lattices[0]])[0]).toBe(row);
  });
  test('in documents, which come before the file name', () => {
    const text = 'plaquette = 0.5956\n trajectory nr = 1234, beta = 6.0';
    const records = [{ type: 'xlf-info', text }] as Report['records'];
    expect(updateOf(report({ records }), 'conf.7.lime')).toEqual({ number: 1234, from: 'xlf-info' });
    expect(updateOf(report({ header: [['SEQUENCE_NUMBER', ' 45 ']] }), 'conf.7')).toEqual({ number: 45, from: 'header' });
    expect(updateOf(report({ header: [['SEQUENCE_NUMBER', 'none']] }), 'conf.7')).toEqual({ number: 7, from: 'file name' });
  });
});

describe('rows', () => {
  test('have the properties of the gauge field', () => {
    expect(rowOf(entry('conf.3.lime'))).toMatchObject({ verdict: 'ok', extents: [4, 4, 4, 8], precision: 32, plaquette: 0.5956709, unitarity: 8.37e-8, size: 100, update: { number: 3 } });
  });
  test('of files without a report', () => {
    expect(rowOf(entry('a', { state: 'running', share: 0.5, report: undefined, size: 7 }))).toMatchObject({ verdict: 'reading', share: 0.5, size: 7, plaquette: undefined });
    expect(rowOf(entry('a', { state: 'failed', report: undefined, message: 'no such file' }))).toMatchObject({ verdict: 'unreadable', message: 'no such file' });
  });
  test('a plaquette that is not finite is none', () => {
    expect(rowOf(entry('a', { report: report({}, { plaquette: null }) })).plaquette).toBeUndefined();
  });
});

describe('sorting and filters', () => {
  const rows = ['conf.10', 'conf.9', 'conf.100'].map((name) => rowOf(entry(name)));
  test('names by their numbers', () => {
    expect(sorted(rows, { column: 'name', isDescending: false }).map(({ name }) => name)).toEqual(['conf.9', 'conf.10', 'conf.100']);
    expect(sorted(rows, { column: 'update', isDescending: true }).map(({ name }) => name)).toEqual(['conf.100', 'conf.10', 'conf.9']);
  });
  test('rows without a value are last in both directions', () => {
    const some = [rowOf(entry('b', { report: report({}, { plaquette: undefined }) })), ...rowsOf([0.6, 0.5])];
    for (const isDescending of [false, true]) {
      const found = sorted(some, { column: 'plaquette', isDescending }).map(({ plaquette }) => plaquette);
      expect(found).toEqual(isDescending ? [0.6, 0.5, undefined] : [0.5, 0.6, undefined]);
    }
  });
  test('text over name and verdict, and verdicts', () => {
    const mixed = [...rows, rowOf(entry('conf.11', { report: report({ verdict: 'wrong' }) }))];
    expect(filtered(mixed, { text: 'WRONG conf', verdicts: new Set() }).map(({ name }) => name)).toEqual(['conf.11']);
    expect(filtered(mixed, { text: '', verdicts: new Set(['ok']) })).toHaveLength(3);
    expect(filtered(mixed, { text: '100', verdicts: new Set(['wrong']) })).toEqual([]);
  });
});

describe('statistics', () => {
  // Independent values: mean, stdev and median of Python's module statistics.
  test('are those of Python', () => {
    const rows = rowsOf(PLAQUETTES);
    const found = summaryOf(groupsOf(rows)[0], new Set([rows[6].id]));
    expect(found?.count).toBe(7);
    expect(found?.mean).toBeCloseTo(0.5977126142857143, 14);
    expect(found?.deviation).toBeCloseTo(0.005418384329123874, 14);
    expect(found?.naiveError).toBeCloseTo(0.00204795677751876, 14);
    expect(found).toMatchObject({ least: 0.5955981, most: 0.61, outliers: 1, withErrors: 0 });
    expect(medianOf(PLAQUETTES)).toBe(0.5956709);
  });
  test('different lattices, precisions and datatypes are never averaged together', () => {
    const rows = [...rowsOf([0.5, 0.5]), ...rowsOf([0.6], { extents: [8, 8, 8, 8] }), ...rowsOf([0.7], { precision: 64 })];
    expect(groupsOf(rows).map(({ name, rows: members }) => [name, members.length])).toEqual([
      ['4×4×4×8, single precision, USQCD_F3_ColorMatrix', 2],
      ['4×4×4×8, double precision, USQCD_F3_ColorMatrix', 1],
      ['8×8×8×8, single precision, USQCD_F3_ColorMatrix', 1],
    ]);
  });
  test('files with errors are left out', () => {
    const rows = [...rowsOf([0.5, 0.52]), rowOf(entry('x', { report: report({ verdict: 'wrong' }, { plaquette: 9 }) }))];
    expect(summaryOf(groupsOf(rows)[0], NONE)).toMatchObject({ count: 2, most: 0.52, withErrors: 1 });
    expect(summaryOf(groupsOf(rows.slice(2))[0], NONE)).toBeUndefined();
  });
  test('one file has no deviation', () => {
    expect(summaryOf(groupsOf(rowsOf([0.5]))[0], NONE)).toMatchObject({ deviation: undefined, naiveError: undefined, outliers: 0 });
  });
  test('numbers by verdict', () => {
    const rows = [...rowsOf([0.5, 0.5]), rowOf(entry('x', { state: 'failed', report: undefined }))];
    expect(countsOf(rows)).toEqual([['ok', 2], ['unreadable', 1]]);
  });
});

describe('history', () => {
  test('over updates, with outliers, the selected file, and lines', () => {
    const rows = rowsOf(PLAQUETTES).reverse();
    const history = historyOf(groupsOf(rows)[0], 'update', new Set([rows[0].id]), rows[1].id);
    expect(history.x).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(history.series.map(({ label }) => label)).toEqual(['plaquette', 'outlier', 'selected file', 'median']);
    expect(history.series[1].values).toEqual([null, null, null, null, null, null, 0.61]);
    expect(history.ids[5]).toBe(rows[1].id);
    expect(history.loops).toEqual([]);
  });
  test('of Polyakov loops, without files with errors', () => {
    const rows = rowsOf([0.5, 0.6, 0.7], { polyakov_loop: [0.25, -0.5] });
    rows.push(rowOf(entry('conf.8', { report: report({ verdict: 'wrong' }, { polyakov_loop: [9, 9] }) })));
    rows.push(rowOf(entry('conf.9', { report: report({}, { polyakov_loop: null }) })));
    const { loops } = historyOf(groupsOf(rows)[0], 'update', NONE, undefined);
    expect(loops.map(({ label, values }) => [label, values])).toEqual([
      ['real part', [0.25, 0.25, 0.25, null, null]], ['imaginary part', [-0.5, -0.5, -0.5, null, null]],
    ]);
  });
  test('files without an update are counted', () => {
    const rows = [...rowsOf([0.5, 0.6]), rowOf(entry('sample'))];
    expect(historyOf(groupsOf(rows)[0], 'update', NONE, undefined)).toMatchObject({ x: [0, 1], without: 1 });
    expect(historyOf(groupsOf(rows)[0], 'name', NONE, undefined)).toMatchObject({ names: ['conf.0.lime', 'conf.1.lime', 'sample'], without: 0 });
  });
});

describe('export', () => {
  const judged = (id: number, ...kinds: string[]) => ({ kinds: new Map([[id, kinds]]) });
  const rows = [rowOf(entry('=HYPERLINK("x"),\nend', { report: report({ verdict: 'wrong', findings: [{ severity: 'error', message: 'a "quote"' }] as Report['findings'] }, { polyakov_loop: [0.25, -0.5] }) }))];
  test('CSV: quotes, commas and line ends in texts, and no formulas', () => {
    const [head, line, end] = toCsv(exportedRows(rows, judged(rows[0].id, 'wrong'))).split('\r\n');
    expect(head).toBe('name,lattice,precision_bits,datatype,update,update_from,plaquette,outlier,findings,polyakov_loop_re,polyakov_loop_im,max_unitarity_deviation,verdict,bytes,message');
    expect(line).toBe(`"'=HYPERLINK(""x""),\nend","4x4x4x8",32,"USQCD_F3_ColorMatrix",,,0.5956709,false,"wrong",0.25,-0.5,8.37e-8,"wrong",100,"a ""quote"""`);
    expect(end).toBe('');
  });
  test('JSON: the texts as they are', () => {
    expect(JSON.parse(toJson(exportedRows(rows, judged(rows[0].id, 'wrong'))))[0]).toMatchObject({ name: '=HYPERLINK("x"),\nend', update: null, plaquette: 0.5956709, outlier: false });
  });
  test('outliers are those of the findings, and unknown before there are any', () => {
    const [row] = rowsOf(PLAQUETTES);
    expect(isOutlier(judged(row.id, 'gap', OUTLIER), row.id)).toBe(true);
    expect(exportedRows([row], judged(row.id, 'number-update', OUTLIER))[0]).toMatchObject({ outlier: true, findings: `number-update ${OUTLIER}` });
    expect(exportedRows([row], judged(-1, OUTLIER))[0]).toMatchObject({ outlier: false, findings: null });
    expect(exportedRows([row], undefined)[0]).toMatchObject({ outlier: null, findings: null });
  });
});
