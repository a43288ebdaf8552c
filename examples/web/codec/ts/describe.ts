/** Verification of a file, and its line in a manifest. */

import { BOOLEAN, checkOptions, checkSource, TEXT } from './arguments.js';
import { CHECK_OPTIONS, type CheckOptions } from './check.js';
import type { Report } from './report.js';
import { named, type Source } from './source.js';
import { surveyWithLine } from './survey.js';

export interface DescribeOptions extends CheckOptions {
  /** Path of the file in its store, with `/` between directories. The name of the source if absent. */
  path?: string;
  /**
   * Hash files of more than 8 MiB, too, which are then read twice. Smaller ones always have a hash, streams and file sets
   * never. False if absent.
   */
  hash?: boolean;
}

export interface Description {
  report: Report;
  /** The line about the file in a manifest, as `linkstream manifest` writes it, without times of the file system. */
  line: string;
}

const OPTIONS = { ...CHECK_OPTIONS, path: TEXT, hash: BOOLEAN };

/**
 * Reads and verifies a file or a QIO file set like `check`, and describes it for `ensemble`. Rejects like `check`, and if
 * `path` is no path in a store.
 */
export async function describe(source: Source | Source[], options: DescribeOptions = {}): Promise<Description> {
  checkSource('describe', 'the source', source);
  checkOptions('describe', options, OPTIONS);
  const { sources, name, isSet } = named(source);
  const { observables = true, slices = false, lenient = false, requireChecksum = false, path = name, hash = false } = options;
  const settings = { data: true, observables, slices, lenient, requireChecksum };
  return surveyWithLine(sources, name, isSet, settings, { path, hash }, options);
}
