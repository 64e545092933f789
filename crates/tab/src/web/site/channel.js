// The connection to the engine: a worker of the browser, which may start others.

/** The name of the other end. */
export const PARTNER = "engine";

/** Milliseconds between two pings. The engine answers after each slice of a search, of 40 ms. */
const PING_INTERVAL = 3000;

/** Maximum pings without an answer while the page is visible; then the engine hangs. */
const MAX_UNANSWERED = 4;

/** Milliseconds between the start of the first engine and the request to keep the site. */
const KEEP_AFTER = 2000;

/** Maximum workers that evaluate positions. */
const MAX_WORKERS = 4;

/** The engines, which share the workers that they may have. */
const engines = new Set();

/** The battery, where the browser has one. */
let battery = null;

/** The workers that evaluate positions: half the cores, but one on a battery or while nobody sees the
 * page. */
function workerCount() {
  const isSparing = document.hidden || battery?.charging === false;
  return isSparing ? 1 : Math.max(1, Math.min(navigator.hardwareConcurrency >> 1, MAX_WORKERS));
}

const shareWorkers = () => {
  for (const worker of engines) worker.postMessage(workerCount());
};
document.addEventListener("visibilitychange", shareWorkers);
navigator.getBattery?.().then((found) => {
  battery = found;
  battery.addEventListener("chargingchange", shareWorkers);
  shareWorkers();
}, () => {});

/** Starts a worker; `ready` resolves when its engine has started, or rejects. */
function start() {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const ready = new Promise((resolve, reject) => {
    worker.addEventListener("message", resolve, { once: true });
    worker.addEventListener("error", reject, { once: true });
  });
  engines.add(worker);
  worker.postMessage(workerCount());
  return { worker, ready };
}

// The browser keeps the site, so that it works without a network, after everything that a person
// waits for. A browser that forbids that still shows the page.
const keep = () => navigator.serviceWorker?.register(new URL("service-worker.js", import.meta.url)).catch(() => {});

let first = null;
let isFirstTaken = false;

function startFirst() {
  if (first === null) {
    first = start();
    first.ready.then(() => setTimeout(keep, KEEP_AFTER), () => {});
  }
  return first;
}

// The first engine loads together with the modules of the page, after the first paint.
requestAnimationFrame(() => setTimeout(startFirst));

/** Opens it; `handlers`: `open()`, `message(text)`, `closed()`. */
export function openChannel({ open, message, closed }) {
  const { worker, ready } = isFirstTaken ? start() : startFirst();
  isFirstTaken = true;
  let isOpen = false;
  let unanswered = 0;
  // The watch counts pings, not time: while a device sleeps, page and worker stop. Browsers may slow
  // down the worker of a hidden page.
  const watch = setInterval(() => {
    if (!isOpen || document.hidden) unanswered = 0;
    else if (unanswered === MAX_UNANSWERED) end();
    else {
      unanswered++;
      worker.postMessage("ping");
    }
  }, PING_INTERVAL);
  /** Ends a failed engine; the page opens another one. */
  function end() {
    isOpen = false;
    clearInterval(watch);
    worker.terminate();
    engines.delete(worker);
    closed();
  }
  worker.addEventListener("message", ({ data }) => {
    unanswered = 0;
    if (data !== "ready" && data !== "pong") message(data);
  });
  ready.then(() => {
    worker.addEventListener("error", end, { once: true });
    isOpen = true;
    open();
  }, end);
  return {
    get isOpen() {
      return isOpen;
    },
    send: (text) => worker.postMessage(text),
  };
}
