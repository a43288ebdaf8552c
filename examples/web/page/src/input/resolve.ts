/** Sources as the package reads them: gzip files are decompressed. */

import type { Source } from 'linkstream';
import type { Input } from './chosen';
import { type Decompressing, Gzip, isGzip, nameInside } from './gzip';

/** Remark on a file whose contents are shown in place of the file itself. */
export const DECOMPRESSED = 'Decompressed: the sizes and offsets are those of the contents, not of the gzip file.';

/**
 * Replaces gzip files, which are recognised by their first bytes, and not by their names. The result has an entry for
 * each source, and `isDecompressed` is true if one is a gzip file.
 */
export async function identify(sources: Input[]): Promise<{ sources: Input[]; isDecompressed: boolean }> {
  const identified = await Promise.all(sources.map(identifyOne));
  return { sources: identified, isDecompressed: identified.some((source) => source instanceof Gzip) };
}

async function identifyOne(source: Input): Promise<Input> {
  const file = source instanceof Gzip ? source.from : source;
  if (!(file instanceof File)) return source;
  const first = await firstBytes(file);
  if (isGzip(first)) return source instanceof Gzip ? source : new Gzip(file, nameInside(file.name));
  return file;
}

/** Empty if the file cannot be read: then the check reports the reason. */
async function firstBytes(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, 3).arrayBuffer());
  } catch {
    return new Uint8Array();
  }
}

/** Returns the sources for `check` and `open`. Gzip files are decompressed one after the other. */
export async function resolve(sources: Input[], { signal, onProgress }: Decompressing = {}): Promise<Source[]> {
  const resolved: Source[] = [];
  for (const source of sources) {
    resolved.push(source instanceof Gzip ? await source.contents({ signal, onProgress }) : source);
  }
  return resolved;
}
