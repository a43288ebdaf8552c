// A worker that runs the worker of the package. At the port `control`, it answers whether the bytes of the last call
// are still in memory.

import { parentPort, workerData } from 'node:worker_threads';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let bytes;

await import('../dist/node-worker.js');
parentPort.on('message', ({ sources }) => {
  if (sources) bytes = new WeakRef(sources[0].from.bytes.buffer);
});
workerData.control.on('message', () => {
  collect();
  workerData.control.postMessage(bytes.deref() !== undefined);
});
