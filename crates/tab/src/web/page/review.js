// The review: the worst turns of a game, with better ones.

import { COLORS, named } from "./cells.js";
import { button, byId, h } from "./dom.js";
import { choice } from "./fields.js";
import { lossClass, lossText, lossWords, scoreText } from "./loss.js";
import { ownSides } from "./mistakes.js";
import { tried } from "./model.js";
import { report } from "./report.js";
import { lineText, turnText } from "./turn.js";

/** Visits for each position, and words for them. */
const VISITS = [[50, "quickly"], [200, "well"], [1000, "thoroughly"], [5000, "very thoroughly"]];

export class Review {
  #mistakes = [];
  #accuracy = null;
  #game = 0;

  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.visits = choice(VISITS, 200, { "aria-label": "How thoroughly kawari searches each move" });
    this.button = button("Review the game", () => this.run(), { id: "run-review" });
    this.progress = h("progress", { class: "review-progress", max: 1, value: 0, hidden: true, "aria-label": "Progress of the review" });
    this.text = h("p", { class: "note", role: "status" });
    this.accuracy = h("p", { class: "accuracy" });
    this.list = h("ol", { class: "mistakes" });
    this.side = choice([["", "of both sides"], ...COLORS.map((color) => [color, `of ${named[color]}`])], "", { "aria-label": "Whose mistakes you learn from", id: "own-side", hidden: true });
    this.side.addEventListener("change", () => model.emit("side", this.side.value || null));
    this.steps = h("span", { class: "row", hidden: true }, this.#way("‹", "Previous mistake", "Shift+M", -1), this.#way("›", "Next mistake", "M", 1));
    this.learn = button("Learn from mistakes", () => model.emit("practise"), { id: "learn-mistakes", hidden: true });
    this.ways = h("div", { class: "ways" }, this.accuracy, this.steps);
    this.detail = h("div", { class: "better", "aria-live": "polite" });
    this.report = h("div", {});
    byId("panel-review").append(
      h("div", { class: "row" }, this.button, this.visits),
      this.progress,
      this.text,
      this.ways,
      h("div", { class: "row" }, this.learn, this.side),
      this.detail,
      this.list,
      this.report,
    );
    model.on("review", (event) => this.#step(event));
    model.on("position", () => this.#moved());
    model.on("tree", () => this.#forget());
  }

  #way(sign, words, key, by) {
    return button(sign, () => this.stepTo(by), { "aria-label": words, title: `${words} (${key})`, "data-by": by });
  }

  async run() {
    const { model, actions } = this;
    if (model.thinking?.what === "review") {
      actions.act("stop");
      return;
    }
    this.#clear();
    this.progress.value = 0;
    this.progress.hidden = false;
    this.button.textContent = "Stop";
    this.text.textContent = `Reviewing every ${model.turnName} …`;
    const done = await actions.act({ review: { visits: Number(this.visits.value) } });
    this.button.textContent = "Review the game";
    this.progress.hidden = true;
    this.#take(done?.worst ?? []);
    this.#accuracy = done?.accuracy ?? null;
    this.#showFindings();
  }

  /** Shows the side whose mistakes the person chose; null for both. */
  showSide(side) {
    this.side.value = side ?? "";
  }

  #take(worst) {
    this.#mistakes = worst.filter(({ node }) => this.model.nodes.has(node));
  }

  #showFindings() {
    this.#tellAccuracy(this.#accuracy);
    this.#list();
    if (this.#accuracy && this.model.losses.size > 0) this.report.replaceChildren(report(this.model, (node) => this.actions.go(node)));
    this.model.emit("reviewed");
  }

  /** The findings, or null. Nodes have their depths, because a reload changes their numbers. */
  saved() {
    const { model } = this;
    const lines = [...model.losses.keys()].map((node) => model.lineTo(node));
    const line = lines.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
    if (line.length === 0 || this.#accuracy === null) return null;
    const depths = new Map(line.map(({ id }, depth) => [id, depth]));
    const there = ([depth]) => depth !== undefined;
    return {
      path: model.pathTo(line.at(-1).id),
      losses: [...model.losses].map(([node, { loss, color, best, prior }]) => [depths.get(node), loss, color, best, prior]).filter(there),
      mistakes: this.#mistakes.map((mistake) => [depths.get(mistake.node), mistake]).filter(there),
      accuracy: this.#accuracy,
    };
  }

  /** Shows what a page or a link has kept of a review; nothing if that is damaged. */
  restore(saved) {
    if (saved && !tried(() => this.#read(saved) ?? true, false)) this.#clear();
  }

  #read(saved) {
    const { model } = this;
    const end = model.along(saved.path);
    if (!end) return;
    const line = model.lineTo(end.id);
    for (const [depth, loss, color, best = false, prior = null] of saved.losses) model.losses.set(line[depth].id, { loss, color, best, prior });
    this.#mistakes = saved.mistakes.map(([depth, mistake]) => ({ ...mistake, node: line[depth].id }));
    this.#accuracy = saved.accuracy;
    this.#showFindings();
  }

  #clear() {
    this.#mistakes = [];
    this.#accuracy = null;
    this.model.losses.clear();
    this.model.mistake = null;
    for (const part of [this.list, this.detail, this.accuracy, this.report]) part.replaceChildren();
    this.steps.hidden = true;
    this.learn.hidden = true;
    this.model.emit("reviewed");
  }

  #step({ done, total, losses, worst }) {
    for (const { node, ...turn } of losses) this.model.losses.set(node, turn);
    this.progress.max = total;
    this.progress.value = done;
    // The list grows while the review works.
    if (worst) {
      this.#take(worst);
      this.#list();
      this.model.emit("reviewed");
    }
    this.text.textContent = `${Math.floor((100 * done) / total)}% done`;
  }

  #tellAccuracy(accuracy) {
    const sides = COLORS.filter((color) => typeof accuracy?.[color] === "number");
    this.accuracy.replaceChildren(
      ...(sides.length > 0 ? ["Accuracy"] : []),
      ...sides.flatMap((color) => [
        h("span", { class: `disc ${color}`, role: "img", "aria-label": named[color] }),
        h("span", { "data-accuracy": color }, `${Math.round(accuracy[color])}%`),
      ]),
    );
  }

  #list() {
    const { model } = this;
    const name = model.turnName;
    this.steps.hidden = this.#mistakes.length === 0;
    const own = ownSides(model.game.players);
    this.learn.hidden = this.#accuracy === null || !this.#mistakes.some(({ color }) => own.includes(color));
    // A record of two people does not say who asks.
    this.side.hidden = this.learn.hidden || own.length === 1;
    this.text.textContent = this.#mistakes.length > 0 ? `These ${name}s cost most. A click shows a better ${name} on the board.` : "This search found no mistake.";
    this.list.replaceChildren(
      ...this.#mistakes.map((mistake) =>
        h(
          "li",
          { "data-node": mistake.node },
          h(
            "button",
            { onclick: () => this.show(mistake) },
            h("span", { class: `chip ${lossClass(mistake.loss)}` }, lossText(mistake.loss)),
            h("span", { class: `disc ${mistake.color}`, "aria-hidden": "true" }),
            h("span", {}, this.#sentence(mistake)),
          ),
        ),
      ),
    );
    this.#markCurrent();
  }

  #sentence({ node, color, reason, better, caption }) {
    const number = this.model.lineTo(node).length - 1;
    const instead = better ? `; better ${turnText(better)}` : "";
    return `${number}. ${named[color]} ${caption}${reason ? `: ${reason}` : ""}${instead}`;
  }

  /** Goes to the position before a mistake, and shows the better turn there. */
  async show(mistake) {
    const { model } = this;
    const parent = model.nodes.get(mistake.node)?.parent ?? null;
    if (parent === null) return;
    const there = model.position.node === parent && model.going === null;
    if (!there && (await this.actions.go(parent)) === null) return;
    // The person has chosen another mistake meanwhile.
    if (model.position.node !== parent) return;
    model.mistake = mistake;
    this.#tell(mistake);
    this.#markCurrent();
    model.emit("reviewed");
  }

  #markCurrent() {
    const node = String(this.model.mistake?.node);
    for (const item of this.list.children) {
      if (item.dataset.node === node) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  #tell({ node, color, loss, reason, better, points }) {
    const { caption, turn } = this.model.nodes.get(node);
    const did = turn === "pass" ? "passed" : `played ${caption || turn}${points.length > 0 ? " (the ring)" : ""}`;
    const why = reason ? `: ${reason}` : "";
    const played = `${named[color]} ${did} and lost ${lossWords(loss)}${why}.`;
    this.actions.say(better ? `${played} Better: ${turnText(better)}.` : played);
    byId("board").scrollIntoView({ block: "nearest" });
    const line = lineText(better?.pv ?? []);
    const instead = better ? `Better, with ${scoreText(better.scoreLead)}: ${line}.` : "";
    const here = button("Play this against kawari", () => this.actions.playFromHere(), { id: "play-from-here" });
    this.detail.replaceChildren(h("p", {}, played), better ? h("p", {}, instead) : "", h("div", { class: "row" }, here));
  }

  #moved() {
    const { model } = this;
    const { mistake } = model;
    if (!mistake || model.nodes.get(mistake.node)?.parent === model.position.node) return;
    model.mistake = null;
    this.detail.replaceChildren();
    this.#markCurrent();
    model.emit("reviewed");
  }

  #forget() {
    if (this.#game === this.model.games) return;
    this.#game = this.model.games;
    this.text.textContent = "";
    this.#clear();
  }

  stepTo(by) {
    const { model } = this;
    if (this.#mistakes.length === 0) return;
    const depth = (node) => model.lineTo(node).length;
    const inOrder = [...this.#mistakes].sort((a, b) => depth(a.node) - depth(b.node));
    const here = depth((model.going ?? model.position).node) + 1;
    const next = by > 0 ? inOrder.find(({ node }) => depth(node) > here || (depth(node) === here && !model.mistake && !model.going)) : inOrder.findLast(({ node }) => depth(node) < here);
    this.show(next ?? inOrder.at(by > 0 ? 0 : -1));
  }
}
