// The findings of the search: candidates on the board and in a table, and ownership.

import { button, byId, capital, checkbox, h, heads, s, vertex } from "./dom.js";
import { cell, STONES } from "./cells.js";
import { lossClass, lossOf, lossText, scoreText } from "./loss.js";
import { contrast } from "./marks.js";
import { kept } from "./model.js";
import { firstTurn, lineText, shownOf, turnText } from "./turn.js";

const SHOWN = 10;

/** Minimum ownership that is drawn: of empty points, and of stones of the other side. */
const OWNED = 0.5;
const LOST_STONE = 0.25;

/** Minimum pixels between two lines for details in a label, and for numbers. */
const ROOM_FOR_DETAILS = 38;
const ROOM_FOR_NUMBERS = 25;

/** Candidates with less than this share of the most visits, or with few, have no number. */
const FEW = 0.02;
const FEW_VISITS = 16;

/** The visits below which a candidate is unsure, where another has `most`. */
const fewOf = (most) => Math.max(FEW * most, Math.min(FEW_VISITS, most / 4));

const percent = (rate) => `${(100 * rate).toFixed(1)}%`;
const short = (count) => (count >= 10_000 ? `${(count / 1000).toFixed(0)}k` : count >= 1000 ? `${(count / 1000).toFixed(1)}k` : String(count));

function rateFor(color, rate) {
  return color === "black" ? rate : 1 - rate;
}

/** A disc with one or two lines of words, drawn around the origin. */
function disc(name, opacity, words, detail) {
  const size = words.length > 4 ? 0.27 : detail ? 0.34 : words.length > 3 ? 0.36 : words.length > 2 ? 0.42 : 0.5;
  return s(
    "g",
    { class: `candidate ${name}` },
    s("circle", { r: 0.465, opacity }),
    s("text", { y: detail ? -0.09 : 0, "font-size": `${size}px` }, words),
    detail && s("text", { class: "detail", y: 0.22, "font-size": "0.22px" }, detail),
  );
}

/**
 * The turns of a line of play as numbered stones, or what other kinds of step leave. A point keeps
 * its first number.
 */
export function numbered({ board, model }, line) {
  const shown = new Map();
  const steps = shownOf(line).filter(({ text }) => text !== "end");
  steps.forEach((step, index) => {
    if (step.at && !shown.has(step.at)) shown.set(step.at, { ...step, number: index + 1 });
  });
  const leaves = (kind) => model.variant?.modes.find(({ kinds }) => kinds.includes(kind))?.leaves;
  return [...shown].map(([point, { kind, color, number }]) => {
    const other = leaves(kind);
    const picture = s("g", { class: "planned" }, cell(other ?? STONES[color], board.geometry));
    return [point, picture, s("text", { class: `number ${other ? "for-other" : `for-${color}`}` }, String(number))];
  });
}

/** Ownership as squares, larger where it is surer; from -1 to 1, Black's. */
function shading(board, ownership, width, height, taken = new Set()) {
  return ownership.flatMap((value, index) => {
    const point = vertex(index % width, height - 1 - Math.floor(index / width));
    const color = value > 0 ? "black" : "white";
    const symbol = board.symbol(point);
    // A living stone already shows its owner.
    if (symbol === STONES[color] || taken.has(point)) return [];
    const isStone = symbol === STONES.black || symbol === STONES.white;
    if (Math.abs(value) < (isStone ? LOST_STONE : OWNED)) return [];
    const side = 0.1 + 0.26 * Math.abs(value);
    return [[point, s("rect", { class: `owned ${color}`, x: -side / 2, y: -side / 2, width: side, height: side, rx: 0.03 })]];
  });
}

/** The points of a count as full shading, except the dead stones, which have marks. */
function ownedShading(board, { owned: rows, dead }) {
  const values = rows.join("").split("").map((symbol) => (symbol === "X" ? 1 : symbol === "O" ? -1 : 0));
  return shading(board, values, rows[0]?.length ?? 0, rows.length, new Set(dead));
}

export class Analysis {
  #line = null;

  constructor(model, table, actions) {
    this.model = model;
    this.table = table;
    this.actions = actions;
    this.#build();
    model.on("analysis drawn reviewed held", () => this.draw());
    model.on("analysis position", () => this.#fill());
    model.on("position", () => this.#offerProof());
    model.on("analysing", () => this.toggle.setAttribute("aria-pressed", String(model.analysing)));
  }

  #build() {
    const { model, actions } = this;
    this.toggle = button("Analysis", () => actions.analyse(!model.analysing), { "aria-pressed": "false", title: "Analysis (A)" });
    const shade = checkbox("Territory", "ownership", true, () => this.draw());
    const rates = checkbox("Win rates", "rates", false, () => this.draw(), { title: "The board shows win rates instead of points lost" });
    const dots = checkbox("Losses", "dots", false, (on) => {
      model.dots = on;
      kept.write("dots", on);
      model.emit("reviewed");
    }, { title: "Points each stone lost, from Teaching or a review" });
    model.on("game", () => (dots.box.checked = Boolean(model.dots ?? model.game.teaching)));
    [this.shade, this.rates] = [shade.box, rates.box];
    this.summary = h("p", { class: "note summary" });
    this.body = h("tbody", {});
    this.head = h("thead", {});
    this.table_ = h("table", { class: "moves", hidden: true }, this.head, this.body);
    this.lineText = h("p", { class: "line-of-play" });
    this.solve = button("Exact value", () => this.#solve(), { id: "solve", hidden: true });
    this.proof = h("p", { id: "proof", "aria-live": "polite" });
    byId("panel-analysis").append(
      h("div", { class: "row" }, this.toggle, shade.element, rates.element, dots.element, this.solve),
      this.summary,
      this.proof,
      this.table_,
      this.lineText,
    );
  }

  #offerProof() {
    this.solve.hidden = !this.model.view.can_solve;
    this.proof.textContent = "";
  }

  /** Asks for a proof, which takes up to a minute. */
  async #solve() {
    const { position } = this.model;
    this.proof.textContent = "Searching for a proof. Stop keeps the bounds proven so far.";
    const proof = await this.actions.act("solve");
    if (position !== this.model.position) return;
    const rest = proof ? [["Best", proof.best], ["Line", proof.line]].filter(([, moves]) => moves.length > 0) : [];
    this.proof.textContent = [proof?.sentence ?? "", ...rest.map(([name, moves]) => `${name}: ${moves.join(", ")}.`)].join(" ");
  }

  /** Shows the line of play after a turn, or the turns again with null. */
  showLine(move) {
    this.#line = move;
    this.lineText.textContent = move ? lineText(move.pv) : "";
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
    if (model.counting) {
      board.overlay("shading", ownedShading(board, model.counting));
      board.overlay("search", []);
      return;
    }
    const search = this.#search();
    const { analysis, state } = model;
    const owned = this.shade.checked && !this.#line && !model.mistake && !model.held && analysis?.ownership;
    const taken = new Set(search.map(([point]) => point));
    board.overlay("shading", owned ? shading(board, analysis.ownership, state.width, state.height, taken) : []);
    board.overlay("search", search);
  }

  /** The upper layer: pairs of a point and its pictures. */
  #search() {
    const { model, table } = this;
    if (this.#line) return numbered(table, this.#line.pv);
    if (model.held) return this.#mistake(model.held.answer, model.held.points);
    if (model.mistake) return this.#mistake(model.mistake.better, model.mistake.points);
    return this.#candidates();
  }

  /** The line of a better or punishing turn, and a ring around the worse one. */
  #mistake(move, points) {
    const { board } = this.table;
    const line = move ? numbered(this.table, move.pv) : [];
    const ring = (point) => [point, s("circle", { class: "mark played-under", r: 0.4 }), s("circle", { class: `mark played ${contrast(board.symbol(point))}`, r: 0.4 })];
    return [...line, ...points.map(ring)];
  }

  #room() {
    const { board, container } = this.table;
    return container.clientWidth / board.geometry.viewBox.width;
  }

  #candidates() {
    const { analysis, state } = this.model;
    if (!analysis || this.model.hinted) return this.#hint();
    const moves = analysis.moveInfos;
    const most = Math.max(1, ...moves.map(({ visits }) => visits));
    const room = this.#room();
    const seen = new Set();
    const few = fewOf(most);
    return moves.slice(0, SHOWN).flatMap((move, index) => {
      const { at } = move.move;
      if (!at || seen.has(at)) return [];
      seen.add(at);
      const isFew = index > 0 && move.visits < few;
      return [[at, this.#candidate(move, index, { loss: lossOf(move, moves[0]), share: move.visits / most, isFew }, room, state.to_move)]];
    });
  }

  /** The steps of a hint that are not made yet, in their order. */
  #hint() {
    const steps = this.model.hintedSteps.filter(({ at }) => at);
    const isOne = firstTurn(this.model.hinted?.pv ?? []).filter(({ at }) => at).length === 1;
    return steps.map(({ at }, index) => [at, disc(`${lossClass(0)} best`, 1, isOne ? "" : String(index + 1), null)]);
  }

  #candidate(move, index, { loss, share, isFew }, room, color) {
    const best = index === 0 ? "best" : "";
    if (isFew) return s("g", { class: `candidate spot ${lossClass(loss)}` }, s("circle", { r: 0.16 }));
    const opacity = index === 0 ? 1 : (0.5 + 0.5 * Math.sqrt(share)).toFixed(2);
    const name = `${lossClass(loss)} ${best}`;
    if (room < ROOM_FOR_NUMBERS) return disc(name, opacity, String(index + 1));
    const words = this.rates.checked ? String(Math.round(100 * rateFor(color, move.winrate))) : lossText(loss);
    return disc(name, opacity, words, room >= ROOM_FOR_DETAILS ? short(move.visits) : null);
  }

  #fill() {
    const { analysis, state } = this.model;
    this.table_.hidden = !analysis;
    if (!analysis) {
      const hovers = this.#line !== null;
      this.#line = null;
      if (hovers) this.draw();
      this.lineText.textContent = "";
      this.body.replaceChildren();
      this.summary.textContent = "";
      return;
    }
    this.head.replaceChildren(heads(["", capital(this.model.turnName), "Lost", "Wins", "Score", "Searched"], "Rank"));
    this.summary.textContent = `${scoreText(analysis.rootInfo.scoreLead)}, ${short(analysis.rootInfo.visits)} positions searched${this.model.game.rough ? ", rough: no net for this board" : ""}`;
    const moves = analysis.moveInfos;
    const few = fewOf(Math.max(...moves.map(({ visits }) => visits)));
    const rows = moves.slice(0, SHOWN).map((move, index) => this.#row(move, index, lossOf(move, moves[0]), state.to_move, index > 0 && move.visits < few));
    this.body.replaceChildren(...rows);
    if (this.#line) {
      const again = moves.find(({ move: { text } }) => text === this.#line.move.text);
      if (again) this.showLine(again);
    }
  }

  #row(move, index, loss, color, isFew) {
    const show = () => this.showLine(move);
    const hide = () => this.showLine(null);
    const play = () => this.model.personToMove && this.actions.act({ play: moveOf(move.move) });
    const name = h("button", { onclick: play, onfocus: show, onblur: hide }, turnText(move));
    return h(
      "tr",
      { class: isFew ? "unsure" : null, title: isFew ? "Searched little: these numbers are rough" : null, onmouseenter: show, onmouseleave: hide },
      h("td", {}, String(index + 1)),
      h("td", {}, name),
      h("td", {}, isFew ? "?" : h("span", { class: `chip ${lossClass(loss)}` }, lossText(loss))),
      h("td", {}, percent(rateFor(color, move.winrate))),
      h("td", {}, scoreText(move.scoreLead)),
      h("td", {}, short(move.visits)),
    );
  }

  /** Shows the line of a turn of the search while the pointer is on its point. */
  hoverPoint(point) {
    const move = this.model.analysis?.moveInfos.find(({ move: { at } }) => at === point && point !== null) ?? null;
    if (move !== this.#line) this.showLine(move);
  }
}

export function moveOf({ at, kind, text }) {
  return at ? { at: { kind, point: at } } : text;
}
