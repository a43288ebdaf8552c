/**
 * The compiled codec: a module that checks single files, one that also checks sets of volumes, and one that reads
 * files.
 */

import initCheck, * as check from './wasm/check.js';
import initRead, * as read from './wasm/read.js';
import initSets, * as sets from './wasm/sets.js';

/** What wasm-bindgen has put no functions around. */
interface Exports {
  memory: WebAssembly.Memory;
  run: () => void;
}

export interface Module<Codec> {
  codec: Codec;
  exports: Exports;
}

type Init = (options: { module_or_path: URL | BufferSource }) => Promise<Exports>;

/** Loads a module when it is first needed, and again after a failure: the network may be back. */
function loader<Codec>(init: Init, codec: Codec, url: URL): () => Promise<Module<Codec>> {
  let loaded: Promise<Module<Codec>> | undefined;
  return () => {
    loaded ??= source(url)
      .then((module_or_path) => init({ module_or_path }))
      .then((exports) => ({ codec, exports }))
      .catch((thrown) => {
        loaded = undefined;
        throw thrown;
      });
    return loaded;
  };
}

// Bundlers look for these very expressions.
export const loadCheck = loader(initCheck, check, new URL('./wasm/check_bg.wasm', import.meta.url));
export const loadSets = loader<typeof check>(initSets, sets, new URL('./wasm/sets_bg.wasm', import.meta.url));
export const loadRead = loader(initRead, read, new URL('./wasm/read_bg.wasm', import.meta.url));

async function source(url: URL): Promise<URL | BufferSource> {
  if (url.protocol !== 'file:' || typeof process === 'undefined') return url;
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return readFile(url);
}
