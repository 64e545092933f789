// The end of a game: the result, the dead stones, and the next steps.

import { ask } from "./dialog.js";
import { button, byId, h, heads } from "./dom.js";
import { guestKey } from "./link.js";

/** A number of points with halves: `7½`, `−3`. */
function points(number) {
  const [whole, rest] = [Math.trunc(Math.abs(number)), Math.abs(number) % 1];
  const half = rest === 0 ? "" : rest === 0.5 ? "½" : rest.toFixed(2).slice(1);
  return `${number < 0 ? "−" : ""}${whole === 0 && half ? "" : whole}${half}`;
}

function tallyTable({ stones, territory, prisoners, komi, bonus, total }) {
  const row = (name, { black, white }) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, points(black)), h("td", {}, points(white)));
  return h(
    "table",
    { class: "tally" },
    h("thead", {}, heads(["", "Black", "White"], "Part of the score")),
    h(
      "tbody",
      {},
      stones && row("Stones", stones),
      row("Territory", territory),
      prisoners && row("Prisoners", prisoners),
      row("Komi", { black: 0, white: komi }),
      (bonus.black !== 0 || bonus.white !== 0) && row("Bonus for handicap", bonus),
    ),
    h("tfoot", {}, row("Points", total)),
  );
}

/** The result in words, with the dead stones that are marked or agreed on. */
export function resultWords({ outcome, counting }) {
  if (outcome.how === "counted") return counting ? `${counting.sentence}.` : "Counting …";
  return `${outcome.sentence}${outcome.how === "agreed" ? ", as agreed" : ""}.`;
}

export class GameEnd {
  #asked = null;

  /** `parts`: `review()`, `rematch()`, `save()`, `newGame()`. */
  constructor(model, actions, parts) {
    this.model = model;
    this.actions = actions;
    this.parts = parts;
    model.on("position", () => this.#count());
    model.on("position counting ended connection game", () => this.#show());
  }

  async #count() {
    const { model } = this;
    const { position } = model;
    if (position.outcome?.how !== "counted" || this.#asked === position) return;
    this.#asked = position;
    const score = await this.actions.request({ dead_stones: { estimate: !this.model.game.friend?.asked && !guestKey } }).catch(() => null);
    if (score && model.position === position) this.#set(score);
  }

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

  #confirm() {
    const { objections } = this.model.counting;
    if (objections.length === 0) this.#agree();
    else ask(`Agree? ${objections.join(" ")}`, "Agree", () => this.#agree());
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
    const isNew = box.hidden;
    box.hidden = outcome === null;
    if (outcome === null || !model.state) return;
    const { counting } = model;
    box.replaceChildren(
      h("h2", {}, resultWords(model)),
      outcome.reason && h("p", {}, outcome.reason),
      counting ? tallyTable(counting.tally) : "",
      ...(counting && outcome.how === "counted" ? this.#counted(counting) : []),
      // A game by link continues until both have agreed.
      model.game.friend?.acts ? "" : h("div", { class: "row next" }, this.#next(outcome)),
    );
    // Below a high board on a phone the result would be out of sight.
    if (isNew) box.firstChild.scrollIntoView({ block: "nearest" });
  }

  #counted({ taken, objections, rules_sentence: rules }) {
    const hasStones = this.model.state.board.some((row) => /[XO]/.test(row));
    return [
      h("p", {}, hasStones ? `${taken} Click a group on the board to change its status.` : "No stone is left on the board."),
      ...objections.map((text) => h("p", { class: "objection" }, text)),
      h("p", { class: "note" }, rules),
      h(
        "div",
        { class: "row" },
        this.model.game.friend ? this.#byLink(this.model.game.friend) : [button("Agree", () => this.#confirm(), { class: "primary", id: "agree" }), this.#playOn()],
      ),
    ];
  }

  /** The buttons of a count that goes to a friend by link. */
  #byLink({ own, acts, asked, draft }) {
    const say = (what) => () => this.actions.act({ say: what });
    if (!own || (acts !== own && (asked || !draft))) return [];
    if (!asked) return [button("Send this count", say("dead"), { class: "primary", id: "count-dead" })];
    return [
      button("Agree", say("yes"), { class: "primary", id: "agree" }),
      button("Count mine", say("dead"), { id: "count-dead", title: "Sends the current marks" }),
      button("Play on", say("no"), { id: "play-on" }),
    ];
  }

  #playOn() {
    const { players } = this.model.game;
    if (players.black !== "human" && players.white !== "human") return null;
    return button("Play on", () => this.actions.act("take_back"), { id: "play-on" });
  }

  #next(outcome) {
    const { parts, actions } = this;
    const rematch = button("Rematch", () => parts.rematch(), { id: "rematch" });
    if (guestKey) return [rematch];
    return [
      rematch,
      button("Review", () => parts.review(), { id: "review-game" }),
      button("Save", () => parts.save(), { id: "save-game" }),
      button("New game", () => parts.newGame(), { id: "next-game" }),
      ["resigned", "time"].includes(outcome.how) && !this.model.game.friend && button("Take back", () => actions.act("take_back"), { id: "undo-end" }),
      !this.model.state.over && !this.model.game.friend && button("Play on", () => actions.act("play_on"), { id: "play-on-end", title: outcome.how === "time" ? "Without clocks" : null }),
    ];
  }
}
