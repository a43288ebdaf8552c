/** Files that belong together: the volumes of a QIO file set become one item. */

import type { Chosen, Found, Input } from './chosen';
import { Gzip, nameInside } from './gzip';
import { missingByNumber } from './missing';

/** `NAME.volNNNN`: four digits, or more for larger numbers, without further zeros at their front. */
const IN_NAME = /^(.+)\.vol(\d{4}|[1-9]\d{4,})$/;
/** `volNNNN/NAME`, as QIO's partition-directory format has it. */
const IN_FOLDER = /^vol(\d{4}|[1-9]\d{4,})$/;

/** A file, and its place in a set. */
interface Member {
  found: Found;
  /** Path without the number of the volume. */
  path: string;
  /** Number of the volume; `undefined` for other files. */
  number: number | undefined;
  inFolder: boolean;
}

/** Makes an item of each file, and of all volumes of a set. */
export function group(found: Found[]): Chosen[] {
  const members = found.map(memberOf);
  const sets = new Map<string, Member[]>();
  for (const [index, member] of members.entries()) {
    const key = member.number === undefined ? `file ${index}` : `${member.inFolder} ${keyOf(member, members)}`;
    sets.set(key, [...(sets.get(key) ?? []), member]);
  }
  return named([...sets.values()].flatMap(split));
}

function memberOf(found: Found): Member {
  const path = nameInside(found.path);
  const slash = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  const inName = IN_NAME.exec(name);
  if (inName) return { found, path: folder + inName[1], number: Number(inName[2]), inFolder: false };
  const parents = folder.split('/').slice(0, -1);
  const inFolder = IN_FOLDER.exec(parents.pop() ?? '');
  if (inFolder) return { found, path: [...parents, name].join('/'), number: Number(inFolder[1]), inFolder: true };
  return { found, path: found.path, number: undefined, inFolder: false };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Volumes in different folders are one set if each number exists once; otherwise each folder has a set of its own. */
function keyOf({ path, inFolder }: Member, members: Member[]): string {
  return isScattered(nameOf(path), members) && !inFolder ? nameOf(path) : path;
}

function isScattered(name: string, members: Member[]): boolean {
  const numbers = numbersOf(members).get(name) ?? [];
  return new Set(numbers).size === numbers.length;
}

const known = new WeakMap<Member[], Map<string, number[]>>();

/** Numbers of the volumes `NAME.volNNNN` of all folders, by NAME. */
function numbersOf(members: Member[]): Map<string, number[]> {
  const former = known.get(members);
  if (former) return former;
  const numbers = new Map<string, number[]>();
  for (const { path, number, inFolder } of members) {
    if (number === undefined || inFolder) continue;
    const name = nameOf(path);
    const others = numbers.get(name);
    if (others) others.push(number);
    else numbers.set(name, [number]);
  }
  known.set(members, numbers);
  return numbers;
}
