/**
 * Synchronous reads of asynchronous sources. The worker sends a request and sleeps in `Atomics.wait` until the other
 * thread has put the bytes into shared memory. In pages this needs cross-origin isolation. Node and Deno need nothing.
 */

const PIECE = 1 << 20;
const HEAD = 8;

/** The shared memory: a state and a length, 4 bytes each, then the bytes read. */
export type MailboxBuffer = SharedArrayBuffer;

enum State {
  Asked = 0,
  Ready = 1,
  Failed = 2,
}

/** A source that the other thread reads. */
export interface AsyncReader {
  /** Reads bytes from `offset` on, at most `length`, none at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Called when nothing more is read. */
  close?(): void;
}

export function isAvailable(): boolean {
  return typeof SharedArrayBuffer !== 'undefined';
}

export function create(): MailboxBuffer {
  return new SharedArrayBuffer(HEAD + PIECE);
}

/** Reads the bytes that the worker requests, and wakes the worker. */
export async function answer(
  buffer: MailboxBuffer,
  reader: AsyncReader,
  offset: number,
  length: number,
): Promise<void> {
  const head = new Int32Array(buffer, 0, 2);
  let bytes: Uint8Array;
  let state = State.Ready;
  try {
    // A server may answer with more bytes than requested.
    bytes = (await reader.read(offset, Math.min(length, PIECE))).subarray(0, PIECE);
  } catch (thrown) {
    bytes = new TextEncoder().encode(thrown instanceof Error ? thrown.message : String(thrown)).slice(0, PIECE);
    state = State.Failed;
  }
  new Uint8Array(buffer, HEAD).set(bytes);
  head[1] = bytes.length;
  Atomics.store(head, 0, state);
  Atomics.notify(head, 0);
}

/** Requests bytes and waits for them. The result is valid until the next call. */
export function ask(
  buffer: MailboxBuffer,
  request: (length: number) => void,
  length: number,
): Uint8Array {
  const head = new Int32Array(buffer, 0, 2);
  // The state is set before the request is sent, since the answer may arrive before this thread sleeps. Then `wait`
  // finds another state and returns at once.
  Atomics.store(head, 0, State.Asked);
  request(Math.min(length, PIECE));
  Atomics.wait(head, 0, State.Asked);
  const bytes = new Uint8Array(buffer, HEAD, head[1]);
  if (Atomics.load(head, 0) === State.Failed) throw new Error(new TextDecoder().decode(bytes.slice()));
  return bytes;
}
