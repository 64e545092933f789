// The engine in a worker: passes requests of the page to the module of WebAssembly, continues its
// searches between them, and passes its messages to the page. Where the page allows several workers,
// others evaluate the leaves of the searches.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const place = (name) => new URL(name, import.meta.url);

/** The module and its exports, once they are loaded. */
let module = null;
let engine = null;

/** The number of workers that the page allows, and those that evaluate leaves, if there are several. */
let allowed = 1;
let pool = null;

/** A message to itself continues a search after the messages that have arrived meanwhile. */
const { port1: now, port2: due } = new MessageChannel();
let isDue = false;
let timer = null;

/** Puts bytes where the engine reads them. */
function put(bytes) {
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** The latest output of the engine, which has this length. */
const output = (length) => new Uint8Array(engine.memory.buffer, engine.output(), length);

/** Passes the messages and requests of the engine on. */
function deliver() {
  for (let length = engine.next_output(); length > 0; length = engine.next_output()) {
    const text = decoder.decode(output(length));
    if (text.startsWith('{"net":')) bringNet(JSON.parse(text).net).catch(fail);
    else postMessage(text);
  }
  for (let length = engine.next_request(); length > 0; length = engine.next_request()) pool.evaluate(output(length).slice());
  if (pool === null && allowed > 1 && engine.wants_pool()) startPool().catch(() => {});
}

/** Starts the other workers. Where a worker cannot start others, the engine evaluates all leaves itself. */
async function startPool() {
  pool = { resize() {}, stall() {} };
  const { Pool } = await import("./pool.js");
  pool = new Pool(module, {
    changed: (workers) => engine.set_pool(workers),
    answered(bytes) {
      put(bytes);
      engine.answer();
      goOnLater(0);
    },
  });
  resizePool();
}

/** A single worker is the engine itself. */
const resizePool = () => pool?.resize(allowed > 1 ? allowed : 0);

/** Loads the file of a net; without the file the engine searches without a net. */
async function bringNet(name) {
  const response = await fetch(place(`nets/${name}.net`)).catch(() => null);
  const file = response?.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  const head = encoder.encode(`${name}\0`);
  const bytes = new Uint8Array(head.length + file.length);
  bytes.set(head);
  bytes.set(file, head.length);
  put(bytes);
  engine.net();
  goOnLater(0);
}

function goOnLater(milliseconds) {
  if (milliseconds > 0) {
    timer ??= setTimeout(() => {
      pool?.stall();
      goOn();
    }, milliseconds);
  } else if (milliseconds === 0 && !isDue) {
    isDue = true;
    now.postMessage(null);
  }
}

function goOn() {
  clearTimeout(timer);
  timer = null;
  const milliseconds = engine.go_on();
  deliver();
  goOnLater(milliseconds);
}

due.onmessage = () => {
  isDue = false;
  goOn();
};

self.onmessage = ({ data }) => {
  if (data === "ping") return postMessage("pong");
  if (typeof data === "number") {
    allowed = data;
    return resizePool();
  }
  put(encoder.encode(data));
  engine.request();
  deliver();
  goOnLater(0);
};

/** A module whose only function has a dot product of the relaxed SIMD. The build script copies it to
 * the service worker, which keeps only the module that the engine uses. */
const RELAXED = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 20, 1, 18, 0,
  65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 147, 2, 26, 11,
);

/** Loads the module, the faster one where the browser has its instructions; tolerates a host with a
 * wrong MIME type. */
async function load() {
  const imports = { browser: { now: () => performance.now(), date: () => Date.now() } };
  const file = place(WebAssembly.validate(RELAXED) ? "kawari-relaxed.wasm" : "kawari.wasm");
  const loaded = await WebAssembly.instantiateStreaming(fetch(file), imports).catch(async () => {
    const response = await fetch(file);
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  });
  module = loaded.module;
  engine = loaded.instance.exports;
  postMessage("ready");
}

/** Reports an error to the page, which sees uncaught errors, but not those of promises. */
function fail(error) {
  setTimeout(() => {
    throw error;
  });
}

load().catch(fail);
