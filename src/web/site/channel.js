// The way to what plays: a worker of the browser.

/** What is at its other end. */
export const PARTNER = "engine";

/** Milliseconds between two pings. The engine hears after each slice of a search, of 40 ms. */
const PING_INTERVAL = 3000;

/** So many pings without an answer, while the page is in sight, and the engine hangs. */
const MAX_UNANSWERED = 4;

/** Milliseconds after the first engine has come, until the browser is asked to keep the site. */
const KEEP_AFTER = 2000;

/** Starts a worker; `ready` tells that its engine has come, or that it has failed. */
function start() {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const ready = new Promise((resolve, reject) => {
    worker.addEventListener("message", resolve, { once: true });
    worker.addEventListener("error", reject, { once: true });
  });
  return { worker, ready };
}

// The site is kept by the browser, so that it works without a network; what a person waits for
// comes first. A browser that forbids that shows the page all the same.
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

// The first engine comes while the modules of the page do, as soon as something is shown.
requestAnimationFrame(() => setTimeout(startFirst));

/** Opens it; `handlers`: `open()`, `message(text)`, `closed()`. */
export function openChannel({ open, message, closed }) {
  const { worker, ready } = isFirstTaken ? start() : startFirst();
  isFirstTaken = true;
  let isOpen = false;
  let unanswered = 0;
  // Pings are counted, not time: while a device sleeps, neither page nor worker goes on. Browsers
  // may slow down the worker of a page that is out of sight.
  const watch = setInterval(() => {
    if (!isOpen || document.hidden) unanswered = 0;
    else if (unanswered === MAX_UNANSWERED) end();
    else {
      unanswered++;
      worker.postMessage("ping");
    }
  }, PING_INTERVAL);
  /** An engine that fails is of no use any more; the page opens another one. */
  function end() {
    isOpen = false;
    clearInterval(watch);
    worker.terminate();
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
