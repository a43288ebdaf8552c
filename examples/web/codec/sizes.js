// The compiled codec must not grow: fails if one of its modules is larger than it may be.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

// Module `read` lists a file before it reads from it, with the decoders of all formats: what `check` calls unreadable is
// refused (17 kB of its gzipped size), files of other formats are explained as `check` does it, and notes about damage
// are searched for (8 kB). In the others, types and axes of arrays are 2.5 kB.
const BUDGETS = {
  check: { raw: 353_000, gzipped: 162_000 },
  sets: { raw: 412_000, gzipped: 191_500 },
  read: { raw: 319_500, gzipped: 146_000 },
};

for (const [name, budget] of Object.entries(BUDGETS)) {
  const module = readFileSync(new URL(`./dist/wasm/${name}_bg.wasm`, import.meta.url));
  const sizes = { raw: module.length, gzipped: gzipSync(module, { level: 9 }).length };
  for (const [form, size] of Object.entries(sizes)) {
    console.log(`module ${name}, ${form}: ${size.toLocaleString('en')} of ${budget[form].toLocaleString('en')} bytes`);
    if (size > budget[form]) process.exitCode = 1;
  }
}
