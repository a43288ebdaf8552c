// Service worker: keeps the files of the page, so that it works without a network after the first visit.

const CACHE = 'linkstream';
/** Names of all files of the page. The build fills this list. */
const FILES = [];

// Files in `assets` have a hash of their contents in their names: the browser's own copy is good. Other files bypass the
// HTTP cache, which may hold an earlier version.
const fresh = (file) => new Request(file, { cache: file.startsWith('assets/') ? 'default' : 'reload' });

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map(fresh));
  const wanted = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));
  const kept = await cache.keys();
  await Promise.all(kept.filter(({ url }) => !wanted.has(url)).map((request) => cache.delete(request)));
  await self.skipWaiting();
}

// The network comes first, so that a new version of the page is seen. Range requests are not answered here: they read a
// file that is checked.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOwn = request.url.startsWith(self.registration.scope) && request.method === 'GET';
  if (isOwn && !request.headers.has('Range')) event.respondWith(answer(request));
});

async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}
