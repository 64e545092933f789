// The dialog for a new game.

import { h } from "./dom.js";
import { picture } from "./board.js";
import { openDialog } from "./dialog.js";
import { COLORS } from "./cells.js";
import { playerField } from "./players.js";
import { kept } from "./model.js";
import { SetupBoard } from "./setup.js";

let lastId = 0;

/** A field with a label. */
function field(label, ...inputs) {
  const id = `field-${++lastId}`;
  inputs[0].id = id;
  return h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "inputs" }, inputs));
}

const number = (value, attributes = {}) => h("input", { type: "number", value, ...attributes });

/** The form of one variant. */
class Form {
  constructor(variant, hello, players) {
    this.variant = variant;
    this.setup = new SetupBoard(variant.handicap !== "none");
    this.options = variant.options.map((option) => this.#option(option));
    this.width = number(variant.width, { min: 2, max: 25, "aria-label": "Columns" });
    this.height = number(variant.height, { min: 2, max: 25, "aria-label": "Rows" });
    this.komi = number(variant.komi, { step: 0.5 });
    this.handicap = number(0, { min: 0, max: 400 });
    this.players = COLORS.map((color) => playerField(hello, color, players[color]));
    this.element = h("div", { class: "form" }, this.#board(), this.#rules(), this.#who(), this.setup.element);
    for (const input of [this.width, this.height]) input.addEventListener("input", () => this.#reshape());
    this.#reshape();
  }

  #option({ key, default: standard, values, allowed }) {
    const input = values
      ? h("select", {}, values.map((value) => h("option", { value, selected: value === standard }, value)))
      : h("input", { type: "text", value: standard, size: 8, title: allowed });
    input.addEventListener("change", () => this.#reshape());
    return { key, standard, input, row: field(key.replaceAll("-", " "), input) };
  }

  #board() {
    const square = this.variant.sizes.square_only;
    const size = field("Size", ...(square ? [this.width] : [this.width, this.height]));
    const rows = [size, field("Komi", this.komi)];
    if (this.variant.handicap !== "none") rows.push(field("Handicap stones", this.handicap));
    return h("fieldset", {}, h("legend", {}, "Board"), rows);
  }

  #rules() {
    return h("fieldset", {}, h("legend", {}, "Rules"), this.options.map(({ row }) => row));
  }

  #who() {
    return h("fieldset", {}, h("legend", {}, "Who plays"), this.players.map(({ element }) => element));
  }

  #layers() {
    const option = this.options.find(({ key }) => key === "layers");
    return Number(option?.input.value ?? 1) || 1;
  }

  #sizes() {
    const bounded = (input) => Math.min(Math.max(Math.round(Number(input.value)) || 2, 2), 25);
    const width = bounded(this.width);
    return [width, this.variant.sizes.square_only ? width : bounded(this.height)];
  }

  #reshape() {
    const [width, height] = this.#sizes();
    const layers = this.#layers();
    const largest = this.variant.sizes.max?.[layers] ?? 25;
    this.width.max = largest;
    if (width <= largest) this.setup.reshape(width, height, layers);
  }

  /** Chosen stones, or a number of stones that the engine places. */
  #handicap() {
    const points = this.setup.points("handicap");
    if (points.length > 0) return { handicap_points: points };
    return { handicap: Math.max(0, Math.round(Number(this.handicap.value) || 0)) };
  }

  /** The command that begins this game. */
  command() {
    const [width, height] = this.#sizes();
    const rules = {};
    for (const { key, standard, input } of this.options) {
      if (input.value !== standard) rules[key] = input.value;
    }
    const players = { black: this.players[0].value(), white: this.players[1].value() };
    kept.write("players", players);
    return {
      new: {
        variant: this.variant.id,
        width,
        height,
        komi: Number(this.komi.value),
        rules,
        ...this.#handicap(),
        blocked: this.setup.points("blocked"),
        players,
      },
    };
  }
}

/** A picture without words, for a card that has a name. */
function thumbnail(state) {
  const { element } = picture(state, "");
  element.querySelector("figcaption").remove();
  element.querySelector("svg").setAttribute("aria-hidden", "true");
  return element;
}

function card(variant, chosen, choose) {
  return h(
    "button",
    { class: "game-card", type: "button", role: "radio", "aria-checked": String(chosen), "data-variant": variant.id, onclick: choose },
    h("div", { class: "thumb" }, variant.example.length > 0 && thumbnail(variant.example.at(-1).state)),
    h("strong", {}, variant.name),
    h("span", {}, variant.summary),
  );
}

/** Opens the dialog; kept games are offered at its top. */
export function openNewGame(model, actions, records) {
  const { hello } = model;
  const players = kept.read("players") ?? { black: "human", white: { level: Math.min(3, hello.levels) } };
  let form = null;
  const formBox = h("div", {});
  const cards = h("div", { class: "games", role: "radiogroup", "aria-label": "Game" });
  const error = h("p", { class: "warnings", role: "alert" });
  const choose = (variant) => {
    form = new Form(variant, hello, players);
    formBox.replaceChildren(form.element);
    for (const each of cards.children) each.setAttribute("aria-checked", String(each.dataset.variant === variant.id));
  };
  cards.append(...hello.variants.map((variant) => card(variant, false, () => choose(variant))));
  const begin = async () => {
    try {
      await actions.request(form.command());
      dialog.close();
    } catch (refused) {
      error.replaceChildren(h("p", {}, refused.message));
    }
  };
  const keptGames = records.keptGames().slice(0, 4);
  const resume = async (game) => {
    dialog.close();
    await records.restore(game);
  };
  const offers =
    keptGames.length > 0 &&
    h(
      "div",
      { class: "kept", role: "group", "aria-label": "Games kept in this browser" },
      keptGames.map((game) =>
        h("button", { class: "button", type: "button", onclick: () => resume(game) }, `Go on: ${game.title}, ${game.turns} turns, ${new Date(game.at).toLocaleString()}`),
      ),
    );
  const dialog = openDialog("New game", [offers, cards, formBox, error].filter(Boolean), [
    h("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Cancel"),
    h("button", { class: "button primary", type: "button", id: "begin", autofocus: true, onclick: begin }, "Begin"),
  ]);
  choose(model.variant ?? hello.variants[0]);
}
