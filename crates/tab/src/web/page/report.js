// The report of a review.

import { COLORS, named } from "./cells.js";
import { h, heads } from "./dom.js";
import { lossClass, lossText } from "./loss.js";

/** Moves until the end of each phase, as a share of the points of the board. */
const PHASES = [["Opening", 0.14], ["Middle", 0.4], ["End", Infinity]];

/** Minimum loss of each part of the distribution, in points. */
const CLASSES = [0, 0.5, 1.5, 3, 6, 12];

/** The moves of a reviewed line: `{node, number, color, loss, best, prior}`. */
function movesOf(model) {
  const last = [...model.losses.keys()].reduce((longest, node) => (model.lineTo(node).length > model.lineTo(longest).length ? node : longest), [...model.losses.keys()][0]);
  return model.lineTo(last).flatMap(({ id }, number) => (model.losses.has(id) ? [{ node: id, number, ...model.losses.get(id) }] : []));
}

const mean = (list) => list.reduce((sum, { loss }) => sum + loss, 0) / list.length;
const share = (part, list) => `${Math.round((100 * part) / list.length)}%`;

function distribution(moves, color) {
  const counts = CLASSES.map((least, at) => moves.filter(({ loss }) => loss >= least && !(loss >= CLASSES[at + 1])).length);
  const points = (at) => (at + 1 < CLASSES.length ? `${CLASSES[at]} to ${CLASSES[at + 1]} points` : `${CLASSES[at]} points or more`);
  const words = counts.map((count, at) => `${count} of ${points(at)}`).join(", ");
  return h(
    "div",
    { class: "losses", role: "img", "aria-label": `${named[color]}'s losses: ${words}` },
    counts.map((count, at) => count > 0 && h("span", { class: lossClass(CLASSES[at]), style: { flexGrow: count } }, String(count))),
  );
}

/** The best move of a side that was hardest to find: the choice of the search with the lowest prior. */
function hardest(moves) {
  const choices = moves.filter(({ best }) => best);
  return choices.length > 0 ? choices.reduce((one, other) => (other.prior < one.prior ? other : one)) : null;
}

/** The report as an element. `go(node)` shows the position after a move. */
export function report(model, go) {
  const moves = movesOf(model);
  const sides = COLORS.map((color) => moves.filter((move) => move.color === color));
  const points = model.state.width * model.state.height;
  const row = (name, cell) => h("tr", {}, h("th", { scope: "row" }, name), sides.map((list, at) => h("td", {}, list.length > 0 ? cell(list, COLORS[at]) : "–")));
  const phases = PHASES.map(([name, end], at) => {
    const begin = at === 0 ? 0 : PHASES[at - 1][1];
    const within = (list) => list.filter(({ number }) => number > begin * points && number <= end * points);
    return row(name, (list) => (within(list).length > 0 ? lossText(mean(within(list))) : "–"));
  });
  const link = ({ node, loss }, words) => h("button", { class: "link", "data-node": node, onclick: () => go(node) }, `${model.nodes.get(node)?.caption ?? ""} ${words ?? lossText(loss)}`.trim());
  const worst = (list) => [...list].sort((one, other) => other.loss - one.loss).slice(0, 3).filter(({ loss }) => loss > 0);
  return h(
    "details",
    { class: "report", open: true },
    h("summary", {}, "Report"),
    h(
      "table",
      { class: "moves" },
      h("thead", {}, heads(["Lost per move", ...COLORS.map((color) => named[color])])),
      h("tbody", {}, phases, row("Losses", distribution), row("Best moves", (list) => share(list.filter(({ best }) => best).length, list)), row("Worst", (list) => (worst(list).length > 0 ? worst(list).map((move) => h("div", {}, link(move))) : "–")), row("Best", (list) => (hardest(list) ? link(hardest(list), "") : "–"))),
    ),
    h("p", { class: "note" }, "Best moves are the search's own choices, and Best is the one that was hardest to find."),
  );
}
