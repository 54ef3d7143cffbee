// The service worker of a player's page: without a network it shows the page as it last was, and nothing of anybody else.

/** The page of one viewer; its address is a digest of whose link it is, and each has a cache of its own. */
const page = registration.scope;
const cacheName = `table ${page}`;
const LOADS = /(?:href|src)="(\/(?:made|pages)\/[^"]+)"/g;

/** Keeps the page as it is now, with the files that it loads; forgets all of it where the link is no longer good. */
async function keep(answer) {
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    await caches.delete(cacheName);
  } else if (answer.ok && answer.url === page) {
    const files = [...(await answer.clone().text()).matchAll(LOADS)].map(([, file]) => file);
    const cache = await caches.open(cacheName), known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    await cache.addAll(files.filter((file) => !known.has(file)));
    await cache.put(page, answer);
    await Promise.all([...known].filter((file) => file !== new URL(page).pathname && !files.includes(file)).map((file) => cache.delete(file)));
  }
}

/** What is asked of the service is never answered from here, and never kept. */
addEventListener("fetch", (event) => {
  const { request } = event, { pathname } = new URL(request.url);
  if (request.mode === "navigate" && request.url.split(/[?#]/)[0] === page) {
    event.respondWith(fetch(request).then((answer) => {
      event.waitUntil(keep(answer.clone()));
      return answer;
    }, async (gone) => (await caches.open(cacheName)).match(page).then((found) => found ?? Promise.reject(gone))));
  } else if (/^\/(?:made|pages)\//.test(pathname)) {
    event.respondWith(fetch(request).catch(async (gone) => (await (await caches.open(cacheName)).match(request)) ?? Promise.reject(gone)));
  }
});

/** The page says when there is something new on it, and when its viewer has left. */
addEventListener("message", (event) => {
  event.waitUntil(event.data === "keep" ? fetch(page, { headers: { accept: "text/html" } }).then(keep).catch(() => {}) : caches.delete(cacheName));
});

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
