// The name of a tab among the games that the browser keeps. It outlives a reload; a tab that
// was duplicated has it too, until the two hear of each other.

const KEY = "kawari.tab";

const newName = () => Math.random().toString(36).slice(2, 12);

/** The name of this tab. */
export class TabName {
  #name;
  #since = performance.timeOrigin;

  constructor() {
    try {
      this.#name = sessionStorage.getItem(KEY) ?? newName();
    } catch {
      this.#name = "only";
      this.first = this.#name;
      return;
    }
    this.first = this.#name;
    this.#write();
    const channel = new BroadcastChannel("kawari.tabs");
    const tell = (heard) => channel.postMessage({ name: this.#name, since: this.#since, heard });
    channel.addEventListener("message", ({ data: { name, since, heard } }) => {
      if (name !== this.#name) return;
      // The tab that was there first keeps the name.
      if (since < this.#since) {
        this.#name = newName();
        this.#write();
      } else if (!heard) tell(true);
    });
    tell(false);
  }

  #write() {
    try {
      sessionStorage.setItem(KEY, this.#name);
    } catch {
      // Without storage nothing is kept.
    }
  }

  /** The name now. */
  get name() {
    return this.#name;
  }
}
