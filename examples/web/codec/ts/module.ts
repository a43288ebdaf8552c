/**
 * The compiled codec in four modules: one checks single files, one also checks QIO file sets, one reads data, and one
 * compares two files.
 */

import initCheck, * as check from './wasm/check.js';
import initDiff, * as diff from './wasm/diff.js';
import initRead, * as read from './wasm/read.js';
import initSets, * as sets from './wasm/sets.js';

/** Exports of a module that are used without the wrappers of wasm-bindgen. */
interface Exports {
  memory: WebAssembly.Memory;
  run: () => void;
}

export interface Module<Codec> {
  codec: Codec;
  exports: Exports;
}

type Init = (options: { module_or_path: URL | BufferSource }) => Promise<Exports>;

/** Loads a module when it is first needed. After a failure, the next call tries again. */
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

// Bundlers recognise `new URL('…', import.meta.url)` only if it is written out.
export const loadCheck = loader(initCheck, check, new URL('./wasm/check_bg.wasm', import.meta.url));
export const loadSets = loader<typeof check>(initSets, sets, new URL('./wasm/sets_bg.wasm', import.meta.url));
export const loadDiff = loader(initDiff, diff, new URL('./wasm/diff_bg.wasm', import.meta.url));
export const loadRead = loader(initRead, read, new URL('./wasm/read_bg.wasm', import.meta.url));

async function source(url: URL): Promise<URL | BufferSource> {
  if (url.protocol !== 'file:' || typeof process === 'undefined') return url;
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return readFile(url);
}
