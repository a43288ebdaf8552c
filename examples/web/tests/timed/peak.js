// Measures the memory of browsers.

import { readdirSync, readFileSync } from 'node:fs';

/** Sum of the peak memory of these processes, in bytes. A process that has ended counts as 0. */
export function peakOf(processes) {
  const peak = (id) => {
    try {
      return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  };
  return processes.reduce((sum, id) => sum + 1024 * peak(id), 0);
}

/** Returns a function that lists the processes of a Chromium, all or of one type such as `renderer`. */
export async function processesOf(browser) {
  const session = await browser.newBrowserCDPSession();
  return async (wanted) => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => wanted === undefined || type === wanted).map(({ id }) => id);
  };
}

/** A process and all its descendants. */
export function family(id) {
  const parents = new Map();
  for (const entry of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      // The name, in parentheses, may contain spaces.
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended.
    }
  }
  const children = (parent) => [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...children(child)]);
  return [id, ...children(id)];
}
