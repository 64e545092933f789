// The engine in a worker: passes requests of the page to the module of WebAssembly, continues its
// searches between them, and passes its messages to the page.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const place = (name) => new URL(name, import.meta.url);

/** The exports of the module, once it is loaded. */
let engine = null;

/** A message to itself continues a search after the messages that have arrived meanwhile. */
const { port1: now, port2: due } = new MessageChannel();
let isDue = false;
let timer = null;

/** Puts bytes where the engine reads them. */
function put(bytes) {
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** Passes the messages of the engine on. */
function deliver() {
  for (;;) {
    const length = engine.next_output();
    if (length === 0) return;
    const text = decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), length));
    if (text.startsWith('{"net":')) bringNet(JSON.parse(text).net).catch(fail);
    else postMessage(text);
  }
}

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
    timer ??= setTimeout(goOn, milliseconds);
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
  const { instance } = await WebAssembly.instantiateStreaming(fetch(file), imports).catch(async () => {
    const response = await fetch(file);
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  });
  engine = instance.exports;
  postMessage("ready");
}

/** Reports an error to the page, which sees uncaught errors, but not those of promises. */
function fail(error) {
  setTimeout(() => {
    throw error;
  });
}

load().catch(fail);
