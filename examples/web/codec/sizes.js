// The compiled codec must not grow: fails if one of its modules is larger than it may be.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGETS = {
  check: { raw: 323_900, gzipped: 147_600 },
  sets: { raw: 374_400, gzipped: 172_000 },
  read: { raw: 244_200, gzipped: 113_700 },
};

for (const [name, budget] of Object.entries(BUDGETS)) {
  const module = readFileSync(new URL(`./dist/wasm/${name}_bg.wasm`, import.meta.url));
  const sizes = { raw: module.length, gzipped: gzipSync(module, { level: 9 }).length };
  for (const [form, size] of Object.entries(sizes)) {
    console.log(`module ${name}, ${form}: ${size.toLocaleString('en')} of ${budget[form].toLocaleString('en')} bytes`);
    if (size > budget[form]) process.exitCode = 1;
  }
}
