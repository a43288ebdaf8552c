/**
 * Fields as NPY and CSV. What is stored in one file as it is saved is read only while it is saved. Everything else is made a
 * time slice at a time; the browser may keep what is there already on the disk.
 */

import type { FieldEntry } from 'linkstream';
import type { Item } from './item';
import { npyHeader } from './npy';
import { payload } from './records';

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Whether the field has time slices. */
export function isSliced(field: FieldEntry): boolean {
  return field.kind === 'field';
}

/** The data of a field as they are in the chosen file. */
export function stored(item: Item, field: FieldEntry): Blob | undefined {
  return payload(item, field, field.sites * field.bytes_per_site);
}

/**
 * The type and shape of a field as an array: slowest coordinate first, then links, rows and columns. `order` is that of bytes,
 * as NumPy has it.
 */
function array(field: FieldEntry, order: '<' | '>'): { type: string; shape: number[] } {
  const bytes = (field.precision ?? 8) / 8;
  const sites = isSliced(field) ? [...field.dims].reverse() : [field.sites];
  const { links } = field;
  if (links) {
    const type = links.numbers === 'complex' ? `${order}c${2 * bytes}` : `${order}f${bytes}`;
    return { type, shape: [...sites, links.per_site, links.rows, links.columns] };
  }
  return { type: `${order}f${bytes}`, shape: [...sites, field.bytes_per_site / bytes] };
}

/** The parts of a file with all numbers. */
export async function fieldAsNpy(item: Item, field: FieldEntry, index: number): Promise<BlobPart[]> {
  const data = stored(item, field);
  const { type, shape } = array(field, data ? '>' : '<');
  if (data) return [npyHeader(type, shape), data];
  return [npyHeader(type, shape), ...(await pieces(item, field, index, (numbers) => numbers))];
}

/** The parts of a file with a time slice. */
export async function sliceAsNpy(item: Item, field: FieldEntry, index: number, slice: number): Promise<BlobPart[]> {
  const { type, shape } = array(field, '<');
  const file = await item.open();
  return [npyHeader(type, shape.slice(1)), await file.readField(index, { slice })];
}

/** A line for each site: its coordinates, x first, and its numbers. */
export function fieldAsCsv(item: Item, field: FieldEntry, index: number): Promise<BlobPart[]> {
  const numbersOfSite = (8 * field.bytes_per_site) / (field.precision ?? 64);
  const extents = isSliced(field) ? field.dims : [];
  return pieces(item, field, index, (numbers, first) => {
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

/** Converts the numbers of a field. The converter also gets the number of the first site. */
async function pieces(
  item: Item,
  field: FieldEntry,
  index: number,
  convert: (numbers: Numbers, first: number) => BlobPart,
): Promise<Blob[]> {
  const file = await item.open();
  if (!isSliced(field)) return [new Blob([convert(await file.readField(index), 0)])];
  const times = field.dims[field.dims.length - 1];
  const parts: Blob[] = [];
  for (let slice = 0; slice < times; slice += 1) {
    parts.push(new Blob([convert(await file.readField(index, { slice }), (slice * field.sites) / times)]));
  }
  return parts;
}
