// A host of static files, which knows nothing of kawari: `node tests/site/serve.mjs FOLDER [PORT]
// [PATH]` serves a folder at a path of this machine.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Serves the files of a folder at a path that begins and ends with a slash. */
export async function serve(folder, port = 0, path = "/") {
  const server = createServer(async ({ url }, response) => {
    const asked = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const name = asked.startsWith(path) ? normalize(asked.slice(path.length)) || "index.html" : null;
    const file = name === null || name.startsWith("..") ? null : name === "." ? "index.html" : name;
    const bytes = file && (await readFile(join(folder, file)).catch(() => null));
    if (!bytes) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}${path}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, port, path] = process.argv.slice(2);
  const { address } = await serve(folder, Number(port ?? 8080), path);
  console.log(address);
}
