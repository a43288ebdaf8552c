// A large gauge configuration, made by the program from the links of the sample.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { exported, numbers } from '../codec/test/npy.js';
import { program, sample } from '../codec/test/program.js';

/** Links of 32x32x32xT sites in double precision, with a checksum: 18.9 MB for each time slice. */
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
