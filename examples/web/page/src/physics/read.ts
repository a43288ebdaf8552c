/** Reading of time slices, with a computation for each. */

import type { FieldEntry, OpenFile } from 'linkstream';
import { compute } from './compute';
import { DECADES, type LinkShape } from './links';
import type { Work } from './jobs';
import type { Opened } from '../opened';

/** Times of the slices of a field. A field on a hypercube, such as a source, may have only some of them. */
export function timesOf({ extents, lower, upper }: FieldEntry): number[] {
  const [first, last] = [lower?.at(-1) ?? 0, upper?.at(-1) ?? extents[extents.length - 1] - 1];
  return Array.from({ length: last - first + 1 }, (_, slice) => first + slice);
}

/** Counts the links of a field by their deviation from unitarity, in decades. */
export function deviations(file: Opened, index: number, shape: LinkShape): Work<number[]> {
  return async (signal, progress) => {
    const times = shape.extents[shape.extents.length - 1];
    const counts = new Array<number>(DECADES).fill(0);
    const open = await file.open();
    for (let slice = 0; slice < times; slice += 1) {
      progress(slice, times);
      const links = await readSlice(open, index, slice, signal);
      const found = await compute<number[]>({ task: 'unitarity', shape, slice: links });
      found.forEach((count, decade) => (counts[decade] += count));
    }
    return counts;
  };
}

/**
 * The sum of the squares of all numbers of each time slice. `indices` are fields on the same times, such as the
 * solutions for all spins and colors of a source: their sums are added.
 */
export function squares(file: Opened, indices: number[], slices: number): Work<number[]> {
  return async (signal, progress) => {
    const open = await file.open();
    const sums = new Array<number>(slices).fill(0);
    const total = indices.length * slices;
    let done = 0;
    for (const index of indices) {
      for (let slice = 0; slice < slices; slice += 1) {
        progress(done, total);
        sums[slice] += await compute<number>({ task: 'norm', slice: await readSlice(open, index, slice, signal) });
        done += 1;
      }
    }
    return sums;
  };
}

/** The action density of the sites of a time slice. */
export function densities(file: Opened, index: number, shape: LinkShape, time: number): Work<{ time: number; values: Float64Array }> {
  return async (signal) => {
    const times = shape.extents[shape.extents.length - 1];
    const open = await file.open();
    // The slices are read one after the other. Reading both at once would load another worker.
    // A reading that is not needed any more goes on: its worker would have to be started again.
    const current = await open.readField(index, { slice: time });
    signal.throwIfAborted();
    const next = await open.readField(index, { slice: (time + 1) % times });
    return { time, values: await compute<Float64Array>({ task: 'density', shape, current, next }) };
  };
}

async function readSlice(open: OpenFile, index: number, slice: number, signal: AbortSignal): Promise<Float32Array | Float64Array> {
  signal.throwIfAborted();
  return open.readField(index, { slice, signal });
}
