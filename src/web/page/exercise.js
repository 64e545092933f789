// A live board for a lesson or a problem. It is a game of its own, which the server plays from
// the start of the exercise with each step.

import { numbered } from "./analysis.js";
import { h } from "./dom.js";
import { chooseMode } from "./controls.js";
import { Model } from "./model.js";
import { Table } from "./table.js";

/** Pause before the other side answers. */
const PAUSE = 900;

/** A board with what a click does, and buttons for what is no click. */
export class ExerciseBoard {
  /** What the board knows; the parts of the page that draw a game draw it too. */
  model = new Model();
  #name = null;
  #steps = [];
  #number = 0;
  #judged = false;
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
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (by) this.table.moveCursor(...by);
    else if (event.key === "Enter" && this.table.cursor) this.table.press(this.table.cursor);
    else return;
    event.preventDefault();
  }

  /** Opens an exercise, `{lesson: [variant, number]}` or `{problem: [variant, number]}`. */
  async open(name) {
    this.#name = name;
    await this.reset();
  }

  /** Shows a line of play as numbered stones, until the position changes. */
  showLine(line) {
    this.#line = line;
    this.#drawLine();
  }

  #drawLine() {
    this.table.board.overlay("search", numbered(this.table, this.#line));
  }

  /** Takes no steps until an exercise is opened: the board is of one that is left. */
  leave() {
    this.#number++;
    this.#wait(true);
  }

  /** Nobody plays on a board that is not there yet, or between a step and its answer. */
  #wait(on) {
    this.element.setAttribute("aria-busy", String(on));
    this.model.connected = !on && !this.#judged;
    if (this.model.view) this.model.emit("mode");
  }

  /** Restarts the exercise. */
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
    if (this.#name.mistake) this.saying.textContent = "kawari looks at it …";
    try {
      const attempt = await this.#try([...this.#steps, move]);
      if (number === this.#number) await this.#showAttempt(attempt, move);
    } finally {
      if (number === this.#number) this.#wait(false);
    }
  }

  /** Shows what a step did, with the replies to it, and passes on the verdict. */
  async #showAttempt({ verdict, refused, positions, after, mistake }, move) {
    const number = this.#number;
    this.#judged = verdict !== "open";
    if (refused) {
      this.onVerdict({ verdict, after, mistake });
      throw new Error(refused);
    }
    this.#steps.push(move);
    for (const [index, position] of positions.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (number !== this.#number) return;
      this.#show(position, true);
      // A line may go on for long behind the turn that is judged.
      if (index === 0 && this.#judged) this.onVerdict({ verdict, after, mistake });
    }
  }

  /** What a step would do; the server says it as if the step was made. */
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
    const button = (words, action, options = {}) => h("button", { class: "button", type: "button", onclick: action, ...options }, words);
    const step = (move) => () => this.#play(move).catch(({ message }) => (this.saying.textContent = message));
    const buttons = [];
    if (model.modes.length > 1) {
      buttons.push(...model.modes.map((mode, index) => button(mode.label, () => chooseMode(model, index), { "aria-pressed": String(index === model.mode), disabled: !connected })));
    }
    if (view.mid_turn.length > 0) buttons.push(button("End of turn", step("end"), { disabled: !view.can_end || !connected }));
    if (view.closing) {
      const toggle = () => {
        model.closing = !model.closing;
        model.mode = 0;
        model.emit("mode");
      };
      buttons.push(button(view.closing.label, toggle, { "aria-pressed": String(model.closing), disabled: !view.closing.possible || !connected }));
    }
    if (view.mid_turn.length === 0) buttons.push(button("Pass", step("pass"), { disabled: !view.can_pass || !connected }));
    buttons.push(button("Start again", () => this.reset()));
    this.controls.replaceChildren(...buttons);
  }
}
