/** Node, and Deno and Bun, which have the modules of Node. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ModuleName, Platform } from './platform.js';
import type { Thread } from './thread.js';

async function compile(name: ModuleName): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(`./wasm/${name}_bg.wasm`, import.meta.url)));
}

function startWorker(): Thread {
  const worker = new Worker(new URL('./node-worker.js', import.meta.url));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onAnswer, onBroken) {
      worker.removeAllListeners();
      worker.on('message', onAnswer);
      worker.on('error', onBroken);
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

export const NODE: Platform = { isBrowser: false, startWorker, compile, pathOf: (url) => fileURLToPath(url) };
