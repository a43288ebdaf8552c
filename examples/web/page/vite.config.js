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

export default defineConfig({
  // Addresses are relative, so that the page works in any directory of a server.
  base: './',
  assetsInclude: ['**/*.lime'],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  plugins: [offline()],
  worker: { format: 'es' },
  test: { include: ['test/**/*.test.{ts,tsx}'] },
});
