/** A file of an ensemble. */

import type { Report } from 'linkstream';

export interface EnsembleEntry {
  id: number;
  name: string;
  /** Path among all files that are open. */
  path: string;
  /** Size in bytes, if it is known before the file was read. */
  size: number | undefined;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Part of the file that has been read, from 0 to 1. */
  share?: number;
  report?: Report;
  /** The line about the file in a manifest. */
  line?: string;
  /** Why the file could not be read. */
  message?: string;
}
