// Editing of the board: marks that people put on points, arrows and lines, and stones that are
// set up.

import { button, h, parseVertex, s } from "./dom.js";
import { ARROWS, cell, named, otherSide, UPRIGHT } from "./cells.js";
import { lineMark, SHAPES, pointsOf } from "./marks.js";

/** Marks for a click: the property of SGF, and the name. */
const MARKS = [
  ["TR", "Triangle"],
  ["SQ", "Square"],
  ["CR", "Circle"],
  ["MA", "Cross"],
  ["A", "Letters from A"],
  ["1", "Numbers from 1"],
  ["AR", "Arrow"],
  ["LN", "Line"],
];

/** Pieces to set up: the tool, the name, and the symbol. */
const SET_UP = [
  ["AB", "Black stones", "X"],
  ["AW", "White stones", "O"],
  ["tao", "Tao stones", "+"],
  ["void", "Voids, whose arrow another click turns", "*"],
  ["block", "Blocked points", "#"],
  ["AE", "Empty points", "."],
];

const setUpBy = (tool) => SET_UP.find(([other]) => other === tool)?.[2];

const isPair = (tool) => tool === "AR" || tool === "LN";

const small = (...content) => s("g", { transform: "scale(.7)" }, cell(...content));

const ICONS = {
  AR: () => s("path", { d: "M-.28 .28L.28 -.28M0 -.28H.28V0" }),
  LN: () => s("path", { d: "M-.28 .28L.28 -.28" }),
  AB: () => s("circle", { r: 0.3, class: "black" }),
  AW: () => s("circle", { r: 0.3, class: "white" }),
  tao: () => small("+", UPRIGHT),
  void: () => small("*", UPRIGHT, "NE"),
  block: () => small("#", UPRIGHT),
  AE: () => s("path", { class: "dashed", d: "M0 -.3A.3 .3 0 0 1 0 .3A.3 .3 0 0 1 0 -.3Z" }),
  ...SHAPES,
};

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

function written(point, height) {
  const { column, row } = parseVertex(point);
  return [column, height - 1 - row].map((at) => String.fromCharCode(97 + at)).join("");
}

/** The lines of a property without those of a point; rectangles become points. */
function without(text, name, place, height) {
  const lines = text ? text.split("\n") : [];
  const single = (line) => (name !== "LB" && line.includes(":") ? pointsOf(line, height).map((point) => written(point, height)) : [line]);
  return lines.flatMap(single).filter((line) => line.slice(0, 2) !== place);
}

function nextLabel(tool, lines) {
  const taken = new Set(lines.map((line) => line.slice(3)));
  const isFree = (label) => !taken.has(label);
  if (tool === "A") return LETTERS.find(isFree) ?? "A";
  let number = 1;
  while (!isFree(String(number))) number++;
  return String(number);
}

/**
 * The properties that change when a tool is used on a point: the same mark goes, another
 * replaces it.
 */
export function toggled(marks, tool, point, height) {
  const place = written(point, height);
  const name = tool.length === 2 ? tool : "LB";
  const changed = {};
  let had = false;
  for (const [other, text] of Object.entries(marks)) {
    const others = without(text, other, place, height);
    const label = text.split("\n").find((line) => line.startsWith(`${place}:`))?.slice(3);
    const isSameKind = other !== "LB" || /^\d/.test(label ?? "") === (tool === "1");
    if (others.join("\n") === text) continue;
    changed[other] = others.join("\n");
    had ||= other === name && isSameKind && without(text, other, "", height).length > others.length;
  }
  if (had) return changed;
  const others = changed[name] ?? marks[name] ?? "";
  const lines = others ? others.split("\n") : [];
  changed[name] = [...lines, name === "LB" ? `${place}:${nextLabel(tool, lines)}` : place].join("\n");
  return changed;
}

/** The arrows or lines with one more between two points, or without the one that is there. */
export function joined(text, from, to, height) {
  const line = `${written(from, height)}:${written(to, height)}`;
  const lines = text ? text.split("\n") : [];
  const others = lines.filter((other) => other !== line);
  return (others.length < lines.length ? others : [...lines, line]).join("\n");
}

/** The buttons for marks and stones, and clicks on the board while one is pressed. */
export class Marking {
  /** Where the arrow or line begins that is being drawn, or null. */
  #from = null;
  /** The number of the game that is edited. */
  #game = 0;

  constructor(model, actions, panel) {
    Object.assign(this, { model, actions });
    const icon = (tool) => (ICONS[tool] ? s("svg", { viewBox: "-.4 -.4 .8 .8", "aria-hidden": "true" }, ICONS[tool]()) : tool);
    const toolButton = ([tool, name]) => button(icon(tool), () => this.choose(model.marking === tool ? null : tool), { class: "square", "aria-label": name, title: name, "aria-pressed": "false", "data-tool": tool });
    const group = (name, tools, ...more) => h("div", { class: "row", role: "group", "aria-label": name }, tools.map(toolButton), more);
    const mover = button("", () => actions.act({ set_up: { to_move: otherSide(model.state.to_move) } }), { id: "set-up-mover" });
    const home = panel.querySelector(".marking");
    this.stones = { element: group("Pieces to set up", SET_UP, mover), home };
    this.stones.element.classList.add("marking");
    home.prepend(group("Marks", MARKS), this.stones.element);
    this.buttons = [...panel.querySelectorAll("[data-tool]")];
    model.on("game editing", () => {
      for (const button of this.stones.element.querySelectorAll("[data-tool]")) {
        const symbol = setUpBy(button.dataset.tool);
        const isAtStart = symbol === "#" && model.editing === "position";
        button.hidden = !isAtStart && symbol !== "." && !model.variant?.pieces.includes(symbol);
      }
    });
    model.on("tree", () => {
      if (this.#game !== model.games) this.choose(model.editing && model.marking);
      this.#game = model.games;
    });
    model.on("position", () => {
      this.#from = null;
      const name = named[otherSide(model.state.to_move)];
      mover.textContent = `Let ${name} move`;
      mover.title = `Sets up that ${name} moves next`;
    });
  }

  /** Places the pieces in a panel for edits, or back among the marks. */
  place(panel) {
    const { element, home } = this.stones;
    const to = panel || home;
    if (element.parentElement === to) return;
    if (panel) panel.querySelector("h2").after(element);
    else home.children[0].after(element);
  }

  /** Chooses what a click puts on a point; null: a click plays again, unless a position is edited. */
  choose(chosen) {
    const { model } = this;
    const tool = chosen ?? (model.editing === "position" ? "AB" : null);
    if (model.marking === tool) return;
    model.marking = tool;
    this.#from = null;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    model.emit("mode");
    this.actions.say(tool === null ? "" : `${this.#does(tool)}.${model.editing ? "" : " Escape or the button ends marking."}`);
  }

  #does(tool) {
    if (isPair(tool)) return "Click the start point, then the end point";
    if (tool === "AE") return "A click empties a point";
    if (tool === "void") return "A click adds a void, and another one turns its arrow";
    return `A click adds or removes a ${setUpBy(tool) ? "stone" : "mark"}`;
  }

  /**
   * Uses the chosen tool on a point, which holds `held`. The pointer was pressed at `dragged`.
   */
  use(point, held, dragged) {
    const { model, actions } = this;
    const { node } = model.position;
    const [tool, { height }] = [model.marking, model.state];
    const present = model.nodes.get(node)?.marks ?? {};
    const symbol = setUpBy(tool);
    if (symbol === "#" && !model.variant.pieces.includes("#")) return actions.block(point);
    if (symbol) {
      const isTaken = symbol === "." || (held === symbol && symbol !== "*");
      return actions.act({ set_up: isTaken ? { empty: [point] } : { pieces: [[point, symbol + this.#arrow(symbol, point)]] } });
    }
    if (!isPair(tool)) return actions.act({ mark: { node, marks: toggled(present, tool, point, height) } });
    const from = this.#from ?? (dragged === point ? null : dragged);
    this.#from = from === null ? point : null;
    model.emit("mode");
    return from === null || from === point ? null : actions.act({ mark: { node, marks: { [tool]: joined(present[tool], from, point, height) } } });
  }

  /** The arrow of a void that a click puts on a point: north, or the next one. */
  #arrow(symbol, point) {
    const old = this.model.state.voids.find((void_) => void_.point === point)?.arrow;
    return symbol === "*" ? ARROWS[(ARROWS.indexOf(old) + 1) % 8] : "";
  }

  preview(board, point) {
    const tool = this.model.marking;
    const at = (name) => name && board.geometry.at(name);
    const [from, to] = [at(this.#from), at(point)];
    const symbol = setUpBy(tool);
    const moved = (place, ...picture) => s("g", { transform: `translate(${place.x} ${place.y})` }, ...picture);
    if (symbol && symbol !== "." && to) board.draw("ghosts", [moved(to, s("g", { class: "ghost" }, cell(symbol, board.geometry, this.#arrow(symbol, point))))]);
    else if (isPair(tool) && from) board.draw("ghosts", [moved(from, s("circle", { class: "mark people line", r: 0.12 })), ...(to && to !== from ? [lineMark(tool, from, to)] : [])]);
    else board.draw("ghosts", []);
  }
}
