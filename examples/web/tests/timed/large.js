// Makes a large gauge configuration from the links of the sample, and checks it with the package in a page.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { exported, numbers } from '../../codec/test/npy.js';
import { program, sample } from '../../codec/test/program.js';

/** Makes a file with the links of 32x32x32xT sites in double precision, with a checksum: 18.9 MB per time slice. */
export async function largeField(folder, slices) {
  const path = join(folder, `${slices}.lime`);
  const extents = `32x32x32x${slices}`;
  const make = ['ildg', 'make', path, '--data', '-', '--extents', extents, '--precision', '64', '--scidac'];
  const child = spawn(program, make, { stdio: ['pipe', 'ignore', 'inherit'] });
  const links = Buffer.from(Float64Array.from(numbers(exported(sample))).buffer).swap64();
  for (let block = 0; block < 64 * slices; block += 1) {
    if (!child.stdin.write(links)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`ildg make ended with ${status}`);
  return path;
}

/** Number of time slices that take more than 1 GiB. */
export const SLICES = 57;

/**
 * Checks a file with the package, which is served without a bundler under `/codec/`. `choose` sets the file of an
 * input. Returns the verdict, the time in seconds, and the longest time in milliseconds that the page was blocked.
 */
export async function checkInPage(page, choose, options) {
  await page.evaluate(() => {
    document.querySelector('#large')?.remove();
    document.body.insertAdjacentHTML('beforeend', '<input id="large" type="file">');
  });
  await choose('#large');
  return page.evaluate(async (options) => {
    const { check, preload } = await import('/codec/index.js');
    await preload();
    const file = document.querySelector('#large').files[0];
    let longest = 0;
    let isDone = false;
    const beat = (last) => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      if (!isDone) setTimeout(() => beat(now), 10);
    };
    beat(performance.now());
    const since = performance.now();
    const { verdict } = await check(file, options);
    const seconds = (performance.now() - since) / 1000;
    isDone = true;
    return { verdict, seconds, longest };
  }, options);
}

/**
 * Measures the time in seconds that the browser takes to deliver the file that was checked last, without the codec. The
 * chunks of its stream are left to the garbage collector.
 */
export function deliverInPage(page) {
  return page.evaluate(async () => {
    const since = performance.now();
    const file = document.querySelector('#large').files[0];
    for await (const chunk of file.stream()) if (chunk.length === 0) throw new Error('an empty chunk');
    return (performance.now() - since) / 1000;
  });
}

/**
 * Checks the bytes of a file several times, without observables. The bytes are in shared memory, so that the page must
 * be cross-origin isolated.
 */
export async function checkBytesInPage(page, choose, runs) {
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<input id="large" type="file">'));
  await choose('#large');
  return page.evaluate(async (runs) => {
    const { check, preload } = await import('/codec/index.js');
    await preload();
    const file = document.querySelector('#large').files[0];
    const bytes = new Uint8Array(new SharedArrayBuffer(file.size));
    let length = 0;
    for await (const chunk of file.stream()) {
      bytes.set(chunk, length);
      length += chunk.length;
    }
    const found = [];
    while (found.length < runs) {
      const since = performance.now();
      const { verdict } = await check(bytes, { observables: false });
      found.push({ verdict, seconds: (performance.now() - since) / 1000 });
    }
    return found;
  }, runs);
}
