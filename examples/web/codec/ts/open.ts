/** Files whose data are read on demand. */

import { checkOptions, checkSource, JOB } from './arguments.js';
import type { Bytes, Doubles, Integers, Singles } from './arrays.js';
import { fieldsOf } from './fields.js';
import { run, type JobOptions } from './job.js';
import { type SurveyOptions } from './protocol.js';
import { checkBytes, checkField, checkRows, checkSection } from './ranges.js';
import type { FieldEntry, MatrixEntry, Report, SectionEntry } from './report.js';
import { named, rereadable, type Source } from './source.js';
import { survey } from './survey.js';

/** Options of the survey of `open`. Data are passed over, so that a large file takes no longer than a small one. */
const INSPECT: SurveyOptions = {
  data: false,
  observables: false,
  slices: false,
  lenient: true,
  requireChecksum: false,
};

interface Numbers {
  type: 'f32' | 'f64' | 'i64' | 'bool' | 'u8';
  data: Bytes;
  details: unknown;
}

/**
 * Opens a file, or a QIO file set given as the array of its volumes. Reads its structure and texts, but no data.
 *
 * Damaged files can be opened, too: see `report`. A stream is read to its end first and kept as a blob. Rejects with a
 * `LinkstreamError` if the source cannot be read, and with a `TypeError` if an argument is wrong.
 */
export async function open(source: Source | Source[], options: JobOptions = {}): Promise<OpenFile> {
  checkSource('open', 'the source', source);
  checkOptions('open', options, JOB);
  const { sources, name, isSet } = named(source);
  const kept = await Promise.all(sources.map((one) => rereadable(one, options.signal)));
  return new OpenFile(kept, isSet, await survey(kept, name, isSet, INSPECT, options));
}

let opened = 0;

/** A file or QIO file set whose structure has been read. It need not be closed. */
export class OpenFile {
  /** Number of the file. By it, a worker recognises the file that it read last. */
  readonly #number = (opened += 1);

  constructor(
    private readonly sources: Source[],
    private readonly isSet: boolean,
    /** The report that `linkstream inspect --json` prints. Data have not been read: checksums are not verified. */
    readonly report: Report,
  ) {}

  /**
   * The fields of a LIME file, or the gauge field of a NERSC archive or MILC file, described as `readField` returns
   * them. Empty for other formats.
   */
  get fields(): FieldEntry[] {
    return fieldsOf(this.report);
  }

  /** The matrix of an INEBIN file. Empty for other formats, and if the header cannot be read. */
  get matrices(): MatrixEntry[] {
    if (this.report.format !== 'inebin') return [];
    const { type, rows, columns } = this.report;
    return type !== null && rows !== null && columns !== null ? [{ type, rows, columns }] : [];
  }

  /** The sections of an scda file. Empty for other formats. */
  get sections(): SectionEntry[] {
    return this.report.format === 'scda' ? this.report.sections : [];
  }

  /**
   * Reads the numbers of field `index`, counted from 0 in `fields`.
   *
   * The entry `array` of the field describes the result: sites with x fastest, then the components of a site, complex
   * numbers as real and imaginary part. Links of NERSC archives and MILC files have all rows and are in natural order
   * of sites, like the links of LIME files.
   *
   * Without `slice`, all numbers are read, and data with a checksum mismatch are refused. With `slice`, only one value
   * of the first axis is read, counted from 0: a time slice. It has no checksum of its own. It is compared with the
   * whole field if this object has read that before and the worker of that call is free.
   *
   * Rejects with a `RangeError` if there is no such field or slice, and with a `LinkstreamError` if the file is truncated
   * or contradicts itself, if the data are damaged, or if they are not floating-point numbers.
   */
  async readField(
    index: number,
    options: JobOptions & { slice?: number } = {},
  ): Promise<Singles | Doubles> {
    checkField(this.fields, this.report, index, options);
    const { type, data } = await this.#read({ call: 'readField', file: this.#number, isSet: this.isSet, index, slice: options.slice }, options);
    const { buffer } = data;
    return type === 'f32' ? new Float32Array(buffer) : new Float64Array(buffer);
  }

  /**
   * Reads the entries of a matrix, row by row.
   *
   * `from` is the first row, counted from 0 (0 if absent); `to` is the row after the last (the number of rows if
   * absent). Booleans are returned as bytes of 0 or 1, integers as `BigInt64Array`, real numbers as `Float64Array`, and
   * complex numbers as `Float64Array` with real and imaginary part of each entry.
   */
  async readMatrix(
    options: JobOptions & { from?: number; to?: number } = {},
  ): Promise<Bytes | Integers | Doubles> {
    checkRows(this.matrices, this.report, options);
    const { from = 0, to } = options;
    const { type, data } = await this.#read({ call: 'readMatrix', file: this.#number, from, to }, options);
    const { buffer } = data;
    if (type === 'i64') return new BigInt64Array(buffer);
    return type === 'f64' ? new Float64Array(buffer) : data;
  }

  /**
   * Reads the data of section `index`, counted from 0 in `sections`, and decompresses them if needed.
   *
   * With `element`, only one element of an array is returned, counted from 0. `sizes` has the size in bytes of each
   * element of a variable array, and is empty for other sections.
   */
  async readSection(
    index: number,
    options: JobOptions & { element?: number } = {},
  ): Promise<{ data: Bytes; sizes: number[] }> {
    checkSection('readSection', this.sections, this.report, index, options);
    const { data, details } = await this.#read({ call: 'readSection', index, element: options.element, as: 'array' }, options);
    return { data, sizes: (details as { sizes: number[] }).sizes };
  }

  /**
   * Reads a section like `readSection`, but returns the data as a blob: they need not fit into memory. If the source is
   * a `File` or `Blob` and the section is not compressed, the result is a part of the source and is read later.
   */
  async readSectionAsBlob(
    index: number,
    options: JobOptions & { element?: number } = {},
  ): Promise<{ data: Blob; sizes: number[] }> {
    checkSection('readSectionAsBlob', this.sections, this.report, index, options);
    const [source] = this.sources;
    const as = source instanceof Blob ? 'place' : 'blob';
    const found = await run(this.sources, { call: 'readSection', index, element: options.element, as }, options);
    const { data, details } = found as { data: Blob; details: { sizes: number[]; place: [number, number] | null } };
    const { sizes, place } = details;
    return { data: place && source instanceof Blob ? source.slice(...place) : data, sizes };
  }

  /**
   * Reads `length` bytes of the file from `offset` on, as they are stored; fewer at the end of the file. For a file
   * set, `volume` is the index of the volume in the array of sources (0 if absent).
   */
  async readBytes(offset: number, length: number, options: JobOptions & { volume?: number } = {}): Promise<Bytes> {
    checkBytes(offset, length, this.sources.length, options);
    const source = this.sources[options.volume ?? 0];
    return ((await run([source], { call: 'readBytes', offset, length }, options)) as Numbers).data;
  }

  async #read(call: Parameters<typeof run>[1], options: JobOptions): Promise<Numbers> {
    return (await run(this.sources, call, options)) as Numbers;
  }
}
