/** Sequential reading of a source from an offset on. */

export interface Cursor {
  /** Returns the next bytes, none at the end. They are valid until the next call. */
  next(): Uint8Array | Promise<Uint8Array>;
  close(): void;
}

/** Length of the first read after a seek, in bytes. It is short, since the caller may need little there. */
const FIRST = 256 << 10;
/** Length of the longest read, in bytes. */
export const LARGEST = 4 << 20;

/** Returns the bytes from `offset` on, at most `length`, none at the end. They are valid until the next call. */
export type Fetch = (offset: number, length: number) => Uint8Array;

/** Fetches twice as many bytes with each call, up to `largest`. */
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

/** Returns whether streams of blobs can be read into memory of the caller. Not all engines support this. */
export function hasByteStreams(): boolean {
  try {
    new Blob().stream().getReader({ mode: 'byob' });
    return true;
  } catch {
    return false;
  }
}

/** Number of bytes of a blob's stream that are read at a time. */
const PIECE = 1 << 20;

/**
 * Reads a blob asynchronously: the first bytes as a slice, all that follow as a stream. The next bytes are read while
 * the caller processes the present ones. The stream is read into buffers that are used again: slices would leave
 * several hundred MiB to the garbage collector.
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
    // A failure is reported by the next call, which awaits this promise. Until then it must not count as unhandled.
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
