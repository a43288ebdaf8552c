/** Calls of the worker that does the arithmetic. */

import type { Task } from './worker';

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let last = 0;

let started: Worker | undefined;

/** The worker. It is started by the first call, or when the page is idle: it is not needed for a verdict. */
export function worker(): Worker {
  if (started) return started;
  started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<{ id: number; result: unknown } | { id: number; error: unknown }>) => {
    const { id } = data;
    if ('error' in data) waiting.get(id)?.reject(data.error);
    else waiting.get(id)?.resolve(data.result);
    waiting.delete(id);
  };
  // The next call tries again.
  started.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error('the script of the computations could not be loaded'));
    waiting.clear();
    started = undefined;
  };
  return started;
}

export function compute<T>(task: Task): Promise<T> {
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    worker().postMessage({ id, task });
  });
}
