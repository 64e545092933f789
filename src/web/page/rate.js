// A bar beside the board: the win rate by the latest search.

import { byId, h } from "./dom.js";
import { kept } from "./model.js";

/** The bar, and the box that switches it, in a panel. */
export class RateBar {
  constructor(model, panel) {
    this.model = model;
    this.fill = h("span", {});
    this.words = h("span", { class: "rate-words" });
    this.element = h("div", { id: "rate-bar", role: "img", hidden: true }, this.fill, this.words);
    byId("board").before(this.element);
    const box = h("input", { type: "checkbox", id: "show-rate", checked: kept.read("rate") === true });
    box.addEventListener("change", () => {
      kept.write("rate", box.checked);
      this.draw();
    });
    this.box = box;
    panel.append(h("label", { class: "row" }, box, " Win rate beside the board"));
    model.on("position analysis analysing review reviewed", () => this.draw());
    addEventListener("resize", () => this.draw());
  }

  draw() {
    const { model, element } = this;
    const seen = model.analysis ?? model.nodes.get(model.position?.node)?.value;
    element.hidden = !this.box.checked;
    if (element.hidden) return;
    const board = byId("board");
    Object.assign(element.style, { top: `${board.offsetTop}px`, height: `${board.offsetHeight}px`, left: `${board.offsetLeft}px` });
    element.classList.toggle("unknown", !seen);
    const rate = seen ? Math.round(100 * seen.win_rate) : 50;
    this.fill.style.height = `${rate}%`;
    this.words.textContent = seen ? `${Math.max(rate, 100 - rate)}` : "";
    this.words.classList.toggle("of-black", rate >= 50);
    element.setAttribute("aria-label", seen ? `Black's win rate: ${rate}%` : "Analyse or review to see the win rate");
  }
}
