/** The sources of a call in the worker. */

import { BlobCursor, type Cursor, type Fetch, FetchCursor, hasByteStreams } from './cursor.js';
import { canSuspend } from './host.js';
import { ask } from './mailbox.js';
import type { Answer, SourceMessage } from './protocol.js';
import { examine, headersFor, type Version } from './remote.js';

/** Time between two messages of progress, in milliseconds. */
const PROGRESS_INTERVAL = 50;

/** A source that can be read. */
export interface Opened {
  /** Begins to read at an offset. */
  at(offset: number): Cursor;
  size: number;
  close?: () => void;
}

/** Opens a file of the disk. */
export type OpenPath = (path: string) => Opened;

/** All sources of a call. Counts the bytes that are read. */
export class Sources {
  #bytes = 0;
  #reported = 0;
  readonly list: WorkerSource[];

  private constructor(
    messages: SourceMessage[],
    opened: Opened[],
    private readonly post: (answer: Answer) => void,
  ) {
    this.list = opened.map(
      (source, index) => new WorkerSource(messages[index], source, (n) => this.#count(n)),
    );
  }

  static async open(messages: SourceMessage[], post: (answer: Answer) => void, openPath?: OpenPath): Promise<Sources> {
    const opened = await Promise.all(messages.map((message, index) => openOne(message, index, post, openPath)));
    return new Sources(messages, opened, post);
  }

  close(): void {
    for (const source of this.list) source.close();
  }

  #count(n: number): void {
    this.#bytes += n;
    const now = performance.now();
    if (now - this.#reported >= PROGRESS_INTERVAL) {
      this.#reported = now;
      this.post({ kind: 'progress', bytes: this.#bytes });
    }
  }
}

/**
 * Number of places where a source is read in turn, each sequentially. The codec reads the data of large fields at two.
 */
const PLACES = 2;

/** A place where a source is being read. */
interface Place {
  cursor: Cursor;
  /** Offset of the bytes that the cursor delivered last. */
  from: number;
  bytes: Uint8Array;
}

/** A source of the present call. */
export class WorkerSource {
  /** Open places. The place used last is the first. */
  #places: Place[] = [];

  readonly name: string;
  readonly volume: number;
  readonly size: number;

  constructor(
    { name, volume }: SourceMessage,
    private readonly opened: Opened,
    private readonly count: (bytes: number) => void,
  ) {
    this.name = name;
    this.volume = volume;
    this.size = opened.size;
  }

  /** Returns bytes from `offset` on, at most `length`, none at the end. They are valid until the next call. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array> {
    if (this.size >= 0 && offset >= this.size) return new Uint8Array(0);
    // First choice: bytes that have been delivered already. Second: a place that goes on exactly here. Otherwise a new
    // place is opened, which closes the one not used for longest.
    const known = this.#places.findIndex(({ from, bytes }) => offset >= from && offset < from + bytes.length);
    if (known >= 0) return this.#use(known, offset, length);
    const before = this.#places.findIndex(({ from, bytes }) => offset === from + bytes.length);
    if (before < 0) this.#open(offset);
    else this.#first(before);
    const place = this.#places[0];
    const arrived = (bytes: Uint8Array) => {
      this.count(bytes.length);
      place.from = offset;
      place.bytes = bytes;
      return bytes.subarray(0, length);
    };
    const next = place.cursor.next();
    return next instanceof Promise ? next.then(arrived) : arrived(next);
  }

  close(): void {
    for (const { cursor } of this.#places) cursor.close();
    this.#places = [];
    this.opened.close?.();
  }

  #use(index: number, offset: number, length: number): Uint8Array {
    const { from, bytes } = this.#first(index);
    return bytes.subarray(offset - from, offset - from + length);
  }

  #first(index: number): Place {
    const [place] = this.#places.splice(index, 1);
    this.#places.unshift(place);
    return place;
  }

  #open(offset: number): void {
    if (this.#places.length === PLACES) this.#places.pop()?.cursor.close();
    this.#places.unshift({ cursor: this.opened.at(offset), from: offset, bytes: new Uint8Array(0) });
  }
}

async function openOne(
  message: SourceMessage,
  index: number,
  post: (answer: Answer) => void,
  openPath?: OpenPath,
): Promise<Opened> {
  const from = message.from;
  switch (from.kind) {
    case 'bytes':
      return fetching((offset, length) => from.bytes.subarray(offset, offset + length), from.bytes.length);
    case 'blob': {
      if (canSuspend && hasByteStreams()) return { at: (offset) => new BlobCursor(from.blob, offset), size: from.blob.size };
      return { at: (offset) => new FetchCursor(fetchBlob(from.blob), offset, LARGEST_OF_BLOB), size: from.blob.size };
    }
    case 'range':
      return fetching((offset, length) => fetchRange(from.url, from.version, offset, length), from.version.size);
    case 'mailbox': {
      const fetch: Fetch = (offset, length) =>
        // A copy, since all places use the same shared memory.
        ask(from.buffer, (most) => post({ kind: 'read', source: index, offset, length: most }), length).slice();
      return fetching(fetch, from.size);
    }
    case 'path':
      if (!openPath) throw new TypeError('a page cannot read files by their paths');
      return openPath(from.path);
  }
}

function fetching(fetch: Fetch, size: number): Opened {
  return { at: (offset) => new FetchCursor(fetch, offset), size };
}

/** Largest number of bytes of a blob that are read at a time. */
const LARGEST_OF_BLOB = 1 << 20;
/** Size of the unused buffer for each byte that is read. */
const PRESSURE = 32;

/**
 * Reads a blob synchronously. Chromium frees its memory for the read only when garbage is collected, and the collector
 * does not count this memory: it grew to 400 MiB for a file of 1 GiB. But the collector counts buffers. So a large
 * buffer is allocated with each read to make it run. As it is never written, it takes address space, not memory.
 */
function fetchBlob(blob: Blob): Fetch {
  const reader = new FileReaderSync();
  return (offset, length) => {
    void new ArrayBuffer(PRESSURE * length);
    return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)));
  };
}

/**
 * Sends a range request and waits for the answer. To the page's origin, `XMLHttpRequest` always sends cookies; but only
 * for files whose first byte the server has sent without them.
 */
function fetchRange(url: string, version: Version, offset: number, length: number): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  const headers = headersFor(version, offset, length, new URL(url).origin === self.location.origin);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send();
  const bytes = new Uint8Array(request.response as ArrayBuffer);
  examine(version, offset, length, 'If-Range' in headers, request.status, (name) => request.getResponseHeader(name), bytes.length);
  return bytes;
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
