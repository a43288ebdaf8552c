import { defineConfig } from 'vite';

export default defineConfig({
  // Works in any folder of a server.
  base: './',
  assetsInclude: ['**/*.lime'],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  worker: { format: 'es' },
});
