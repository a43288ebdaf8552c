/**
 * Deep links: `#record=3` and `#section=3` open a record or a section, `#offset=1944` shows the byte at an offset, and
 * `#view=bytes&volume=2&offset=0` a byte in a volume of a file set.
 */

export interface Target {
  view?: string;
  /** Number of a record in the file, counted from 0. */
  record?: number;
  /** Number of a section in the file, counted from 0. */
  section?: number;
  /** Index of a volume in the file set, counted from 0. */
  volume?: number;
  /** Position in the file or volume, in bytes. */
  offset?: number;
}

export function targetOf(fragment: string): Target {
  const found = new URLSearchParams(fragment.slice(1));
  const number = (key: string) => (found.has(key) ? Number(found.get(key)) : undefined);
  return {
    view: found.get('view') ?? undefined,
    record: number('record'), section: number('section'), volume: number('volume'), offset: number('offset'),
  };
}

/** True if the link names a place within a view. */
export function isPlace({ record, section, offset }: Target): boolean {
  return record !== undefined || section !== undefined || offset !== undefined;
}

export function hash(target: Target): string {
  const entries = Object.entries(target).filter(([, value]) => value !== undefined);
  return `#${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}
