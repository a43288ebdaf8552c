/** Decoding of a LIME file while it is downloaded. */

import type { Bytes } from './arrays.js';
import { described } from './arguments.js';
import { compiled } from './compiled.js';
import { LinkstreamError, toFailure } from './error.js';
import { loader } from './module.js';
import type { Finding } from './report.js';
import initRead, * as read from './wasm/read.js';

const loadRead = loader(initRead, read, () => compiled('read'));

/** An event of the decoder. Properties that a report has, too, are explained at `RecordEntry` and `FieldEntry`. */
export type PushEvent =
  /** A record begins. `offset` is the position of its header. */
  | { event: 'record'; offset: number; message: number; record: number; type: string; length: number }
  /** The data of a field follow. `offset` is the position of the header of their record. */
  | {
      event: 'field';
      offset: number;
      extents: number[];
      precision: 32 | 64 | null;
      bytes_per_site: number;
      sites: number;
    }
  /** Bytes of the payload of the present record, as they are stored. */
  | { event: 'data'; bytes: Bytes }
  /**
   * The data of a field have been read. `match`: checksum OK; `absent`: no checksum stored; null: the record of the
   * checksum cannot be read.
   */
  | { event: 'checksum'; checksum: 'match' | 'mismatch' | 'absent' | null }
  /** A rule is broken, but the file can be read on. */
  | ({ event: 'finding' } & Finding);

/**
 * Returns a transform stream that decodes a LIME file while it is downloaded: bytes go in, events come out. The work is
 * done in the calling thread and in constant memory. A file that cannot be decoded any further, such as a truncated
 * one, ends the stream with a `LinkstreamError`.
 */
export function push(): TransformStream<Uint8Array, PushEvent>;
export function push(...given: unknown[]): TransformStream<Uint8Array, PushEvent> {
  if (given.length > 0) throw new TypeError('push takes no arguments: pipe the bytes through it, as stream.pipeThrough(push())');
  let pusher: read.Pusher;
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
    transform(chunk, controller) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError(`push: a chunk must be a Uint8Array; this is ${described(chunk)}`);
      failing(() => pusher.push(chunk, sink(controller)));
    },
    flush: (controller) => failing(() => pusher.finish(sink(controller))),
  });
}
