// The small board of a new game: blocked points and handicap stones.

import { button, h, parseVertex, s } from "./dom.js";
import { Board } from "./board.js";
import { ARROW_KEYS } from "./geometry.js";

/** Chooses points of an empty board, by the pointer or by the keyboard. */
export class SetupBoard {
  #sets = { blocked: new Set(), handicap: new Set() };
  #lists = {};
  #cursor = null;

  /** `withHandicap`: whether the game has handicap stones. `changed()` follows each choice. */
  constructor(withHandicap, changed) {
    this.changed = changed;
    const box = h("div", { class: "setup-board", tabindex: "0", role: "application", "aria-label": "Blocked points and handicap stones. Arrow keys move, Enter chooses." });
    this.board = new Board(box, { label: "Blocked points and handicap stones" });
    box.addEventListener("click", (event) => this.#press(this.board.pointAt(event.clientX, event.clientY)));
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("blur", () => this.#moveCursor(null));
    const kinds = withHandicap ? ["blocked", "handicap"] : ["blocked"];
    const labels = { blocked: "Blocked points", handicap: "Handicap stones" };
    this.kind = "blocked";
    const fields = kinds.map((kind) => {
      const list = h("p", { class: "note" });
      this.#lists[kind] = list;
      const radio = h("input", { type: "radio", name: "setup-kind", checked: kind === "blocked" });
      radio.addEventListener("change", () => {
        this.kind = kind;
      });
      return h("div", {}, h("label", {}, kinds.length > 1 && radio, ` ${labels[kind]}`), list);
    });
    const clear = button("Clear the board", () => this.#clear());
    this.element = h(
      "fieldset",
      { class: "wide" },
      h("legend", {}, "Points"),
      h("div", { class: "setup" }, box, h("div", { class: "setup-fields" }, h("p", { class: "note" }, "A click on the board chooses a point. Another click removes it."), fields, clear)),
    );
  }

  #key(event) {
    const { geometry } = this.board;
    const by = ARROW_KEYS[event.key];
    if (!geometry || !(by || ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    if (!this.#cursor || !geometry.at(this.#cursor)) this.#moveCursor(geometry.middle());
    else if (by) this.#moveCursor(geometry.step(this.#cursor, ...by));
    else this.#press(this.#cursor);
  }

  #moveCursor(point) {
    this.#cursor = point;
    const box = () => s("rect", { x: -0.5, y: -0.5, width: 1, height: 1, rx: 0.1 });
    this.board.overlay("cursor", point === null ? [] : [[point, box(), box()]]);
  }

  #clear() {
    for (const set of Object.values(this.#sets)) set.clear();
    this.changed();
  }

  #press(point) {
    if (point === null) return;
    const set = this.#sets[this.kind];
    const taken = set.has(point);
    for (const each of Object.values(this.#sets)) each.delete(point);
    if (!taken) set.add(point);
    this.changed();
  }

  /** Forgets points beyond a board of this width, that of all layers, and height. */
  fit(width, height) {
    for (const set of Object.values(this.#sets)) {
      for (const point of set) {
        const { column, row } = parseVertex(point);
        if (column >= width || row >= height) set.delete(point);
      }
    }
  }

  /** Shows the start of a game, with the stones that kawari places. */
  show({ state, sheets, handicap }) {
    this.board.show({ ...state, sheets });
    const chosen = { blocked: [...this.#sets.blocked], handicap };
    for (const [kind, list] of Object.entries(this.#lists)) list.textContent = chosen[kind].map((point) => this.board.geometry.name(point)).join(", ") || "none";
  }

  /** Says why no game begins with these points. */
  refuse(why) {
    this.#lists[this.kind].textContent = why;
  }

  /** The chosen points of one kind, `blocked` or `handicap`. */
  points(kind) {
    return [...this.#sets[kind]];
  }
}
