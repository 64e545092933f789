// The parts beside the board, one shown at a time.

import { byId, rove } from "./dom.js";

export class Tabs {
  constructor(model) {
    this.model = model;
    this.list = [...document.querySelectorAll("[role=tab]")];
    for (const tab of this.list) {
      tab.addEventListener("click", ({ detail }) => {
        this.#select(tab);
        // After a click the keys go through the game; a person who came by keys stays here.
        if (detail > 0) byId("board").focus({ preventScroll: true });
      });
    }
    model.on("game", () => this.#showSteps());
    rove(this.list[0].parentElement);
  }

  #showSteps() {
    const [steps] = this.list;
    steps.hidden = !this.model.game.steps && !this.model.game.forecast;
    if (steps.hidden && steps.ariaSelected === "true") this.#select(byId("tab-tree"), false);
  }

  begin() {
    if (!this.model.analysing) this.#select(this.list.find(({ hidden }) => !hidden), false);
  }

  /** Shows a tab; one that a person chose is unfolded. */
  #select(chosen, isChosen = true) {
    for (const tab of this.list) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !selected;
    }
    this.model.emit("tab", isChosen);
  }

  choose(name) {
    this.#select(byId(`tab-${name}`));
  }

  comment() {
    byId("talk").open = true;
    byId("talk").querySelector("textarea").focus();
  }
}
