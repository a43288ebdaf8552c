/** The compiled codec. */

import { useMemory } from './host.js';
import init, * as codec from './wasm/linkstream.js';
import type { InitOutput } from './wasm/linkstream.js';

interface Module {
  codec: typeof codec;
  /** Its functions without those that wasm-bindgen puts around them. */
  exports: InitOutput;
}

let loaded: Promise<Module> | undefined;

/** Loads it when it is first needed. */
export function load(): Promise<Module> {
  loaded ??= compile();
  return loaded;
}

async function compile(): Promise<Module> {
  const url = new URL('./wasm/linkstream_bg.wasm', import.meta.url);
  if (url.protocol === 'file:' && typeof process !== 'undefined') {
    const name = 'node:fs/promises';
    const { readFile } = await import(/* @vite-ignore */ name);
    return started(await init({ module_or_path: await readFile(url) }));
  }
  return started(await init({ module_or_path: url }));
}

function started(exports: InitOutput): Module {
  useMemory(exports.memory);
  return { codec, exports };
}
