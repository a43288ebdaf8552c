/** Collectors of the data that the compiled codec reads. */

/** Collects data in one array. */
export class ArrayCollector {
  #type = 'u8';
  #bytes = new Uint8Array(0);
  #used = 0;
  #details: unknown;

  begin(type: string, bytes: number): void {
    this.#type = type;
    this.#used = 0;
    if (bytes >= 0) this.#bytes = new Uint8Array(bytes);
  }

  put(bytes: Uint8Array): void {
    const needed = this.#used + bytes.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used = needed;
  }

  event(json: string): void {
    this.#details = JSON.parse(json);
  }

  result(): { type: string; data: Uint8Array; details: unknown } {
    const data = this.#used === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#used);
    return { type: this.#type, data, details: this.#details };
  }
}

/** Number of bytes that are collected before they become a part of the blob. */
const PIECE = 4 << 20;

/** Collects data in a blob, which the engine may keep outside memory. */
export class BlobCollector {
  readonly #piece = new Uint8Array(PIECE);
  #used = 0;
  #parts: Blob[] = [];
  #details: unknown;

  begin(): void {}

  put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + PIECE - this.#used);
      this.#piece.set(taken, this.#used);
      this.#used += taken.length;
      at += taken.length;
      if (this.#used === PIECE) this.#flush();
    }
  }

  event(json: string): void {
    this.#details = JSON.parse(json);
  }

  result(): { data: Blob; details: unknown } {
    this.#flush();
    return { data: new Blob(this.#parts), details: this.#details };
  }

  #flush(): void {
    this.#parts.push(new Blob([this.#piece.subarray(0, this.#used)]));
    this.#used = 0;
  }
}
