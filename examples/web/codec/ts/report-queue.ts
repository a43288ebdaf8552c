/** The queue of elements that wait to read their files. */

/** Number of files that are read at the same time. Each has a worker, and needs memory for its observables. */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Calls `work` when fewer than two other calls run. If the signal is aborted before, `work` is not called. */
export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await turn(signal);
  else running += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Waits until a call has ended. The place of that call is handed over, so that `running` stays as it is. */
function turn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(signal.reason);
    };
    waiting.push(begin);
    signal.addEventListener('abort', leave, { once: true });
  });
}
