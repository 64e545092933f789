// The way to what plays: a worker of the browser.

/** What is at its other end. */
export const PARTNER = "engine";

/** Milliseconds between two pings. The engine hears after each slice of a search, of 40 ms. */
const PING_INTERVAL = 3000;

/** So many pings without an answer, while the page is in sight, and the engine hangs. */
const MAX_UNANSWERED = 4;

/** Opens it; `handlers`: `open()`, `message(text)`, `closed()`. */
export function openChannel({ open, message, closed }) {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
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
    if (data === "pong") return;
    if (data !== "ready") return message(data);
    isOpen = true;
    open();
  });
  worker.addEventListener("error", end);
  return {
    get isOpen() {
      return isOpen;
    },
    send: (text) => worker.postMessage(text),
  };
}

// The site is kept by the browser, so that it works without a network. A browser that forbids
// that shows the page all the same.
navigator.serviceWorker?.register(new URL("service-worker.js", import.meta.url)).catch(() => {});
