// The end of a game: who has won, the stones taken for dead, and what comes next.

import { byId, h } from "./dom.js";

/** The panel of the result. Groups that it takes for dead are corrected by clicks. */
export class GameEnd {
  #asked = null;

  /** `parts`: `review()`, `save()`, `newGame()`. */
  constructor(model, actions, parts) {
    this.model = model;
    this.actions = actions;
    this.parts = parts;
    model.on("position", () => this.#count());
    model.on("position counting ended connection", () => this.#show());
  }

  /** Asks for the count where two passes have just been made. */
  async #count() {
    const { model } = this;
    const { position } = model;
    if (position.outcome?.how !== "counted" || this.#asked === position) return;
    this.#asked = position;
    const score = await this.actions.request({ dead_stones: { estimate: true } }).catch(() => null);
    if (score && model.position === position) this.#set(score);
  }

  /** Changes whether a group counts as dead. */
  async toggle(point) {
    if (this.model.counting?.closed) return;
    try {
      this.#set(await this.actions.request({ toggle_dead: { at: point } }));
      this.actions.say("");
    } catch ({ message }) {
      this.actions.say(message, true);
    }
  }

  #set(score) {
    this.model.counting = score;
    this.model.emit("counting");
  }

  async #agree() {
    const { counting } = this.model;
    if ((await this.actions.act("agree")) === null) return;
    this.#set({ ...counting, closed: true });
  }

  #show() {
    const { model } = this;
    const box = byId("ending");
    const outcome = model.outcome;
    document.body.classList.toggle("over", outcome !== null);
    box.hidden = outcome === null;
    if (outcome === null) return;
    const counting = outcome.how === "counted" ? model.counting : null;
    box.replaceChildren(
      h("h2", {}, this.#heading(outcome, counting)),
      ...(counting ? this.#counted(counting) : []),
      h("div", { class: "row next" }, this.#next(outcome)),
    );
  }

  #heading(outcome, counting) {
    if (outcome.how === "counted") return counting ? `${counting.sentence}.` : "Counting …";
    return outcome.how === "agreed" ? `${outcome.sentence}, as agreed.` : `${outcome.sentence}.`;
  }

  #counted({ taken, rules_sentence: rules }) {
    return [
      h("p", {}, `${taken} Click a group on the board to correct that.`),
      h("p", { class: "note" }, rules),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button primary", type: "button", id: "agree", onclick: () => this.#agree() }, "Agree"),
        this.#playOn(),
      ),
    ];
  }

  #playOn() {
    const { players } = this.model.game;
    if (players.black !== "human" && players.white !== "human") return null;
    return h("button", { class: "button", type: "button", id: "play-on", onclick: () => this.actions.act("take_back") }, "Play on");
  }

  #next(outcome) {
    const { parts, actions } = this;
    const button = (id, words, action) => h("button", { class: "button", type: "button", id, onclick: action }, words);
    return [
      button("rematch", "Rematch", () => actions.act("rematch")),
      button("review-game", "Review", () => parts.review()),
      button("save-game", "Save", () => parts.save()),
      button("next-game", "New game", () => parts.newGame()),
      outcome.how === "resigned" && button("undo-end", "Take back", () => actions.act("take_back")),
    ];
  }
}
