/** Files compressed by gzip, and their contents. */

export interface Decompressing {
  signal?: AbortSignal;
  /** Callback for progress, in compressed bytes. The total is unknown for some remote files. */
  onProgress?: (progress: { bytes: number; total: number | undefined }) => void;
}

/** True if a file begins like a gzip file: its two magic bytes, and the only method of compression that exists. */
export function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b && (first.length < 3 || first[2] === 8);
}

/** Name of the file that is in a gzip file. */
export function nameInside(name: string): string {
  return name.replace(/\.gz(ip)?$/i, '');
}

/** Contents may have so many bytes, or so many for each compressed byte, whichever is more. */
export interface Limit {
  bytes: number;
  ratio: number;
}

/** A small file cannot fill the disk: 16 MB of gzip can have 16 GB in them. Fields compress to a half at best. */
const LIMIT: Limit = { bytes: 2 ** 32, ratio: 20 };

/** A gzip file. It is decompressed when its contents are read, and can be read several times. */
export class Gzip {
  /** Contents, as long as they are in use. They are not held here, since thousands of files would fill the disk. */
  #contents: WeakRef<File> | undefined;

  constructor(
    readonly from: Blob | URL,
    /** Name of the file that is in it. */
    readonly name: string,
  ) {}

  /** Compressed size in bytes, if it is known before the file is read. */
  get size(): number | undefined {
    return this.from instanceof Blob ? this.from.size : undefined;
  }

  /**
   * Returns the decompressed contents. A remote file whose name alone suggests gzip is returned as it is if it is none.
   *
   * Rejects if the file is truncated or damaged: a checksum and the size at the end of a gzip file verify its contents.
   */
  async contents({ signal, onProgress }: Decompressing = {}, limit = LIMIT): Promise<File> {
    const former = this.#contents?.deref();
    if (former) return former;
    const { stream, total } = await this.#open(signal);
    let bytes = 0;
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        onProgress?.({ bytes, total });
        controller.enqueue(chunk);
      },
    });
    const { first, whole } = await begun(stream.pipeThrough(counted, { signal }));
    const file = new File([isGzip(first) ? await this.#decompressed(whole, signal, (contents) => contents > Math.max(limit.bytes, limit.ratio * bytes)) : await blobOf(whole)], this.name);
    this.#contents = new WeakRef(file);
    return file;
  }

  async #open(signal: AbortSignal | undefined): Promise<{ stream: ReadableStream<Uint8Array<ArrayBuffer>>; total: number | undefined }> {
    if (this.from instanceof Blob) return { stream: this.from.stream(), total: this.from.size };
    const response = await fetch(this.from, { credentials: 'omit', signal });
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
    // A server that compresses the transfer itself gives the size of that.
    const isPlain = response.headers.get('Content-Encoding') === null;
    const length = Number(response.headers.get('Content-Length') ?? 0);
    return { stream: response.body, total: (isPlain && length) || undefined };
  }

  async #decompressed(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    signal: AbortSignal | undefined,
    isTooMuch: (contents: number) => boolean,
  ): Promise<Blob> {
    let contents = 0;
    const limited = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        contents += chunk.length;
        if (isTooMuch(contents)) throw new TooMuch();
        controller.enqueue(chunk);
      },
    });
    try {
      return await blobOf(stream.pipeThrough(new DecompressionStream('gzip'), { signal }).pipeThrough(limited));
    } catch (thrown) {
      signal?.throwIfAborted();
      if (thrown instanceof TooMuch) throw thrown;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Error(
        `the gzip file is truncated, damaged, or followed by other data: compare its size with the original, or unpack it and choose the file that is in it (${reason})`,
        { cause: thrown },
      );
    }
  }
}

class TooMuch extends Error {
  constructor() {
    super('the gzip file has far more in it than a file of numbers can have: if you trust it, unpack it and choose the file that is in it');
  }
}

function blobOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  return new Response(stream).blob();
}

/** Reads the first chunks of a stream, at least three bytes. `whole` has all bytes, the first ones included. */
async function begun(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ first: Uint8Array; whole: ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < 3) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const first = Uint8Array.from(chunks.flatMap((chunk) => [...chunk.subarray(0, 3)]));
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = chunks.shift();
      if (next) return controller.enqueue(next);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { first, whole };
}
