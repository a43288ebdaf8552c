/** A worker of a browser, Node or Deno. */

import type { Answer, Request } from './protocol.js';

export interface Thread {
  /** The number of the open file that it read last. */
  file?: number;
  /** Sends a request with memory that the worker takes over. */
  post(request: Request, transfer: ArrayBuffer[]): void;
  /** Sets what takes the answers, and what takes a worker that broke. */
  listen(onAnswer: (answer: Answer) => void, onBroken: (error: unknown) => void): void;
  /** Whether it keeps a program of Node from ending. */
  hold(busy: boolean): void;
  terminate(): void;
}

export async function start(): Promise<Thread> {
  // Deno has both; only those of Node can be prevented from keeping a program running.
  return typeof XMLHttpRequest === 'undefined' ? startNode() : startWeb();
}

function startWeb(): Thread {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return {
    post: (request, transfer) => worker.postMessage(request, transfer),
    listen(onAnswer, onBroken) {
      worker.onmessage = (event: MessageEvent<Answer>) => onAnswer(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        onBroken(new Error(event.message || 'the worker could not be started'));
      };
    },
    hold() {},
    terminate: () => worker.terminate(),
  };
}

async function startNode(): Promise<Thread> {
  const name = 'node:worker_threads';
  const threads: typeof import('node:worker_threads') = await import(/* @vite-ignore */ name);
  const worker = new threads.Worker(new URL('./worker.js', import.meta.url));
  return {
    post: (request, transfer) => worker.postMessage(request, transfer),
    listen(onAnswer, onBroken) {
      worker.removeAllListeners();
      worker.on('message', onAnswer);
      worker.on('error', onBroken);
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
