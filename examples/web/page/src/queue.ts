/** The queue of items to check. A few are checked at the same time. */

import { preload } from 'linkstream';
import type { Item } from './item';
import { state } from './store';

/** Number of workers that check files. */
export const WORKERS = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 2) - 1));

/** Loads missing workers. This is done before a file is chosen, so that no requests are made while it is read. */
export async function loadWorkers(): Promise<void> {
  // If the codec cannot be loaded, the check of each file reports it.
  await preload(WORKERS).catch(() => {});
}

const waiting: Item[] = [];
let running = 0;

/** True while files are checked. */
export function isBusy(): boolean {
  return running > 0;
}

export function enqueue(items: Item[]): void {
  waiting.push(...items);
  while (running < WORKERS && waiting.length > 0) void work();
}

async function work(): Promise<void> {
  running += 1;
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await item.run(state.items.length < 2);
  running -= 1;
  // Cancelled checks have terminated their workers.
  if (running === 0) await loadWorkers();
}
