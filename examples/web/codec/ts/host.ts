/** Functions that the compiled codec imports: access to the sources of the present call, by their index. */

import type { WorkerSource } from './worker-sources.js';

/** JavaScript Promise Integration: lets a call of WebAssembly wait for a promise. Not all engines have it. */
const { Suspending, promising } = WebAssembly as {
  Suspending?: new (imported: typeof readSource) => typeof readSource;
  promising?: (exported: () => void) => () => Promise<void>;
};

/** True if a source may deliver promises. */
export const canSuspend = Suspending !== undefined;

let memory: WebAssembly.Memory;
let sources: WorkerSource[] = [];
let failure: unknown;

export function useMemory(used: WebAssembly.Memory): void {
  memory = used;
}

export function useSources(used: WorkerSource[]): void {
  sources = used;
}

/** Wraps an export that reads sources: it returns a promise if the engine can suspend WebAssembly. */
export function suspendable(exported: () => void): () => void | Promise<void> {
  return promising ? promising(exported) : exported;
}

/**
 * Copies at most `length` bytes from `offset` on to an address in the memory of the module. Returns their number, or -1
 * if the source throws.
 */
export const read = Suspending ? new Suspending(readSource) : readSource;

function readSource(source: number, offset: number, address: number, length: number): number | Promise<number> {
  const put = (bytes: Uint8Array): number => {
    new Uint8Array(memory.buffer, address >>> 0, bytes.length).set(bytes);
    return bytes.length;
  };
  try {
    const bytes = sources[source].read(offset, length);
    return bytes instanceof Promise ? bytes.then(put).catch(failed) : put(bytes);
  } catch (thrown) {
    return failed(thrown);
  }
}

function failed(thrown: unknown): number {
  failure = thrown;
  return -1;
}

/** Returns the value that the source threw when `read` returned -1. */
export function thrown(): unknown {
  return failure;
}

/** Returns the size of a source in bytes, or a negative number for a stream. */
export const size = (source: number): number => sources[source].size;
/** Returns the number in the name of a volume, or -1. */
export const volume = (source: number): number => sources[source].volume;
export const name = (source: number): string => sources[source].name;
