/** The worker of Node, which also reads files of the disk. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { FetchCursor, LARGEST } from './cursor.js';
import { serve } from './serve.js';
import type { Opened } from './worker-sources.js';

function openPath(path: string): Opened {
  const file = openSync(path, 'r');
  return {
    at(offset) {
      const buffer = new Uint8Array(LARGEST);
      return new FetchCursor((offset, length) => buffer.subarray(0, readSync(file, buffer, 0, length, offset)), offset);
    },
    size: fstatSync(file).size,
    close: () => closeSync(file),
  };
}

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker');
serve({
  post: (answer, transfer) => port.postMessage(answer, transfer),
  listen: (onMessage) => port.on('message', onMessage),
}, openPath);
