// The connection to what plays: requests with one reply each, and events.

import { openChannel, PARTNER } from "./channel.js";
import { bytesOf } from "./dom.js";

const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 20_000;

export const nextWait = (wait) => Math.min(Math.max(2 * wait, SHORTEST_WAIT), LONGEST_WAIT);

/** Messages shorter than this are not measured. */
const MEASURED = 10_000;

/** An error that is explained to a person. */
export class Refused extends Error {}

const notRunning = () => new Refused(`the ${PARTNER} is not running`);

/** A connection that opens itself again after its other end was lost. */
export class Connection {
  #channel = null;
  #waiting = new Map();
  #lastId = 0;
  #delay = SHORTEST_WAIT;
  #openedAt = 0;
  #timer = null;

  /** The most bytes of a message, which the other end says. */
  longest = Infinity;

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
    const channel = openChannel({
      open: () => {
        this.#openedAt = performance.now();
        this.handlers.open();
      },
      message: (text) => this.#receive(JSON.parse(text)),
      closed: () => this.#closed(channel),
    });
    this.#channel = channel;
  }

  #closed(channel) {
    if (channel !== this.#channel) return;
    this.#channel = null;
    for (const { reject } of this.#waiting.values()) reject(notRunning());
    this.#waiting.clear();
    this.handlers.closed();
    // A request that is lost again and again, as by a position that no engine survives, is not tried
    // without a rest.
    const lasted = this.#openedAt > 0 && performance.now() - this.#openedAt >= LONGEST_WAIT;
    if (lasted) this.#delay = SHORTEST_WAIT;
    this.#openedAt = 0;
    this.#timer = setTimeout(() => this.#open(), this.#delay);
    this.#delay = nextWait(this.#delay);
  }

  #receive(message) {
    if (message.event) {
      this.handlers.event(message);
      return;
    }
    const request = this.#waiting.get(message.id);
    if (!request) {
      if ("error" in message) this.handlers.event({ event: "message", text: message.error });
      return;
    }
    this.#waiting.delete(message.id);
    if ("error" in message) request.reject(new Refused(message.error));
    else request.resolve(message.ok);
  }

  /** Sends a command; the promise is its reply, or `Refused`. */
  request(command) {
    if (!this.#channel?.isOpen) return Promise.reject(notRunning());
    const id = ++this.#lastId;
    const message = JSON.stringify({ id, do: command });
    if (message.length > MEASURED && bytesOf(message) > this.longest) {
      return Promise.reject(new Refused(`${bytesOf(message)} bytes are too long: at most ${this.longest}`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#channel.send(message);
    });
  }
}
