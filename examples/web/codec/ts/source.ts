/** What can be read, and how a worker gets it. */

import { LinkstreamError, toFailure } from './error.js';
import * as mailbox from './mailbox.js';
import type { SourceMessage } from './protocol.js';

/**
 * A file, in one of these forms: a `File` or `Blob`; a `URL` (`http:` and `https:` are read by range requests if the
 * server answers them, `file:` from the disk in Node and Deno); the bytes; or a stream, which is read once.
 */
export type Source = Blob | URL | Uint8Array | ReadableStream<Uint8Array>;

/** A source with what answers the reads of a worker that cannot read it itself. */
export interface PreparedSource {
  message: SourceMessage;
  reader?: mailbox.AsyncReader;
  /** Memory that the worker takes over. */
  transfer?: ArrayBuffer;
}

/** Only browsers have it, in pages and workers. There, workers read blobs and URLs by themselves. */
const isBrowser = typeof XMLHttpRequest !== 'undefined';

const VOLUME = /\.vol(\d{4,})$/;

/** A file, or the volumes of a set, and the name under which it is reported. */
export function named(source: Source | Source[]): { sources: Source[]; name: string; isSet: boolean } {
  const isSet = Array.isArray(source);
  const sources = isSet ? source : [source];
  if (sources.length === 0) throw new TypeError('a set has at least one volume');
  const name = nameOf(sources[0]);
  return { sources, name: isSet ? name.replace(VOLUME, '') : name, isSet };
}

function nameOf(source: Source): string {
  if (source instanceof URL) return decodeURIComponent(source.pathname.split('/').pop() ?? '');
  return (source instanceof Blob && (source as File).name) || 'file';
}

/** Prepares a source for a single call. */
export async function prepare(source: Source, signal?: AbortSignal): Promise<PreparedSource> {
  const name = nameOf(source);
  const volume = Number(VOLUME.exec(name)?.[1] ?? -1);
  const direct = (from: SourceMessage['from']): PreparedSource => ({ message: { name, volume, from } });
  const throughMailbox = (reader: mailbox.AsyncReader, size: number): PreparedSource => ({
    message: { name, volume, from: { kind: 'mailbox', buffer: mailbox.create(), size } },
    reader,
  });

  if (source instanceof Uint8Array) {
    if (isShared(source)) return direct({ kind: 'bytes', bytes: source });
    // Posting the array itself would copy all of its buffer, more than once. `slice` copies nothing of a buffer of
    // Node.
    const bytes = new Uint8Array(source);
    return { ...direct({ kind: 'bytes', bytes }), transfer: bytes.buffer };
  }
  if (source instanceof Blob) {
    return isBrowser ? direct({ kind: 'blob', blob: source }) : throughMailbox(blobReader(source), source.size);
  }
  if (source instanceof URL) {
    if (source.protocol === 'file:') return direct({ kind: 'path', path: await filePath(source) });
    const found = await probe(source, signal);
    if (found.size !== undefined) {
      return isBrowser
        ? direct({ kind: 'range', url: source.href, size: found.size })
        : throughMailbox(rangeReader(source, signal), found.size);
    }
    const { message, reader } = await prepare(found.stream, signal);
    return { message: { ...message, name }, reader };
  }
  if (mailbox.isAvailable()) return throughMailbox(streamReader(source), -1);
  // Without shared memory a worker cannot wait for a stream. The browser keeps a large blob on the disk.
  return direct({ kind: 'blob', blob: await kept(source, signal) });
}

/**
 * A source that can be read more than once. Bytes are copied once, to where each call finds them without copying them
 * again.
 */
export async function rereadable(source: Source, signal?: AbortSignal): Promise<Source> {
  try {
    if (source instanceof ReadableStream) return await kept(source, signal);
    return source instanceof Uint8Array ? copied(source) : source;
  } catch (thrown) {
    signal?.throwIfAborted();
    throw new LinkstreamError(toFailure(thrown));
  }
}

function copied(source: Uint8Array): Source {
  if (isShared(source)) return source;
  // A blob takes neither shared nor resizable memory, and transferred memory as if it were empty; a copy is none of these.
  if (!mailbox.isAvailable()) return new Blob([new Uint8Array(source)]);
  const shared = new Uint8Array(new SharedArrayBuffer(source.length));
  shared.set(source);
  return shared;
}

function isShared({ buffer }: Uint8Array): boolean {
  return mailbox.isAvailable() && buffer instanceof SharedArrayBuffer;
}

/** All of a stream, unless it is aborted before its end. */
function kept(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<Blob> {
  return new Response(stream.pipeThrough(new TransformStream(), { signal })).blob();
}

function blobReader(blob: Blob): mailbox.AsyncReader {
  return {
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Bytes of a stream that are collected at a time, so that short chunks are not asked for one by one. */
const COLLECTED = 4 << 10;

/**
 * Reads in order; surplus bytes of a chunk are kept for the next call. The beginning is kept, too, for it is read
 * twice: the format is recognised from it, then the file is read.
 */
function streamReader(stream: ReadableStream<Uint8Array>): mailbox.AsyncReader {
  const chunks = stream.getReader();
  let beginning: Uint8Array | undefined;
  let rest = new Uint8Array(0);
  /** Where `rest` is in the stream. */
  let position = 0;
  const collect = async () => {
    const parts = rest.length > 0 ? [rest] : [];
    let length = rest.length;
    while (length < COLLECTED) {
      const { done, value } = await chunks.read();
      if (done) break;
      const chunk = new Uint8Array(value);
      parts.push(chunk);
      length += chunk.length;
    }
    rest = parts.length === 1 ? parts[0] : joined(parts, length);
  };
  const take = (length: number) => {
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(bytes.length);
    position += bytes.length;
    return bytes;
  };
  return {
    async read(offset, length) {
      if (!beginning) {
        await collect();
        // A copy, for a chunk may be large.
        beginning = take(COLLECTED).slice();
      }
      if (offset < beginning.length) return beginning.subarray(offset, offset + length);
      if (offset !== position) {
        throw new Error(`a stream can only be read in order: byte ${offset} was asked for at byte ${position}`);
      }
      await collect();
      return take(length);
    },
    // Cancels a download that has not been read to its end.
    close: () => void chunks.cancel().catch(() => {}),
  };
}

function joined(parts: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function rangeReader(url: URL, signal?: AbortSignal): mailbox.AsyncReader {
  return {
    async read(offset, length) {
      const headers = { Range: `bytes=${offset}-${offset + length - 1}` };
      const response = await fetch(url, { headers, signal });
      if (response.status !== 206) throw new Error(`the server answered ${response.status} to a range request`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** Whether a server answers range requests: then the size of the file, otherwise all of the file as a stream. */
async function probe(
  url: URL,
  signal?: AbortSignal,
): Promise<{ size: number } | { size: undefined; stream: ReadableStream<Uint8Array> }> {
  const response = await fetch(url, { headers: { Range: 'bytes=0-0' }, signal });
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const size = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  if (response.status === 206 && size !== undefined) {
    await response.body.cancel();
    return { size: Number(size) };
  }
  if (response.status === 206) {
    // The header is hidden from pages of other origins.
    await response.body.cancel();
    const whole = await fetch(url, { signal });
    if (!whole.ok || whole.body === null) throw new Error(`the server answered ${whole.status}`);
    return { size: undefined, stream: whole.body };
  }
  return { size: undefined, stream: response.body };
}

async function filePath(url: URL): Promise<string> {
  if (isBrowser) throw new TypeError('a page cannot read file: URLs');
  const name = 'node:url';
  const { fileURLToPath } = await import(/* @vite-ignore */ name);
  return fileURLToPath(url);
}
