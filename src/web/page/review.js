// After the game: counting with dead stones taken off, and the review of all turns.

import { byId, h } from "./dom.js";

/** Counting: dead stones are marked, clicks change the marks. */
export class Counting {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.box = h("div", {});
    byId("panel-review").append(this.box);
    model.on("position counting ended", () => this.#show());
  }

  /** Lets the engine mark the dead stones. */
  async start() {
    const score = await this.actions.act({ dead_stones: { estimate: true } });
    if (score) this.#set(score);
  }

  /** Changes the mark of a group. */
  async toggle(point) {
    const score = await this.actions.act({ toggle_dead: { at: point } });
    if (score) this.#set(score);
  }

  stop() {
    this.#set(null);
  }

  #set(score) {
    this.model.counting = score;
    this.model.emit("counting");
  }

  async #agree() {
    if ((await this.actions.act("agree")) !== null) this.stop();
  }

  #show() {
    const { counting } = this.model;
    const button = (text, action, primary) => h("button", { class: primary ? "button primary" : "button", type: "button", onclick: action }, text);
    if (!counting) {
      const note = "The rules count the stones as they stand. Dead stones that both players agree on can be taken off first.";
      this.box.replaceChildren(
        h("h2", {}, "Count"),
        h("p", { class: "note" }, note),
        h("div", { class: "row" }, button("Mark dead stones", () => this.start(), this.model.state?.over)),
      );
      return;
    }
    const row = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
    this.box.replaceChildren(
      h("h2", {}, "Count"),
      h("p", { class: "note" }, "Press a group on the board to change whether it is dead. Squares show whose each point is."),
      h(
        "dl",
        { class: "counts" },
        row("The rules' own count", counting.rules),
        row("With dead stones taken off", counting.agreed),
        row("The same board by area", counting.area),
        row("The same board by territory", counting.territory),
      ),
      h("div", { class: "row" }, button("Agree on this", () => this.#agree(), true), button("Back to the game", () => this.stop())),
    );
  }
}

/** The review: every turn of the line is analysed. */
export class Review {
  #worst = [];

  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.visits = h("select", { "aria-label": "Visits a turn" }, [50, 200, 1000, 5000].map((count) => h("option", { value: count, selected: count === 200 }, `${count} visits a turn`)));
    this.progress = h("progress", { class: "review-progress", max: 1, value: 0, hidden: true, "aria-label": "Progress of the review" });
    this.button = h("button", { class: "button", type: "button", onclick: () => this.run() }, "Review the game");
    this.text = h("p", { class: "note", role: "status" });
    this.list = h("ol", { class: "steps" });
    byId("panel-review").append(h("h2", {}, "Review"), h("div", { class: "row" }, this.button, this.visits), this.progress, this.text, this.list);
    model.on("review", (event) => this.#step(event));
  }

  async run() {
    if (this.model.thinking?.what === "review") {
      this.actions.act("stop");
      return;
    }
    this.list.replaceChildren();
    this.progress.value = 0;
    this.progress.hidden = false;
    this.button.textContent = "Stop";
    this.text.textContent = "Looking at every turn.";
    const done = await this.actions.act({ review: { visits: Number(this.visits.value) } });
    this.button.textContent = "Review the game";
    this.progress.hidden = true;
    this.#worst = done?.worst ?? [];
    this.#show();
  }

  #step({ done, total }) {
    this.progress.max = total;
    this.progress.value = done;
    this.text.textContent = `${done} of ${total} turns`;
  }

  #show() {
    const rows = this.#worst.filter(({ node, loss }) => loss > 0 && this.model.nodes.has(node));
    this.text.textContent = rows.length > 0 ? "These turns lost most:" : "No turn lost anything that this search could see.";
    this.list.replaceChildren(
      ...rows.map(({ node, loss }) => {
        const { caption, turn } = this.model.nodes.get(node);
        const number = this.model.lineTo(node).length - 1;
        const text = `Turn ${number}, ${caption || turn}: ${loss.toFixed(1)} points`;
        return h("li", {}, h("button", { type: "button", onclick: () => this.actions.act({ go: { node } }) }, h("span", {}, text)));
      }),
    );
  }
}
