/** Workers of browsers, Node and Deno. */

import type { Answer, Request } from './protocol.js';

export interface Thread {
  /** Number of the open file that the worker read last. */
  file?: number;
  /** Sends a request, and passes the ownership of memory to the worker. */
  post(request: Request, transfer: ArrayBuffer[]): void;
  /** Sets the callbacks for answers and for a failure of the worker itself. */
  listen(onAnswer: (answer: Answer) => void, onBroken: (error: unknown) => void): void;
  /** Sets whether the worker keeps a program of Node running. */
  hold(busy: boolean): void;
  terminate(): void;
}

export async function start(): Promise<Thread> {
  // Deno has both kinds of workers. The workers of Node are used: only these let a program end while they are idle.
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
