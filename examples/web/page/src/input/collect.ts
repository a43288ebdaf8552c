/** Files that were chosen together, as items of the page. */

import type { Chosen } from './chosen';

const VOLUME = /^(.*)\.vol\d{4,}$/;

/** The volumes of a file set become one item. */
export function collectFiles(files: Iterable<File>): Chosen[] {
  const sets = new Map<string, File[]>();
  for (const file of files) {
    const key = VOLUME.exec(file.name)?.[1] ?? `/${file.name}/${sets.size}`;
    sets.set(key, [...(sets.get(key) ?? []), file]);
  }
  return [...sets].map(([name, members]) =>
    members.length === 1
      ? { name: members[0].name, sources: members, isSet: false, size: members[0].size }
      : { name, sources: members.sort((a, b) => (a.name < b.name ? -1 : 1)), isSet: true },
  );
}
