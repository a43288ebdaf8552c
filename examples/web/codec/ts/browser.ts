/** Pages and workers of browsers. */

import type { ModuleName, Platform } from './platform.js';
import type { Answer } from './protocol.js';
import type { Thread } from './thread.js';

// Bundlers recognise `new URL('…', import.meta.url)` only if it is written out.
const URLS: Record<ModuleName, URL> = {
  check: new URL('./wasm/check_bg.wasm', import.meta.url),
  sets: new URL('./wasm/sets_bg.wasm', import.meta.url),
  read: new URL('./wasm/read_bg.wasm', import.meta.url),
  diff: new URL('./wasm/diff_bg.wasm', import.meta.url),
  ensemble: new URL('./wasm/ensemble_bg.wasm', import.meta.url),
};

/** The module is compiled while it is downloaded, if the server gives it the type that browsers require for that. */
async function compile(name: ModuleName): Promise<WebAssembly.Module> {
  const response = await fetch(URLS[name]);
  if (!response.ok) throw new Error(`the server answered ${response.status} to the request for ${response.url}`);
  const isStreamed = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return isStreamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function startWorker(): Thread {
  // A classic worker: bundlers need no configuration for it.
  const worker = new Worker(new URL('./worker.js', import.meta.url));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
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

function pathOf(): never {
  throw new TypeError('a page cannot read file: URLs');
}

export const BROWSER: Platform = { isBrowser: true, startWorker, compile, pathOf };
