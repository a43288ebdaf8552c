// Keeps the files of the page, so that it works without a network after the first visit.

const CACHE = 'linkstream';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// The network first, so that a new version of the page is seen. Requests for parts are those of a file that is checked.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOwn = request.url.startsWith(self.registration.scope) && request.method === 'GET';
  if (isOwn && !request.headers.has('Range')) event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
