// The packed package in programs of users: built by bundlers with their defaults and run in browsers, and in Node.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { build as vite } from 'vite';
import webpack from 'webpack';

import { sample } from '../../codec/test/program.js';
import { CHROMIUM, FIREFOX, root } from '../browser.js';
import { serve } from '../server.js';

/** A program that uses the modules `check` and `read`, and `sets` for a volume that is alone. */
const PROGRAM = `
import { check, open } from 'linkstream';

async function show() {
  const [lime, volume] = ['sample.lime', 'part4.lime.vol0001'].map((name) => new URL(name, location.href));
  const { verdict } = await check(lime);
  const file = await open(lime);
  const links = await file.readField(0, { slice: 3 });
  const { volumes } = await check(volume);
  document.title = [verdict, links.length, volumes.length].join(' ');
}
show().catch((error) => (document.title = String(error)));
`;
const EXPECTED = /^ok 4608 1$/;

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = JSON.parse(npm('pack', '--json', join(root, 'examples/web/codec')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm('install', '--offline', join(folder, packed.filename));
});
after(() => rmSync(folder, { recursive: true }));

/** Writes the sources of a page into a directory of their own. */
function project(name) {
  const directory = join(folder, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'main.js'), PROGRAM);
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>waiting</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>');
  return directory;
}

/** Title of the built page as soon as it has a result. */
async function titleIn(browser, built) {
  cpSync(sample, join(built, 'sample.lime'));
  cpSync(join(root, 'host-tests/fixtures/qio/multi/part4.lime.vol0001'), join(built, 'part4.lime.vol0001'));
  const server = await serve({ '/': built });
  const opened = browser === 'firefox' ? await puppeteer.launch(FIREFOX) : await chromium.launch(CHROMIUM);
  try {
    const page = await opened.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => document.title !== 'waiting');
    return await page.title();
  } finally {
    await opened.close();
    server.close();
  }
}

for (const browser of ['chromium', 'firefox']) {
  test(`Vite, in ${browser}`, async () => {
    const directory = project(`vite-${browser}`);
    await vite({ root: directory, configFile: false, logLevel: 'warn' });
    assert.match(await titleIn(browser, join(directory, 'dist')), EXPECTED);
  });
}

test('webpack', async () => {
  const directory = project('webpack');
  const output = { path: join(directory, 'dist') };
  const stats = await new Promise((resolve, reject) => {
    webpack({ mode: 'production', context: directory, entry: './main.js', output, performance: false }, (error, done) => (error ? reject(error) : resolve(done)));
  });
  assert.deepEqual(stats.toJson().errors, []);
  assert.deepEqual(stats.toJson().warnings, []);
  cpSync(join(directory, 'index.html'), join(output.path, 'index.html'));
  assert.match(await titleIn('chromium', output.path), EXPECTED);
});

test('esbuild, and a line that copies worker and modules', async () => {
  const directory = project('esbuild');
  const outdir = join(directory, 'out');
  await esbuild({ entryPoints: [join(directory, 'main.js')], bundle: true, minify: true, format: 'esm', outdir, logLevel: 'warning' });
  // The line in the README.
  execFileSync('sh', ['-c', 'cp -r node_modules/linkstream/dist/worker.js node_modules/linkstream/dist/wasm esbuild/out'], { cwd: folder });
  cpSync(join(directory, 'index.html'), join(outdir, 'index.html'));
  assert.match(await titleIn('chromium', outdir), EXPECTED);
});

/** Runs a program in the directory where the package is installed, and returns its output. */
function output(command, args) {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
}

const NODE = `const { check, open, preload } = MODULE;
const { pathToFileURL } = require('node:url');
const url = pathToFileURL(${JSON.stringify(sample)});
check(url).then(async ({ verdict }) => console.log(verdict, (await (await open(url)).readField(0, { slice: 3 })).length));
`;

test('Node, by require', () => {
  writeFileSync(join(folder, 'program.cjs'), NODE.replace('MODULE', "require('linkstream')"));
  assert.equal(output(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.cjs']), 'ok 4608\n');
});

test('Node, by import, and the version of the package', () => {
  const script = `import { createRequire } from 'node:module';\nimport * as linkstream from 'linkstream';\nimport manifest from 'linkstream/package.json' with { type: 'json' };\n`
    + `const require = createRequire(import.meta.url);\nconsole.log(manifest.version);\n${NODE.replace('MODULE', 'linkstream')}`;
  writeFileSync(join(folder, 'program.mjs'), script);
  assert.match(output(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.mjs']), /^\d+\.\d+\.\d+\nok 4608\n$/);
});

test('Node, after the files for pages', () => {
  const pages = join(folder, 'node_modules/linkstream/dist/index.js');
  writeFileSync(join(folder, 'both.cjs'), `require(${JSON.stringify(pages)});\n${NODE.replace('MODULE', "require('linkstream')")}`);
  assert.equal(output(process.execPath, ['--disable-warning=ExperimentalWarning', 'both.cjs']), 'ok 4608\n');
});

test('Bun', () => {
  // The program is in a package for this platform, from where the installation of `bun` may have moved it.
  const modules = join(root, 'examples/web/node_modules');
  const places = ['bun/bin/bun.exe', ...readdirSync(join(modules, '@oven')).map((name) => `@oven/${name}/bin/bun`)];
  const bun = places.map((place) => join(modules, place)).find((place) => statSync(place, { throwIfNoEntry: false })?.size > 1e7);
  assert.ok(bun, `no program among ${places.join(', ')}`);
  assert.equal(output(bun, ['program.cjs']), 'ok 4608\n');
});

test('the packed package has its licences, and its entry points exist', () => {
  const installed = join(folder, 'node_modules/linkstream');
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md']) assert.ok(readdirSync(installed).includes(name), name);
});
