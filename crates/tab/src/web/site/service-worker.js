// Keeps the files of the site, so that it works without a network. The script that builds the
// site writes VERSION, FILES and RELAXED above. A new version is used once no page of the old one is open.

const CACHE = `kawari ${VERSION}`;

self.addEventListener("install", (event) => {
  // Not from the browser's own cache, which may have files of an older version.
  const unused = WebAssembly.validate(RELAXED) ? "kawari.wasm" : "kawari-relaxed.wasm";
  const files = FILES.filter((file) => file !== unused);
  const requests = ["./", ...files].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("kawari ") && name !== CACHE;
  const removeOld = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener("fetch", (event) => {
  const kept = async () => {
    const cache = await caches.open(CACHE);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  if (event.request.method === "GET") event.respondWith(kept());
});
