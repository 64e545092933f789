// Marks on the board.

import { cell } from "./cells.js";
import { columnLetter, s } from "./dom.js";
import { lossClass, lossText } from "./loss.js";

/** The class of a mark that is visible on this symbol. */
export function contrast(symbol) {
  if (symbol === "X") return "on-black";
  if (symbol === "O") return "on-white";
  return symbol === "." ? "on-empty" : "on-other";
}

const circle = (name, r) => s("circle", { class: `mark ${name}`, r });
const path = (name, d) => s("path", { class: `mark ${name}`, d });

/** A ring: a stone of the last turn. A void or an empty point gets the corners of a square. */
function lastMark(symbol) {
  const name = `last ${contrast(symbol)}`;
  if (symbol === "X" || symbol === "O" || symbol === "+") return circle(name, 0.2);
  const corner = (x, y) => `M${0.4 * x} ${0.22 * y}V${0.4 * y}H${0.22 * x}`;
  return path(name, corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1));
}

function deadMark(symbol) {
  return path(`dead ${contrast(symbol)}`, "M-.22 -.22L.22 .22M.22 -.22L-.22 .22");
}

function spreadMarks(board, spreads) {
  return spreads.flatMap(({ from, to }) => {
    const a = board.geometry.at(from);
    const b = board.geometry.at(to);
    if (!a || !b) return [];
    const next = board.geometry.towards(from, to);
    const [dx, dy] = [next.x - a.x, next.y - a.y];
    const length = Math.hypot(dx, dy);
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    // A chevron where the two cells meet.
    const middle = `translate(${a.x + dx * 0.56} ${a.y + dy * 0.56}) rotate(${angle}) scale(${length > 1.2 ? 1.15 : 1})`;
    const chevron = "M-.1 -.17L.08 0L-.1 .17";
    return [
      s("rect", { class: "mark target", x: b.x - 0.4, y: b.y - 0.4, width: 0.8, height: 0.8, rx: 0.08 }),
      s(
        "g",
        { transform: middle },
        path("spread", chevron),
        path("spread-inner", chevron),
      ),
    ];
  });
}

/** The points of a value of SGF: `dd`, or `aa:cc`. */
export function pointsOf(value, height) {
  const [from, to] = value.includes(":") ? value.split(":") : [value, value];
  const place = (letter) => (letter < "a" ? letter.charCodeAt(0) - 39 : letter.charCodeAt(0) - 97);
  const span = (at) => [place(from[at]), place(to[at])].sort((one, other) => one - other);
  const [[left, right], [top, bottom]] = [span(0), span(1)];
  const points = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) points.push(`${columnLetter(column)}${height - row}`);
  }
  return points;
}

/** The marks without text, by their properties of SGF. */
export const SHAPES = {
  CR: () => s("circle", { r: 0.24 }),
  MA: () => s("path", { d: "M-.2 -.2L.2 .2M.2 -.2L-.2 .2" }),
  SL: () => s("circle", { r: 0.1, class: "filled" }),
  SQ: () => s("path", { d: "M-.21 -.21H.21V.21H-.21Z" }),
  TR: () => s("path", { d: "M0 -.27L.24 .15H-.24Z" }),
};

/** An arrow (AR) or a line (LN) between two places. */
export function lineMark(name, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const tip = name === "AR" ? `M${length - 0.25} -.14L${length} 0L${length - 0.25} .14` : "";
  const place = `translate(${from.x} ${from.y}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`;
  return s("g", { transform: place }, path("people line", `M0 0H${length}${tip}`));
}

function peoplesLines(board, marks) {
  const lines = [];
  for (const name of ["LN", "AR"]) {
    for (const value of marks[name]?.split("\n") ?? []) {
      const [from, to] = value.split(":").map((point) => board.geometry.at(pointsOf(point, board.geometry.height)[0]));
      if (from && to) lines.push(lineMark(name, from, to));
    }
  }
  return lines;
}

/** Marks of people in a record, by point: SGF properties with a value in each line. */
function peoplesMarks(board, marks) {
  const { height } = board.geometry;
  const drawn = new Map();
  for (const [name, text] of Object.entries(marks)) {
    for (const value of text.split("\n")) {
      const label = name === "LB" ? value.slice(3) : null;
      for (const point of pointsOf(label === null ? value : value.slice(0, 2), height)) {
        const shape = label === null ? SHAPES[name]?.() : s("text", { "font-size": label.length > 2 ? 0.28 : 0.5 }, label.slice(0, 4));
        if (shape) drawn.set(point, s("g", { class: `mark people ${contrast(board.symbol(point))}` }, shape));
      }
    }
  }
  return drawn;
}

/** Draws a view on a board, with marks of people, and `captured` stones that are gone. */
export function drawMarks(board, view, dead = [], marks = {}, captured = [], losses = []) {
  const marked = [];
  const add = (point, picture) => {
    const place = board.geometry.at(point);
    if (place) marked.push(s("g", { transform: `translate(${place.x} ${place.y})` }, picture));
  };
  const drawn = spreadMarks(board, view.spreads ?? []);
  const crossed = new Set(dead);
  const underWay = new Set(view.mid_turn ?? []);
  const people = peoplesMarks(board, marks);
  const answered = new Set((view.forbidden ?? []).flatMap(({ answers }) => answers ?? []));
  for (const point of view.last?.points ?? []) {
    if (!crossed.has(point) && !underWay.has(point) && !answered.has(point) && !people.has(point)) add(point, lastMark(board.symbol(point)));
  }
  for (const point of underWay) add(point, circle(`step ${contrast(board.symbol(point))}`, 0.3));
  for (const point of view.continues ?? []) {
    add(point, path(`continues ${contrast(board.symbol(point))}`, "M0 -.19L.19 0L0 .19L-.19 0Z"));
  }
  for (const { at, why } of view.forbidden ?? []) {
    const square = path("forbidden", "M-.23 -.23H.23V.23H-.23ZM-.23 .23L.23 -.23");
    square.append(s("title", {}, why));
    add(at, square);
  }
  for (const point of answered) add(point, path(`last ${contrast(board.symbol(point))}`, "M0 -.25L.23 .16H-.23Z"));
  for (const [point, picture] of people) add(point, picture);
  marked.push(...peoplesLines(board, marks));
  for (const point of dead) add(point, deadMark(board.symbol(point)));
  for (const [point, loss, isSpot] of new Map(losses.map((each) => [each[0], each])).values()) {
    const words = loss < 0.5 || isSpot ? "" : lossText(loss);
    add(point, s("g", { class: `candidate ${lossClass(loss)}` }, s("circle", { r: words ? 0.31 : 0.13 }), s("text", { "font-size": "0.24px" }, words)));
  }
  for (const [point, symbol] of captured) {
    add(point, s("g", { class: "ghost captured" }, cell(symbol, board.geometry)));
    add(point, deadMark(symbol));
  }
  board.draw("marks", [...drawn, ...marked]);
}

/** The effects of a step, drawn faintly. */
export function changeMarks(board, consequences) {
  return consequences.flatMap((consequence) =>
    consequence.points.map((point) => {
      const symbol = board.symbol(point);
      if (consequence.kind === "remove") return [point, path(`ghost-change ${contrast(symbol)}`, "M-.2 -.2L.2 .2M.2 -.2L-.2 .2")];
      if (consequence.kind === "flip") {
        return [point, path(`ghost-change ${contrast(symbol)}`, "M-.24 -.06A.25 .25 0 0 1 .2 -.14M.22 -.3V-.12H.05M.24 .06A.25 .25 0 0 1 -.2 .14M-.22 .3V.12H-.05")];
      }
      if (consequence.kind === "solid") {
        return [point, s("rect", { class: "mark target", x: -0.4, y: -0.4, width: 0.8, height: 0.8, rx: 0.08 })];
      }
      return null;
    }),
  ).filter((drawn) => drawn !== null);
}

/** Lights up the group of a point and the neighbours that it has on other sheets. */
export function drawLinks(board, point, links, groups) {
  const group = groups.find((members) => members.includes(point)) ?? [];
  const member = new Set(group);
  const places = (points) => points.map((each) => board.geometry.at(each)).filter(Boolean);
  const halo = (name) =>
    places(group).map(({ x, y }) =>
      s("circle", { class: `group-halo ${name}`, transform: `translate(${x} ${y}) scale(1 ${board.geometry.stoneHeight()})`, r: 0.5 }),
    );
  const beams = [];
  for (const [from, to] of links) {
    const inside = member.has(from) && member.has(to);
    const touched = from === point || to === point;
    if (!inside && !touched) continue;
    const [a, b] = places([from, to]);
    const d = `M${a.x} ${a.y}L${b.x} ${b.y}`;
    if (board.geometry.aslant) beams.push(s("path", { class: "pillar", d }), s("path", { class: "pillar inner", d }));
    if (touched) {
      const other = from === point ? b : a;
      beams.push(s("circle", { class: "neighbour", cx: other.x, cy: other.y, r: 0.13 }));
    }
  }
  board.draw("links", [...halo("under"), ...halo(""), ...beams]);
}
