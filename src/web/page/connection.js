// The WebSocket to the server: requests with one reply each, and events.

const LONGEST_WAIT = 20_000;

/** An error that the server explains to a person. */
export class Refused extends Error {}

/** A connection that opens itself again when the server comes back. */
export class Connection {
  #socket = null;
  #waiting = new Map();
  #lastId = 0;
  #delay = 500;
  #timer = null;

  /** `handlers`: `open()`, `closed()`, `event(event)`. */
  constructor(handlers) {
    this.handlers = handlers;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#timer !== null) this.#open();
    });
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket${location.search}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#delay = 500;
      this.handlers.open();
    });
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => this.#closed(socket));
  }

  #closed(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) reject(new Refused("the server is not running"));
    this.#waiting.clear();
    this.handlers.closed();
    this.#timer = setTimeout(() => this.#open(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_WAIT);
  }

  #receive(message) {
    if (message.event) {
      this.handlers.event(message);
      return;
    }
    const request = this.#waiting.get(message.id);
    if (!request) return;
    this.#waiting.delete(message.id);
    if ("error" in message) request.reject(new Refused(message.error));
    else request.resolve(message.ok);
  }

  /** Sends a command; the promise is its reply, or `Refused`. */
  request(command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refused("the server is not running"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, do: command }));
    });
  }
}
