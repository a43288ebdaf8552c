// A static server on the loopback interface. It supports range requests, and records all requests.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/**
 * Serves directories under prefixes: `{ '/': page, '/fixtures/': directory }`. The longest prefix wins. `more` has
 * headers that are added to all answers.
 */
export async function serve(folders, more = {}) {
  const requests = [];
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const prefix = prefixes.find((start) => path.startsWith(start));
    const file = normalize(join(folders[prefix], path.slice(prefix.length) || 'index.html'));
    requests.push({ path, range: request.headers.range });
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return response.writeHead(404).end();
    const headers = { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Accept-Ranges': 'bytes', ...more };
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range === null) {
      response.writeHead(200, { ...headers, 'Content-Length': size });
      return createReadStream(file).pipe(response);
    }
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), size - 1)];
    response.writeHead(206, { ...headers, 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` });
    return createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/`, requests, close: () => server.close() };
}
