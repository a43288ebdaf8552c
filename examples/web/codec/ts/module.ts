/** Modules of the compiled codec, with the JavaScript that wasm-bindgen has generated for them. */

/** Exports of a module that are used without the wrappers of wasm-bindgen. */
interface Exports {
  memory: WebAssembly.Memory;
  run: () => void;
}

export interface Module<Codec> {
  codec: Codec;
  exports: Exports;
}

type Init = (options: { module_or_path: WebAssembly.Module }) => Promise<Exports>;

/** Instantiates a module when it is first needed. After a failure, the next call tries again. */
export function loader<Codec>(init: Init, codec: Codec, compiled: () => Promise<WebAssembly.Module>): () => Promise<Module<Codec>> {
  let loaded: Promise<Module<Codec>> | undefined;
  return () => {
    loaded ??= compiled()
      .then((module) => init({ module_or_path: module }))
      .then((exports) => ({ codec, exports }))
      .catch((thrown) => {
        loaded = undefined;
        throw thrown;
      });
    return loaded;
  };
}
