/** Files that the browser saves. */

import { element } from './dom';

export function save(parts: BlobPart[], name: string, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  element('a', { href: url, download: name }).click();
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
