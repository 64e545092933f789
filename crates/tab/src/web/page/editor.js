// The position editor. Nobody plays into a position that is being set up.

import { button, byId, h } from "./dom.js";
import { cellsOf } from "./geometry.js";
import { tell, tellRefusal } from "./dialog.js";
import { field, komiInput, komiOf, ruleField } from "./fields.js";
import { isRecord, kept } from "./model.js";
import { againstLast, choosePlayers } from "./players.js";
import { newName } from "./store.js";

/** Edits the position of the game in this tab, and its right turn as a problem. */
export class Editor {
  #shown = null;
  /** The best turns of a proof and its sentence, or null. */
  #proof = null;

  /** `save()` offers a file, `solve(id)` opens a problem of the person. */
  constructor(model, actions, { keeper, marking, save, solve }) {
    Object.assign(this, { model, actions, keeper, marking, save, solve });
    this.rules = h("div", { class: "editor-rules" });
    this.ways = h("div", { class: "row" });
    this.words = h("p", { class: "note", role: "status" });
    byId("editor").append(h("h2", {}, "Position editor"), marking.stones.element, this.rules, this.words, this.ways);
    model.on("position game tree editing connection", () => this.#draw());
  }

  /** Opens the game of a command, or the position that is shown, for edits. */
  async begin(command = { position: {} }) {
    await this.keeper.open(command);
    this.#change("position");
  }

  resume() {
    this.model.editing = this.keeper.item?.editing ?? null;
    this.model.emit("editing");
  }

  async block(point) {
    const { blocks } = this.model.game;
    const others = blocks.filter((other) => other !== point);
    if (others.length === blocks.length) {
      others.push(point);
      await this.actions.act({ set_up: { empty: [point] } });
    }
    await this.#restart({ blocks: others });
  }

  async #restart(changes) {
    const refused = await this.keeper.again({ position: changes });
    if (refused) tellRefusal(refused);
    return !refused;
  }

  #change(editing) {
    const { model, keeper, marking } = this;
    keeper.note({ editing });
    model.editing = editing;
    this.#proof = null;
    marking.choose(null);
    model.emit("editing");
    model.emit("mode");
  }

  #draw() {
    const { model } = this;
    const { editing } = model;
    byId("editor").hidden = !editing;
    document.body.classList.toggle("editing", editing === "position");
    this.marking.place(editing === "position" && byId("editor"));
    if (!editing || !model.state || !model.variant) return;
    this.rules.hidden = editing !== "position";
    this.words.hidden = !this.rules.hidden;
    this.#showRules();
    this.ways.replaceChildren(...(editing === "position" ? this.#waysOn() : this.#waysOfProblem()));
  }

  /** The fields for komi and rules; they keep the keyboard while they show what holds. */
  #showRules() {
    const { variant, game } = this.model;
    const holds = JSON.stringify([variant.id, game.komi, game.rules]);
    if (holds === this.#shown) return;
    this.#shown = holds;
    const komi = komiInput(game.komi);
    const options = variant.options.map((option) => ruleField(option, game.rules[option.key], () => change()));
    const change = async () => {
      const rules = Object.fromEntries(options.map(({ key, select }) => [key, select.value]));
      this.#shown = JSON.stringify([variant.id, komiOf(komi.value), rules]);
      if (await this.#restart({ komi: komiOf(komi.value), rules })) return;
      this.#shown = null;
      this.#draw();
    };
    komi.addEventListener("change", change);
    this.rules.replaceChildren(
      ...(variant.counted ? [field("Komi", [komi]).element] : []),
      h("details", { class: "more" }, h("summary", {}, "Rules"), options.map((option) => option.field.element)),
    );
  }

  #waysOn() {
    const { model, actions } = this;
    const { state, variant } = model;
    const way = (words, act, id, more = {}) => button(words, act, { id, ...more });
    const taken = [...cellsOf(state.board)].filter(([, symbol]) => variant.pieces.includes(symbol)).map(([point]) => point);
    return [
      way("Play", () => this.#play(), "editor-play", { class: "primary" }),
      way("Analyse", () => this.#analyse(), "editor-analyse"),
      way("Save", this.save, "editor-save"),
      way("As a problem", () => this.#change("answer"), "editor-problem", { disabled: state.over }),
      way("Clear the board", () => actions.act({ set_up: { empty: taken } }), "editor-clear", { disabled: taken.length === 0 }),
    ];
  }

  #play() {
    const { model, actions, keeper } = this;
    const person = kept.read("choices", isRecord)?.shared?.name ?? "";
    const begin = async (players) => {
      const refused = await keeper.again({ position: { players, person, link: newName() } });
      if (!refused) this.#change(null);
      return refused;
    };
    choosePlayers(model, actions, { players: againstLast(model.state.to_move), begin });
  }

  #analyse() {
    this.#change(null);
    this.actions.analyse(true);
  }

  /** The node of the right turn: that of the line shown, or the first. */
  get #right() {
    const { model } = this;
    return model.lineTo(model.position?.node)[1] ?? model.nodes.get(model.root?.children[0]);
  }

  #waysOfProblem() {
    const right = this.#right;
    const proof = this.#proof?.best.includes(right?.turn) ? ` ${this.#proof.sentence}` : "";
    this.words.textContent = right ? `The right move: ${right.caption}.${proof}` : "Play the right move on the board, or let kawari find it.";
    return [
      button("Keep the problem", () => this.#keep(right), { id: "keep-problem", class: "primary", disabled: !right }),
      button("Let kawari find it", () => this.#find(), { id: "find-answer", disabled: Boolean(right) }),
      button("Back to the position", () => this.#back(), { id: "back-to-position" }),
    ];
  }

  /** Plays the turn of a proof on a small board, and otherwise that of a search. */
  async #find() {
    const { model, actions } = this;
    if (!model.view.can_solve) return actions.act("genmove");
    this.words.textContent = "Searching for a proof …";
    this.#proof = await actions.act("solve");
    const [best] = this.#proof?.best ?? [];
    return actions.act(best ? { play: { turn: best } } : "genmove");
  }

  async #back() {
    for (const node of [...this.model.root.children]) await this.actions.act({ remove: { node } });
    this.#change("position");
  }

  async #keep({ id: node, parent, color }) {
    const { keeper, actions, model } = this;
    if (model.nodes.get(parent).children[0] !== node) await actions.act({ promote: { node } });
    keeper.note({ problem: color });
    this.#change(null);
    await actions.go(parent);
    const { id } = keeper;
    tell("Saved to My games.", [["Solve it", () => this.solve(id)]]);
  }
}
