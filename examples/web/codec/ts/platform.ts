/** Differences between browsers and Node. The entry point of the package chooses the platform. */

import type { Thread } from './thread.js';

/** The modules of the compiled codec. */
export const MODULES = ['check', 'sets', 'read', 'diff', 'ensemble'] as const;

export type ModuleName = (typeof MODULES)[number];

export interface Platform {
  /** True in pages and workers of browsers. There, workers read blobs and URLs themselves. */
  isBrowser: boolean;
  startWorker(): Thread;
  /** Compiles a module from its file. */
  compile(name: ModuleName): Promise<WebAssembly.Module>;
  /** Path of a `file:` URL. Throws a `TypeError` in browsers. */
  pathOf(url: URL): string;
}

let used: Platform | undefined;

/** Sets the platform. Once it is Node, it stays: programs of Node may import the element for pages, too, before or after it. */
export function usePlatform(platform: Platform): void {
  if (used === undefined || used.isBrowser) used = platform;
}

export function platform(): Platform {
  if (used === undefined) throw new Error('import linkstream itself, not a file of its directory dist');
  return used;
}
