// The graph of the game: the lead after each turn, and the losses.

import { h, s } from "./dom.js";
import { lossClass, scoreText } from "./loss.js";

const HEIGHT = 100;

/** Room beside the first and the last turn, as a share of the width between them. */
const SIDE = 0.025;

/** Minimum loss of a marked turn, in points. */
const MARKED = 1;

/** The curve of the current line; a click goes to its turn. */
export class Graph {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.svg = s("svg", { preserveAspectRatio: "none", role: "img", "aria-label": "Score over the game" });
    this.top = h("span", {});
    this.now = h("strong", {});
    this.bottom = h("span", {});
    this.plot = h("div", { class: "plot" }, this.svg);
    this.element = h("div", { class: "graph" }, h("div", { class: "legend" }, this.top, this.now), this.plot, h("div", { class: "legend" }, this.bottom));
    this.plot.addEventListener("click", (event) => this.#go(event));
    model.on("position tree analysis review reviewed", () => this.draw());
  }

  #go(event) {
    const { left, width } = this.plot.getBoundingClientRect();
    const { line } = this.model;
    const share = ((event.clientX - left) / width) * (1 + 2 * SIDE) - SIDE;
    const index = Math.round(share * (line.length - 1));
    const node = line[Math.min(Math.max(index, 0), line.length - 1)];
    if (node) this.actions.go(node.id);
  }

  /** The turns whose score is known; a search that goes on knows its own best. */
  #known(line) {
    const { analysis, losses } = this.model;
    return line.flatMap(({ id, value }, turn) => {
      const seen = analysis?.node === id ? analysis : value;
      return seen ? [{ turn, id, margin: seen.margin, loss: losses.get(id)?.loss ?? 0 }] : [];
    });
  }

  draw() {
    const { line } = this.model;
    const known = this.#known(line);
    const width = Math.max(line.length - 1, 1);
    this.svg.setAttribute("viewBox", `${-SIDE * width} 0 ${(1 + 2 * SIDE) * width} ${HEIGHT}`);
    const highest = Math.max(5, ...known.map(({ margin }) => Math.abs(margin)));
    // Large leads are drawn closer together than small ones. Black's are above.
    const y = (margin) => HEIGHT / 2 - (HEIGHT / 2 - 6) * Math.sign(margin) * Math.sqrt(Math.abs(margin) / highest);
    const at = ({ turn, margin }) => `${turn} ${y(margin).toFixed(2)}`;
    const here = line.findIndex(({ id }) => id === this.model.position?.node);
    const drawn = [s("path", { class: "zero", d: `M${-width} ${HEIGHT / 2}H${2 * width}` })];
    if (known.length > 0) {
      const curve = known.map(at).join("L");
      const from = known[0].turn;
      const to = known.at(-1).turn;
      drawn.push(s("path", { class: "black-side", d: `M${from} ${HEIGHT / 2}L${curve}L${to} ${HEIGHT / 2}Z` }));
      if (known.length > 1) drawn.push(s("path", { class: "curve", d: `M${curve}` }));
      // A line of no length is a spot, because its ends are round.
      const spots = known.filter(({ loss }) => loss >= MARKED || known.length === 1);
      drawn.push(...spots.map((spot) => s("path", { class: `spot ${lossClass(spot.loss)}`, d: `M${at(spot)}h0` })));
    }
    if (here >= 0) drawn.push(s("path", { class: "now", d: `M${here} 0V${HEIGHT}` }));
    this.svg.replaceChildren(...drawn);
    this.top.textContent = known.length > 0 ? "Black ahead" : "Analyse or review to see the score over the game";
    this.bottom.textContent = known.length > 0 ? "White ahead" : "";
    const now = known.find(({ turn }) => turn === here);
    this.now.textContent = now ? scoreText(now.margin) : "";
  }
}
