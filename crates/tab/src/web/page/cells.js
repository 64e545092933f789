// The pictures of the contents of points.

import { s } from "./dom.js";

export const ARROWS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

export const COLORS = ["black", "white"];
export const named = { black: "Black", white: "White" };
export const otherSide = (color) => (color === "black" ? "white" : "black");
export const STONES = { black: "X", white: "O" };

/** A geometry for pictures on their own. */
export const UPRIGHT = { stoneHeight: () => 1, cellMatrix: () => [1, 0, 0, 1] };

export function degrees(arrow) {
  return 45 * ARROWS.indexOf(arrow);
}

function gradient(id, stops) {
  return s(
    "radialGradient",
    { id, cx: 0.36, cy: 0.3, r: 0.78 },
    stops.map(([offset, name]) => s("stop", { offset, class: name })),
  );
}

/** Gradients and patterns, once for a page. */
export function definitions() {
  return s(
    "svg",
    { width: 0, height: 0, class: "definitions", "aria-hidden": "true" },
    s(
      "defs",
      {},
      gradient("black-stone", [[0, "black-light"], [0.45, "black-mid"], [1, "black-dark"]]),
      gradient("white-stone", [[0, "white-light"], [0.6, "white-mid"], [1, "white-dark"]]),
      s(
        "radialGradient",
        { id: "stone-shadow" },
        s("stop", { offset: 0.72, class: "shadow-inner" }),
        s("stop", { offset: 1, class: "shadow-outer" }),
      ),
      s(
        "linearGradient",
        { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 },
        s("stop", { offset: 0, class: "wood-light" }),
        s("stop", { offset: 1, class: "wood-dark" }),
      ),
      s(
        "pattern",
        { id: "grain", width: 7, height: 2.6, patternUnits: "userSpaceOnUse" },
        s("path", {
          class: "grain",
          d: "M0 .3C2 .1 4 .6 7 .3M0 .9C1.5 1.1 5 .7 7 .9M0 1.35C2 1.2 4.5 1.6 7 1.35M0 2C3 2.25 4 1.75 7 2M0 2.4C2 2.3 5 2.5 7 2.4",
        }),
      ),
      s(
        "pattern",
        { id: "hatching", width: 0.2, height: 0.2, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("path", { class: "hatching", d: "M.1 0V.2" }),
      ),
      s(
        "linearGradient",
        { id: "deep", x1: 0, y1: 0, x2: 0, y2: 1 },
        s("stop", { offset: 0, class: "deep-top" }),
        s("stop", { offset: 1, class: "deep-bottom" }),
      ),
    ),
  );
}

function stone(color, geometry) {
  const squash = `scale(1 ${geometry.stoneHeight()})`;
  return s(
    "g",
    { class: `stone ${color}` },
    s(
      "g",
      { transform: squash },
      s("circle", { class: "shadow", cx: 0.035, cy: 0.075, r: 0.515 }),
      s("circle", { class: "body", r: 0.465 }),
    ),
  );
}

function taoStone(geometry) {
  const squash = `scale(1 ${geometry.stoneHeight()})`;
  // The dark half ends in two half circles; each half has a spot of the other.
  return s(
    "g",
    { class: "stone tao" },
    s(
      "g",
      { transform: squash },
      s("circle", { class: "shadow", cx: 0.035, cy: 0.075, r: 0.515 }),
      s("circle", { class: "light half", r: 0.455 }),
      s("path", {
        class: "dark half",
        d: "M0 -.455A.455 .455 0 0 0 0 .455A.2275 .2275 0 0 0 0 0A.2275 .2275 0 0 1 0 -.455Z",
      }),
      s("circle", { class: "dark half", cy: -0.2275, r: 0.075 }),
      s("circle", { class: "light half", cy: 0.2275, r: 0.075 }),
      s("circle", { class: "rim", r: 0.455 }),
    ),
  );
}

function wall(geometry) {
  const matrix = `matrix(${geometry.cellMatrix().join(" ")} 0 0)`;
  return s(
    "g",
    { class: "wall", transform: matrix },
    s("rect", { class: "base", x: -0.505, y: -0.505, width: 1.01, height: 1.01 }),
    s("rect", { class: "block", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.1 }),
    s("rect", { class: "hatched", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.1 }),
  );
}

/** The arrow of a void, which points north until it is turned. */
export function arrow(direction) {
  const glyph = s("path", { class: "arrow", d: "M0 .25V-.24M-.15 -.07L0 -.26L.15 -.07" });
  const turned = s("g", { class: "turned" }, glyph);
  turned.style.transform = `rotate(${degrees(direction)}deg)`;
  return turned;
}

function hole(geometry) {
  const matrix = `matrix(${geometry.cellMatrix().join(" ")} 0 0)`;
  return s(
    "g",
    { class: "void", transform: matrix },
    s("rect", { class: "deep", x: -0.505, y: -0.505, width: 1.01, height: 1.01 }),
  );
}

/** The content of a point, drawn around the origin; null for an empty point. */
export function cell(symbol, geometry, direction) {
  if (symbol === "X") return stone("black", geometry);
  if (symbol === "O") return stone("white", geometry);
  if (symbol === "+") return taoStone(geometry);
  if (symbol === "#") return wall(geometry);
  if (symbol !== "*") return null;
  const picture = hole(geometry);
  if (direction) picture.append(arrow(direction));
  return picture;
}
