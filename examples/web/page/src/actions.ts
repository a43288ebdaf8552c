/** Actions of the user on files. */

import { Item } from './item';
import type { Collected } from './input/chosen';
import { collectAddresses } from './input/collect';
import { questionOn } from './input/consent';
import { pathAmong } from './input/paths';
import { enqueue } from './queue';
import { changed, state } from './store';

/** Adds files, selects the first of them, and checks them. */
export function add({ chosen, notes }: Collected): void {
  state.notes = notes;
  const taken = new Set(state.items.map(({ path }) => path));
  const added = chosen.map((one) => {
    const path = pathAmong(taken, one.path);
    taken.add(path);
    return new Item({ ...one, path }, changed);
  });
  state.items = [...state.items, ...added];
  if (added.length > 0) state.selected = added[0];
  changed();
  enqueue(added);
}

/** Opens the addresses that a link names. The user is asked first about other servers, and about many files. */
export function openNamed(urls: URL[], notes: string[], mayBeMany = false): void {
  state.question = questionOn(urls, new URL(location.href), state.allowed, mayBeMany);
  if (state.question) return say(...notes);
  const { chosen, notes: more } = collectAddresses(urls);
  add({ chosen, notes: [...notes, ...more] });
}

/** The answer to the question. */
export function agree(): void {
  const { question } = state;
  if (!question) return;
  for (const host of question.hosts) state.allowed.add(host);
  openNamed(question.urls, state.notes, question.kind === 'many');
}

export function decline(): void {
  state.question = undefined;
  say('The files of the link were not opened.');
}

/** Shows remarks on what was chosen last. */
export function say(...notes: string[]): void {
  state.notes = notes;
  changed();
}

export function select(item: Item): void {
  state.selected = item;
  state.selections += 1;
  changed();
}

export function retry(item: Item): void {
  if (item.retry()) enqueue([item]);
}

/** Removes a file. If it was selected, the next one is selected. */
export function remove(item: Item): void {
  item.cancel();
  const at = state.items.indexOf(item);
  state.items = state.items.filter((other) => other !== item);
  if (state.selected === item) state.selected = state.items[Math.min(at, state.items.length - 1)];
  changed();
}

export function clear(): void {
  for (const item of state.items) item.cancel();
  state.items = [];
  state.selected = undefined;
  state.notes = [];
  changed();
}

export function showAs(view: 'list' | 'table'): void {
  state.view = view;
  changed();
}

/**
 * Reads files again for their lines, or for the hashes of large files, one after the other. Large remote files are not
 * loaded twice. All lines change at once, since each change makes the findings anew.
 */
export async function describeAgain(paths: string[], hash: boolean): Promise<void> {
  const wanted = new Set(paths);
  const apply: (() => void)[] = [];
  const items = state.items.filter(({ path, remote }) => wanted.has(path) && !(hash && remote));
  for (const item of items) apply.push(await item.describe(hash));
  for (const one of apply) one();
}
