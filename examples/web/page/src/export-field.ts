/**
 * Fields and their time slices as NPY, CSV and raw bytes. Numbers that are saved exactly as a chosen file stores them
 * are read only while they are saved. All other forms are made one time slice at a time, in blobs: the browser may keep
 * these on the disk.
 */

import type { FieldEntry } from 'linkstream';
import { bytes } from './format';
import type { Item } from './item';
import { npyArray, npyHeader } from './npy';
import { payload } from './records';
import type { Running } from './task';

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** A field of a file, or one of its time slices. */
export interface Wanted {
  item: Item;
  field: FieldEntry;
  /** Number of the field, counted from 0. */
  index: number;
  /** Number of the time slice, counted from 0; all of them if absent. */
  slice?: number;
}

/** Returns whether the field has time slices. */
export function isSliced(field: FieldEntry): boolean {
  return field.region === 'lattice';
}

/** The data in the chosen file, if it stores them as LIME files do. */
function stored({ item, field, slice }: Wanted): Blob | undefined {
  if (field.source === 'nersc' || field.source === 'milc' || field.source === 'openqcd') return undefined;
  const all = payload(item, field, field.sites * field.bytes_per_site);
  if (slice === undefined) return all;
  const times = timesOf(field);
  const length = (field.sites / times) * field.bytes_per_site;
  return all?.slice(slice * length, (slice + 1) * length);
}

/** Number of time slices of a field that has time slices. */
export function timesOf({ array }: FieldEntry): number {
  return array.shape[0];
}

/** The parts of an NPY file with the numbers. */
export async function fieldAsNpy(wanted: Wanted, running: Running): Promise<BlobPart[]> {
  const data = stored(wanted);
  const { type, shape } = npyArray(wanted.field.array, data ? '>' : '<');
  const part = wanted.slice === undefined ? shape : shape.slice(1);
  return [npyHeader(type, part), ...(data ? [data] : await pieces(wanted, running, (numbers) => numbers))];
}

/** The numbers as LIME files store them: big endian, and links with all rows. */
export async function fieldAsBytes(wanted: Wanted, running: Running): Promise<BlobPart[]> {
  const data = stored(wanted);
  return data ? [data] : pieces(wanted, running, bigEndian);
}

function bigEndian(numbers: Numbers): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(numbers.byteLength));
  if (numbers instanceof Float32Array) numbers.forEach((number, i) => view.setFloat32(4 * i, number));
  else numbers.forEach((number, i) => view.setFloat64(8 * i, number));
  return view.buffer;
}

/** The numbers as CSV, with a line for each site: its coordinates, x first, and its numbers. */
export function fieldAsCsv(wanted: Wanted, running: Running): Promise<BlobPart[]> {
  const { field } = wanted;
  const numbersOfSite = field.array.shape.reduce((product, extent) => product * extent, 1) / field.sites;
  const extents = isSliced(field) ? field.extents : [];
  return pieces(wanted, running, (numbers, first) => {
    const lines: string[] = [];
    for (let at = 0; at < numbers.length; at += numbersOfSite) {
      let rest = first + at / numbersOfSite;
      const coordinates = extents.map((extent) => {
        const coordinate = rest % extent;
        rest = Math.floor(rest / extent);
        return coordinate;
      });
      lines.push([...coordinates, ...numbers.subarray(at, at + numbersOfSite)].join(','));
    }
    return `${lines.join('\n')}\n`;
  });
}

/** Reads and converts the numbers, one time slice at a time. `first` is the rank of the first site of the numbers. */
async function pieces(
  { item, field, index, slice }: Wanted,
  { signal, progress }: Running,
  convert: (numbers: Numbers, first: number) => BlobPart,
): Promise<Blob[]> {
  const file = await item.open();
  if (!isSliced(field)) return [new Blob([convert(await file.readField(index, { signal }), 0)])];
  const times = timesOf(field);
  const [from, to] = slice === undefined ? [0, times] : [slice, slice + 1];
  const parts: Blob[] = [];
  let size = 0;
  for (let t = from; t < to; t += 1) {
    const part = new Blob([convert(await file.readField(index, { slice: t, signal }), (t * field.sites) / times)]);
    parts.push(part);
    size += part.size;
    progress((t + 1 - from) / (to - from), `time slice ${t + 1 - from} of ${to - from}, ${bytes(size)}`);
  }
  return parts;
}
