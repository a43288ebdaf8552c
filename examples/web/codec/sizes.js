// The compiled codec must not grow: fails if it is larger than it may be.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = { raw: 570_000, gzipped: 272_000 };

const module = readFileSync(new URL('./dist/wasm/linkstream_bg.wasm', import.meta.url));
const sizes = { raw: module.length, gzipped: gzipSync(module, { level: 9 }).length };
for (const [name, size] of Object.entries(sizes)) {
  console.log(`module, ${name}: ${size.toLocaleString('en')} of ${BUDGET[name].toLocaleString('en')} bytes`);
  if (size > BUDGET[name]) process.exitCode = 1;
}
