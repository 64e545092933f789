// The way to what plays: a worker of the browser.

/** What is at its other end. */
export const PARTNER = "engine";

/** Opens it; `handlers`: `open()`, `message(text)`, `closed()`. */
export function openChannel({ open, message, closed }) {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  let isOpen = false;
  worker.addEventListener("message", ({ data }) => {
    if (data !== "ready") return message(data);
    isOpen = true;
    open();
  });
  // An engine that fails is of no use any more; the page opens another one.
  worker.addEventListener("error", () => {
    isOpen = false;
    worker.terminate();
    closed();
  });
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
