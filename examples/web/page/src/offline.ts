/** Loading while the page is idle: the module that reads data, and a copy of the page for use without a network. */

import { preload } from 'linkstream';
import { worker } from './physics/compute';
import { isBusy, WORKERS } from './queue';

/** The rest of the page is loaded when there was no work for this time, in milliseconds. */
const IDLE = 1000;

/** Waits until the page is idle. The first verdict then need not share the network with other downloads. */
export async function completeWhenIdle(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, IDLE));
  while (isBusy());
  // One more worker reads data for views while files are checked. If a module cannot be loaded, the call that needs it
  // reports this.
  await preload(WORKERS + 1, ['check', 'read']).catch(() => {});
  worker();
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await navigator.serviceWorker.register('./offline.js');
}
