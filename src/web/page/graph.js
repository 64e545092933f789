// The graph of the game: who is ahead, turn by turn.

import { h, s } from "./dom.js";

const HEIGHT = 100;

/** The curve of the current line; a click goes to its turn. */
export class Graph {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.svg = s("svg", { preserveAspectRatio: "none", role: "img", "aria-label": "Score over the game" });
    this.top = h("span", { class: "legend top" });
    this.bottom = h("span", { class: "legend bottom" });
    this.element = h("div", { class: "graph" }, this.svg, this.top, this.bottom);
    this.element.addEventListener("click", (event) => this.#go(event));
    model.on("position tree analysis review", () => this.draw());
  }

  #go(event) {
    const { left, width } = this.element.getBoundingClientRect();
    const { line } = this.model;
    const index = Math.round(((event.clientX - left) / width) * (line.length - 1));
    const node = line[Math.min(Math.max(index, 0), line.length - 1)];
    if (node) this.actions.act({ go: { node: node.id } });
  }

  /** The turns whose score is known; a search that goes on knows its own best. */
  #known(line) {
    const { analysis } = this.model;
    return line.flatMap(({ id, value }, turn) => {
      const seen = analysis?.node === id ? analysis : value;
      return seen ? [{ turn, margin: seen.margin }] : [];
    });
  }

  draw() {
    const { line } = this.model;
    const known = this.#known(line);
    const width = Math.max(line.length - 1, 1);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const highest = Math.max(5, ...known.map(({ margin }) => Math.abs(margin)));
    // Large leads are drawn closer together than small ones.
    const y = (margin) => HEIGHT / 2 - (HEIGHT / 2 - 4) * Math.sign(margin) * Math.sqrt(Math.abs(margin) / highest);
    const curve = known.map(({ turn, margin }) => `${turn} ${y(margin).toFixed(2)}`).join("L");
    const here = line.findIndex(({ id }) => id === this.model.position?.node);
    const drawn = [s("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${width}` })];
    if (known.length > 0) {
      const from = known[0].turn;
      const to = known.at(-1).turn;
      drawn.push(s("path", { class: "black-side", d: `M${from} ${HEIGHT / 2}L${curve}L${to} ${HEIGHT / 2}Z` }));
      // A line of no length is a spot, because its ends are round.
      drawn.push(s("path", { class: known.length === 1 ? "curve spot" : "curve", d: `M${curve}${known.length === 1 ? "h0" : ""}` }));
    }
    if (here >= 0) drawn.push(s("path", { class: "now", d: `M${here} 0V${HEIGHT}` }));
    this.svg.replaceChildren(...drawn);
    this.top.textContent = known.length > 0 ? `Black ahead, up to ${highest.toFixed(0)}` : "Score over the game: analyse or review to see it";
    this.bottom.textContent = known.length > 0 ? "White ahead" : "";
  }
}
