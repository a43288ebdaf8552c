/** Checks items one after the other, a few at a time. */

import type { Item } from './item';

export const WORKERS = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

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
}
