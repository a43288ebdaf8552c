/** Files of folders that are dropped. */

import type { Found } from './chosen';

/** Largest number of files that are taken at once. */
export const MOST_FILES = 20_000;
/** Largest number of files and folders that are looked at, so that links among folders cannot lead to an endless search. */
const MOST_ENTRIES = 5 * MOST_FILES;

/** Number of files that are opened at the same time. */
const TOGETHER = 200;

export interface Walked {
  found: Found[];
  /** Number of hidden files and folders, which were skipped. */
  hidden: number;
  /** True if there are more files than are taken at once. */
  isCut: boolean;
  /** Files and folders that cannot be read, with the reason. */
  failed: string[];
}

/** True for files and folders that systems hide, such as `.git` or `.DS_Store`. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}

/** Collects the files of all folders, in the order of their paths. Files that were dropped themselves are never hidden. */
export async function walk(
  entries: FileSystemEntry[],
  onFound: (files: number) => void = () => {},
  most = MOST_FILES,
): Promise<Walked> {
  const walked: Walked = { found: [], hidden: 0, isCut: false, failed: [] };
  const fail = (entry: FileSystemEntry, thrown: unknown) => {
    walked.failed.push(`${pathOf(entry)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  };
  const files = await filesOf(entries, most, walked, fail);
  for (let at = 0; at < files.length; at += TOGETHER) {
    const part = files.slice(at, at + TOGETHER).map(async (entry) => {
      const source = await fileOf(entry).catch((thrown) => fail(entry, thrown));
      return source ? [{ path: pathOf(entry), source }] : [];
    });
    for (const found of await Promise.all(part)) walked.found.push(...found);
    onFound(walked.found.length);
  }
  return walked;
}

async function filesOf(
  entries: FileSystemEntry[],
  most: number,
  walked: Walked,
  fail: (entry: FileSystemEntry, thrown: unknown) => void,
): Promise<FileSystemFileEntry[]> {
  const files: FileSystemFileEntry[] = [];
  // Folders wait in a list, last one first, and not on the stack: they can be nested deeply.
  const waiting = sorted(entries).reverse();
  for (let looked = 0; ; looked += 1) {
    const entry = waiting.pop();
    if (!entry) return files;
    if (files.length >= most || looked >= MOST_ENTRIES) {
      walked.isCut = true;
      return files;
    }
    if (!entry.isDirectory) {
      files.push(entry as FileSystemFileEntry);
      continue;
    }
    const children = await childrenOf(entry as FileSystemDirectoryEntry).catch((thrown) => (fail(entry, thrown), []));
    const visible = children.filter(({ name }) => !isHidden(name));
    walked.hidden += children.length - visible.length;
    for (const child of sorted(visible).reverse()) waiting.push(child);
  }
}

const pathOf = ({ fullPath, name }: FileSystemEntry) => fullPath.replace(/^\//, '') || name;

/** Compares names; numbers in them are compared by value. */
export const { compare } = new Intl.Collator('en', { numeric: true });

function sorted(entries: FileSystemEntry[]): FileSystemEntry[] {
  return [...entries].sort((a, b) => compare(a.name, b.name));
}

/** All entries of a folder. A call of `readEntries` returns a part of them, at most a hundred in Chromium. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || children.length > MOST_ENTRIES) return children;
    for (const child of part) children.push(child);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
