// The lead after each turn, and the losses.

import { h, s } from "./dom.js";
import { lossClass, MARKED, scoreText } from "./loss.js";

const HEIGHT = 100;

/** Room beside the first and the last turn, as a share of the width between them. */
const SIDE = 0.025;

/** The curve of the current line. A click goes to a turn, the pointer reads its value. */
export class Graph {
  /** `fold` is the part of the page that has the graph. */
  constructor(model, actions, fold) {
    this.model = model;
    this.actions = actions;
    this.svg = s("svg", { preserveAspectRatio: "none", role: "img", "aria-label": "Score over the game" });
    this.now = h("span", { class: "value" });
    this.scales = h("div", { class: "scales", "aria-hidden": "true" });
    this.plot = h("div", { class: "plot" }, this.svg, this.scales);
    fold.querySelector("summary").append(this.now);
    fold.append(h("div", { class: "graph" }, this.plot));
    this.plot.addEventListener("click", (event) => this.actions.go(this.#nodeAt(event).id));
    this.plot.addEventListener("pointermove", (event) => this.#read(this.#nodeAt(event).id));
    this.plot.addEventListener("pointerleave", () => this.#read(this.model.position?.node));
    model.on("position tree analysis review reviewed", () => this.draw());
  }

  #nodeAt({ clientX }) {
    const { left, width } = this.plot.getBoundingClientRect();
    const { line } = this.model;
    const share = ((clientX - left) / width) * (1 + 2 * SIDE) - SIDE;
    return line[Math.min(Math.max(Math.round(share * (line.length - 1)), 0), line.length - 1)];
  }

  #read(id) {
    const { line } = this.model;
    const turn = line.findIndex((node) => node.id === id);
    const score = this.#scores(line).find((each) => each.turn === turn);
    const lost = score?.loss >= MARKED ? `, lost ${score.loss.toFixed(1)}` : "";
    this.now.textContent = score ? `${this.model.turnName} ${turn}: ${scoreText(score.lead)}${lost}` : "";
  }

  /** The leads and turns beside the lines of the graph: whole points, and a few turns. */
  #scales(highest, y, turns) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200].find((each) => highest / each <= 2.5) ?? 500;
    const leads = [step, 0, -step];
    const apart = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => turns / each <= 6) ?? 1000;
    const numbers = Array.from({ length: Math.floor(turns / apart) }, (_, index) => (index + 1) * apart);
    const share = (turn) => (100 * (turn / Math.max(turns, 1) + SIDE)) / (1 + 2 * SIDE);
    this.scales.replaceChildren(
      ...leads.map((lead) => h("span", { class: "lead", style: { top: `${y(lead)}%` } }, lead === 0 ? "0" : scoreText(lead).replace(".0", ""))),
      ...numbers.map((turn) => h("span", { class: "turn", style: { left: `${share(turn)}%` } }, String(turn))),
    );
  }

  /** The turns whose score is known; a search that runs knows its own best. */
  #scores(line) {
    const { analysis, losses } = this.model;
    return line.flatMap(({ id, value }, turn) => {
      const latest = analysis?.node === id ? analysis.rootInfo : value;
      return latest ? [{ turn, id, lead: latest.scoreLead, loss: losses.get(id)?.loss ?? 0 }] : [];
    });
  }

  draw() {
    const { line } = this.model;
    const scores = this.#scores(line);
    const width = Math.max(line.length - 1, 1);
    this.svg.setAttribute("viewBox", `${-SIDE * width} 0 ${(1 + 2 * SIDE) * width} ${HEIGHT}`);
    const highest = Math.max(5, ...scores.map(({ lead }) => Math.abs(lead)));
    // Large leads are drawn closer together than small ones. Black's are above.
    const y = (lead) => HEIGHT / 2 - (HEIGHT / 2 - 6) * Math.sign(lead) * Math.sqrt(Math.abs(lead) / highest);
    const at = ({ turn, lead }) => `${turn} ${y(lead).toFixed(2)}`;
    const here = line.findIndex(({ id }) => id === this.model.position?.node);
    const drawn = [s("path", { class: "zero", d: `M${-width} ${HEIGHT / 2}H${2 * width}` })];
    if (scores.length > 0) {
      const curve = scores.map(at).join("L");
      const from = scores[0].turn;
      const to = scores.at(-1).turn;
      drawn.push(s("path", { class: "black-side", d: `M${from} ${HEIGHT / 2}L${curve}L${to} ${HEIGHT / 2}Z` }));
      if (scores.length > 1) drawn.push(s("path", { class: "curve", d: `M${curve}` }));
      // A line of no length is a spot, because its ends are round.
      const spots = scores.filter(({ loss }) => loss >= MARKED || scores.length === 1);
      drawn.push(...spots.map((spot) => s("path", { class: `spot ${lossClass(spot.loss)}`, d: `M${at(spot)}h0` })));
    }
    if (here >= 0) drawn.push(s("path", { class: "now", d: `M${here} 0V${HEIGHT}` }));
    this.svg.replaceChildren(...drawn);
    if (scores.length > 0) this.#scales(highest, y, line.length - 1);
    else this.scales.replaceChildren(h("span", { class: "hint" }, "Analyse or review to see the score over the game"));
    this.#read(this.model.position?.node);
  }
}
