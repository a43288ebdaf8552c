/** A file whose data are read on demand. */

import { fieldsOf } from './fields.js';
import { run, type JobOptions } from './job.js';
import { type SurveyOptions } from './protocol.js';
import type { FieldEntry, MatrixEntry, Report, SectionEntry } from './report.js';
import { named, rereadable, type Source } from './source.js';
import { survey } from './survey.js';

/** Only structure and texts are read: a large file takes no longer than a small one. */
const INSPECT: SurveyOptions = {
  data: false,
  observables: false,
  slices: false,
  lenient: true,
  requireChecksum: false,
};

interface Numbers {
  type: 'f32' | 'f64' | 'i64' | 'bool' | 'u8';
  data: Uint8Array;
  details: unknown;
}

/** Opens a file, or the volumes of a QIO file set. A stream is kept as a blob first. */
export async function open(source: Source | Source[], options: JobOptions = {}): Promise<OpenFile> {
  const { sources, name, isSet } = named(source);
  const kept = await Promise.all(sources.map((one) => rereadable(one, options.signal)));
  return new OpenFile(kept, isSet, await survey(kept, name, isSet, INSPECT, options));
}

let opened = 0;

/** A file whose structure is known. */
export class OpenFile {
  /** Its number, by which a worker recognises the file that it read last. */
  readonly #number = (opened += 1);

  constructor(
    private readonly sources: Source[],
    private readonly isSet: boolean,
    /** What `linkstream inspect --json` prints. */
    readonly report: Report,
  ) {}

  /** The fields of a LIME file, or the gauge field of a NERSC archive or MILC file, as `readField` returns them. */
  get fields(): FieldEntry[] {
    return fieldsOf(this.report);
  }

  /** The matrix of an INEBIN file. */
  get matrices(): MatrixEntry[] {
    const { type, rows, columns } = this.report;
    return type != null && rows != null && columns != null ? [{ type, rows, columns }] : [];
  }

  /** The sections of an scda file. */
  get sections(): SectionEntry[] {
    return this.report.sections ?? [];
  }

  /**
   * The numbers of a field, as the entry `array` of the field says: sites (x fastest), then what a site holds; complex
   * numbers as two numbers. Without `slice` all of them, and the checksum is verified; with it, those of one value of the
   * first axis, which are compared with those that were verified, if all data have been. Links of NERSC archives and MILC
   * files are as those of LIME files, whatever rows, byte order and order of sites are stored. A file that is truncated
   * or contradicts itself is refused.
   */
  async readField(
    index: number,
    options: JobOptions & { slice?: number } = {},
  ): Promise<Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>> {
    const { type, data } = await this.#read({ call: 'readField', file: this.#number, isSet: this.isSet, index, slice: options.slice }, options);
    const buffer = data.buffer as ArrayBuffer;
    return type === 'f32' ? new Float32Array(buffer) : new Float64Array(buffer);
  }

  /**
   * The entries of rows `from` to `to` (not included), row by row: booleans as bytes, complex numbers as two numbers.
   */
  async readMatrix(
    options: JobOptions & { from?: number; to?: number } = {},
  ): Promise<Uint8Array | BigInt64Array | Float64Array> {
    const { from = 0, to } = options;
    const { type, data } = await this.#read({ call: 'readMatrix', file: this.#number, from, to }, options);
    const buffer = data.buffer as ArrayBuffer;
    if (type === 'i64') return new BigInt64Array(buffer);
    return type === 'f64' ? new Float64Array(buffer) : data;
  }

  /**
   * The data of a section, or of one of its elements, decompressed. `sizes` has the bytes of each element of a variable
   * array, and is empty otherwise.
   */
  async readSection(
    index: number,
    options: JobOptions & { element?: number } = {},
  ): Promise<{ data: Uint8Array; sizes: number[] }> {
    const { data, details } = await this.#read({ call: 'readSection', index, element: options.element, as: 'array' }, options);
    return { data, sizes: (details as { sizes: number[] }).sizes };
  }

  /**
   * The same, with the data as a blob: they need not fit into memory. If the source is a blob and the data are not
   * compressed, they are a part of it, which is not read now.
   */
  async readSectionAsBlob(
    index: number,
    options: JobOptions & { element?: number } = {},
  ): Promise<{ data: Blob; sizes: number[] }> {
    const [source] = this.sources;
    const as = source instanceof Blob ? 'place' : 'blob';
    const found = await run(this.sources, { call: 'readSection', index, element: options.element, as }, options);
    const { data, details } = found as { data: Blob; details: { sizes: number[]; place: [number, number] | null } };
    const { sizes, place } = details;
    return { data: place && source instanceof Blob ? source.slice(...place) : data, sizes };
  }

  /**
   * Bytes of the file as they are, or of one of the volumes of a set, by its place in the array: the first unless one
   * is named.
   */
  async readBytes(offset: number, length: number, options: JobOptions & { volume?: number } = {}): Promise<Uint8Array> {
    const { volume = 0 } = options;
    const source = this.sources.at(volume);
    if (source === undefined || volume < 0) throw new RangeError(`there is no volume ${volume} among ${this.sources.length}`);
    return ((await run([source], { call: 'readBytes', offset, length }, options)) as Numbers).data;
  }

  async #read(call: Parameters<typeof run>[1], options: JobOptions): Promise<Numbers> {
    return (await run(this.sources, call, options)) as Numbers;
  }
}
