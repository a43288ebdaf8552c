/** Files as the user has chosen them. */

import type { Source } from 'linkstream';
import type { Gzip } from './gzip';

/** A source of the package, or a gzip file, whose contents become one. */
export type Input = Source | Gzip;

export interface Chosen {
  name: string;
  /** Path of the file or the file set, without the ending of a compressed file. */
  path: string;
  /** One source, or the volumes of a file set. */
  sources: Input[];
  isSet: boolean;
  /** Size in bytes, if it is known before the file is read. */
  size?: number;
  /** Remark for the user, such as the volumes that are missing. */
  note?: string;
}

/** Files that were chosen or dropped at once. */
export interface Collected {
  chosen: Chosen[];
  /** Remarks for the user, such as the number of files that were skipped. */
  notes: string[];
}

/** A file, and its path from the folder that was chosen; the name alone if no folder is known. */
export interface Found {
  path: string;
  source: File | URL;
}
