/** Calls of the worker that does the arithmetic. */

import type { Task } from './worker';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let last = 0;

worker.onmessage = ({ data }: MessageEvent<{ id: number; result: unknown } | { id: number; error: unknown }>) => {
  const { id } = data;
  if ('error' in data) waiting.get(id)?.reject(data.error);
  else waiting.get(id)?.resolve(data.result);
  waiting.delete(id);
};

export function compute<T>(task: Task): Promise<T> {
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    worker.postMessage({ id, task });
  });
}
