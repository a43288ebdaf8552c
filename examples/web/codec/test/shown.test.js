// The blocks of the README, in TypeScript, are compiled strictly and run as they are shown, and so are the JavaScript
// blocks of the guide's page "upload". They get the parts of a page or a server from here: elements, a file, answers to
// requests. The codec is the real one.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { open } from 'linkstream';
import ts from 'typescript';

import { sample } from './program.js';
import { compile } from './typescript.js';

const page = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = page('../README.md');
const upload = page('../../../../codec/src/guide/upload.md');

/** The blocks with this language, in order. */
function blocks(text, language) {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((found) => found[1] === language).map((found) => found[2]);
}

const bytes = readFileSync(sample);
const damaged = Buffer.from(bytes);
damaged[50_000] ^= 1;

// A project that has installed the package, and a server with one file that answers range requests.
const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules/linkstream'));
const server = createServer((request, response) => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
  const end = Math.min(to ? Number(to) + 1 : bytes.length, bytes.length);
  response.writeHead(206, {
    'Content-Length': end - from,
    'Content-Range': `bytes ${from}-${end - 1}/${bytes.length}`,
  });
  return response.end(bytes.subarray(Number(from), end));
});
let address;
before(() => new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => {
    address = `http://127.0.0.1:${server.address().port}`;
    resolve();
  });
}));
after(() => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  server.close();
});

/**
 * Runs a block as a module of that project, with these global names, and then calls `then` with what it has logged so
 * far. Returns what it exports and logs.
 */
async function run(name, block, globals, then = () => {}) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, block.replaceAll('https://example.org', address));
  const logged = [];
  const replaced = { ...globals, console: { ...console, log: (...values) => logged.push(values) } };
  const saved = Object.fromEntries(Object.keys(replaced).map((key) => [key, globalThis[key]]));
  Object.assign(globalThis, replaced);
  try {
    const exported = await import(pathToFileURL(path));
    await then(logged);
    return { exported, logged };
  } finally {
    // Elements and requests are needed later, when events arrive.
    Object.assign(globalThis, { console: saved.console });
  }
}

const file = (content = bytes, name = 'lat.0100.ildg') => new File([content], name);

/** A block without its types. */
function javaScript(block) {
  const { ESNext: module } = ts.ModuleKind;
  return ts.transpileModule(block, { compilerOptions: { module, target: ts.ScriptTarget.ES2022 } }).outputText;
}

/** Checks of the values that a block logs. The key is a text in the block. */
const SHOWN = {
  "'input[type=file]'": async ({ logged, globals }) => {
    globals.input.dispatchEvent(new Event('change'));
    const isProgress = ([first]) => /bytes$/.test(first);
    while (logged.every(isProgress)) await new Promise((resolve) => { setTimeout(resolve, 10); });
    assert.deepEqual(logged.at(-1), ['ok', []]);
  },
  pathToFileURL: ({ logged }) => assert.deepEqual(logged, [[true]]),
  'slice: 3': async ({ logged, block }) => {
    const all = await (await open(bytes)).readField(0);
    const [shape, axes, length, numbers] = logged;
    // The comments say what is logged.
    for (const [index, value] of [shape, axes].entries()) {
      const comment = [...block.matchAll(/; \/\/ (\[.*\])$/gm)][index][1];
      assert.deepEqual(value, [JSON.parse(comment.replaceAll("'", '"'))]);
    }
    assert.deepEqual(length, [4608]);
    const site = ((3 * 4 + 0) * 4 + 2) * 4 + 1;
    const first = ((site * 4 + 3) * 9 + 1) * 2;
    assert.deepEqual(numbers, [all[first], all[first + 1]]);
  },
  'report.format': ({ logged }) => {
    assert.match(logged[0][0], /scidac-private-file-xml, .*ildg-binary-data|scidac-private-file-xml, .*scidac-binary-data/);
    assert.ok(logged[1][0] > 0.5);
  },
  'push()': ({ logged }) => assert.deepEqual(logged, [['checksum: match']]),
  'ensemble(': ({ logged }) => {
    const found = logged.map(([finding]) => finding);
    assert.ok(found.includes('gap: between 110 and 130, 1 file is missing: lat.0120.ildg'), `${found}`);
    assert.ok(found.includes('same-content: 3 files have the same content'), `${found}`);
  },
  'diff(': ({ logged }) => assert.deepEqual(logged, [['the files are the same']]),
  "'linkstream-report'": ({ logged, globals }) => {
    globals.document.dispatchEvent(Object.assign(new Event('linkstream-report'), { detail: { file: 'lat.0100.ildg', verdict: 'ok' } }));
    assert.deepEqual(logged, [['lat.0100.ildg', 'ok']]);
  },
};

test('the blocks of the README are compiled', () => {
  const shown = blocks(readme, 'ts');
  // Blocks are modules: none of them sees what another declares.
  const files = Object.fromEntries(shown.map((block, index) => [`block-${index + 1}.ts`, block]));
  assert.deepEqual(compile(ts, files, ['node']), []);
  assert.deepEqual([...new Set([...readme.matchAll(/^```(\w+)$/gm)].map(([, language]) => language))].sort(), ['html', 'sh', 'ts']);
});

test('the blocks of the README are run', async (t) => {
  const here = process.cwd();
  const shown = blocks(readme, 'ts');
  assert.equal(shown.length, Object.keys(SHOWN).length);
  copyFileSync(sample, join(folder, 'lat.0100.ildg'));
  process.chdir(folder);
  try {
    for (const [index, block] of shown.entries()) {
      await t.test(`block ${index + 1}`, async () => {
        const [, verify] = Object.entries(SHOWN).find(([word]) => block.includes(word));
        const input = Object.assign(new EventTarget(), { files: [file()] });
        const globals = { input, document: Object.assign(new EventTarget(), { querySelector: () => input }) };
        await run(`readme-${index}`, javaScript(block), { document: globals.document }, (logged) => verify({ block, logged, globals }));
      });
    }
  } finally {
    process.chdir(here);
  }
});

/** The elements with an id of the page's HTML block. */
function elements() {
  const found = new Map();
  for (const [, id] of blocks(upload, 'html').join('').matchAll(/ id="(\w+)"/g)) {
    found.set(id, Object.assign(new EventTarget(), { textContent: '' }));
  }
  return found;
}

test('the page of the guide uploads what it has verified', async () => {
  const found = elements();
  const requests = [];
  let answer = { ok: true, status: 201 };
  await run('page', blocks(upload, 'js')[0], {
    document: { getElementById: (id) => found.get(id) ?? null },
    fetch: async (url, options) => {
      requests.push({ url, ...options });
      return answer;
    },
  });
  const [drop, status, stop] = ['drop', 'status', 'stop'].map((id) => found.get(id));
  const dropped = async (...files) => {
    status.textContent = '';
    const event = Object.assign(new Event('drop', { cancelable: true }), { dataTransfer: { files } });
    drop.dispatchEvent(event);
    assert.ok(event.defaultPrevented);
  };
  const settled = async () => {
    for (;;) {
      await new Promise((resolve) => { setTimeout(resolve, 10); });
      if (status.textContent && !/: checked /.test(status.textContent)) return status.textContent;
    }
  };

  await dropped(file());
  assert.equal(await settled(), 'lat.0100.ildg was verified and uploaded');
  assert.deepEqual(requests.map(({ url, method }) => [method, url]), [['PUT', '/upload/lat.0100.ildg']]);
  assert.equal(requests[0].body.size, bytes.length);

  await dropped(file(damaged));
  assert.match(await settled(), /^lat\.0100\.ildg is wrong and was not uploaded\nat byte \d+: .*\[checksum-mismatch\]/);
  await dropped(file(bytes.subarray(0, 100_000)));
  assert.match(await settled(), /was not uploaded\nat byte 100000: .*\[lime-payload-truncated\]/);
  assert.equal(requests.length, 1);

  answer = { ok: false, status: 507 };
  await dropped(file());
  assert.equal(await settled(), 'lat.0100.ildg: the server answered 507');

  await dropped(file());
  stop.dispatchEvent(new Event('click'));
  assert.equal(await settled(), 'Stopped');
  assert.equal(requests.length, 2);

  // The check of the first file is aborted, and the status is about the second one.
  answer = { ok: true, status: 201 };
  await dropped(file(bytes, 'first.ildg'));
  await dropped(file(bytes, 'second.ildg'));
  assert.equal(await settled(), 'second.ildg was verified and uploaded');
  assert.equal(requests.length, 3);
});

test('the server of the guide verifies again', async () => {
  const { exported } = await run('server', blocks(upload, 'js')[1], {});
  const wrong = join(folder, 'damaged.lime');
  writeFileSync(wrong, damaged);
  assert.equal(await exported.accept(sample), true);
  assert.equal(await exported.accept(wrong), false);
});

test('each block of the guide is run', () => {
  assert.equal(blocks(upload, 'js').length, 2);
});
