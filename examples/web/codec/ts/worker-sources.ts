/** Sources that are read synchronously, in a worker. The compiled codec calls `read`. */

import { ask } from './mailbox.js';
import type { Answer, SourceMessage } from './protocol.js';

/**
 * Bytes fetched at a time; what a reader has not asked for yet is kept for its next call. Little after a seek, since little may
 * be wanted there, and more with each fetch in order: in Chromium, reading 4 MiB of a blob takes hardly longer than 1 MiB.
 */
const FIRST_WINDOW = 256 << 10;
const LAST_WINDOW = 4 << 20;
/** Milliseconds between two messages of progress. */
const PROGRESS_INTERVAL = 50;

/** The bytes from `offset` on, at most `length`; none at the end. They are valid until the next call. */
type Fetch = (offset: number, length: number) => Uint8Array;

interface Opened {
  fetch: Fetch;
  size: number;
  close?: () => void;
}

/** All sources of a call. Counts what is read. */
export class Sources {
  #bytes = 0;
  #reported = 0;
  readonly list: WorkerSource[];

  private constructor(
    messages: SourceMessage[],
    private readonly opened: Opened[],
    private readonly post: (answer: Answer) => void,
  ) {
    this.list = opened.map(
      (source, index) => new WorkerSource(messages[index], source, (n) => this.#count(n)),
    );
  }

  static async open(messages: SourceMessage[], post: (answer: Answer) => void): Promise<Sources> {
    const opened = await Promise.all(messages.map((message, index) => openOne(message, index, post)));
    return new Sources(messages, opened, post);
  }

  close(): void {
    for (const { close } of this.opened) close?.();
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

/** What the compiled codec takes for a source. */
export class WorkerSource {
  #window: Uint8Array = new Uint8Array(0);
  #from = 0;
  /** Where the last fetch ended. */
  #end = -1;
  #ahead = FIRST_WINDOW;

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

  read(offset: number, out: Uint8Array): number {
    if (this.size >= 0 && offset >= this.size) return 0;
    if (offset < this.#from || offset >= this.#from + this.#window.length) {
      const isInOrder = offset === this.#end;
      this.#ahead = isInOrder ? Math.min(2 * this.#ahead, LAST_WINDOW) : FIRST_WINDOW;
      const length = this.size < 0 ? this.#ahead : Math.min(this.#ahead, this.size - offset);
      const bytes = this.opened.fetch(offset, length);
      this.count(bytes.length);
      this.#end = offset + bytes.length;
      if (out.length >= length) {
        // Nothing is left for the next call, so nothing is copied once more.
        out.set(bytes);
        return bytes.length;
      }
      this.#window = bytes;
      this.#from = offset;
    }
    const start = offset - this.#from;
    const bytes = this.#window.subarray(start, start + out.length);
    out.set(bytes);
    return bytes.length;
  }
}

async function openOne(
  message: SourceMessage,
  index: number,
  post: (answer: Answer) => void,
): Promise<Opened> {
  const from = message.from;
  switch (from.kind) {
    case 'bytes':
      return { fetch: (offset, length) => from.bytes.subarray(offset, offset + length), size: from.bytes.length };
    case 'blob': {
      const reader = new FileReaderSync();
      const fetch: Fetch = (offset, length) =>
        new Uint8Array(reader.readAsArrayBuffer(from.blob.slice(offset, offset + length)));
      return { fetch, size: from.blob.size };
    }
    case 'range':
      return { fetch: (offset, length) => fetchRange(from.url, offset, length), size: from.size };
    case 'mailbox': {
      const fetch: Fetch = (offset, length) =>
        ask(from.buffer, (most) => post({ kind: 'read', source: index, offset, length: most }), length);
      return { fetch, size: from.size };
    }
    case 'path':
      return openPath(from.path);
  }
}

/** A range request that does not return before it is answered. */
function fetchRange(url: string, offset: number, length: number): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  request.setRequestHeader('Range', `bytes=${offset}-${offset + length - 1}`);
  request.send();
  if (request.status !== 206) throw new Error(`the server answered ${request.status} to a range request`);
  return new Uint8Array(request.response as ArrayBuffer);
}

/** A file of Node or Deno. */
async function openPath(path: string): Promise<Opened> {
  const fs = await import(/* @vite-ignore */ nodeModule('fs'));
  const file: number = fs.openSync(path, 'r');
  const buffer = new Uint8Array(LAST_WINDOW);
  const fetch: Fetch = (offset, length) =>
    buffer.subarray(0, fs.readSync(file, buffer, 0, length, offset));
  return { fetch, size: fs.fstatSync(file).size, close: () => fs.closeSync(file) };
}

/** Hides the name from bundlers: a browser never gets here. */
function nodeModule(name: string): string {
  return `node:${name}`;
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
