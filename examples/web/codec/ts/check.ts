/** Verification of a file. */

import { BOOLEAN, checkOptions, checkSource, JOB } from './arguments.js';
import type { JobOptions } from './job.js';
import type { Report } from './report.js';
import { named, type Source } from './source.js';
import { survey } from './survey.js';

export interface CheckOptions extends JobOptions {
  /**
   * Measure the observables of gauge fields: plaquettes, link traces, Polyakov loops and unitarity. This takes memory for
   * three time slices in double precision. True if absent.
   */
  observables?: boolean;
  /** Also measure the observables of each time slice. False if absent. */
  slices?: boolean;
  /** Report broken rules that do not affect data as warnings instead of errors. False if absent. */
  lenient?: boolean;
  /** Set `ok` of the report to false if there are data that no stored checksum verifies. False if absent. */
  requireChecksum?: boolean;
}

export const CHECK_OPTIONS = { ...JOB, observables: BOOLEAN, slices: BOOLEAN, lenient: BOOLEAN, requireChecksum: BOOLEAN };

/**
 * Reads and verifies a file, or a QIO file set given as the array of its volumes, in a worker.
 *
 * Resolves with the report that `linkstream check --json` prints, even if the file is wrong: see `verdict` and
 * `findings`. Rejects with a `LinkstreamError` if the source cannot be read, with a `TypeError` if an argument is wrong,
 * and with the reason of the signal if it is aborted.
 */
export async function check(source: Source | Source[], options: CheckOptions = {}): Promise<Report> {
  checkSource('check', 'the source', source);
  checkOptions('check', options, CHECK_OPTIONS);
  const { sources, name, isSet } = named(source);
  const { observables = true, slices = false, lenient = false, requireChecksum = false } = options;
  return survey(sources, name, isSet, { data: true, observables, slices, lenient, requireChecksum }, options);
}
