// The workers that evaluate leaves for the engine, each with a module of its own.

/** Timers of the engine without an answer after which workers with requests hang: five seconds. */
const MAX_STALLS = 50;

/** A number that names a request stands at its begin. */
const TICKET_BYTES = 4;

export class Pool {
  #module;
  #changed;
  #answered;
  #workers = new Set();
  #stalls = 0;

  /** A pool without workers; `changed(count)` has the number of workers, `answered(bytes)` an answer. */
  constructor(module, { changed, answered }) {
    this.#module = module;
    this.#changed = changed;
    this.#answered = answered;
  }

  /** Starts or ends workers until this number of them run. */
  resize(count) {
    for (const one of [...this.#workers].slice(count)) this.#end(one);
    while (this.#workers.size < count) this.#start();
  }

  /** Passes a request to the worker with the fewest. */
  evaluate(request) {
    this.#stalls = 0;
    const [one] = this.#ready().sort((one, other) => one.requests.length - other.requests.length);
    if (!one) return this.#lose(request);
    one.requests.push(request);
    one.worker.postMessage(request);
  }

  /** Called while a search waits. */
  stall() {
    if (++this.#stalls < MAX_STALLS) return;
    for (const one of this.#ready()) if (one.requests.length > 0) this.#end(one);
  }

  #ready = () => [...this.#workers].filter((one) => one.isReady);

  /** The engine evaluates the leaf of the request itself. */
  #lose(request) {
    this.#answered(request.subarray(0, TICKET_BYTES));
  }

  #start() {
    const worker = new Worker(new URL("evaluator.js", import.meta.url), { type: "module" });
    const one = { worker, isReady: false, requests: [] };
    worker.onmessage = ({ data }) => {
      this.#stalls = 0;
      if (data === "ready") {
        one.isReady = true;
        this.#changed(this.#ready().length);
      } else {
        one.requests.shift();
        this.#answered(data);
      }
    };
    worker.onerror = (event) => {
      // Otherwise the engine fails, too.
      event.preventDefault();
      this.#end(one);
    };
    worker.postMessage(this.#module);
    this.#workers.add(one);
  }

  #end(one) {
    if (!this.#workers.delete(one)) return;
    one.worker.terminate();
    this.#changed(this.#ready().length);
    for (const request of one.requests) this.#lose(request);
  }
}
