/** A file of an ensemble. */

import type { Report } from 'linkstream';

export interface EnsembleEntry {
  id: number;
  name: string;
  /** Size in bytes, if it is known before the file was read. */
  size: number | undefined;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Part of the file that has been read, from 0 to 1. */
  share?: number;
  report?: Report;
  /** Why the file could not be read. */
  message?: string;
}
