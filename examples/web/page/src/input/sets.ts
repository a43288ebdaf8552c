/** Files that belong together: the volumes of a QIO file set become one item. */

import type { Chosen, Found, Input } from './chosen';
import { Gzip, nameInside } from './gzip';
import { missingByNumber } from './missing';

/** `volNNNN`: four digits, or more for larger numbers, which have no further zeros at the front. */
const NUMBER = /^vol(\d{4}|[1-9]\d{4,})$/;

/** A file, and its place in a file set if it has the name of a volume. */
interface Member {
  found: Found;
  /** Path of the file set, or of a file that is not a volume. */
  path: string;
  volume?: { number: number; inFolder: boolean };
}

/** Makes an item of each file, and one of all volumes of a set. Items have the order of their first files. */
export function group(found: Found[]): Chosen[] {
  const members = found.map(memberOf);
  const isScattered = scattered(members);
  const groups = new Map<string, Member[]>();
  for (const [index, member] of members.entries()) {
    const key = keyOf(member, isScattered) ?? `file ${index}`;
    const others = groups.get(key);
    if (others) others.push(member);
    else groups.set(key, [member]);
  }
  return distinguished([...groups.values()].flatMap(dealt).map(itemOf));
}

/** Judges a file by its path: `NAME.volNNNN`, or `volNNNN/NAME` as in QIO's partition-directory format. */
function memberOf(found: Found): Member {
  const parts = nameInside(found.path).split('/');
  const name = parts.pop() ?? '';
  const dot = name.lastIndexOf('.');
  const inName = dot > 0 ? NUMBER.exec(name.slice(dot + 1)) : null;
  if (inName) return { found, path: [...parts, name.slice(0, dot)].join('/'), volume: { number: Number(inName[1]), inFolder: false } };
  const inFolder = NUMBER.exec(parts.at(-1) ?? '');
  if (inFolder) return { found, path: [...parts.slice(0, -1), name].join('/'), volume: { number: Number(inFolder[1]), inFolder: true } };
  return { found, path: nameInside(found.path) };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Names of sets whose volumes may be in different folders, as QIO's converters write them: each number exists once. If
 * numbers are repeated, each folder has a set of its own.
 */
function scattered(members: Member[]): (name: string) => boolean {
  const numbers = new Map<string, number[]>();
  for (const { path, volume } of members) {
    if (!volume || volume.inFolder) continue;
    const others = numbers.get(nameOf(path));
    if (others) others.push(volume.number);
    else numbers.set(nameOf(path), [volume.number]);
  }
  const names = new Set([...numbers].filter(([, all]) => new Set(all).size === all.length).map(([name]) => name));
  return (name) => names.has(name);
}

function keyOf({ path, volume }: Member, isScattered: (name: string) => boolean): string | undefined {
  if (!volume) return undefined;
  if (volume.inFolder) return `in folders ${path}`;
  return `in names ${isScattered(nameOf(path)) ? nameOf(path) : path}`;
}

/** Deals files out to several groups if one group has several files with the same number. */
function dealt(members: Member[]): Member[][] {
  const groups: Member[][] = [];
  const counts = new Map<number | undefined, number>();
  for (const member of members) {
    const number = member.volume?.number;
    const index = counts.get(number) ?? 0;
    counts.set(number, index + 1);
    (groups[index] ??= []).push(member);
  }
  return groups;
}

/** An item, and its path, which distinguishes it from others with its name. */
interface Named {
  path: string;
  item: Omit<Chosen, 'path'>;
}

function itemOf(members: Member[]): Named {
  const [{ found, path, volume }] = members;
  // A folder can be called `vol0001` for other reasons: a file that is alone there is not taken for a set.
  if (!volume || (volume.inFolder && members.length === 1)) {
    return { path: nameInside(found.path), item: { name: nameOf(nameInside(found.path)), sources: [inputOf(found)], isSet: false, ...sized([found]) } };
  }
  const sorted = [...members].sort((a, b) => (a.volume?.number ?? 0) - (b.volume?.number ?? 0));
  const name = nameOf(path);
  const sources = sorted.map((member) => inputOf(member.found, volumeName(name, member.volume?.number ?? 0)));
  const note = missingByNumber(name, sorted.map((member) => member.volume?.number ?? 0), volume.inFolder);
  return { path, item: { name, sources, isSet: true, ...sized(members.map((member) => member.found)), ...(note && { note }) } };
}

function volumeName(name: string, number: number): string {
  return `${name}.vol${String(number).padStart(4, '0')}`;
}

/**
 * The source of a file. A volume has its number in its name: the codec finds it there, and a file in a folder of its own
 * has none. A copy of a file with another name refers to the same bytes.
 */
function inputOf({ path, source }: Found, volume?: string): Input {
  const name = nameOf(path);
  if (nameInside(name) !== name) return new Gzip(source, volume ?? nameInside(name));
  if (source instanceof URL || volume === undefined || source.name === volume) return source;
  return new File([source], volume, { lastModified: source.lastModified });
}

function sized(found: Found[]): { size?: number } {
  let size = 0;
  for (const { source } of found) {
    if (source instanceof URL) return {};
    size += source.size;
  }
  return { size };
}

/** Items with the same name are shown with their paths; without paths, with numbers. */
function distinguished(named: Named[]): Chosen[] {
  const names = new Map<string, number>();
  for (const { item } of named) names.set(item.name, (names.get(item.name) ?? 0) + 1);
  const used = new Map<string, number>();
  return named.map(({ path, item }) => {
    const isAlone = names.get(item.name) === 1;
    const name = isAlone ? item.name : path;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { ...item, path, name: count === 1 ? name : `${name} (${count})` };
  });
}
