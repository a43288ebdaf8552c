/** Paths of files among all that are open, as in a store: each is there once. */

/** A path that is not taken. A file that is opened again is in a directory of its own, so that it repeats no number. */
export function pathAmong(taken: ReadonlySet<string>, path: string): string {
  const parts = path.replaceAll('\0', '').split('/').filter((part) => !['', '.', '..'].includes(part));
  const clean = parts.join('/') || 'file';
  for (let time = 1; ; time += 1) {
    const found = time === 1 ? clean : `opened again (${time})/${clean}`;
    if (!taken.has(found)) return found;
  }
}
