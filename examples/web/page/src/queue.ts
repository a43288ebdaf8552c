/** Checks items one after the other, a few at a time. */

import { preload } from 'linkstream';
import type { Item } from './item';

const WORKERS = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 2) - 1));

/** Loads the workers that are not there: before a file is chosen, so that nothing is requested while one is read. */
export async function loadWorkers(): Promise<void> {
  // One more, for data that are looked at while files are checked.
  // If the codec cannot be loaded, each file says so.
  await preload(WORKERS + 1).catch(() => {});
}

const waiting: Item[] = [];
let running = 0;

export function enqueue(items: Item[]): void {
  waiting.push(...items);
  while (running < WORKERS && waiting.length > 0) void work();
}

async function work(): Promise<void> {
  running += 1;
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await item.run();
  running -= 1;
  // A cancelled check has ended its worker.
  if (running === 0) await loadWorkers();
}
