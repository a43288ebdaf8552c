// Builds dist/: the compiled codec, its JavaScript side, and the TypeScript around it.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const codec = fileURLToPath(new URL('.', import.meta.url));
const web = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../../target/web', import.meta.url));
const wasm = `${target}/wasm32-unknown-unknown/release/linkstream_web.wasm`;
const out = `${codec}dist/wasm`;

function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: web,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(`${codec}dist`, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const standardLibrary = ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'];
const environment = {
  // Lets the stable compiler build the standard library for size and without the messages of panics, which a page never
  // shows. The library that comes with the compiler makes the modules an eighth larger.
  RUSTC_BOOTSTRAP: '1',
  // All browsers that have modules in workers have these vectors.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort',
};
const cargo = ['build', '--quiet', '--release', '--target-dir', target, ...standardLibrary];
const features = ['bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext', 'simd', 'multivalue'];
const optimize = ['-Oz', '--strip-debug', '--strip-producers', ...features.map((feature) => `--enable-${feature}`)];

for (const name of ['check', 'sets', 'read']) {
  const only = ['--no-default-features', '--features', name];
  run('cargo', [...cargo, '-p', 'linkstream-web', '--target', 'wasm32-unknown-unknown', ...only], environment);
  run('cargo', ['run', '--quiet', '--release', '--target-dir', `${target}/host`, '-p', 'bindgen', '--', wasm, out, name]);
  const module = `${out}/${name}_bg.wasm`;
  run('npx', ['--no-install', 'wasm-opt', ...optimize, module, '-o', module]);
}

// The compiler takes the types of the module from where its sources import it.
cpSync(out, `${codec}ts/wasm`, { recursive: true });
run('npx', ['--no-install', 'tsc', '-p', codec]);
