// Marks that people put on points: triangle, square, circle, cross, letters and numbers.

import { h, parseVertex, s } from "./dom.js";
import { SHAPES, pointsOf } from "./marks.js";

/** What a click puts on a point: the property of SGF, and the name. */
const TOOLS = [
  ["TR", "Triangle"],
  ["SQ", "Square"],
  ["CR", "Circle"],
  ["MA", "Cross"],
  ["A", "Letters from A"],
  ["1", "Numbers from 1"],
];

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

/** A point as SGF writes it. */
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

/** The first letter or number that no label has. */
function nextLabel(tool, lines) {
  const taken = new Set(lines.map((line) => line.slice(3)));
  const isFree = (label) => !taken.has(label);
  if (tool === "A") return LETTERS.find(isFree) ?? "A";
  let number = 1;
  while (!isFree(String(number))) number++;
  return String(number);
}

/**
 * The properties that change where a tool is used on a point: the same mark goes, another one
 * comes in place of those that were there.
 */
export function toggled(marks, tool, point, height) {
  const place = written(point, height);
  const name = tool.length === 2 ? tool : "LB";
  const changed = {};
  let had = false;
  for (const [other, text] of Object.entries(marks)) {
    const left = without(text, other, place, height);
    const label = text.split("\n").find((line) => line.startsWith(`${place}:`))?.slice(3);
    const isSameKind = other !== "LB" || /^\d/.test(label ?? "") === (tool === "1");
    if (left.join("\n") === text) continue;
    changed[other] = left.join("\n");
    had ||= other === name && isSameKind && without(text, other, "", height).length > left.length;
  }
  if (had) return changed;
  const left = changed[name] ?? marks[name] ?? "";
  const lines = left ? left.split("\n") : [];
  changed[name] = [...lines, name === "LB" ? `${place}:${nextLabel(tool, lines)}` : place].join("\n");
  return changed;
}

/** The buttons for marks, and what a click on the board does while one is pressed. */
export class Marking {
  constructor(model, actions, panel) {
    Object.assign(this, { model, actions });
    const icon = (tool) => (SHAPES[tool] ? s("svg", { viewBox: "-.4 -.4 .8 .8", "aria-hidden": "true" }, SHAPES[tool]()) : tool);
    this.buttons = TOOLS.map(([tool, name]) =>
      h("button", { class: "button square", type: "button", "aria-label": name, title: name, "aria-pressed": "false", "data-tool": tool, onclick: () => this.choose(model.marking === tool ? null : tool) }, icon(tool)),
    );
    this.box = h("div", { class: "row", role: "group", "aria-label": "Marks" }, this.buttons);
    panel.querySelector(".marking").prepend(this.box);
    model.on("game", () => {
      this.box.hidden = !model.game.marks;
      if (this.box.hidden) this.choose(null);
    });
  }

  /** Chooses what a click puts on a point; null: a click plays again. */
  choose(tool) {
    const { model } = this;
    if (model.marking === tool) return;
    model.marking = tool;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    model.emit("mode");
    this.actions.say(tool === null ? "" : "A click puts a mark on a point or takes it away; Escape ends that.");
  }

  /** Puts the chosen mark on a point of the position that is shown, or takes it away. */
  toggle(point) {
    const { model } = this;
    const { node } = model.position;
    const marks = toggled(model.nodes.get(node)?.marks ?? {}, model.marking, point, model.state.height);
    return this.actions.act({ mark: { node, marks } });
  }
}
