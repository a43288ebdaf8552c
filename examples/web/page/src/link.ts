/**
 * Deep links: `#record=3` opens a record, `#offset=1944` the byte there, in the volume of a set
 * `#view=bytes&volume=2&offset=0`.
 */

export interface Target {
  view?: string;
  record?: number;
  /** Its place among the volumes of a set. */
  volume?: number;
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
