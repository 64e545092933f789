// Headless Firefox, driven through WebDriver BiDi, as far as whole games need it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tab } from "./chromium.mjs";
import { connect } from "./websocket.mjs";

const REPLY_WITHIN = 60_000;
const START_WITHIN = 60_000;

/** Keys without a character, as WebDriver names them. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", Home: "\uE011", End: "\uE010", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", PageUp: "\uE00E", PageDown: "\uE00F" };
const CONTROL = "\uE009";
const SHIFT = "\uE008";

/** A running Firefox. */
export class Firefox {
  #lastId = 0;
  #waiting = new Map();
  #socket = null;
  #tabs = new Map();

  /** Starts it, with a new profile or one that was used before. */
  static async start(program, profile = mkdtempSync(join(tmpdir(), "kawari-board-"))) {
    const firefox = new Firefox();
    firefox.profile = profile;
    const options = ["--headless", "--no-remote", "--profile", firefox.profile, "--remote-debugging-port", "0"];
    firefox.process = spawn(program, options, { stdio: ["ignore", "ignore", "pipe"] });
    const address = await firefox.#address();
    firefox.#socket = await connect(`${address}/session`, (text) => firefox.#receive(JSON.parse(text)));
    await firefox.send("session.new", { capabilities: {} });
    await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
    return firefox;
  }

  /** Where it listens. */
  #address() {
    return new Promise((resolve, reject) => {
      let said = "";
      this.process.stderr.setEncoding("utf8").on("data", (text) => {
        said += text;
        const found = /listening on (ws:\S+)/.exec(said);
        if (found) resolve(found[1]);
      });
      const failed = () => reject(new Error(`Firefox does not listen: ${said}`));
      this.process.once("exit", failed);
      setTimeout(failed, START_WITHIN).unref();
    });
  }

  #receive({ id, result, error, message, params }) {
    if (id === undefined) {
      this.#tabs.get(params.source?.context)?.entry(params);
      return;
    }
    const { resolve, reject, timer } = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(timer);
    if (error) reject(new Error(`${error}: ${message}`));
    else resolve(result);
  }

  /** Sends a command of the protocol. */
  send(method, params = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no reply to ${method}`)), REPLY_WITHIN);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /**
   * Opens an address in a new tab with a storage of its own, as another person would, or with that
   * of the tab `beside`, or with the browser's own, which outlives it.
   */
  async open(address, { width = 1280, height = 800, beside = null, lasts = false } = {}) {
    const { userContext } = beside ? { userContext: beside.target } : lasts ? { userContext: "default" } : await this.send("browser.createUserContext");
    const { context } = await this.send("browsingContext.create", { type: "tab", userContext });
    const tab = new FirefoxTab(this, context, userContext);
    this.#tabs.set(context, tab);
    await this.send("browsingContext.setViewport", { context, viewport: { width, height } });
    await tab.go(address);
    return tab;
  }

  /** Ends the program at once; another one may use its profile then. */
  async kill() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
    for (const waiting of this.#waiting.values()) clearTimeout(waiting.timer);
  }

  /** Ends the program and removes its profile. */
  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("browser.close").catch(() => {});
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
    for (const waiting of this.#waiting.values()) clearTimeout(waiting.timer);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A tab. */
class FirefoxTab extends Tab {
  constructor(browser, context, userContext) {
    super(browser, context, userContext);
    this.context = context;
  }

  send(method, params = {}) {
    return this.browser.send(method, { context: this.context, ...params });
  }

  /** Notes messages of the console, and uncaught exceptions. */
  entry({ level, text, type }) {
    if (level === "error" || (level === "warn" && type === "console")) this.problems.push(text);
  }

  go(url) {
    return this.send("browsingContext.navigate", { url, wait: "complete" });
  }

  preload(source) {
    return this.browser.send("script.addPreloadScript", { functionDeclaration: `() => { ${source} }`, contexts: [this.context] });
  }

  reload() {
    return this.send("browsingContext.reload", { wait: "complete" });
  }

  async call(action, ...given) {
    // Arguments and results are texts, so that they are plain data.
    const functionDeclaration = `async (given) => JSON.stringify(await (${action})(...JSON.parse(given)))`;
    const { result, exceptionDetails } = await this.browser.send("script.callFunction", {
      functionDeclaration,
      arguments: [{ type: "string", value: JSON.stringify(given) }],
      awaitPromise: true,
      target: { context: this.context },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  #point(actions) {
    return this.send("input.performActions", { actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  move({ x, y }) {
    return this.#point([{ type: "pointerMove", x: Math.round(x), y: Math.round(y) }]);
  }

  click(place) {
    return this.drag(place, place);
  }

  async drag(from, to) {
    await this.move(from);
    await this.#point([{ type: "pointerDown", button: 0 }]);
    await this.move(to);
    await this.#point([{ type: "pointerUp", button: 0 }]);
  }

  /** Touches a place for a moment. */
  tap({ x, y }) {
    const actions = [{ type: "pointerMove", x: Math.round(x), y: Math.round(y) }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    return this.send("input.performActions", { actions: [{ type: "pointer", id: "finger", parameters: { pointerType: "touch" }, actions }] });
  }

  key(key, modifiers = 0) {
    const held = [...(modifiers & 2 ? [CONTROL] : []), ...(modifiers & 8 ? [SHIFT] : [])];
    const values = [...held, KEYS[key] ?? key];
    const down = values.map((value) => ({ type: "keyDown", value }));
    const up = values.reverse().map((value) => ({ type: "keyUp", value }));
    return this.send("input.performActions", { actions: [{ type: "key", id: "keyboard", actions: [...down, ...up] }] });
  }

  async close() {
    await this.send("browsingContext.close");
    await this.browser.send("browser.removeUserContext", { userContext: this.target });
  }
}
