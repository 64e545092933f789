// What the search sees: turns on the board, a table of them, ownership, and the graph of
// the game.

import { byId, h, s, vertex } from "./dom.js";
import { cell, STONES } from "./cells.js";
import { Graph } from "./graph.js";

const SHOWN = 10;
const OWNED = 12;

/** Numbers of a search in words, for the side that is to move. */
const percent = (rate) => `${(100 * rate).toFixed(1)}%`;
const points = (margin) => `${margin >= 0 ? "B+" : "W+"}${Math.abs(margin).toFixed(1)}`;
const short = (count) => (count >= 10_000 ? `${(count / 1000).toFixed(0)}k` : count >= 1000 ? `${(count / 1000).toFixed(1)}k` : String(count));

/** For each side the rate is its own. */
function rateFor(color, rate) {
  return color === "black" ? rate : 1 - rate;
}

function candidate(move, color, best) {
  return s(
    "g",
    { class: best ? "candidate best" : "candidate" },
    s("circle", { r: 0.46 }),
    s("text", { class: "rate", y: -0.19 }, String(Math.round(100 * rateFor(color, move.win_rate)))),
    s("text", { class: "detail", y: 0.07 }, points(move.margin)),
    s("text", { class: "detail", y: 0.28 }, short(move.visits)),
  );
}

/** The turns of a line of play as numbered stones. */
function numbered(board, line) {
  const shown = new Map();
  line.forEach((step, index) => {
    if (step.at !== null && step.at !== undefined) shown.set(step.at, { step, number: index + 1 });
  });
  return [...shown].map(([point, { step, number }]) => {
    const own = board.symbol(point) === STONES[step.color];
    const symbol = own ? "*" : /^tao\b/.test(step.text) ? "+" : STONES[step.color];
    const name = symbol === "*" || symbol === "+" ? "for-other" : `for-${step.color}`;
    const picture = s("g", { class: "planned" }, cell(symbol, board.geometry));
    return [point, picture, s("text", { class: `number ${name}` }, String(number))];
  });
}

/** Ownership as squares, larger where it is surer; integers from -100 to 100, Black's. */
function shading(board, ownership, width, height) {
  return ownership.flatMap((value, index) => {
    if (Math.abs(value) < OWNED) return [];
    const side = 0.12 + 0.3 * (Math.abs(value) / 100);
    const point = vertex(index % width, height - 1 - Math.floor(index / width));
    const color = value > 0 ? "black" : "white";
    // A living stone shows well enough whose the point is.
    if (board.symbol(point) === STONES[color]) return [];
    return [[point, s("rect", { class: `owned ${color}`, x: -side / 2, y: -side / 2, width: side, height: side, rx: 0.03 })]];
  });
}

/** Rows of X and O as full shading. */
function ownedShading(board, rows) {
  const values = rows.join("").split("").map((symbol) => (symbol === "X" ? 100 : symbol === "O" ? -100 : 0));
  return shading(board, values, rows[0]?.length ?? 0, rows.length);
}

/** The panel of the analysis and what it draws on the board. */
export class Analysis {
  #line = null;

  constructor(model, table, actions) {
    this.model = model;
    this.table = table;
    this.actions = actions;
    this.ownership = true;
    this.#build();
    model.on("analysis drawn", () => this.draw());
    model.on("analysis position", () => this.#fill());
    model.on("analysing", () => this.toggle.setAttribute("aria-pressed", String(model.analysing)));
  }

  #build() {
    const { model, actions } = this;
    this.toggle = h("button", { class: "button", type: "button", "aria-pressed": "false", onclick: () => actions.analyse(!model.analysing) }, "Analysis", h("kbd", { "aria-hidden": "true" }, "A"));
    const shade = h("input", { type: "checkbox", id: "ownership", checked: true });
    shade.addEventListener("change", () => {
      this.ownership = shade.checked;
      this.draw();
    });
    this.summary = h("span", { class: "note grow" });
    this.body = h("tbody", {});
    this.table_ = h(
      "table",
      { class: "moves", hidden: true },
      h("thead", {}, h("tr", {}, ["Turn", "Wins", "Score", "Visits"].map((name) => h("th", { scope: "col" }, name)))),
      this.body,
    );
    this.lineText = h("p", { class: "line-of-play" });
    this.graph = new Graph(model, actions);
    byId("panel-analysis").append(
      h("div", { class: "row" }, this.toggle, this.summary, h("label", {}, shade, " Ownership")),
      this.graph.element,
      this.table_,
      this.lineText,
    );
  }

  /** Shows the line of play behind a turn, or the turns again with null. */
  showLine(move) {
    this.#line = move;
    this.lineText.textContent = move ? `${move.pv.map(({ text }) => text).join(", ")}` : "";
    this.draw();
  }

  draw() {
    const { model, table } = this;
    const { board } = table;
    const busy = table.future || table.playback.running;
    if (busy || !board.geometry) {
      board.overlay("search", []);
      board.overlay("shading", []);
      return;
    }
    const { analysis, state } = model;
    if (model.counting) {
      board.overlay("shading", ownedShading(board, model.counting.owned ?? []));
      board.overlay("search", []);
      return;
    }
    const ownership = this.ownership && analysis?.ownership ? shading(board, analysis.ownership, state.width, state.height) : [];
    board.overlay("shading", ownership);
    if (this.#line) board.overlay("search", numbered(board, this.#line.pv));
    else board.overlay("search", this.#candidates());
  }

  #candidates() {
    const { analysis, state, hinted } = this.model;
    const moves = analysis?.moves ?? (hinted ? [hinted] : []);
    const seen = new Set();
    return moves.slice(0, SHOWN).flatMap((move, index) => {
      if (!move.at || seen.has(move.at)) return [];
      seen.add(move.at);
      return [[move.at, candidate(move, state.to_move, index === 0)]];
    });
  }

  #fill() {
    const { analysis, state } = this.model;
    this.table_.hidden = !analysis;
    if (!analysis) {
      this.#line = null;
      this.lineText.textContent = "";
      this.body.replaceChildren();
      this.summary.textContent = "";
      return;
    }
    this.summary.textContent = `${points(analysis.margin)}, ${short(analysis.visits)} visits`;
    const rows = analysis.moves.slice(0, SHOWN).map((move) => this.#row(move, state.to_move));
    this.body.replaceChildren(...rows);
    if (this.#line) {
      const again = analysis.moves.find(({ text }) => text === this.#line.text);
      if (again) this.showLine(again);
    }
  }

  #row(move, color) {
    const show = () => this.showLine(move);
    const hide = () => this.showLine(null);
    const play = () => this.model.personToMove && this.actions.act({ play: moveOf(move) });
    const name = h("button", { type: "button", onclick: play, onfocus: show, onblur: hide }, move.text);
    return h(
      "tr",
      { onmouseenter: show, onmouseleave: hide },
      h("td", {}, name),
      h("td", {}, percent(rateFor(color, move.win_rate))),
      h("td", {}, points(move.margin)),
      h("td", {}, short(move.visits)),
    );
  }

  /** Shows the line of a turn of the search while the pointer is on its point. */
  hoverPoint(point) {
    const move = this.model.analysis?.moves.find(({ at }) => at === point && point !== null) ?? null;
    if (move !== this.#line) this.showLine(move);
  }
}

/** The move to send for a turn of the search. */
export function moveOf(move) {
  return move.at ? { at: { kind: move.kind, point: move.at } } : move.text;
}
