// Builds dist/: the compiled codec, its JavaScript side, and the TypeScript that uses it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const codec = fileURLToPath(new URL('.', import.meta.url));
const web = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../../target/web', import.meta.url));
const compiled = `${target}/wasm32-unknown-unknown/release`;
const out = `${codec}dist/wasm`;

/** Path of a program that an npm package provides. */
const tool = (name) => `${web}node_modules/.bin/${name}`;

/** Runs a program to its end. If it fails, the build fails with the same status. */
function run(command, args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: web, stdio: 'inherit', env: { ...process.env, ...environment } });
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve() : process.exit(status ?? 1)));
  });
}

rmSync(`${codec}dist`, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const modules = ['check', 'sets', 'read', 'diff'];
const standardLibrary = ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'];
const environment = {
  // Lets the stable compiler build the standard library for size and without the messages of panics, which a page never
  // shows. With the library shipped with the compiler, the modules are an eighth larger.
  RUSTC_BOOTSTRAP: '1',
  // All browsers that support modules in workers also support these vectors.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort',
};
const packages = modules.flatMap((name) => ['-p', `linkstream-web-${name}`]);
const wasm = ['build', '--quiet', '--release', '--target-dir', target, '--target', 'wasm32-unknown-unknown'];
const bindgen = ['build', '--quiet', '--release', '--target-dir', `${target}/host`, '-p', 'bindgen'];
// Both run at the same time, since each of them uses only one core in some phases.
await Promise.all([run('cargo', [...wasm, ...standardLibrary, ...packages], environment), run('cargo', bindgen)]);

const features = [
  'bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext', 'simd', 'multivalue',
];
const optimize = [
  // The passes after the first rebuild loops and branches. Functions are not moved into their only caller, which would
  // make the compressed module larger. This makes the modules 1.4 % smaller.
  '-Oz', '--flatten', '--rereloop', '-Oz', '-Oz', '--one-caller-inline-max-function-size=0',
  '--strip-debug', '--strip-producers', ...features.map((feature) => `--enable-${feature}`),
];

const bind = (name) => run(`${target}/host/release/bindgen`, [`${compiled}/linkstream_web_${name}.wasm`, out, name]);
await Promise.all(modules.map(bind));

/** Compiles the TypeScript. The types of the modules must be where its sources import them from. */
async function typescript() {
  cpSync(out, `${codec}ts/wasm`, { recursive: true, filter: (path) => !path.endsWith('.wasm') });
  await run(tool('tsc'), ['-p', codec]);
}

/** Optimises a module. The result is kept for the next build, since this step takes longer than all others together. */
async function optimised(name) {
  const module = `${out}/${name}_bg.wasm`;
  const inputs = [readFileSync(module), readFileSync(`${web}node_modules/binaryen/package.json`), optimize.join()];
  const key = inputs.reduce((hash, input) => hash.update(input), createHash('sha256')).digest('hex');
  const directory = `${target}/optimised/${name}`;
  const kept = `${directory}/${key}.wasm`;
  if (existsSync(kept)) return cpSync(kept, module);
  await run(tool('wasm-opt'), [...optimize, module, '-o', module]);
  rmSync(directory, { recursive: true, force: true });
  cpSync(module, kept);
}

await Promise.all([typescript(), ...modules.map(optimised)]);
