/** The report on the comparison of two files. It is the object that `linkstream diff --json` prints. */

import type { Count } from './report.js';

/** The comparison of two files. */
export interface DiffReport {
  /** Version of the entries, as in `Report`. */
  schema: 3;
  /** Names of the two files. */
  a: string;
  b: string;
  /** True if nothing differs, within the tolerances. */
  same: boolean;
  /** Differences in structure: formats, records, sections, shapes. */
  structure: Change[];
  /** Number of pairs of documents that were compared; 0 with the option `data`. */
  documents_compared: number;
  /** Documents that differ. */
  documents: { name: string; changes: Change[] }[];
  /** The pairs of data that were compared: fields, matrices, sections, and records that are not documents. */
  data: DataComparison[];
  /** Damage of the files that were compared nevertheless, because of the option `damaged`. */
  damage: { in: 'a' | 'b'; offset: number; message: string }[];
}

/** A difference in structure or in a document. The last entry of a long list has the number of those left out. */
export type Change = ChangedValue | { left_out: number };

/** A value that differs; null in the file that lacks it. */
export interface ChangedValue {
  /** Name of the value; in a document, the path of the element. */
  path: string;
  a: string | null;
  b: string | null;
}

/** The comparison of a pair of data. `compared_as` decides which entries there are. */
export type DataComparison = ComparedNumbers | ComparedBytes | DifferentShapes;

/** Data that were compared number by number. */
export interface ComparedNumbers {
  compared_as: 'numbers';
  /** Name of the data, such as `field 0`. */
  name: string;
  /** True if all numbers are equal within the tolerances. */
  same: boolean;
  /** Number of pairs compared, of pairs that differ by more than the tolerance, and of pairs that are not finite. */
  compared: Count;
  differing: Count;
  not_finite: Count;
  /** The largest differences, also within the tolerance; null if all numbers are equal. */
  largest_absolute: LargestDifference | null;
  largest_relative: LargestDifference | null;
  /** The sites or entries with numbers that differ, in the order of the data, as ranges without their ends: at most 100. */
  ranges: [Count, Count][];
  ranges_left_out: Count;
  /** The bytes of these sites or entries in the data of each file; null for matrices of booleans. */
  bytes_a: [Count, Count][] | null;
  bytes_b: [Count, Count][] | null;
}

/** A largest difference, the two numbers, and their place. */
export interface LargestDifference {
  difference: number;
  a: Count;
  b: Count;
  /** Coordinates of the site, x first, counted from 0; empty for data without sites. */
  site: number[];
  /** Place within the site in words, such as `link x, row 0, column 1, real part`. */
  within: string;
}

/** Data that were compared byte by byte. */
export interface ComparedBytes {
  compared_as: 'bytes';
  name: string;
  same: boolean;
  /** Size of the data in each file. */
  bytes: [Count, Count];
  /** Number of bytes that differ, and the position of the first in the data; null if none differs. */
  differing: Count;
  first: Count | null;
  /** The bytes of the data that differ, as ranges without their ends: at most 100. */
  ranges: [Count, Count][];
  ranges_left_out: Count;
}

/** Data that were not compared, as their shapes differ. */
export interface DifferentShapes {
  compared_as: null;
  name: string;
  same: boolean;
  changes: Change[];
}
