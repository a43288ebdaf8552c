/** Files as the user has chosen them. */

import type { Source } from 'linkstream';

export interface Chosen {
  name: string;
  /** One source, or the volumes of a file set. */
  sources: Source[];
  isSet: boolean;
  /** Size in bytes, if it is known before the file is read. */
  size?: number;
  /** Remark for the user, such as the volumes that are missing. */
  note?: string;
}
