// A person at the browser board: starts the server, opens its page, clicks and types. Where SITE
// names a folder, its static files take the place of the server; where FIREFOX names a program,
// it takes the place of Chromium.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { serve } from "../site/serve.mjs";
import { Chromium } from "./chromium.mjs";
import { Firefox } from "./firefox.mjs";

const { SITE, FIREFOX, CHROMIUM } = process.env;

/** Options of a test that needs the server. */
export const OF_SERVER = { skip: SITE ? "the static files have no server, and no threads" : false };

/** Options of a test with commands of the DevTools protocol. */
export const OF_CHROMIUM = { skip: FIREFOX ? "these commands are Chromium's" : false };

/** Two people at one screen, as the dialog has them. */
export const HUMANS = { Black: ["human"], White: ["human"] };

/** A running `kawari board`. */
export class Server {
  /** Starts it on a free port, or on one that was used before. */
  static async start(port = 0, options = []) {
    const child = spawn(process.env.KAWARI, ["board", "--port", String(port), "--no-open", ...options], { stdio: ["ignore", "pipe", "pipe"] });
    const server = new Server();
    server.process = child;
    server.address = await new Promise((resolve, reject) => {
      let output = "";
      const read = (text) => {
        output += text;
        const address = /http:\/\/[^\s]+/.exec(output);
        if (address) resolve(address[0].replace(/[.,]$/, ""));
      };
      child.stdout.setEncoding("utf8").on("data", read);
      child.stderr.setEncoding("utf8").on("data", read);
      child.once("exit", (status) => reject(new Error(`kawari board ended with ${status}: ${output}`)));
    });
    return server;
  }

  get port() {
    return Number(new URL(this.address).port);
  }

  async stop() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGTERM");
    await ended;
  }
}

/** Starts a server and a browser, runs tests with them, and ends both. */
export async function withBoard(tests) {
  const server = SITE ? await serve(SITE) : await Server.start();
  const browser = FIREFOX ? await Firefox.start(FIREFOX) : await Chromium.start(CHROMIUM);
  try {
    await tests(server, browser);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The state of the page, as plain data. */
async function readPage() {
  const { model, table } = await import("/main.js");
  const { cellsOf } = await import("/geometry.js");
  const { state, view, position, game } = model;
  if (!state || !game) return null;
  const wrong = [...cellsOf(state.board)].filter(([point, symbol]) => table.board.geometry.at(point) && table.board.symbol(point) !== symbol);
  return {
    node: position.node,
    state,
    view,
    game,
    mode: model.mode,
    modes: model.modes,
    thinking: model.thinking?.what ?? null,
    mine: model.personToMove,
    playing: table.playback.running,
    wrong: wrong.map(([point]) => point),
  };
}

/** Calls a text of JavaScript with the module of the page, wherever that was served. */
const ofPage = (read) => `async (...given) => (${read})(await import(new URL("main.js", document.baseURI)), ...given)`;

/** A person with a tab of the board. */
export class Person {
  constructor(tab) {
    this.tab = tab;
  }

  /** Opens the page; the first visit shows the dialog for a new game. */
  static async visit(browser, server, options = {}) {
    const tab = await browser.open(server.address, options);
    const person = new Person(tab);
    await person.ready();
    return person;
  }

  /** Waits for a position. */
  ready() {
    return this.tab.until(async () => {
      const { model } = await import("/main.js");
      return Boolean(model.connected && model.state && model.game);
    });
  }

  /** The state of the page. */
  read() {
    return this.tab.call(readPage);
  }

  /**
   * Starts a game in the dialog. `fields` are values by their labels: `Size`, `Komi`,
   * `Handicap stones`; `Black` and `White` are `human` or values of the list of opponents, with
   * an amount; teaching is off unless `teach` is set. `prepare` does more. Engines answer at once, unless `pace` is given.
   */
  async newGame(variant, { Black = ["human"], White = ["level 3"], teach = false, ...fields } = {}, prepare = async () => {}, pace = { reply: 0, engines: 0 }) {
    if (!(await this.tab.call(() => document.querySelector("dialog[open]") !== null))) await this.tab.press("#new-game");
    await this.page("async ({ actions }, wanted) => { await actions.request({ pace: wanted }); await actions.request({ seed: 0 }); }", pace);
    await this.tab.press(`dialog [data-variant="${variant}"]`);
    const engines = [Black, White].filter(([kind]) => kind !== "human");
    const side = engines.length === 0 ? "people" : engines.length === 2 ? "engines" : Black[0] === "human" ? "black" : "white";
    await this.tab.press(`dialog .pill[data-value="${side}"]`);
    const opponents = engines.length === 2 ? { Black, White } : engines.length === 1 ? { Opponent: engines[0] } : {};
    const { Size, ...others } = fields;
    await this.tab.call(
      (values, size) => {
        const set = (input, value) => {
          input.value = value;
          input.dispatchEvent(new Event("input", { bubbles: true }));
          input.dispatchEvent(new Event("change", { bubbles: true }));
        };
        ["Columns", "Rows"].forEach((name, index) => {
          const input = document.querySelector(`dialog [aria-label="${name}"]`);
          if (input && size) set(input, size[index]);
        });
        for (const [label, value] of Object.entries(values)) {
          const text = [...document.querySelectorAll("dialog label")].find(({ textContent }) => textContent.trim() === label);
          const inputs = text.closest(".field").querySelectorAll(".inputs > *");
          [value].flat().slice(0, inputs.length).forEach((each, index) => set(inputs[index], each));
        }
      },
      { ...opponents, ...others },
      Size ?? null,
    );
    await this.tab.call((on) => {
      const input = document.getElementById("teach");
      if (input.checked !== on) input.click();
    }, teach);
    await prepare();
    await this.tab.press("#begin");
    await this.tab.until(async (id) => {
      const { model } = await import("/main.js");
      // A dialog that has closed is removed later, and gives the keyboard to the board then.
      return !document.querySelector("dialog") && model.game?.variant === id && model.state?.variant === id;
    }, variant);
  }

  /** Begins a game of two people without the dialog, and plays the turns of both; `then` has further commands. */
  begin(game, turns = [], then = {}) {
    return this.page(
      `async ({ actions }, settings, list, commands) => {
        document.querySelector("dialog")?.close();
        await actions.request({ new: { players: { black: "human", white: "human" }, ...settings } });
        for (const turn of list) await actions.request({ play: { turn } });
        await actions.request({ pace: { reply: 0, engines: 0 } });
        for (const [name, argument] of Object.entries(commands)) await actions.request({ [name]: argument });
      }`,
      game,
      turns,
      then,
    );
  }

  /** Waits until the board of an exercise is that of the latest one. */
  exerciseStands() {
    return this.tab.until(() => document.querySelector('.exercise[aria-busy="false"] .exercise-board svg') !== null);
  }

  /** The place of a point on the board of an exercise. */
  async onExercise(point) {
    await this.exerciseStands();
    return this.tab.resting(async (wanted) => {
      const { parseVertex } = await import("/dom.js");
      const svg = document.querySelector('.exercise[aria-busy="false"] .exercise-board svg');
      if (!svg) return null;
      svg.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { column, row } = parseVertex(wanted);
      const box = svg.querySelectorAll(".line")[0].getBBox();
      const { x, y } = new DOMPoint(box.x + column, box.y + Math.round(box.height) - row).matrixTransform(svg.getScreenCTM());
      return { x, y };
    }, point);
  }

  /** Passes, and says yes if the page asks. */
  async pass(way = () => this.tab.press('#actions [data-action="pass"]')) {
    const asks = await this.tab.call(async () => Boolean((await import("/main.js")).model.view.pass_warning));
    await way();
    if (asks) await this.tab.press("dialog[open] .primary");
  }

  /** Fills a field in, as somebody who types or chooses. */
  fill(selector, value) {
    return this.tab.call(
      (wanted, text) => {
        const field = document.querySelector(wanted);
        field.value = text;
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
      },
      selector,
      value,
    );
  }

  /** Fills the field of a dialog that has this label in. */
  async fillLabelled(label, value) {
    await this.tab.call((wanted) => {
      document.querySelector("[data-filled]")?.removeAttribute("data-filled");
      const text = [...document.querySelectorAll("dialog label")].find(({ textContent }) => textContent.trim() === wanted);
      text.closest(".field").querySelector("input, select").dataset.filled = "";
    }, label);
    await this.fill("[data-filled]", value);
  }

  /** The place of a point on the screen. */
  place(point) {
    return this.tab.call(async (wanted) => {
      const { table } = await import("/main.js");
      const { x, y } = table.board.geometry.at(wanted);
      document.getElementById("board").scrollIntoView({ block: "nearest" });
      const at = new DOMPoint(x, y).matrixTransform(table.board.svg.getScreenCTM());
      return { x: at.x, y: at.y };
    }, point);
  }

  async click(point) {
    await this.tab.click(await this.place(point));
  }

  /** Clicks points one after another; each click is a step. */
  async clickAll(points) {
    for (const point of points) {
      const page = await this.turn();
      await this.click(point);
      await this.changed(page);
    }
    return this.turn();
  }

  /** The result of a text of JavaScript, called with the module of the page and `given`. */
  page(read, ...given) {
    return this.tab.call(ofPage(read), ...given);
  }

  /** Waits until the result is true; returns it. */
  until(read, ...given) {
    return this.tab.until(ofPage(read), ...given);
  }

  /** The reply to a command of the protocol. */
  request(command) {
    return this.page("({ actions }, wanted) => actions.request(wanted)", command);
  }

  /** Drops files on the page: names and contents. */
  drop(files) {
    return this.tab.call((given) => {
      const data = new DataTransfer();
      for (const [name, text] of given) data.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);
  }

  /** Waits until it is this person's turn, or the game is over, and no animation runs. */
  async turn() {
    await this.tab.until(async () => {
      const { model, table } = await import("/main.js");
      return (model.personToMove || model.state.over) && !table.playback.running;
    });
    return this.read();
  }

  /** Waits until the position is another one than before. */
  async changed({ node, state, view }) {
    await this.tab.until(
      async (old) => {
        const { model } = await import("/main.js");
        return old !== JSON.stringify([model.position.node, model.state, model.view.mid_turn]);
      },
      JSON.stringify([node, state, view.mid_turn]),
    );
  }

  /** Nothing went wrong on the page, and the board shows the state. */
  async checkPage() {
    const page = await this.read();
    assert.deepEqual(this.tab.problems, []);
    if (!page.playing) assert.deepEqual(page.wrong, [], "points that show something else than the state");
    return page;
  }
}

/** The legal points of a view for the kinds of one mode. */
export function legalPoints({ view, state }, mode) {
  const points = [];
  view.legal.forEach((row, fromTop) => {
    [...row].forEach((mask, column) => {
      const kinds = Number.parseInt(mask, 32);
      if (mode.kinds.some((kind) => (kinds >> kind) & 1)) {
        points.push(String.fromCharCode(65 + (column >= 8 ? column + 1 : column)) + (state.height - fromTop));
      }
    });
  });
  return points;
}

/** Numbers that look random and are the same in every run. */
export function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The findings of axe-core. */
export async function findings(person, source) {
  await person.tab.call(`() => { ${source} }`);
  return person.tab.call(async () => {
    const { violations } = await window.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
  });
}
