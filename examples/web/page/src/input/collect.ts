/** Files, folders and links that the user chooses or drops, as items of the page. */

import { MOST_ADDRESSES, namedBy, parseAddress } from './address';
import type { Collected, Found } from './chosen';
import { compare, isHidden, MOST_FILES, walk } from './entries';
import { linksOf } from './links';
import { group } from './sets';

/** Files of a dialog. If a folder was chosen, their paths begin with its name. */
export function collectFiles(files: Iterable<File>): Collected {
  const found: Found[] = [];
  const notes: string[] = [];
  let hidden = 0;
  let isCut = false;
  for (const file of files) {
    const path = file.webkitRelativePath || file.name;
    // Files that were chosen one by one are never hidden.
    if (path.split('/').slice(1).some(isHidden)) hidden += 1;
    else if (found.length < MOST_FILES) found.push({ path, source: file });
    else isCut = true;
  }
  if (found.some(({ path }) => path.includes('/'))) found.sort((a, b) => compare(a.path, b.path));
  remark(notes, found.length, hidden, isCut);
  return { chosen: group(found), notes };
}

/**
 * Files, folders, or links that were dropped. The data must be read during the event, so this is done before any wait.
 * `onFound` is called with the number of files so far: a browser takes seconds for thousands of files.
 */
export function collectDrop(data: DataTransfer, onFound?: (files: number) => void): Promise<Collected | Named> {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry?.();
    const file = entry ? null : item.getAsFile();
    if (entry) entries.push(entry);
    else if (file) files.push(file);
  }
  // Systems name dropped files by their addresses, too.
  if (items.length > 0) return ofEntries(entries, files, onFound);
  return Promise.resolve(ofText(data.getData('text/uri-list'), data.getData('text/plain')));
}

async function ofEntries(entries: FileSystemEntry[], files: File[], onFound?: (files: number) => void): Promise<Collected> {
  const { found, hidden, isCut, failed } = await walk(entries, onFound);
  const notes = failed.slice(0, MOST_NOTES).map((failure) => `Not read: ${failure}`);
  if (failed.length > MOST_NOTES) notes.push(`${(failed.length - MOST_NOTES).toLocaleString('en')} more files and folders could not be read.`);
  const all = [...found, ...files.map((source) => ({ path: source.name, source }))];
  remark(notes, all.length, hidden, isCut);
  return { chosen: group(all), notes };
}

/** Largest number of files that are named because they could not be read. */
const MOST_NOTES = 3;

function remark(notes: string[], files: number, hidden: number, isCut: boolean): void {
  if (isCut) notes.push(`The first ${files.toLocaleString('en')} files were taken: the page shows no more at once. Choose a folder with fewer files.`);
  if (hidden > 0) notes.push(hidden === 1 ? '1 hidden file or folder was skipped.' : `${hidden.toLocaleString('en')} hidden files and folders were skipped.`);
  if (files === 0 && notes.length === 0) notes.push('There are no files in the folder.');
}

/** Addresses that a dropped link to this page names. */
export interface Named {
  named: URL[];
  notes: string[];
}

export const isNamed = (found: Collected | Named): found is Named => 'named' in found;

function ofText(uriList: string, text: string): Collected | Named {
  const { urls, notes, isNamed } = linksOf(uriList, text, new URL(location.href));
  return isNamed ? { named: urls, notes } : { chosen: collectAddresses(urls).chosen, notes };
}

/** Remote files. */
export function collectAddresses(urls: URL[]): Collected {
  const notes = urls.length > MOST_ADDRESSES ? [`The first ${MOST_ADDRESSES} addresses were taken.`] : [];
  return { chosen: group(urls.slice(0, MOST_ADDRESSES).map((source) => ({ path: namedBy(source), source }))), notes };
}

/** The addresses that were typed, separated by spaces. */
export function collectTyped(text: string, page: URL): Collected {
  const notes: string[] = [];
  const urls: URL[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const { url, problem } = parseAddress(word, page);
    if (url) urls.push(url);
    else if (problem) notes.push(problem);
  }
  const { chosen, notes: more } = collectAddresses(urls);
  return { chosen, notes: [...notes, ...more] };
}
