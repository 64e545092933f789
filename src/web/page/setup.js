// The small board of a new game: blocked points and handicap stones.

import { h, vertex } from "./dom.js";
import { Board } from "./board.js";

const VERTICES = /[A-HJ-Z]\d{1,2}/g;

/** The state of a board with nothing on it but the chosen points. */
function chosenState({ width, height, layers }, blocked, handicap) {
  const flat = layers * width + layers - 1;
  const symbol = (column, row) => {
    const point = vertex(column, row);
    // The columns between layers are never drawn.
    if ((column + 1) % (width + 1) === 0 || blocked.has(point)) return "#";
    return handicap.has(point) ? "X" : ".";
  };
  const rows = Array.from({ length: height }, (_, fromTop) =>
    Array.from({ length: flat }, (__, column) => symbol(column, height - 1 - fromTop)).join(""),
  );
  return { width: flat, height, layers, board: rows, voids: [] };
}

/** Chooses points of an empty board by pressing or writing them. */
export class SetupBoard {
  #shape = { width: 9, height: 9, layers: 1 };
  #sets = { blocked: new Set(), handicap: new Set() };
  #texts = {};

  /** `withHandicap`: whether the game has handicap stones at all. */
  constructor(withHandicap) {
    const box = h("div", { class: "setup-board" });
    this.board = new Board(box, { label: "Blocked points and handicap stones" });
    box.addEventListener("click", (event) => this.#press(this.board.pointAt(event.clientX, event.clientY)));
    const kinds = withHandicap ? ["blocked", "handicap"] : ["blocked"];
    const labels = { blocked: "Blocked points", handicap: "Handicap stones at" };
    this.kind = "blocked";
    const fields = kinds.map((kind) => {
      const text = h("input", { type: "text", size: 16, placeholder: "D4 E5", "aria-label": labels[kind] });
      text.addEventListener("change", () => this.#write(kind, text.value));
      this.#texts[kind] = text;
      const radio = h("input", { type: "radio", name: "setup-kind", checked: kind === "blocked", "aria-label": `Press points: ${labels[kind]}` });
      radio.addEventListener("change", () => {
        this.kind = kind;
      });
      return h("div", { class: "field" }, h("label", {}, kinds.length > 1 && radio, ` ${labels[kind]}`), h("div", { class: "inputs" }, text));
    });
    this.element = h(
      "fieldset",
      { class: "wide" },
      h("legend", {}, "Points"),
      h("div", { class: "setup" }, box, h("div", { class: "setup-fields" }, h("p", { class: "note" }, "Press points of the board, or write them."), fields)),
    );
  }

  #press(point) {
    if (point === null) return;
    const set = this.#sets[this.kind];
    const taken = set.has(point);
    for (const each of Object.values(this.#sets)) each.delete(point);
    if (!taken) set.add(point);
    this.#draw();
  }

  #write(kind, text) {
    this.#sets[kind] = new Set(text.toUpperCase().match(VERTICES) ?? []);
    this.#draw();
  }

  /** Shows a board of this width and height, of one layer, and this number of layers. */
  reshape(width, height, layers) {
    this.#shape = { width, height, layers };
    this.#draw();
  }

  #draw() {
    const { blocked, handicap } = this.#sets;
    this.board.show(chosenState(this.#shape, blocked, handicap));
    for (const [kind, set] of Object.entries(this.#sets)) {
      for (const point of set) if (!this.board.geometry.at(point)) set.delete(point);
      if (this.#texts[kind]) this.#texts[kind].value = [...set].join(" ");
    }
  }

  /** The chosen points of one kind, `blocked` or `handicap`. */
  points(kind) {
    return [...this.#sets[kind]];
  }
}
