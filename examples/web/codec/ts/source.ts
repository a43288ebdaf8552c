/** Sources that can be read, and how they reach a worker. */

import { checkOptions, ORIGINS } from './arguments.js';
import { LinkstreamError, toFailure } from './error.js';
import * as mailbox from './mailbox.js';
import { platform } from './platform.js';
import type { SourceMessage } from './protocol.js';
import { compare, examine, headersFor, type Version, versionOf } from './remote.js';

/**
 * A file in one of these forms: a `File` or `Blob`; a `URL`; the bytes as `Uint8Array`; or a stream, which is read
 * once. Of URLs, `http:` and `https:` are read by range requests if the server supports them, and `file:` from the disk
 * in Node and Deno.
 */
export type Source = Blob | URL | Uint8Array | ReadableStream<Uint8Array>;

/** A source that is ready to be sent to a worker. */
export interface PreparedSource {
  message: SourceMessage;
  /** Reader in the calling thread, if the worker cannot read the source itself. */
  reader?: mailbox.AsyncReader;
  /** Memory whose ownership passes to the worker. */
  transfer?: ArrayBuffer;
}

const VOLUME = /\.vol(\d{4,})$/;

/** Returns the file or the volumes of a file set, and the name for the report. */
export function named(source: Source | Source[]): { sources: Source[]; name: string; isSet: boolean } {
  const isSet = Array.isArray(source);
  const sources = isSet ? source : [source];
  const name = nameOf(sources[0]);
  return { sources, name: isSet ? name.replace(VOLUME, '') : name, isSet };
}

function nameOf(source: Source): string {
  if (source instanceof URL) return decoded(source.pathname.split('/').pop() ?? '');
  return (source instanceof Blob && (source as File).name) || 'file';
}

/** Decodes a part of an address. It stays as it is if it has a percent sign that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Versions of the remote files that are open: their reports and all that is read later must be of one version. And whether
 * redirections are followed.
 */
const versions = new WeakMap<URL, { version?: Version; redirect?: RequestRedirect }>();

/**
 * A copy of an address that stays with one version of the file: the first call that reads it remembers the version, and
 * later calls fail if the file has changed. `open` does so itself; with this, a file can be checked first and opened later.
 *
 * With `servers`, such as `['https://example.org']`, addresses of other servers and protocols are refused, and redirections
 * are errors: for addresses that come from users.
 */
export function pinned(address: URL, options: { servers?: string[] } = {}): URL {
  checkOptions('pinned', options, { servers: ORIGINS });
  const { servers } = options;
  if (servers === undefined) return remembered(address);
  if (address.origin === 'null' || address.username !== '' || !servers.some((server) => new URL(server).origin === address.origin)) {
    throw new RangeError(`pinned: ${address.href} is not the address of an allowed server: ${servers.join(', ')}`);
  }
  return remembered(address, undefined, 'error');
}

function remembered(source: URL, version?: Version, redirect?: RequestRedirect): URL {
  const copy = new URL(source);
  versions.set(copy, { version, redirect });
  return copy;
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
    // Posting the array itself would copy all of its buffer, more than once. `slice` would not do for a `Buffer` of
    // Node: its `slice` shares the memory.
    const bytes = new Uint8Array(source);
    return { ...direct({ kind: 'bytes', bytes }), transfer: bytes.buffer };
  }
  if (source instanceof Blob) {
    return platform().isBrowser ? direct({ kind: 'blob', blob: source }) : throughMailbox(blobReader(source), source.size);
  }
  if (source instanceof URL) {
    if (source.protocol === 'file:') return direct({ kind: 'path', path: platform().pathOf(source) });
    const found = await probe(source, signal);
    const opened = versions.get(source);
    if (opened?.version) compare(opened.version, found.version);
    else if (opened) opened.version = found.version;
    if (!found.stream) {
      return platform().isBrowser
        ? direct({ kind: 'range', url: source.href, version: found.version })
        : throughMailbox(rangeReader(source, found.version, signal), found.version.size);
    }
    const { message, reader } = await prepare(found.stream, signal);
    return { message: { ...message, name }, reader };
  }
  if (mailbox.isAvailable()) return throughMailbox(streamReader(source), -1);
  // Without shared memory, a worker cannot wait for a stream. A blob can be large: the browser keeps it on the disk.
  return direct({ kind: 'blob', blob: await kept(source, signal) });
}

/**
 * Returns a source that can be read more than once. Bytes are copied once, into memory or a blob that no later call has
 * to copy.
 */
export async function rereadable(source: Source, signal?: AbortSignal): Promise<Source> {
  try {
    if (source instanceof ReadableStream) return await kept(source, signal);
    if (source instanceof URL && source.protocol !== 'file:') return versions.has(source) ? source : remembered(source);
    return source instanceof Uint8Array ? copied(source) : source;
  } catch (thrown) {
    signal?.throwIfAborted();
    throw new LinkstreamError(toFailure(thrown));
  }
}

/** Like `rereadable`, and such that any place can be read: a file of a server without range requests is downloaded. */
export async function seekable(source: Source, signal?: AbortSignal): Promise<Source> {
  if (!(source instanceof URL) || source.protocol === 'file:') return rereadable(source, signal);
  try {
    const found = await probe(source, signal);
    const opened = versions.get(source)?.version;
    if (opened) compare(opened, found.version);
    const { redirect } = versions.get(source) ?? {};
    return found.stream ? new File([await kept(found.stream, signal)], nameOf(source)) : remembered(source, found.version, redirect);
  } catch (thrown) {
    signal?.throwIfAborted();
    throw new LinkstreamError(toFailure(thrown));
  }
}

function copied(source: Uint8Array): Source {
  if (isShared(source)) return source;
  // The bytes are copied, since a blob accepts neither shared nor resizable memory, and takes transferred memory as
  // empty.
  if (!mailbox.isAvailable()) return new Blob([new Uint8Array(source)]);
  const shared = new Uint8Array(new SharedArrayBuffer(source.length));
  shared.set(source);
  return shared;
}

function isShared({ buffer }: Uint8Array): boolean {
  return mailbox.isAvailable() && buffer instanceof SharedArrayBuffer;
}

/** Reads a stream to its end, unless it is aborted before. */
function kept(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<Blob> {
  return new Response(stream.pipeThrough(new TransformStream(), { signal })).blob();
}

function blobReader(blob: Blob): mailbox.AsyncReader {
  return {
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Number of bytes of a stream that are collected at a time, so that short chunks are not requested one by one. */
const COLLECTED = 4 << 10;

/**
 * Reads a stream in order. Surplus bytes of a chunk are kept for the next call. The beginning is kept, too, since it is
 * read twice: first to recognise the format, then as part of the file.
 */
function streamReader(stream: ReadableStream<Uint8Array>): mailbox.AsyncReader {
  const chunks = stream.getReader();
  let beginning: Uint8Array | undefined;
  let rest = new Uint8Array(0);
  /** Position of `rest` in the stream. */
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
        // A copy, since a view would keep the whole chunk in memory.
        beginning = take(COLLECTED).slice();
      }
      if (offset < beginning.length) return beginning.subarray(offset, offset + length);
      if (offset !== position) {
        throw new Error(`a stream can only be read in order: byte ${offset} was asked for at byte ${position}`);
      }
      await collect();
      return take(length);
    },
    // Ends a download whose rest is not needed.
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

/** Requests carry no cookies: an address may come from somebody else than the user. */
const credentials = 'omit';

function rangeReader(url: URL, version: Version, signal?: AbortSignal): mailbox.AsyncReader {
  return {
    async read(offset, length) {
      const headers = headersFor(version, offset, length, true);
      const response = await fetch(url, { headers, credentials, redirect: versions.get(url)?.redirect, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      examine(version, offset, length, 'If-Range' in headers, response.status, (name) => response.headers.get(name), bytes.length);
      return bytes;
    },
  };
}

/** Requests one byte. Returns the version of the file, and a stream of all of it if the server does not support ranges. */
async function probe(
  url: URL,
  signal?: AbortSignal,
): Promise<{ version: Version; stream?: ReadableStream<Uint8Array> }> {
  const wholeOf = ({ headers, body }: Response) => ({ version: versionOf((name) => headers.get(name), -1), stream: body ?? undefined });
  const { redirect } = versions.get(url) ?? {};
  const response = await fetch(url, { headers: { Range: 'bytes=0-0' }, credentials, redirect, signal });
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const size = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  if (response.status === 206 && size !== undefined) {
    await response.body.cancel();
    return { version: versionOf((name) => response.headers.get(name), Number(size)) };
  }
  if (response.status === 206) {
    // The size is unknown: the server does not expose `Content-Range` to pages of other origins.
    await response.body.cancel();
    const whole = await fetch(url, { credentials, redirect, signal });
    if (!whole.ok || whole.body === null) throw new Error(`the server answered ${whole.status}`);
    return wholeOf(whole);
  }
  return wholeOf(response);
}
