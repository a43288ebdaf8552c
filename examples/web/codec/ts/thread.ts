/** A worker, as the calling thread sees it. */

import type { Answer, Message } from './protocol.js';

export interface Thread {
  /** Number of the open file that the worker read last. */
  file?: number;
  /** Sends a message, and passes the ownership of memory to the worker. */
  post(message: Message, transfer: ArrayBuffer[]): void;
  /** Sets the callbacks for answers and for a failure of the worker itself. */
  listen(onAnswer: (answer: Answer) => void, onBroken: (error: unknown) => void): void;
  /** Sets whether the worker keeps a program of Node running. */
  hold(busy: boolean): void;
  terminate(): void;
}
