/** Verifying a file. */

import type { JobOptions } from './job.js';
import type { Report } from './report.js';
import { named, type Source } from './source.js';
import { survey } from './survey.js';

export interface CheckOptions extends JobOptions {
  /**
   * Measure plaquette, link trace and unitarity of gauge fields. They need three time slices in memory. On by default.
   */
  observables?: boolean;
  /** Also measure each time slice. */
  slices?: boolean;
  /** Treat broken rules that do not affect data as warnings. */
  lenient?: boolean;
  /** Data that no stored checksum verifies make `ok` false. */
  requireChecksum?: boolean;
}

/**
 * Reads and verifies a file, or the volumes of a QIO file set, in a worker. Resolves with the report that
 * `linkstream check --json` prints, also if the file is wrong: see `verdict` and `findings`. Rejects with a
 * `LinkstreamError` if the source cannot be read.
 */
export function check(source: Source | Source[], options: CheckOptions = {}): Promise<Report> {
  const { sources, name, isSet } = named(source);
  const { observables = true, slices = false, lenient = false, requireChecksum = false } = options;
  return survey(sources, name, isSet, { data: true, observables, slices, lenient, requireChecksum }, options);
}
