// Builds dist/: the compiled codec, its JavaScript side, and the TypeScript around it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const codec = fileURLToPath(new URL('.', import.meta.url));
const web = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../../target/web', import.meta.url));
const compiled = `${target}/wasm32-unknown-unknown/release`;
const out = `${codec}dist/wasm`;

/** A program of an npm package. */
const tool = (name) => `${web}node_modules/.bin/${name}`;

/** Runs a program to its end. If it fails, so does the build. */
function run(command, args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: web, stdio: 'inherit', env: { ...process.env, ...environment } });
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve() : process.exit(status ?? 1)));
  });
}

rmSync(`${codec}dist`, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const modules = ['check', 'sets', 'read'];
const standardLibrary = ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'];
const environment = {
  // Lets the stable compiler build the standard library for size and without the messages of panics, which a page never
  // shows. The library that comes with the compiler makes the modules an eighth larger.
  RUSTC_BOOTSTRAP: '1',
  // All browsers that have modules in workers have these vectors.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort',
};
const packages = modules.flatMap((name) => ['-p', `linkstream-web-${name}`]);
const wasm = ['build', '--quiet', '--release', '--target-dir', target, '--target', 'wasm32-unknown-unknown'];
const bindgen = ['build', '--quiet', '--release', '--target-dir', `${target}/host`, '-p', 'bindgen'];
// At the same time, since each has phases in which it uses only one core.
await Promise.all([run('cargo', [...wasm, ...standardLibrary, ...packages], environment), run('cargo', bindgen)]);

const features = [
  'bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext', 'simd', 'multivalue',
];
const optimize = [
  // Again, with loops and branches made anew, and without moving functions into their only caller, which makes it
  // longer when compressed. That makes the modules 1.4 % smaller.
  '-Oz', '--flatten', '--rereloop', '-Oz', '-Oz', '--one-caller-inline-max-function-size=0',
  '--strip-debug', '--strip-producers', ...features.map((feature) => `--enable-${feature}`),
];

const bind = (name) => run(`${target}/host/release/bindgen`, [`${compiled}/linkstream_web_${name}.wasm`, out, name]);
await Promise.all(modules.map(bind));

/** The compiler takes the types of the modules from where its sources import them. */
async function typescript() {
  cpSync(out, `${codec}ts/wasm`, { recursive: true, filter: (path) => !path.endsWith('.wasm') });
  await run(tool('tsc'), ['-p', codec]);
}

/** Optimises a module. The result is kept for the next build, since this takes longer than all other steps together. */
async function optimised(name) {
  const module = `${out}/${name}_bg.wasm`;
  const inputs = [readFileSync(module), readFileSync(`${web}node_modules/binaryen/package.json`), optimize.join()];
  const key = inputs.reduce((hash, input) => hash.update(input), createHash('sha256')).digest('hex');
  const folder = `${target}/optimised/${name}`;
  const kept = `${folder}/${key}.wasm`;
  if (existsSync(kept)) return cpSync(kept, module);
  await run(tool('wasm-opt'), [...optimize, module, '-o', module]);
  rmSync(folder, { recursive: true, force: true });
  cpSync(module, kept);
}

await Promise.all([typescript(), ...modules.map(optimised)]);
