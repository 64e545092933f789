// A worker of the pool: evaluates leaves with the module of the engine.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let engine = null;

/** Messages wait for those before them. */
let work = Promise.resolve();

function put(bytes) {
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** A copy of the latest output, which has this length. */
const take = (length) => new Uint8Array(engine.memory.buffer, engine.output(), length).slice();

async function start(module) {
  const imports = { browser: { now: () => performance.now(), date: () => Date.now() } };
  engine = (await WebAssembly.instantiate(module, imports)).exports;
  postMessage("ready");
}

async function bringNet(name) {
  const response = await fetch(new URL(`nets/${name}.net`, import.meta.url));
  const [head, file] = [encoder.encode(`${name}\0`), new Uint8Array(await response.arrayBuffer())];
  const bytes = new Uint8Array(head.length + file.length);
  bytes.set(head);
  bytes.set(file, head.length);
  put(bytes);
  engine.pool_net();
}

async function evaluate(request) {
  put(request);
  const length = engine.missing_net();
  if (length > 0) {
    await bringNet(decoder.decode(take(length)));
    put(request);
  }
  const answer = take(engine.evaluate());
  if (answer.length === 0) throw new Error("a request without an answer");
  postMessage(answer, [answer.buffer]);
}

/** Reports an error to the engine, which sees uncaught errors, but not those of promises. */
function fail(error) {
  setTimeout(() => {
    throw error;
  });
}

self.onmessage = ({ data }) => {
  work = work.then(() => (data instanceof WebAssembly.Module ? start(data) : evaluate(data))).catch(fail);
};
