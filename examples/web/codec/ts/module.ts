/** The compiled codec. */

import init, * as codec from './wasm/linkstream.js';

let loaded: Promise<typeof codec> | undefined;

/** Loads it when it is first needed. */
export function load(): Promise<typeof codec> {
  loaded ??= compile();
  return loaded;
}

async function compile(): Promise<typeof codec> {
  const url = new URL('./wasm/linkstream_bg.wasm', import.meta.url);
  if (url.protocol === 'file:' && typeof process !== 'undefined') {
    const name = 'node:fs/promises';
    const { readFile } = await import(/* @vite-ignore */ name);
    await init({ module_or_path: await readFile(url) });
  } else {
    await init({ module_or_path: url });
  }
  return codec;
}
