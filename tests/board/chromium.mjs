// Headless Chromium, driven through its DevTools protocol over a pipe.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REPLY_WITHIN = 60_000;
/** A machine with much to do takes long; a test that passes does not wait. */
const TRUE_WITHIN = 240_000;
/** A browser that was just installed reads itself and its fonts from the disk. */
const FIRST_TAB_WITHIN = 120_000;

/** Options without requests to other hosts. */
const ALONE = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];

/** The keys whose codes differ from their letters. */
const VIRTUAL_KEYS = { Enter: 13, Escape: 27, Home: 36, End: 35, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, PageUp: 33, PageDown: 34, " ": 32 };

/** A running Chromium. */
export class Chromium {
  #lastId = 0;
  #waiting = new Map();
  #rest = "";
  #tabs = new Map();
  #replyWithin = FIRST_TAB_WITHIN;

  /** Starts it, with a new profile or one that was used before, and waits until it has shown a tab. */
  static async start(program, profile = mkdtempSync(join(tmpdir(), "kawari-board-"))) {
    const browser = new Chromium();
    browser.profile = profile;
    const options = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${browser.profile}`, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", ...ALONE];
    // Chromium's sandbox refuses to run for root, as in containers.
    if (process.getuid() === 0) options.push("--no-sandbox");
    browser.process = spawn(program, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.process.once("exit", (status, signal) => browser.#end(`Chromium ended with ${signal ?? status}`));
    const [, , , writing, reading] = browser.process.stdio;
    reading.setEncoding("utf8").on("data", (text) => browser.#read(text));
    // The handler above reports the end.
    for (const pipe of [writing, reading]) pipe.on("error", () => {});
    const tab = await browser.open("about:blank");
    await tab.close();
    browser.#replyWithin = REPLY_WITHIN;
    return browser;
  }

  /** Rejects all waiting requests. */
  #end(reason) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(reason));
    }
    this.#waiting.clear();
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages) this.#receive(JSON.parse(message));
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      this.#tabs.get(sessionId)?.event(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    // Replies after the end have no receiver.
    if (!waiting) return;
    const { resolve, reject, timer } = waiting;
    this.#waiting.delete(id);
    clearTimeout(timer);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  /** Sends a command of the protocol. */
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no reply to ${method}`)), this.#replyWithin);
      this.#waiting.set(id, { resolve, reject, timer });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /**
   * Opens an address in a new tab with a new profile, as another person would, or in the profile
   * of the tab `beside`, or with `lasts` in the browser's own, which outlives the tab; `still` asks for
   * no animation.
   */
  async open(address, { width = 1280, height = 800, scale = 1, dark = false, touch = false, still = false, beside = null, lasts = false } = {}) {
    const { browserContextId } = beside ? beside.target : lasts ? {} : await this.send("Target.createBrowserContext");
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId, { targetId, browserContextId });
    this.#tabs.set(sessionId, tab);
    await tab.send("Page.enable");
    await tab.send("Runtime.enable");
    await tab.send("Log.enable");
    await tab.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: touch });
    await tab.send("Emulation.setTouchEmulationEnabled", { enabled: touch });
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" }] });
    await tab.go(address);
    return tab;
  }

  /** Ends the program at once; another one may use its profile then. */
  async kill() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }

  /** Ends the program and removes its profile. */
  async close() {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once("exit", resolve));
      this.send("Browser.close").catch(() => {});
      const timer = setTimeout(() => this.process.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A tab. */
export class Tab {
  /** Messages of the console, and uncaught exceptions. */
  problems = [];
  #onLoad = null;
  /** The sessions of its workers, the newest last. */
  #workers = [];

  constructor(browser, sessionId, target) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.target = target;
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  event(method, params) {
    if (method === "Page.loadEventFired") this.#onLoad?.();
    if (method === "Target.attachedToTarget" && params.targetInfo.type === "worker") this.#workers.push(params.sessionId);
    if (method === "Runtime.exceptionThrown") {
      const { exceptionDetails } = params;
      this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.problems.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") this.problems.push(`${params.entry.text} ${params.entry.url ?? ""}`);
  }

  async #loading(action) {
    const loaded = new Promise((resolve) => {
      this.#onLoad = resolve;
    });
    await action();
    await loaded;
  }

  go(url) {
    return this.#loading(() => this.send("Page.navigate", { url }));
  }

  /** Runs a text in every document of the tab, before its own scripts. */
  preload(source) {
    return this.send("Page.addScriptToEvaluateOnNewDocument", { source });
  }

  reload() {
    return this.#loading(() => this.send("Page.reload"));
  }

  /** The value of a function of the page; its arguments must be plain data. */
  async call(action, ...given) {
    const expression = `(${action})(...${JSON.stringify(given)})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Lets the newest worker of the page do something, and does not wait for it. */
  async sendToWorker(action) {
    await this.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    // It may be ended before it replies.
    this.browser.send("Runtime.evaluate", { expression: `(${action})()` }, this.#workers.at(-1)).catch(() => {});
  }

  /** Waits until a function of the page returns a true value. It fails while the page is loaded again. */
  async until(action, ...given) {
    const deadline = Date.now() + TRUE_WITHIN;
    for (;;) {
      let failed = null;
      const value = await this.call(action, ...given).catch((error) => {
        failed = error;
      });
      if (value) return value;
      if (Date.now() > deadline) throw failed ?? new Error(`never came true: ${action} with ${JSON.stringify(given)}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }

  /** The result of a function of the page, once it is not null and stays the same. */
  async resting(action, ...given) {
    for (let before = null; ; ) {
      const value = await this.until(action, ...given);
      const now = JSON.stringify(value);
      if (now === before) return value;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** Moves the pointer. */
  move({ x, y }) {
    return this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  /** Clicks a place. */
  click(place) {
    return this.drag(place, place);
  }

  /** Presses the button of the pointer at a place and releases it at another. */
  async drag(from, to) {
    // A tab behind another one takes seconds for each event.
    await this.send("Page.bringToFront");
    await this.move(from);
    const button = { button: "left", clickCount: 1 };
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...from, ...button });
    if (to !== from) await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...to, button: "left", buttons: 1 });
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...to, ...button });
  }

  /** Touches a place for a moment. */
  async tap({ x, y }) {
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  /** Clicks the middle of an element, once it is there and enabled. */
  async press(selector) {
    // As a person does: once it has come to rest.
    const place = await this.until(async (wanted) => {
      const element = document.querySelector(wanted);
      if (!element || element.disabled) return null;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const before = element.getBoundingClientRect();
      await new Promise((resolve) => setTimeout(resolve, 40));
      const { x, y, width, height } = element.getBoundingClientRect();
      const rests = document.querySelector(wanted) === element && x === before.x && y === before.y;
      // The coordinates of input are those of the visible part of the page.
      const { offsetLeft, offsetTop } = visualViewport;
      return rests && width > 0 && { x: x + width / 2 - offsetLeft, y: y + height / 2 - offsetTop };
    }, selector);
    await this.click(place);
  }

  /** Presses a key; `modifiers`: 2 is Control, 8 is Shift. */
  async key(key, modifiers = 0) {
    const code = VIRTUAL_KEYS[key] ?? key.toUpperCase().charCodeAt(0);
    const text = key === "Enter" ? "\r" : key.length === 1 && modifiers === 0 ? key : undefined;
    const event = { key, windowsVirtualKeyCode: code, modifiers };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** A picture of the visible page; `quality` is for formats with losses. */
  async screenshot(format = "png", quality = undefined) {
    const { data } = await this.send("Page.captureScreenshot", { format, quality });
    return Buffer.from(data, "base64");
  }

  /** Closes the tab, and removes the data of its profile. */
  async close() {
    await this.browser.send("Target.disposeBrowserContext", { browserContextId: this.target.browserContextId });
  }
}
