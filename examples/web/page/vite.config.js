import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Writes the names of all files into the service worker, which stores these files when it is installed. */
function offline() {
  let folder;
  return {
    name: 'offline',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      const script = join(folder, 'offline.js');
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll('\\', '/'))
        .filter((name) => name !== 'offline.js' && name !== 'index.html');
      const text = readFileSync(script, 'utf8');
      const filled = text.replace('const FILES = [];', `const FILES = ${JSON.stringify(['./', ...files])};`);
      if (filled === text) throw new Error('offline.js has no list to fill');
      writeFileSync(script, filled);
    },
  };
}

/**
 * The page loads code from its own server only, and submits no forms. It sends requests to any server, since that is what it
 * is for; if it was loaded by https, `restrict` in src/policy.ts leaves only https.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' https: http:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes the policy into the page. Not while it is developed: Vite inserts styles then. */
function policy() {
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
      { tag: 'meta', attrs: { name: 'referrer', content: 'no-referrer' }, injectTo: 'head' },
    ],
  };
}

export default defineConfig({
  // Addresses are relative, so that the page works in any directory of a server.
  base: './',
  assetsInclude: ['**/*.lime'],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  plugins: [offline(), policy()],
  worker: { format: 'es' },
  test: { include: ['test/**/*.test.{ts,tsx}'] },
});
