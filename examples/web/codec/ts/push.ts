/** A LIME file that is decoded while it comes. */

import { LinkstreamError, toFailure } from './error.js';
import { loadRead } from './module.js';
import type { Finding } from './report.js';

/** What the pushed bytes are. */
export type PushEvent =
  | { event: 'record'; offset: number; message: number; record: number; type: string; length: number }
  | {
      event: 'field';
      offset: number;
      dims: number[];
      precision: 32 | 64 | null;
      bytes_per_site: number;
      sites: number;
    }
  | { event: 'data'; bytes: Uint8Array }
  | { event: 'verdict'; checksum: 'match' | 'mismatch' | 'absent' }
  | ({ event: 'finding' } & Finding);

/**
 * Decodes a LIME file while it is downloaded, in the calling thread and in constant memory: bytes go in, events come
 * out. The bytes of texts and of the data of fields come as `data`. A file that cannot be read on ends the stream with
 * a `LinkstreamError`.
 */
export function push(): TransformStream<Uint8Array, PushEvent> {
  let pusher: import('./wasm/read.js').Pusher;
  const sink = (controller: TransformStreamDefaultController<PushEvent>) => ({
    put: (bytes: Uint8Array) => controller.enqueue({ event: 'data', bytes: bytes.slice() }),
    event: (json: string) => controller.enqueue(JSON.parse(json)),
  });
  const failing = (work: () => void) => {
    try {
      work();
    } catch (thrown) {
      throw new LinkstreamError(toFailure(thrown));
    }
  };
  return new TransformStream({
    async start() {
      pusher = new (await loadRead()).codec.Pusher();
    },
    transform: (chunk, controller) => failing(() => pusher.push(chunk, sink(controller))),
    flush: (controller) => failing(() => pusher.finish(sink(controller))),
  });
}
