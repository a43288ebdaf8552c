/** Comparison of two files. */

import { BOOLEAN, checkOptions, checkSource, JOB, TOLERANCE } from './arguments.js';
import type { DiffReport } from './diff-report.js';
import { run, type JobOptions } from './job.js';
import { named, seekable, type Source } from './source.js';

export interface DiffOptions extends JobOptions {
  /** Numbers count as equal up to this absolute difference. 0 if absent. */
  tolerance?: number;
  /** Numbers count as equal up to this difference relative to the larger one. 0 if absent. */
  relativeTolerance?: number;
  /** Compare data only: records, documents and user strings may differ. False if absent. */
  data?: boolean;
  /** Compare what can be read of damaged files: `damage` of the report names the damage. False if absent. */
  damaged?: boolean;
}

const OPTIONS = { ...JOB, tolerance: TOLERANCE, relativeTolerance: TOLERANCE, data: BOOLEAN, damaged: BOOLEAN };

/**
 * Compares two files, or QIO file sets given as arrays of their volumes, in a worker: structure, documents element by
 * element, and data number by number. Archives and file sets are compared in the form of a LIME file.
 *
 * Resolves with the object that `linkstream diff --json` prints, even if the files differ: see `same`. Both files are
 * verified first. Rejects with a `LinkstreamError` if one of them cannot be read, or is damaged and the option `damaged`
 * is not set; the message names the file.
 */
export async function diff(
  first: Source | Source[],
  second: Source | Source[],
  options: DiffOptions = {},
): Promise<DiffReport> {
  checkSource('diff', 'the first source', first);
  checkSource('diff', 'the second source', second);
  checkOptions('diff', options, OPTIONS);
  const { tolerance = 0, relativeTolerance = 0, data = false, damaged = false, signal } = options;
  const [a, b] = [named(first), named(second)];
  const sources = await Promise.all([...a.sources, ...b.sources].map((source) => seekable(source, signal)));
  const sets: [boolean, boolean] = [a.isSet, b.isSet];
  const settings = { tolerance, relativeTolerance, dataOnly: data, damaged, first: a.sources.length, sets };
  const line = await run(sources, { call: 'diff', names: [a.name, b.name], settings }, options);
  return JSON.parse(new TextDecoder().decode(line as Uint8Array));
}
