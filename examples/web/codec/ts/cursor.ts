/** Reading a source in order, from some place on. */

export interface Cursor {
  /** The next bytes; none at the end. They are valid until the next call. */
  next(): Uint8Array | Promise<Uint8Array>;
  close(): void;
}

/** Little is read after a seek, since little may be wanted there. */
const FIRST = 256 << 10;
export const LARGEST = 4 << 20;

/** The bytes from `offset` on, at most `length`; none at the end. They are valid until the next call. */
export type Fetch = (offset: number, length: number) => Uint8Array;

/** Fetches more bytes with each call. */
export class FetchCursor implements Cursor {
  #length = FIRST;

  constructor(
    private readonly fetch: Fetch,
    private offset: number,
    private readonly largest = LARGEST,
  ) {}

  next(): Uint8Array {
    const bytes = this.fetch(this.offset, this.#length);
    this.offset += bytes.length;
    this.#length = Math.min(2 * this.#length, this.largest);
    return bytes;
  }

  close(): void {}
}

/** Whether streams of blobs can be read into given memory. Not all engines can, whatever else they have. */
export function hasByteStreams(): boolean {
  try {
    new Blob().stream().getReader({ mode: 'byob' });
    return true;
  } catch {
    return false;
  }
}

/** Bytes of a blob's stream that are read at a time. */
const PIECE = 1 << 20;

/**
 * Reads a blob asynchronously: the first bytes as a slice, all that follow as a stream. While the caller works on some
 * bytes, the next ones are read, into memory that is used again: of slices, several hundred MiB would be left to the
 * collector.
 */
export class BlobCursor implements Cursor {
  #stream: ReadableStreamBYOBReader | undefined;
  #ahead: Promise<Uint8Array<ArrayBuffer>> | undefined;
  #handedOut: ArrayBuffer | undefined;
  #isFirst = true;

  constructor(
    private readonly blob: Blob,
    private offset: number,
  ) {}

  async next(): Promise<Uint8Array> {
    if (this.#isFirst) {
      this.#isFirst = false;
      const first = await this.blob.slice(this.offset, this.offset + FIRST).arrayBuffer();
      this.offset += first.byteLength;
      return new Uint8Array(first);
    }
    this.#stream ??= this.blob.slice(this.offset).stream().getReader({ mode: 'byob' });
    const bytes = await (this.#ahead ?? this.#pull(this.#stream));
    this.#ahead = this.#pull(this.#stream, this.#handedOut);
    // If it fails, the next call does.
    this.#ahead.catch(() => {});
    this.#handedOut = bytes.buffer;
    return bytes;
  }

  close(): void {
    void this.#stream?.cancel().catch(() => {});
  }

  async #pull(
    stream: ReadableStreamBYOBReader,
    buffer = new ArrayBuffer(PIECE),
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { value } = await stream.read(new Uint8Array(buffer));
    return value ?? new Uint8Array(0);
  }
}
