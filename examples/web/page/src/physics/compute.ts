/** Results of the worker. */

import type { Task } from './worker';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const waiting = new Map<number, (result: unknown) => void>();
let last = 0;

worker.onmessage = ({ data: { id, result } }: MessageEvent<{ id: number; result: unknown }>) => {
  waiting.get(id)?.(result);
  waiting.delete(id);
};

export function compute<T>(task: Task): Promise<T> {
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    waiting.set(id, resolve as (result: unknown) => void);
    worker.postMessage({ id, task });
  });
}
