// The list of all games that were played or opened in this browser.

import { COLORS } from "./cells.js";
import { button, counted, h, heads } from "./dom.js";
import { thumbnail } from "./board.js";
import { openDialog } from "./dialog.js";
import { questionsOf } from "./mistakes.js";
import { nameIn } from "./players.js";
import { opponentOf } from "./teaching.js";
import { contentOf, download, fileField, fileName, headerNames } from "./records.js";

/** Games that the list shows first, and adds with each press of a button. */
const SHOWN = 40;

const PEOPLE = { black: "human", white: "human" };

/** The name of a game: chosen by the person, or made of the players. */
export function titleOf({ name, header, players = PEOPLE }) {
  if (name) return name;
  if (header.name && !headerNames(header)) return header.name;
  return COLORS.map((color) => nameIn({ players, header }, color)).join(" – ");
}

export function kindOf({ state, count, file }, model) {
  if (count) return `${count} games`;
  const { variant, width, height, layers, turn } = state;
  const name = model.hello.variants.find(({ id }) => id === variant)?.name ?? variant;
  const size = layers > 1 ? `${height}×${height}, ${layers} layers` : `${width}×${height}`;
  return [`${name} ${size}`, counted(turn, "move"), file && `from ${file}`].filter(Boolean).join(" · ");
}

const dateOf = ({ header, at }) => header.date || new Date(at).toLocaleDateString([], { dateStyle: "medium" });

const wordsOf = (item, model) => [titleOf(item), kindOf(item, model), dateOf(item), item.result ?? "unfinished", ...Object.values(item.header)].join(" ").toLowerCase();

/** The levels that a person has met, and by game the wins and losses against each. */
function resultsOf(items, { variants }) {
  const games = {};
  const levels = new Set();
  for (const { state, players = PEOPLE, result } of items) {
    const level = opponentOf(players)?.level;
    const winner = { B: "black", W: "white" }[result?.[0]];
    const name = variants.find(({ id }) => id === state?.variant)?.name;
    if (!level || !winner || !name) continue;
    levels.add(level);
    games[name] ??= {};
    games[name][level] ??= [0, 0];
    games[name][level][players[winner] === "human" ? 0 : 1]++;
  }
  return { games: Object.entries(games), levels: [...levels].sort((a, b) => a - b) };
}

class MyGames {
  #items = [];
  #shown = SHOWN;

  constructor(model, keeper, records, solve) {
    Object.assign(this, { model, keeper, records, solve });
    this.search = h("input", { type: "search", placeholder: "Name, game, date, result", "aria-label": "Search my games", class: "grow" });
    this.search.addEventListener("input", () => {
      this.#shown = SHOWN;
      this.#draw();
    });
    this.list = h("ul", { class: "my-games" });
    this.results = h("details", { class: "more", id: "my-results" });
    this.note = h("p", { class: "note", role: "status" });
    const files = fileField("Files for my games", (chosen) => this.#load(chosen));
    const tools = [
      this.search,
      button("Load files", () => files.click(), { id: "load-files" }),
      button("Save all", () => this.#saveAll(), { id: "save-all" }),
    ];
    const where = h("p", { class: "note" }, `Only this browser keeps these games, for ${location.host}. Save all and Load files move them to another.`);
    this.dialog = openDialog("My games", [h("div", { class: "row" }, tools), this.results, this.note, this.list, where], [], "my-games-dialog");
    this.dialog.addEventListener("close", () => files.remove());
  }

  async show() {
    try {
      this.#items = await this.keeper.store.list();
      this.#draw();
    } catch {
      this.note.textContent = "This browser keeps no games: its storage is switched off.";
    }
  }

  #draw() {
    const { model } = this;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = this.#items.filter((item) => words.every((word) => wordsOf(item, model).includes(word)));
    this.#showResults();
    const nothing = words.length > 0 ? "No game matches the search." : "No game has been played or opened here yet.";
    this.note.textContent = matches.length > 0 ? `${matches.length} of ${counted(this.#items.length, "game")}` : nothing;
    this.list.replaceChildren(...matches.slice(0, this.#shown).map((item) => this.#entry(item)));
    if (matches.length > this.#shown) this.list.append(h("li", { class: "row" }, button("Show more", () => this.#more())));
  }

  #showResults() {
    const { games, levels } = resultsOf(this.#items, this.model.hello);
    this.results.hidden = levels.length === 0;
    this.results.replaceChildren(
      h("summary", {}, "My results"),
      h(
        "table",
        { class: "moves" },
        h("thead", {}, heads(["Game", ...levels.map((level) => `Level ${level}`)])),
        h("tbody", {}, games.map(([name, of]) => h("tr", {}, h("th", { scope: "row" }, name), levels.map((level) => h("td", {}, of[level]?.join("–") ?? ""))))),
      ),
      h("p", { class: "note" }, "Games that you won and lost against each level of kawari."),
    );
  }

  #more() {
    this.#shown += SHOWN;
    this.#draw();
  }

  #entry(item) {
    const title = titleOf(item);
    const isOpen = item.id === this.keeper.id;
    const own = (words, action, name) => button(words, action, { "data-do": name, "aria-label": `${words}: ${title}` });
    return h(
      "li",
      { "data-id": item.id, "aria-current": isOpen ? "true" : null },
      thumbnail({ ...item.state, sheets: item.sheets }),
      h(
        "div",
        { class: "about" },
        h("strong", { dir: "auto" }, title),
        h("p", {}, kindOf(item, this.model)),
        h("p", { class: "soft" }, [dateOf(item), item.count ? "a collection" : item.problem ? "a problem" : (item.result ?? "unfinished"), isOpen && "open now"].filter(Boolean).join(" · ")),
      ),
      h(
        "div",
        { class: "row" },
        own(item.count || item.result ? "Open" : "Continue", () => this.#open(item), "open"),
        item.problem && own("Solve", () => this.#solve(item), "solve"),
        item.mistakes > 0 && own(`Mistakes (${item.mistakes})`, () => this.#practise(item), "practise"),
        own("Rename", () => this.#rename(item), "rename"),
        own("Save", () => this.#save(item), "save"),
        own("Delete", () => this.#remove(item), "delete"),
      ),
    );
  }

  async #open(item) {
    const entry = await this.keeper.store.read(item.id);
    if (!entry) return this.show();
    this.dialog.close();
    if (entry.game.parts) this.records.chooseOf({ name: titleOf(item) }, entry.game.parts, entry.game.saved.bytes);
    else if (item.id !== this.keeper.id) await this.keeper.openKept(item.id, entry);
    return null;
  }

  #solve({ id }) {
    this.dialog.close();
    this.solve(id);
  }

  async #practise(item) {
    const entry = await this.keeper.store.read(item.id);
    const questions = entry ? questionsOf(item.id, entry) : [];
    if (questions.length === 0) return this.show();
    this.dialog.close();
    this.model.emit("practise", questions);
    return null;
  }

  #rename(item) {
    const about = this.list.querySelector(`[data-id="${CSS.escape(item.id)}"] .about`);
    const field = h("input", { type: "text", value: titleOf(item), maxlength: 120, "aria-label": "Name of the game" });
    const keep = async (event) => {
      event.preventDefault();
      await this.keeper.store.rename(item.id, field.value.trim());
      this.show();
    };
    about.replaceChildren(h("form", { class: "row", onsubmit: keep }, field, button("Save", () => {}, { class: "primary", type: "submit" })));
    field.select();
  }

  async #textOf({ id }) {
    const { game } = (await this.keeper.store.read(id)) ?? {};
    return game ? (game.parts?.map(({ sgf }) => sgf.trim()).join("\n\n") ?? game.saved.sgf) : "";
  }

  async #save(item) {
    const { game } = (await this.keeper.store.read(item.id)) ?? {};
    const hasFile = game && (game.saved.bytes || !game.parts);
    download(hasFile ? contentOf(game.saved) : await this.#textOf(item), fileName(item.count ? "games" : item.state.variant, item.header.date, item.file ?? item.name));
  }

  async #saveAll() {
    const texts = [];
    for (const item of this.#items) texts.push((await this.#textOf(item)).trim());
    download(`${texts.join("\n\n")}\n`, fileName("games"));
  }

  async #remove(item) {
    const { keeper } = this;
    const parts = await keeper.store.remove(item.id);
    keeper.setKept(item.id, false);
    await this.show();
    const putBack = async () => {
      await keeper.store.putBack(parts);
      keeper.setKept(item.id, true);
      this.show();
    };
    this.note.replaceChildren(`Deleted: ${titleOf(item)}, ${kindOf(item, this.model)}. `, button("Undo", putBack, { id: "put-back" }));
  }

  /** Adds the games of files to the list, each as its own entry. */
  async #load(files) {
    const wrong = [];
    let added = 0;
    for (const file of files) {
      for await (const { name, sgf, error, source: _, ...item } of this.records.read(await this.records.contents([file], wrong))) {
        if (error) wrong.push(`${name}: ${error}`);
        else if ((await this.keeper.add({ ...item, file: name }, { saved: { sgf, from_start: true } })) !== null) added++;
        this.note.textContent = `${added} games loaded …`;
      }
    }
    await this.show();
    const failed = wrong.length > 0 ? ` ${wrong.length} could not be read: ${wrong.slice(0, 3).join("; ")}${wrong.length > 3 ? "; …" : ""}.` : "";
    this.note.textContent = `${added} games loaded from ${files.length} files.${failed}`;
  }
}

/** Opens the list; `solve(id)` opens a problem. */
export function openMyGames(model, keeper, records, solve) {
  return new MyGames(model, keeper, records, solve).show();
}
