// Succeeds if node has the relaxed SIMD of WebAssembly, by the test of the page's worker.

import { readFileSync } from "node:fs";

const worker = readFileSync(new URL("../../crates/tab/src/web/site/worker.js", import.meta.url), "utf8");
const bytes = /const RELAXED = Uint8Array\.of\(([^)]*)\)/.exec(worker)[1];
process.exit(WebAssembly.validate(Uint8Array.from(bytes.split(",").filter((text) => text.trim()), Number)) ? 0 : 1);
