// Stores of small gauge configurations whose plaquettes are chosen, and the program's words about them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { program } from './program.js';

const SITES = 16;
const LINKS = 4 * SITES;

/** Random numbers from 0 to 1, the same in each run. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Links of 2x2x2x2 sites: diagonal matrices with random phases. The plaquette is 1 for the width 0, and smaller for others. */
function links(width) {
  const next = random(1);
  const numbers = new DataView(new ArrayBuffer(LINKS * 18 * 8));
  for (let link = 0; link < LINKS; link += 1) {
    const phase = width * (next.next().value - 0.5);
    [phase, -phase, 0].forEach((angle, row) => {
      const at = (link * 18 + row * 8) * 8;
      numbers.setFloat64(at, Math.cos(angle));
      numbers.setFloat64(at + 8, Math.sin(angle));
    });
  }
  return new Uint8Array(numbers.buffer);
}

/** Writes a configuration, whose plaquette depends on the width alone. */
export function configuration(path, width, ...options) {
  run('ildg', 'make', path, '--data', '-', '--extents', '2x2x2x2', '--precision', '64', '--scidac', ...options, { input: links(width) });
}

/** Runs the program. Returns its output, whatever it thinks of the files. */
function run(...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  const { stdout, error } = spawnSync(program, args, { maxBuffer: 1 << 28, ...options });
  if (error) throw error;
  return stdout.toString().trimEnd().split('\n');
}

export const emptyStore = () => mkdtempSync(join(tmpdir(), 'linkstream-store-'));

/** Writes `lat.10`, `lat.20`, …, with these widths. Returns the names. */
export function history(folder, widths) {
  return widths.map((width, index) => {
    const name = `lat.${(index + 1) * 10}`;
    configuration(join(folder, name), width);
    return name;
  });
}

const noise = random(2);
const near = (width) => width + 0.02 * noise.next().value;
/** Widths of an ensemble that thermalises from an ordered start, and then stays. */
export const THERMALISING = Array.from({ length: 24 }, (_, index) => near(1.5 * (1 - Math.exp(-index / 3))));
/** Widths of one that does not. */
export const CALM = Array.from({ length: 12 }, () => near(1.5));

/** The lines of a manifest of a directory, without the last one. */
export function manifest(folder) {
  return run('manifest', folder).slice(0, -1);
}

/** The findings of the program on a directory. */
export function findings(folder, ...options) {
  const objects = run('ensemble', '--json', ...options, folder).filter(Boolean).map((line) => JSON.parse(line));
  return { ensembles: objects.slice(0, -1), store: objects.at(-1) };
}
