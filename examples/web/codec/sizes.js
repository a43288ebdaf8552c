// Fails if a module of the compiled codec is larger than its budget, or if the README has another budget.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

// Module `read` contains the decoders of all formats, since it lists a file before it reads data: it refuses files that
// `check` calls unreadable (17 kB of its gzipped size), explains files of other formats as `check` does, and searches
// for notes about damage (8 kB). It measures the links of NERSC archives, whose checksum does not show exchanged links
// (30 kB). In the other modules, types and axes of arrays take 2.5 kB. Lines of manifests take 37 kB of module `sets`:
// they contain values of XML, sums and hashes. Module `diff` contains `sets` without lines, since it verifies files before
// it compares them, and the part of `read` that reads archives.
const BUDGETS = {
  check: { raw: 445_500, gzipped: 208_500 },
  sets: { raw: 589_500, gzipped: 280_500 },
  ensemble: { raw: 226_000, gzipped: 107_000 },
  read: { raw: 475_500, gzipped: 222_500 },
  diff: { raw: 774_500, gzipped: 357_000 },
};

const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

for (const [name, budget] of Object.entries(BUDGETS)) {
  const module = readFileSync(new URL(`./dist/wasm/${name}_bg.wasm`, import.meta.url));
  const sizes = { raw: module.length, gzipped: gzipSync(module, { level: 9 }).length };
  for (const [form, size] of Object.entries(sizes)) {
    console.log(`module ${name}, ${form}: ${size.toLocaleString('en')} of ${budget[form].toLocaleString('en')} bytes`);
    if (size > budget[form]) process.exitCode = 1;
  }
  const row = `| at most ${kB(budget.raw)} | ${kB(budget.gzipped)} |`;
  if (!readme.split('\n').some((line) => line.startsWith(`| \`${name}\` |`) && line.endsWith(row))) {
    console.log(`README.md: the row of module ${name} must end with "${row}"`);
    process.exitCode = 1;
  }
}
