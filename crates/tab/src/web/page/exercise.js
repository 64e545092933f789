// A live board for a lesson or a problem. It is a separate game: each request has all steps from
// the start.

import { numbered } from "./analysis.js";
import { button, h, parseVertex, s } from "./dom.js";
import { chooseClosing, chooseMode } from "./controls.js";
import { ARROW_KEYS } from "./geometry.js";
import { Model } from "./model.js";
import { Table } from "./table.js";

const PAUSE = 900;

export class ExerciseBoard {
  /** The model of the exercise; the same parts of the page draw it as a game. */
  model = new Model();
  #name = null;
  #steps = [];
  #number = 0;
  #judged = false;
  /** Attempts by their steps: another search of the same turn may have another verdict. */
  #attempts = new Map();
  #line = [];

  /** `request` sends a command; `onVerdict(attempt)` receives each verdict. */
  constructor(hello, request, onVerdict) {
    this.request = request;
    this.onVerdict = onVerdict;
    const { model } = this;
    model.hello = hello;
    model.arrangement = innerWidth < 700 ? "below" : "beside";
    this.board = h("div", { class: "exercise-board", tabindex: "0", role: "application", "aria-label": "Board of the exercise. Arrow keys move, Enter plays." });
    this.saying = h("p", { class: "saying", role: "status" });
    this.controls = h("div", { class: "row exercise-controls" });
    this.element = h("div", { class: "exercise" }, this.board, this.saying, this.controls);
    this.table = new Table(model, this.board, {
      play: (move) => this.#play(move),
      look: (move) => this.#look(move),
      toggleDead: () => {},
      say: (text, asks = false) => {
        this.saying.textContent = text;
        this.saying.classList.toggle("asks", asks);
      },
    });
    this.board.addEventListener("keydown", (event) => this.#key(event));
    model.on("position mode", () => this.#showControls());
    model.on("drawn", () => this.#drawLine());
  }

  #key(event) {
    const by = ARROW_KEYS[event.key];
    if (by) this.table.moveCursor(...by);
    else if (event.key === "Enter" && this.table.cursor) this.table.press(this.table.cursor);
    else return;
    event.preventDefault();
  }

  /** Opens an exercise by its name in a command, such as `{lesson: [variant, number]}`. */
  async open(name) {
    this.#name = name;
    this.#attempts.clear();
    await this.reset();
  }

  /** Shows a line of play as numbered stones, until the position changes. */
  showLine(line) {
    this.#line = line;
    this.#drawLine();
  }

  async answer() {
    await this.reset();
    const number = this.#number;
    const positions = await this.request({ answer: this.#name });
    if (number !== this.#number) return;
    this.#judged = true;
    this.#wait(false);
    await this.#showAll(positions, number);
  }

  async hint() {
    const number = this.#number;
    const [{ consequences } = {}] = await this.request({ answer: this.#name });
    const point = consequences?.flatMap(({ points }) => points)[0];
    if (number === this.#number && point) this.markPart(point);
  }

  markPart(point) {
    const { geometry } = this.table.board;
    const { board } = this.model.state;
    const half = ({ column, row }) => `${2 * column < board[0].length} ${2 * row < board.length}`;
    const near = [...geometry.points()].filter((at) => half(parseVertex(at)) === half(parseVertex(point)));
    const mark = () => s("rect", { class: "region", x: -0.5, y: -0.5, width: 1, height: 1 });
    this.table.board.overlay("search", near.map((at) => [at, mark()]));
  }

  #drawLine() {
    this.table.board.overlay("search", numbered(this.table, this.#line));
  }

  /** Leaves the exercise: the board takes no steps until another one is opened. */
  leave() {
    this.#number++;
    this.#wait(true);
  }

  /** Blocks the board while it loads, and between a step and its answer. */
  #wait(on) {
    this.element.setAttribute("aria-busy", String(on));
    this.model.connected = !on && !this.#judged;
    if (this.model.view) this.model.emit("mode");
  }

  async reset() {
    const number = ++this.#number;
    this.#steps = [];
    this.#judged = false;
    this.model.mode = 0;
    this.#wait(true);
    try {
      const { positions } = await this.#try([]);
      if (number !== this.#number) return;
      this.saying.textContent = "";
      this.#show(positions[0], false);
      this.#wait(false);
    } catch ({ message }) {
      if (number === this.#number) this.saying.textContent = message;
    }
  }

  #try(steps, look = false) {
    return this.request({ try: { exercise: this.#name, steps, look } });
  }

  #show({ state, view, consequences, before, sheets, links }, played) {
    const { model } = this;
    this.#line = [];
    model.game = { variant: state.variant, width: state.width, height: state.height, sheets, links, players: { black: "human", white: "human" } };
    model.position = { node: 0, state, view, consequences, before, played };
    model.closing = false;
    if (model.mode >= model.modes.length) model.mode = 0;
    model.emit("game");
    model.emit("position");
  }

  async #play(move) {
    if (!this.model.connected) return;
    const number = this.#number;
    this.#wait(true);
    if (this.#name.mistake) this.saying.textContent = "kawari is checking the move …";
    try {
      const steps = [...this.#steps, move];
      const key = JSON.stringify(steps);
      const attempt = this.#attempts.get(key) ?? (await this.#try(steps));
      this.#attempts.set(key, attempt);
      if (number === this.#number) await this.#showAttempt(attempt, move);
    } finally {
      if (number === this.#number) this.#wait(false);
    }
  }

  /** Shows a step and the replies to it, and reports the verdict. */
  async #showAttempt({ verdict, refused, positions, after, mistake }, move) {
    const number = this.#number;
    this.#judged = verdict !== "open";
    if (refused) {
      this.onVerdict({ verdict, after, mistake });
      throw new Error(refused);
    }
    this.#steps.push(move);
    // A line may be long after the judged turn.
    await this.#showAll(positions, number, () => this.#judged && this.onVerdict({ verdict, after, mistake }));
  }

  /** Shows positions one after another; `began()` follows the first. */
  async #showAll(positions, number, began = () => {}) {
    for (const [index, position] of positions.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (number !== this.#number) return;
      this.#show(position, true);
      if (index === 0) began();
    }
  }

  async #look(move) {
    try {
      const { positions, refused } = await this.#try([...this.#steps, move], true);
      return refused ? { legal: false, why: refused } : { legal: true, steps: positions[0].consequences };
    } catch ({ message }) {
      return { legal: false, why: message };
    }
  }

  #showControls() {
    const { model } = this;
    const { view, connected } = model;
    const step = (move) => () => this.#play(move).catch(({ message }) => (this.saying.textContent = message));
    const buttons = [];
    if (model.modes.length > 1) {
      buttons.push(...model.modes.map((mode, index) => button(mode.label, () => chooseMode(model, index), { "aria-pressed": String(index === model.mode), disabled: !connected })));
    }
    if (view.mid_turn.length > 0) buttons.push(button("End of turn", step("end"), { disabled: !view.can_end || !connected }));
    if (view.closing) {
      buttons.push(button(view.closing.label, () => chooseClosing(model), { "aria-pressed": String(model.closing), disabled: !view.closing.possible || !connected }));
    }
    if (view.mid_turn.length === 0) buttons.push(button("Pass", step("pass"), { disabled: !view.can_pass || !connected }));
    buttons.push(button("Start again", () => this.reset()));
    this.controls.replaceChildren(...buttons);
  }
}

/** A live board with words beside it: the question, the reply to a turn, and buttons. */
export class Exercise {
  /** The verdict on a turn goes to `judged(attempt)`. */
  constructor(model, actions, head, foot) {
    Object.assign(this, { model, actions });
    this.board = new ExerciseBoard(model.hello, actions.request, (attempt) => this.judged(attempt));
    this.text = h("div", { class: "lesson-text" });
    this.feedback = h("div", { class: "feedback", role: "status" });
    this.words = h("div", { class: "lesson" }, head, this.text, this.feedback, foot);
    this.element = h("div", { class: "learn" }, this.board.element, this.words);
  }

  ask(title, ...parts) {
    this.say("");
    this.text.replaceChildren(h("h3", {}, title), ...parts);
  }

  /** Replies to a turn; `kind` is right, wrong, or empty. */
  say(kind, ...parts) {
    this.feedback.className = `feedback ${kind}`;
    this.feedback.replaceChildren(...parts);
  }
}
