// Builds dist/: the compiled codec, its JavaScript side, and the TypeScript that uses it. The former dist/ stays until the
// new one is complete.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const codec = fileURLToPath(new URL('.', import.meta.url));
const web = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../../target/web', import.meta.url));
const compiled = `${target}/wasm32-unknown-unknown/release`;
const dist = `${codec}dist`;
const made = `${codec}dist.new`;
const out = `${made}/wasm`;

/** The first Rust whose WebAssembly has the sizes in sizes.js. `immediate-abort` needs it, too. */
const RUST = [1, 92];

/** Names of the modules. The type `ModuleName` demands the same names of the TypeScript. */
const modules = readdirSync(`${codec}modules`);

const begin = Date.now();
const say = (text) => console.log(`${((Date.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${text}`);

/** Path of a program that an npm package provides. */
const tool = (name) => `${web}node_modules/.bin/${name}`;

/** Runs a program to its end. If it fails, the build fails with the same status. */
function run(command, args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: web, stdio: 'inherit', env: { ...process.env, ...environment } });
    child.on('error', reject);
    child.on('close', (status, signal) => {
      if (status === 0) return resolve();
      if (signal) console.error(`${command} was ended by the signal ${signal}.`);
      process.exit(status ?? 1);
    });
  });
}

/** Ends the build with a message if there is no compiler that can build the modules. */
function checkRust() {
  const wanted = `Rust ${RUST.join('.')} or later is needed`;
  let version;
  try {
    version = execFileSync('rustc', ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    console.error(`${wanted}; rustc was not found. rustup installs it.`);
    process.exit(1);
  }
  const [major, minor] = version.split(/[ .]/).slice(1, 3).map(Number);
  if (major < RUST[0] || (major === RUST[0] && minor < RUST[1])) {
    console.error(`${wanted}; this is ${version}. "rustup update stable" installs the latest.`);
    process.exit(1);
  }
  say(version);
}

checkRust();
rmSync(made, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const standardLibrary = ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'];
const environment = {
  // Lets the stable compiler build the standard library for size and without the messages of panics, which a page never
  // shows. With the library shipped with the compiler, the modules are an eighth larger.
  RUSTC_BOOTSTRAP: '1',
  // All supported browsers have these vectors.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort',
};
const packages = modules.flatMap((name) => ['-p', `linkstream-web-${name}`]);
const wasm = ['build', '--quiet', '--release', '--target-dir', target, '--target', 'wasm32-unknown-unknown'];
// Its dependencies would take a minute to optimise.
const bindgen = ['build', '--quiet', '--target-dir', `${target}/host`, '-p', 'bindgen'];
say(`compiling the codec: ${modules.join(', ')}`);
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

say('generating JavaScript, optimising the modules');
const bind = (name) => run(`${target}/host/debug/bindgen`, [`${compiled}/linkstream_web_${name}.wasm`, out, name]);
await Promise.all(modules.map(bind));

/** Compiles the TypeScript. The types of the modules must be where its sources import them from. */
async function typescript() {
  cpSync(out, `${codec}ts/wasm`, { recursive: true, filter: (path) => !path.endsWith('.wasm') });
  await run(tool('tsc'), ['-p', codec, '--outDir', made]);
  // The worker of browsers is one classic script. Bundlers and browsers need no option for it.
  const entry = { entryPoints: [`${made}/worker.js`], outfile: `${made}/worker.js`, allowOverwrite: true };
  const small = { legalComments: 'none', minifySyntax: true, minifyWhitespace: true };
  // wasm-bindgen names the same imported file several times.
  const quiet = { logOverride: { 'duplicate-object-key': 'silent' } };
  await bundle({ ...entry, ...small, ...quiet, bundle: true, format: 'iife', target: 'es2022' });
}

/**
 * Optimises a module, unless LINKSTREAM_UNOPTIMISED is set, for tests. The result is kept for the next build, since this
 * step takes longer than all others together.
 */
async function optimised(name) {
  if (process.env.LINKSTREAM_UNOPTIMISED) return;
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

// The licences of the repository belong into the package.
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(`${web}../../${name}`, `${codec}${name}`);
rmSync(dist, { recursive: true, force: true });
renameSync(made, dist);
const size = (path) => statSync(path).size.toLocaleString('en');
say(`dist: ${readdirSync(dist).length} files; ${modules.map((name) => `${name} ${size(`${dist}/wasm/${name}_bg.wasm`)}`).join(', ')} bytes`);
