// The types of reports agree with the schema and with the reports on all fixtures, and compile under old and new TypeScript.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import ts from 'typescript';

import { check, folders, program, sample } from './program.js';
import { compile } from './typescript.js';

// The browser tests have the old compiler among their packages, since a second one beside this would take over the command `tsc`.
const ts50 = createRequire(new URL('../../tests/package.json', import.meta.url))('typescript');

const { $defs } = JSON.parse(readFileSync(new URL('../../../report/schema.json', import.meta.url), 'utf8'));

/** Entries that only the program prints: the bytes of names that are not UTF-8, and the answer to `--for`. */
const PROGRAM_ONLY = ['file_hex', 'readers'];

/** The type of the package for each object of the schema. All archive formats have one object. */
const TYPES = {
  lime: 'LimeReport', inebin: 'InebinReport', scda: 'ScdaReport', unknown: 'UnknownReport', archive: 'NerscReport | MilcReport | OpenQcdReport',
  record: 'RecordEntry', usqcd: 'UsqcdContents', field: 'LimeField', archive_field: 'ArchiveField', recorded: 'RecordedEntry',
  section: 'SectionEntry', compressed: 'CompressedEntry', checksum: 'ChecksumEntry', finding: 'Finding', part: 'MatrixPart', volume: 'VolumeEntry', links: 'LinksEntry', array: 'ArrayEntry',
  unverified: 'Unverified',
};

/** The TypeScript type of a schema. */
function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return TYPES[name] === undefined ? typeOf($defs[name]) : `(${TYPES[name]})`;
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  // The schema lists the values that there are as examples, because later versions may have more.
  const values = schema.enum ?? (schema.type === 'string' ? schema.examples : undefined);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ').replaceAll('integer', 'number');
  if (schema.type === 'array') {
    if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
    const item = schema.items ? `(${typeOf(schema.items)})` : 'unknown';
    return schema.minItems === schema.maxItems && schema.minItems ? `[${Array(schema.minItems).fill(item)}]` : `${item}[]`;
  }
  if (schema.type !== 'object') return schema.type.replace('integer', 'number');
  const entries = Object.entries(schema.properties).filter(([name]) => !PROGRAM_ONLY.includes(name));
  return `{ ${entries.map(([name, one]) => `${name}${schema.required.includes(name) ? '' : '?'}: ${typeOf(one)}`).join('; ')} }`;
}

test('the types have the entries of the schema', () => {
  assert.deepEqual(
    Object.keys($defs).filter((name) => $defs[name].type === 'object' && !(name in TYPES)).sort(),
    ['entry', 'other', 'reader', 'skipped', 'unreadable'],
  );
  const lines = Object.entries(TYPES).flatMap(([name, type]) => [
    `type Schema_${name} = ${typeOf($defs[name])};`,
    // All entries and the required entries are the same. A value of the type fits into the schema.
    `same<keyof (${type}), keyof Schema_${name}>(true);`,
    `same<Required_<${type}>, Required_<Schema_${name}>>(true);`,
    `fits<${name === 'lime' || name === 'archive' || name === 'unknown' ? `Omit<${type}, 'fields'>` : type}, ${name === 'lime' || name === 'archive' || name === 'unknown' ? `Omit<Schema_${name}, 'fields'>` : `Schema_${name}`}>();`,
  ]);
  const text = [
    "import type { " + [...new Set(Object.values(TYPES).flatMap((type) => type.split(' | ')))].join(', ') + " } from 'linkstream';",
    'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;',
    'declare function same<A, B>(is: Same<A, B>): void;',
    'declare function fits<A extends B, B>(): void;',
    '/** Names of the entries that are not optional. */',
    'type Required_<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T];',
    ...lines,
    // The comparison itself fails where it must.
    '// @ts-expect-error', 'same<keyof { a: 1 }, keyof { a: 1; b: 1 }>(true);',
    '// @ts-expect-error', "same<Required_<{ a?: 1 }>, Required_<{ a: 1 }>>(true);",
    '// @ts-expect-error', "fits<{ a: 'x' }, { a: 'y' }>();",
  ].join('\n');
  assert.deepEqual(compile(ts, { 'schema.ts': text }), []);
});

test('findings on many files have the entries of their schema', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../report/manifest.schema.json', import.meta.url), 'utf8')).$defs;
  const text = Object.entries({ ensemble: 'EnsembleEntry', store: 'StoreEntry', finding: 'EnsembleFinding' }).map(([name, type]) => {
    const { properties, required } = manifest[name];
    const union = (names) => names.map((one) => JSON.stringify(one)).join(' | ');
    return `same<keyof linkstream.${type}, ${union(Object.keys(properties))}>(true);\nsame<keyof linkstream.${type}, ${union(required)}>(true);`;
  });
  const head = ["import type * as linkstream from 'linkstream';", 'declare function same<A, B>(is: [A] extends [B] ? ([B] extends [A] ? true : false) : false): void;'];
  assert.deepEqual(compile(ts, { 'findings.ts': [...head, ...text].join('\n') }), []);
});

/** Text in a literal is cut: only its type matters. */
const short = (name, value) => (typeof value === 'string' && value.length > 80 ? value.slice(0, 80) : value);

test('the reports on all fixtures have the entries of their types', (t) => {
  const reports = [];
  for (const [folder, names] of folders()) {
    for (const option of [['--slices'], ['--volume']]) reports.push(...check(folder, names, ...option).values());
  }
  const read = reports.filter((report) => report.format !== null);
  // Reports of the same entries and words need to be compiled only once.
  const literals = new Set();
  for (const report of read) {
    for (const list of ['records', 'sections']) if (report[list]?.length > 20) report[list].length = 20;
    for (const name of PROGRAM_ONLY) delete report[name];
    literals.add(JSON.stringify(report, short));
  }
  const text = ["import type { Report } from 'linkstream';", 'declare function is(report: Report): void;', ...[...literals].map((one) => `is(${one});`)];
  t.diagnostic(`${read.length} reports`);
  assert.deepEqual(compile(ts, { 'reports.ts': text.join('\n') }), []);
  assert.deepEqual([...new Set(read.map(({ format }) => format))].sort(), ['inebin', 'lime', 'nersc', 'openqcd', 'scda', 'unknown']);
});

test('comparisons have the entries of their type', () => {
  const all = [...folders()].flatMap(([folder, names]) => names.slice(0, 8).map((name) => join(folder, name)));
  const reports = all.flatMap((path, index) => {
    const others = [all[(index + 1) % all.length], path, sample];
    return others.map((other) => spawnSync(program, ['diff', '--json', '--damaged', '--', path, other], { encoding: 'utf8' }).stdout);
  });
  const compared = reports.map((line) => JSON.parse(line)).filter(({ same }) => same !== null);
  const kinds = new Set(compared.flatMap(({ data }) => data.map(({ compared_as }) => compared_as)));
  assert.deepEqual([...kinds].map(String).sort(), ['bytes', 'null', 'numbers']);
  const text = ["import type { DiffReport } from 'linkstream';", 'declare function is(report: DiffReport): void;', ...compared.map((one) => `is(${JSON.stringify(one, short)});`)];
  assert.deepEqual(compile(ts, { 'diffs.ts': text.join('\n') }), []);
});

const PROGRAM = `
import { check, describe, diff, ensemble, fieldsOf, LinkstreamError, open, preload, push } from 'linkstream';
import { LinkstreamReportElement, type ReportState } from 'linkstream/report-element';
import type { DiffReport, EnsembleReport, FieldEntry, OpenFile, Progress, PushEvent, Report, SectionEntry, Source } from 'linkstream';

const source: Source = new Blob(['']);
await preload(2);
const report: Report = await check(source, { onProgress: ({ bytes, total }: Progress) => console.log(bytes, total?.toFixed()), signal: new AbortController().signal });
if (report.format === 'lime') {
  const lengths: number[] = report.records.map(({ length }) => length);
  const lfn: string | undefined = report.fields.map((field) => (field.source === 'ildg' ? field.lfn : undefined))[0];
  console.log(lengths, lfn, report.volume_format === 'single');
} else if (report.format === 'nersc' || report.format === 'milc' || report.format === 'openqcd') {
  const [[key, value]]: [string, string][] = report.header;
  console.log(key, value);
} else if (report.format === 'scda') {
  const sections: SectionEntry[] = report.sections;
  console.log(sections);
} else if (report.format === 'inebin') {
  const rows: number | null = report.rows;
  console.log(rows);
} else {
  const rest: 'unknown' = report.format;
  console.log(rest);
}
// Without a format, the entries that all reports have.
const plaquette: number | null | undefined = report.fields.find((field) => field.plaquette !== undefined)?.plaquette;
// @ts-expect-error: only LIME files have records
report.records.length;
// @ts-expect-error: a wrong name
report.verdikt;
// @ts-expect-error: a wrong name of an entry of a field
report.fields[0].plaquete;
// @ts-expect-error: no such verdict
if (report.verdict === 'good') console.log(plaquette);

const file: OpenFile = await open(new URL('https://example.org/lat.ildg'));
const fields: FieldEntry[] = fieldsOf(file.report);
const numbers = await file.readField(0, { slice: 3 });
const first: number = numbers[0];
const buffer: ArrayBufferLike = numbers.buffer;
new Blob([numbers]);
const matrix = await file.readMatrix({ from: 0, to: 1 });
if (matrix instanceof BigInt64Array) { const entry: bigint = matrix[0]; console.log(entry); }
new Blob([matrix, (await file.readSection(1)).data, await file.readBytes(0, 4), (await file.readSectionAsBlob(1)).data]);
const bytes: Uint8Array = (await file.readSection(1, { element: 0 })).data;
console.log(first, fields, buffer, bytes);

const report2: DiffReport = await diff([source], source, { tolerance: 1e-6, relativeTolerance: 0, data: true, damaged: false });
for (const one of report2.data) {
  if (one.compared_as === 'numbers') { const at: number[] | undefined = one.largest_absolute?.site; console.log(at); }
}
const { line, report: described } = await describe(source, { path: 'a/lat.1', hash: true, slices: true });
const found: EnsembleReport = await ensemble([line], { name: 'lat.{n}' });
const kinds: string[] = found.store.findings.map(({ kind }) => kind);
console.log(kinds, found.ensembles[0].plaquette_median?.toFixed(), described.verdict);
const reader = (await fetch('lat.ildg')).body!.pipeThrough(push()).getReader();
const { value } = await reader.read();
const event: PushEvent | undefined = value;
if (event?.event === 'data') console.log(event.bytes.length);
if (event?.event === 'finding') { const rule: string = event.rule; console.log(rule); }
try {
  // @ts-expect-error: no such option
  await check(source, { observable: true });
  // @ts-expect-error: a path is no source
  await open('lat.ildg');
  // @ts-expect-error: no lines
  await ensemble(line);
  // @ts-expect-error: no arguments
  push(source);
} catch (error) {
  if (error instanceof LinkstreamError) { const [rule, offset]: [string, number] = [error.rule, error.offset]; console.log(rule, offset, error.class); }
}
const element = document.createElement('linkstream-report');
element.src = 'lat.ildg';
element.addEventListener('linkstream-report', ({ detail }) => console.log(detail.verdict));
const state: ReportState = element.state;
console.log(state, element.report?.ok, element instanceof LinkstreamReportElement);
`;

for (const [name, compiler] of [['the current one', ts], ['5.0', ts50]]) {
  test(`a program compiles under TypeScript ${name}, with all declarations of the package`, (t) => {
    t.diagnostic(compiler.version);
    assert.deepEqual(compile(compiler, { 'program.ts': PROGRAM }), []);
  });
}

test('typed arrays have memory of their own where TypeScript can say so', () => {
  const text = "import { open } from 'linkstream';\nconst file = await open(new Blob());\nexport const memory: ArrayBuffer = (await file.readField(0)).buffer;\nexport const bytes: ArrayBuffer = (await file.readBytes(0, 1)).buffer;";
  assert.deepEqual(compile(ts, { 'memory.ts': text }), []);
});
