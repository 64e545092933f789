// The dialog for a new game. It fits a screen: rarely changed settings are under More.

import { button, checkbox, h, rove } from "./dom.js";
import { Board, thumbnail } from "./board.js";
import { closing, openDialog } from "./dialog.js";
import { choice, field, komiInput, komiOf, number, pills, ruleField } from "./fields.js";
import { kindOf, titleOf } from "./mygames.js";
import { PARTNER } from "./channel.js";
import { whoOpens } from "./link.js";
import { playerField, RANKED } from "./players.js";
import { isRecord, kept } from "./model.js";
import { newName } from "./store.js";
import { teachingAgainst, teachingWords } from "./teaching.js";

const MAX_KOMI = 10_000;
const MAX_HANDICAP = 400;

const HANDICAP_KOMI = 0.5;

/** Ways to share the sides; each has the players of Black and White. */
const SIDES = [
  ["black", "I play Black", "Opponent"],
  ["white", "I play White", "Opponent"],
  ["lot", "Random", "Opponent"],
  ["people", "Two people", null],
  ["engines", "Two engines", "Black"],
];

const CLOCKS = [
  ["none", "no clock", null],
  ["fischer", "Fischer: each move adds time", { main: ["Minutes", 5], extra: ["Seconds per move", 10] }],
  ["byo_yomi", "byo-yomi: periods after the main time", { main: ["Minutes", 10], extra: ["Seconds a period", 30], periods: ["Periods", 5] }],
];

const ABOUT = [
  [/komi/i, "komi"],
  [/handicap/i, "handicap"],
  [/clock|period/i, "clock"],
  [/level|thinking time/i, "who"],
  [/size|side|board|layer|columns|rows/i, "size"],
];

/** The form of one variant. `last` has the previous choices, `suggested` a side for a first game. */
class Form {
  #previews = 0;

  constructor(variant, { hello, last, shared, automatic, request, suggested }) {
    this.variant = variant;
    this.shared = shared;
    this.request = request;
    this.fields = {};
    this.last = last;
    this.isFirst = suggested !== null;
    const side = last.width ?? suggested ?? variant.sizes.first;
    this.width = number(side, { min: 2, max: 25, "aria-label": "Columns" });
    this.height = number(last.height ?? side, { min: 2, max: 25, "aria-label": "Rows" });
    this.komi = komiInput(last.komi ?? variant.komi);
    /** Whether the person chose the komi; otherwise it follows the board and the handicap. */
    this.hasOwnKomi = last.komi !== undefined;
    this.handicap = number(0, { min: 0, max: MAX_HANDICAP });
    this.handicap.addEventListener("input", () => this.#reshape());
    const box = h("div", { class: "setup-board" });
    this.board = new Board(box, { label: "Start of the game" });
    this.start = h("p", { class: "note" });
    this.preview = h("fieldset", { class: "wide" }, h("legend", {}, "Start"), h("div", { class: "setup" }, box, this.start));
    this.options = variant.options.map((option) => ruleField(option, last.rules?.[option.key], () => this.#reshape()));
    this.preset = this.#presets();
    this.name = h("input", { type: "text", maxlength: 60, value: shared.name ?? "", autocomplete: "nickname" });
    this.name.addEventListener("input", () => {
      shared.name = this.name.value.trim();
    });
    this.nameField = field("Your name", [this.name], "Your game records contain this name.").element;
    this.element = h("div", { class: "form" }, this.#board(), this.#who(hello, automatic), this.#more());
    for (const input of [this.width, this.height]) input.addEventListener("input", () => this.#reshape());
    this.komi.addEventListener("input", () => {
      this.hasOwnKomi = true;
      this.#suggestKomi();
    });
    this.#reshape();
  }

  #board() {
    const { usual, first } = this.variant.sizes;
    const sizes = [...new Set([...usual, first])].sort((a, b) => a - b);
    // Another size has its own place among the usual ones.
    this.sizes = pills("Board", [...sizes.map((side) => [side, `${side}×${side}`]), ["other", ""]], null, (side) => {
      if (side === "other") return;
      this.width.value = side;
      this.height.value = side;
      this.#reshape();
    });
    this.otherSize = this.sizes.element.lastChild;
    this.fair = button("", () => this.#takeOther(), { class: "fair" });
    this.fields.komi = field("Komi", [this.komi, this.fair], " ");
    this.aboutKomi = this.fields.komi.element.querySelector(".about");
    this.fields.komi.element.hidden = !this.variant.counted;
    const size = h("div", { class: "field" }, h("span", { class: "label" }, "Board"), this.sizes.element);
    return h("div", { class: "part", role: "group", "aria-label": "Board and komi" }, size, this.fields.komi.element);
  }

  #who(hello, automatic) {
    const { shared } = this;
    const box = h("div", {});
    this.about = h("p", { class: "about", id: "who-opens" });
    this.hello = hello;
    const show = () => {
      const [, , label] = SIDES.find(([side]) => side === shared.side);
      const names = label === null ? [] : shared.side === "engines" ? ["Black", "White"] : [label];
      this.players = names.map((name, index) => playerField(hello, name, [shared.opponent, shared.second][index], { withPerson: false, withFriend: label === "Opponent", ranks: this.#ranks(), automatic: names.length === 1 ? automatic.level(this.variant.id) : null }));
      box.replaceChildren(...this.players.map(({ element }) => element));
      showRest();
    };
    const teaching = this.#teaching(hello);
    const showRest = () => {
      this.#showName(box);
      teaching.show();
    };
    box.addEventListener("change", showRest);
    const side = pills("Who plays", SIDES.map(([value, text]) => [value, text]), shared.side, (value) => {
      this.#keepPlayers();
      shared.side = value;
      show();
    });
    show();
    this.showPlayers = () => {
      this.#keepPlayers();
      show();
    };
    this.fields.who = { error: h("p", { class: "field-error" }) };
    return h("div", { class: "part", role: "group", "aria-label": "Who plays" }, side.element, box, this.about, teaching.element, this.fields.who.error);
  }

  #isByLink() {
    return this.players.length === 1 && this.players[0].value() === "friend";
  }

  /** A friend elsewhere sees the name, so that it stands with the opponent then. */
  #showName(box) {
    const where = this.#isByLink() ? whoOpens(this.hello, PARTNER === "server") : "";
    this.about.textContent = where;
    const place = this.#isByLink() ? box : this.nameRow;
    place?.append(this.nameField);
  }

  /** The switch of the teacher: the choice for the level, or its default. */
  #teaching(hello) {
    const { shared } = this;
    shared.teach ??= {};
    const { box: input, element: label } = checkbox("Teaching", "teach", false, (on) => (shared.teach[level()[0]] = on));
    const about = h("p", { class: "about" });
    const level = () => {
      const player = this.players[0]?.value();
      return [player?.level ?? hello.levels, teachingAgainst(hello, player)];
    };
    const show = () => {
      const [number, taught] = level();
      element.hidden = !taught || shared.side === "people" || shared.side === "engines";
      if (!taught) return;
      input.checked = shared.teach[number] ?? (this.isFirst || taught.usual);
      about.textContent = teachingWords(taught, this.variant.counted);
    };
    this.teach = () => shared.side !== "people" && shared.side !== "engines" && input.checked && !this.#isByLink();
    const element = h("div", { class: "field" }, label, about);
    return { element, show };
  }

  /** Ranks of the levels; they were measured on one size. */
  #ranks() {
    const [width, height] = this.#size();
    return width === RANKED && height === RANKED ? this.variant.level_ranks : [];
  }

  #keepPlayers() {
    const [opponent, second] = this.players.map(({ value }) => value());
    if (opponent) this.shared.opponent = this.players[0].isAutomatic() ? { ...opponent, automatic: true } : opponent;
    if (second) this.shared.second = second;
  }

  #more() {
    const square = this.variant.sizes.square_only;
    this.fields.size = field("Other size", square ? [this.width] : [this.width, h("span", { "aria-hidden": "true" }, "×"), this.height]);
    this.nameRow = h("div", {}, this.#isByLink() ? [] : this.nameField);
    const rows = [this.fields.size.element, this.nameRow];
    if (this.variant.handicap !== "none") {
      this.fields.handicap = field("Handicap stones", [this.handicap], "kawari places the stones, as the picture shows.");
      rows.push(this.fields.handicap.element);
    }
    rows.push(this.#clock());
    this.details = h(
      "details",
      { class: "more wide" },
      h("summary", {}, "More: other sizes, your name, handicap, clocks, rules"),
      h(
        "div",
        { class: "form" },
        h("fieldset", {}, h("legend", {}, "Game"), rows),
        h("fieldset", {}, h("legend", {}, "Rules"), this.preset?.element, this.options.map((option) => option.field.element)),
        this.preview,
      ),
    );
    this.details.addEventListener("toggle", () => this.#reshape());
    return this.details;
  }

  /** The choice of rules with a name, which sets the options; null without such rules. */
  #presets() {
    const { presets } = this.variant;
    if (presets.length === 0) return null;
    const about = h("p", { class: "about" });
    const select = choice([...presets.map(({ name }) => [name, name]), ["", "other"]], null, { id: "preset" });
    const optionOf = (key) => this.options.find((option) => option.key === key).select;
    select.addEventListener("change", () => {
      const { rules = {}, komi } = presets.find(({ name }) => name === select.value) ?? {};
      for (const [key, value] of Object.entries(rules)) optionOf(key).value = value;
      if (komi !== undefined && !this.#hasHandicap()) {
        this.komi.value = komi;
        this.hasOwnKomi = true;
      }
      this.#reshape();
    });
    const show = () => {
      const now = presets.find(({ rules }) => Object.entries(rules).every(([key, value]) => optionOf(key).value === value));
      select.value = now?.name ?? "";
      about.textContent = now?.about ?? "";
    };
    const { element } = field("Rules", [select]);
    element.append(about);
    return { element, show };
  }

  #clock() {
    const last = this.last.clock ?? { kind: "none" };
    const kind = choice(CLOCKS, last.kind);
    const numbers = h("div", { class: "inputs clock-numbers" });
    this.clock = { kind, inputs: {} };
    const show = () => {
      const [, , parts] = CLOCKS.find(([value]) => value === kind.value);
      this.clock.inputs = {};
      const inputs = Object.entries(parts ?? {}).map(([name, [label, usual]]) => {
        const value = last.kind === kind.value ? (last[name] ?? usual) : usual;
        const input = number(value, { min: 0, step: name === "periods" ? 1 : "any" });
        this.clock.inputs[name] = input;
        return h("label", {}, input, ` ${label.toLowerCase()}`);
      });
      numbers.replaceChildren(...inputs);
    };
    kind.addEventListener("change", show);
    show();
    this.fields.clock = field("Clock (people only)", [kind]);
    this.fields.clock.element.append(numbers);
    return this.fields.clock.element;
  }

  #clockSettings() {
    const { kind, inputs } = this.clock;
    const value = (name) => Number(inputs[name].value);
    const kept_ = { kind: kind.value };
    for (const name of Object.keys(inputs)) kept_[name] = value(name);
    this.keptClock = kept_;
    if (kind.value === "none") return null;
    const main = 60 * value("main");
    return kind.value === "fischer"
      ? { fischer: { main, increment: value("extra") } }
      : { byo_yomi: { main, period: value("extra"), periods: Math.round(value("periods")) } };
  }

  #layers() {
    return Number(this.options.find(({ key }) => key === "layers")?.select.value ?? 1) || 1;
  }

  #size() {
    const width = Number(this.width.value);
    return [width, this.variant.sizes.square_only ? width : Number(this.height.value)];
  }

  #largest() {
    return this.variant.sizes.max?.[this.#layers()] ?? 25;
  }

  #reshape() {
    const [width, height] = this.#size();
    const largest = this.#largest();
    for (const input of [this.width, this.height]) input.max = largest;
    for (const pill of this.sizes.element.children) pill.disabled = Number(pill.dataset.value) > largest;
    const isUsual = [...this.sizes.element.children].some((pill) => width === height && pill.dataset.value === String(width));
    this.otherSize.hidden = isUsual;
    this.otherSize.textContent = `${width}×${height}`;
    this.sizes.select(isUsual ? width : "other");
    this.#suggestKomi();
    this.showPlayers();
    this.preset?.show();
    const fits = [width, height].every((side) => Number.isInteger(side) && side >= 2 && side <= largest);
    if (fits && this.details.open) this.#preview();
    this.fields.size.error.textContent = fits ? "" : this.#sizeProblem();
  }

  #preview() {
    const number = ++this.#previews;
    const isLatest = () => number === this.#previews;
    this.request({ preview: this.#settings() }).then(
      ({ state, sheets, handicap }) => {
        if (!isLatest()) return;
        this.board.show({ ...state, sheets });
        const stones = handicap.map((point) => this.board.geometry.name(point));
        this.start.textContent = `${stones.length > 0 ? `Handicap: ${stones.join(", ")}. ` : ""}The position editor has blocked points, and other places for stones.`;
      },
      ({ message }) => isLatest() && (this.start.textContent = message),
    );
  }

  #settings() {
    const [width, height] = this.#size();
    const changed = this.options.filter(({ standard, select }) => select.value !== standard);
    return {
      variant: this.variant.id,
      width,
      height,
      komi: komiOf(this.komi.value),
      rules: Object.fromEntries(changed.map(({ key, select }) => [key, select.value])),
      stones: Number(this.handicap.value),
    };
  }

  #sizeProblem() {
    const layers = this.#layers();
    const where = layers > 1 ? ` with ${layers} layers` : "";
    return `A board has 2 to ${this.#largest()} points per side${where}.`;
  }

  /** The measured fair komi of this board, with the default rules. */
  #fairKomi() {
    const [width, height] = this.#size();
    const isUsual = this.options.every(({ standard, select }) => select.value === standard);
    return width === height && isUsual ? this.variant.fair_komi.find(({ side }) => side === width)?.komi : undefined;
  }

  #hasHandicap() {
    return Number(this.handicap.value) > 0;
  }

  #suggestion() {
    if (this.#hasHandicap()) return [HANDICAP_KOMI, "Handicap replaces komi; half a point remains and prevents a draw."];
    const fair = this.#fairKomi();
    if (fair !== undefined) return [fair, "Fair: in self-play, each side wins half the games."];
    return [this.variant.komi, ""];
  }

  #suggestKomi() {
    const [komi, why] = this.#suggestion();
    if (!this.hasOwnKomi) this.komi.value = komi;
    const now = komiOf(this.komi.value);
    this.aboutKomi.textContent = now === komi ? why : "";
    const [other, label] = now === komi ? [this.variant.komi, "rules"] : [komi, this.#hasHandicap() ? "handicap" : this.#fairKomi() === undefined ? "rules" : "fair"];
    this.fair.hidden = other === now;
    this.fair.dataset.komi = other;
    this.fair.textContent = `${label}: ${other}`;
  }

  #takeOther() {
    this.komi.value = this.fair.dataset.komi;
    this.hasOwnKomi = komiOf(this.komi.value) !== this.#suggestion()[0];
    this.#suggestKomi();
    this.komi.focus();
  }

  showError(name, text) {
    const shown = this.fields[name];
    if (!shown) return;
    shown.error.textContent = text;
    if (this.details.contains(shown.error)) this.details.open = true;
    shown.error.scrollIntoView({ block: "nearest" });
    shown.inputs?.[0].focus();
  }

  clearErrors() {
    for (const { error } of Object.values(this.fields)) error.textContent = "";
  }

  /** The name of the first invalid field and a sentence, or null. */
  problem() {
    const largest = this.#largest();
    const bad = this.#size().some((side) => !Number.isInteger(side) || side < 2 || side > largest);
    if (bad) return ["size", this.#sizeProblem()];
    const komi = komiOf(this.komi.value);
    if (!(Math.abs(komi) <= MAX_KOMI)) return ["komi", `Komi is a number from −${MAX_KOMI} to ${MAX_KOMI}.`];
    const stones = Number(this.handicap.value);
    if (!Number.isInteger(stones) || stones < 0 || stones > MAX_HANDICAP) return ["handicap", `Handicap stones: 0 to ${MAX_HANDICAP}.`];
    return null;
  }

  isAutomatic() {
    return this.players.length === 1 && this.players[0].isAutomatic();
  }

  #playersOf(side) {
    const [opponent, second] = this.players.map(({ value }) => value());
    if (side === "people") return { black: "human", white: "human" };
    if (side === "engines") return { black: opponent, white: second };
    return side === "black" ? { black: "human", white: opponent } : { black: opponent, white: "human" };
  }

  /** The command for an empty board of this game, for edits. */
  position() {
    return { new: this.#settings() };
  }

  command(choices) {
    const start = this.#settings();
    const { width, height, komi, rules } = start;
    this.#keepPlayers();
    const clock = this.#clockSettings();
    choices.variant = this.variant.id;
    choices.games[this.variant.id] = { width, height, rules, clock: this.keptClock, ...(this.hasOwnKomi && { komi }) };
    kept.write("choices", choices);
    const lot = Math.random() < 0.5 ? "black" : "white";
    return {
      new: {
        ...start,
        players: this.#playersOf(this.shared.side === "lot" ? lot : this.shared.side),
        teach: this.teach(),
        person: this.name.value.trim(),
        ...(clock && !this.#isByLink() && { clock }),
        ...(this.#isByLink() && { link: newName() }),
      },
    };
  }
}

function card(variant, isFirst, isOnTrial, choose) {
  return h(
    "button",
    { class: "game-card", role: "radio", "aria-checked": "false", "data-variant": variant.id, onclick: choose },
    variant.example.length > 0 && thumbnail(variant.example.at(-1).state),
    h("strong", {}, variant.name),
    isFirst && h("span", { class: "first" }, "Start with this one"),
    isOnTrial && h("span", { class: "note" }, "on trial"),
  );
}

function lastChoices() {
  const { variant, games, shared } = kept.read("choices", isRecord) ?? {};
  return { variant, games: isRecord(games) ? games : {}, shared: { side: "black", opponent: { level: 3 }, second: { level: 3 }, ...shared } };
}

async function offerKept(box, model, keeper, openGames, close) {
  const items = await keeper.unfinished(2);
  if (items.length === 0) return;
  const words = (item) => `Continue: ${kindOf(item, model)} · ${titleOf(item)}`;
  const resume = async ({ id }) => keeper.openKept(id, await keeper.store.read(id));
  box.hidden = false;
  box.prepend(...items.map((item) => closing(words(item), close, () => resume(item))), closing("My games", close, openGames));
}

/** Opens the dialog, which offers kept games at its top. */
export function openNewGame(model, actions, { keeper, automatic, openGames, editor, learn }) {
  const { hello } = model;
  const choices = lastChoices();
  const isNew = (variant) => !choices.games[variant.id];
  const [first, side] = hello.first_games.find(([id]) => !choices.games[id]) ?? [];
  let form = null;
  const formBox = h("div", {});
  const summary = h("p", { class: "summary" });
  const cards = h("div", { class: "games", role: "radiogroup", "aria-label": "Game" });
  const error = h("p", { class: "field-error grow", role: "alert" });
  const choose = (variant) => {
    form = new Form(variant, { hello, last: choices.games[variant.id] ?? {}, shared: choices.shared, automatic, request: actions.request, suggested: variant.id === first ? side : null });
    formBox.replaceChildren(form.element);
    const lesson = h("button", { class: "link", id: "learn-it", onclick: () => closed(() => learn({ lessons: variant.id })) }, `Learn ${variant.name} in a few lessons`);
    summary.replaceChildren(variant.summary, ...(isNew(variant) ? [" ", lesson] : []));
    error.textContent = "";
    for (const each of cards.children) {
      const is = each.dataset.variant === variant.id;
      each.setAttribute("aria-checked", String(is));
      each.tabIndex = is ? 0 : -1;
    }
  };
  cards.append(...hello.variants.map((variant) => card(variant, variant.id === first, hello.experimental.includes(variant.id), () => choose(variant))));
  rove(cards);
  const refuse = (name, text) => {
    error.textContent = text;
    if (name) form.showError(name, text);
  };
  const begin = async () => {
    form.clearErrors();
    error.textContent = "";
    const problem = form.problem();
    if (problem) {
      refuse(...problem);
      return;
    }
    try {
      await actions.request(form.command(choices));
      if (form.isAutomatic()) automatic.begin();
      dialog.close();
    } catch ({ message }) {
      refuse(ABOUT.find(([words]) => words.test(message))?.[1], message);
    }
  };
  const closed = (action) => {
    dialog.close();
    return action();
  };
  const edit = async () => {
    const problem = form.problem();
    if (problem) refuse(...problem);
    else await editor.begin(form.position()).then(() => dialog.close(), ({ message }) => refuse(null, message));
  };
  const offers = h("div", { class: "kept", role: "group", "aria-label": "Games kept in this browser", hidden: true });
  const dialog = openDialog("New game", [offers, cards, summary, formBox], [
    error,
    button("Position editor", edit, { id: "edit-position", title: "An empty board of this game, on which you set up a position" }),
    button("Cancel", () => dialog.close()),
    button("Start game", begin, { class: "primary", id: "begin", autofocus: true }),
  ], "new-game");
  offerKept(offers, model, keeper, openGames, () => dialog.close());
  if (model.state.turn > 0) {
    offers.hidden = false;
    offers.append(button("Edit the position on the board", () => closed(() => editor.begin()), { id: "edit-game" }));
  }
  choose(hello.variants.find(({ id }) => id === choices.variant) ?? hello.variants[0]);
}
