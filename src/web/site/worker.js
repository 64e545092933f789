// The engine in a worker: hands requests of the page to the module of WebAssembly, lets its
// searches go on between them, and hands on what it says.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const place = (name) => new URL(name, import.meta.url);

/** The exports of the module, once it has come. */
let engine = null;

/** A message to itself lets a search go on after the messages that have come meanwhile. */
const { port1: now, port2: due } = new MessageChannel();
let isDue = false;
let timer = null;

/** Puts bytes where the engine reads them. */
function put(bytes) {
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** Hands on what the engine says. */
function deliver() {
  for (;;) {
    const length = engine.next_output();
    if (length === 0) return;
    const text = decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), length));
    if (text.startsWith('{"net":')) bringNet(JSON.parse(text).net).catch(fail);
    else postMessage(text);
  }
}

/** Brings the file of a net; without one the engine searches without a net. */
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

/** The module; a host that gives it another type than its own is put up with. */
async function load() {
  const imports = { browser: { now: () => performance.now(), date: () => Date.now() } };
  const file = place("kawari.wasm");
  const { instance } = await WebAssembly.instantiateStreaming(fetch(file), imports).catch(async () => {
    const response = await fetch(file);
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  });
  engine = instance.exports;
  postMessage("ready");
}

/** Tells the page, which hears of errors that nobody catches, but not of those of promises. */
function fail(error) {
  setTimeout(() => {
    throw error;
  });
}

load().catch(fail);
