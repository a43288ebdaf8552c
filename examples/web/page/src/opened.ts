/** A file that is read again to show its data. */

import type { OpenFile } from 'linkstream';

export interface Opened {
  /** Number of the file in the page. */
  id: number;
  /** Opens the file. Later calls return the same object. */
  open(): Promise<OpenFile>;
}
