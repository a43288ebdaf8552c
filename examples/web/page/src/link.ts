/**
 * Deep links: `#record=3` opens a record, `#offset=1944` shows the byte at an offset, and
 * `#view=bytes&volume=2&offset=0` a byte in a volume of a file set.
 */

export interface Target {
  view?: string;
  /** Number of a record in the file, counted from 1. */
  record?: number;
  /** Index of a volume in the file set, counted from 0. */
  volume?: number;
  /** Position in the file or volume, in bytes. */
  offset?: number;
}

export function current(): Target {
  const found = new URLSearchParams(location.hash.slice(1));
  const number = (key: string) => (found.has(key) ? Number(found.get(key)) : undefined);
  return { view: found.get('view') ?? undefined, record: number('record'), volume: number('volume'), offset: number('offset') };
}

export function hash(target: Target): string {
  const entries = Object.entries(target).filter(([, value]) => value !== undefined);
  return `#${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}
