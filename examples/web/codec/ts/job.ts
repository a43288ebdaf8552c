/** Calls that run in a worker. */

import { checkInteger, checkModules } from './arguments.js';
import { compiled, forgetModules } from './compiled.js';
import { DEFECT, LinkstreamError, toFailure } from './error.js';
import * as mailbox from './mailbox.js';
import { type ModuleName, platform } from './platform.js';
import type { Answer, Call } from './protocol.js';
import type { PreparedSource, Source } from './source.js';
import { prepare } from './source.js';
import type { Thread } from './thread.js';

/** Progress of a call. */
export interface Progress {
  /** Number of bytes read so far. Bytes that are read twice are counted twice. */
  bytes: number;
  /** Size of all sources together in bytes; `undefined` for streams and for files of Node. */
  total: number | undefined;
}

export interface JobOptions {
  /** Callback for progress, called at most 20 times a second. */
  onProgress?: (progress: Progress) => void;
  /** Signal that ends the call: the worker is terminated at once, and the promise is rejected with its reason. */
  signal?: AbortSignal;
}

/** Workers that wait for a call. They are kept, since starting one takes longer than checking a small file. */
const idle: Thread[] = [];
const MAX_IDLE = 4;

export async function run(sources: Source[], call: Call, { onProgress, signal }: JobOptions): Promise<unknown> {
  signal?.throwIfAborted();
  let prepared: PreparedSource[];
  try {
    prepared = await Promise.all(sources.map((source) => prepare(source, signal)));
  } catch (thrown) {
    signal?.throwIfAborted();
    throw new LinkstreamError(toFailure(thrown));
  }
  const thread = takeIdle('file' in call ? call.file : undefined) ?? platform().startWorker();
  const total = sizeOf(prepared);
  let abort: (() => void) | undefined;
  try {
    signal?.throwIfAborted();
    const result = await new Promise((resolve, reject) => {
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      thread.listen((answer: Answer) => {
        switch (answer.kind) {
          case 'progress':
            // It may have been on its way when the call was ended.
            if (!signal?.aborted) onProgress?.({ bytes: answer.bytes, total });
            break;
          case 'module':
            void deliver(thread, answer.name);
            break;
          case 'read': {
            const { message, reader } = prepared[answer.source];
            if (message.from.kind === 'mailbox' && reader) {
              void mailbox.answer(message.from.buffer, reader, answer.offset, answer.length);
            }
            break;
          }
          case 'done':
            resolve(answer.result);
            break;
          case 'failed':
            reject(new LinkstreamError(answer.failure));
            break;
        }
      }, reject);
      thread.hold(true);
      const transfer = prepared.flatMap(({ transfer }) => transfer ?? []);
      thread.post({ kind: 'call', sources: prepared.map(({ message }) => message), call }, transfer);
    });
    if ('file' in call) thread.file = call.file;
    release(thread);
    return result;
  } catch (thrown) {
    // After an error of the file, the worker waits for the next call. Otherwise it may be in the middle of this one.
    if (thrown instanceof LinkstreamError && thrown.rule !== DEFECT) release(thread);
    else thread.terminate();
    if (thrown instanceof LinkstreamError && thrown.rule === DEFECT) forgetModules();
    throw thrown;
  } finally {
    for (const { reader } of prepared) reader?.close?.();
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

/** Sends a compiled module to a worker, or the reason why there is none. */
async function deliver(thread: Thread, name: ModuleName): Promise<void> {
  const result = await compiled(name).then((module) => ({ module }), (thrown) => ({ failure: toFailure(thrown) }));
  thread.post({ kind: 'module', name, result }, []);
}

/**
 * Starts workers, at most four, and loads modules of the codec into them before they are needed: `check` for files,
 * `sets` for QIO file sets, `read` for the functions that read data, and `diff`. Without a list, only `check` is loaded.
 * Each module is downloaded and compiled once for all workers.
 */
export async function preload(workers = 1, modules: ModuleName[] = ['check']): Promise<void> {
  checkInteger('preload', 'workers', workers);
  if (workers < 1) throw new RangeError('preload: workers must be at least 1');
  checkModules('preload', modules);
  const wanted = Math.min(workers, MAX_IDLE);
  // All calls begin before one ends. So each gets a worker of its own, an idle one or a new one.
  await Promise.all(Array.from({ length: wanted }, () => run([], { call: 'load', modules }, {})));
}

/** Takes an idle worker, preferably the one that read this file last: it still has the list of its contents. */
function takeIdle(file: number | undefined): Thread | undefined {
  const place = file === undefined ? -1 : idle.findIndex((thread) => thread.file === file);
  return place < 0 ? idle.pop() : idle.splice(place, 1)[0];
}

function release(thread: Thread): void {
  if (idle.length >= MAX_IDLE) return thread.terminate();
  thread.hold(false);
  idle.push(thread);
}

function sizeOf(sources: PreparedSource[]): number | undefined {
  let total = 0;
  for (const { message: { from } } of sources) {
    if (from.kind === 'path') continue;
    const size = from.kind === 'bytes' ? from.bytes.length : from.kind === 'blob' ? from.blob.size : from.kind === 'range' ? from.version.size : from.size;
    if (size < 0) return undefined;
    total += size;
  }
  return total || undefined;
}
