// Records: files, links, and the copy of each game that the browser keeps.

import { byId, bytesOf, h } from "./dom.js";
import { kept } from "./model.js";
import { openDialog, tell } from "./dialog.js";
import { TabName } from "./tabname.js";

const KEPT_GAMES = 12;
const PAUSE_BEFORE_KEEPING = 200;

/** The text of an SGF file in the character set that it names, renamed to UTF-8. */
export function decodeSgf(bytes) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 2000));
  const named = /CA\s*\[\s*([\w.:-]+)\s*\]/.exec(start)?.[1];
  const decode = (label, fatal) => new TextDecoder(label, { fatal }).decode(bytes);
  let text;
  try {
    text = decode(named ?? "utf-8", true);
  } catch {
    text = decode("windows-1252", false);
  }
  return text.replace(/CA\s*\[\s*[\w.:-]+\s*\]/, "CA[UTF-8]");
}

/** The entries of a header, as the dialog asks for them. */
const FIELDS = [
  ["black", "Black"],
  ["black_rank", "Black's rank"],
  ["white", "White"],
  ["white_rank", "White's rank"],
  ["event", "Event"],
  ["round", "Round"],
  ["place", "Place"],
  ["date", "Date"],
  ["name", "Name of the game"],
];

const named = (name, rank, otherwise) => [name || otherwise, rank].filter(Boolean).join(" ");

/** Who played, by the header of a record; empty if it names nobody. */
export function headerNames({ black, black_rank, white, white_rank }) {
  if (!black && !white) return "";
  return `${named(black, black_rank, "Black")} – ${named(white, white_rank, "White")}`;
}

/** Where and when. */
function headerPlace({ name, event, round, place, date }) {
  return [name, event, round && `round ${round}`, place, date].filter(Boolean).join(", ");
}

/** Saving, opening and keeping the game of this tab. */
export class Records {
  #timer = null;
  #tab = new TabName();
  #latest = null;

  constructor(model, actions, tabs, review) {
    this.model = model;
    this.review = review;
    this.actions = actions;
    this.tabs = tabs;
    this.input = h("input", { type: "file", accept: ".sgf,application/x-go-sgf", hidden: true, "aria-label": "SGF file" });
    this.input.addEventListener("change", () => {
      this.openFile(this.input.files[0]);
      this.input.value = "";
    });
    document.body.append(this.input);
    byId("open-file").addEventListener("click", () => this.input.click());
    byId("save-file").addEventListener("click", () => this.saveFile());
    byId("copy-link").addEventListener("click", () => this.copyLink());
    this.#listenForDrops();
    this.#showHeader();
    // The end of a search may have left values in the record.
    model.on("position tree game thinking reviewed", () => this.#keepSoon());
  }

  #listenForDrops() {
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.openFile(event.dataTransfer.files[0]);
    });
  }

  #keepSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), PAUSE_BEFORE_KEEPING);
  }

  async #keep() {
    const { model } = this;
    if (!model.game || !model.state || model.restoring) return;
    const saved = await this.actions.request("save").catch(({ message }) => {
      if (model.connected) tell(`The browser cannot keep this game: ${message}`);
      return null;
    });
    if (!saved) return;
    this.#latest = saved;
    const turns = model.state.turn;
    const title = `${model.variant?.name ?? model.game.variant} ${model.game.width}×${model.game.height}`;
    const game = { saved, title, turns, review: this.review.saved(), at: Date.now() };
    while (!kept.write(`game.${this.#tab.name}`, game)) {
      // The storage is full: the oldest game of another tab makes room.
      const [oldest] = this.keptGames().slice(-1);
      if (!oldest) {
        tell("The browser cannot keep this game: its storage is full or switched off. Save it to a file.");
        break;
      }
      kept.remove(oldest.key);
    }
    for (const old of this.keptGames().slice(KEPT_GAMES)) kept.remove(old.key);
  }

  /** The game of this tab as it was kept, or null. */
  own() {
    return kept.read(`game.${this.#tab.name}`) ?? kept.read(`game.${this.#tab.first}`);
  }

  /** The games of other tabs that had turns, the latest first. */
  keptGames() {
    return kept
      .keys("game.")
      .filter((key) => key !== `game.${this.#tab.name}`)
      .map((key) => ({ key, ...kept.read(key) }))
      .filter(({ saved, turns }) => saved && turns > 0)
      .sort((a, b) => b.at - a.at);
  }

  /** Opens a game as the browser kept it; gives whether that worked. */
  async restore(game) {
    this.model.restoring = true;
    try {
      await this.actions.request({ open: game.saved });
      this.review.restore(game.review);
      return true;
    } catch (error) {
      tell(`The kept game could not be opened: ${error.message}`);
      return false;
    } finally {
      this.model.restoring = false;
    }
  }

  async openFile(file) {
    if (!file) return;
    const { sgf: most } = this.model.hello.limits;
    const text = decodeSgf(new Uint8Array(await file.arrayBuffer()));
    if (bytesOf(text) > most) {
      tell(`${file.name} is too long: ${bytesOf(text)} bytes in UTF-8, and at most ${most} are read.`);
      return;
    }
    const opened = await this.actions.request({ open: { sgf: text, from_start: true } }).catch(({ message }) => {
      tell(`${file.name}: ${message}`);
      return null;
    });
    if (opened) this.tabs.choose("tree");
    if (opened?.left_out > 0) tell(`${opened.left_out} variations of ${file.name} could not be read and were left out.`);
  }

  /** Saves the game; while the server does not run, as it was after the latest turn. */
  async saveFile() {
    const saved = (await this.actions.request("save").catch(() => null)) ?? this.#latest;
    if (!saved) {
      tell("The server is not running, and there is no game yet to save.");
      return;
    }
    const url = URL.createObjectURL(new Blob([saved.sgf], { type: "application/x-go-sgf" }));
    const day = new Date().toISOString().slice(0, 10);
    const link = h("a", { href: url, download: `kawari-${this.model.game.variant}-${day}.sgf` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  /** What the record says of the game, above the tree. */
  #showHeader() {
    const box = h("div", { class: "record-header" });
    byId("panel-tree").prepend(box);
    this.model.on("game", () => {
      const { header, result } = this.model.game;
      const lines = [headerNames(header), headerPlace(header), result && `${result}.`].filter(Boolean);
      const edit = h("button", { class: "button", type: "button", onclick: () => this.#editHeader() }, "Game details");
      box.replaceChildren(h("div", { class: "lines" }, lines.map((line) => h("p", {}, line))), edit);
    });
  }

  #editHeader() {
    const { header } = this.model.game;
    const inputs = FIELDS.map(([key, label]) => [key, h("input", { type: "text", value: header[key], maxlength: 120, id: `header-${key}`, placeholder: label.includes("rank") ? "5k, 3d, 9p" : null }), label]);
    const send = () => {
      this.actions.act({ header: Object.fromEntries(inputs.map(([key, input]) => [key, input.value])) });
      dialog.close();
    };
    const fields = inputs.map(([key, input, label]) => h("div", { class: "field" }, h("label", { for: `header-${key}` }, label), h("div", { class: "inputs" }, input)));
    const dialog = openDialog(
      "Game details",
      h("div", { class: "form" }, fields),
      [
        h("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Cancel"),
        h("button", { class: "button primary", type: "button", onclick: send }, "Keep"),
      ],
      true,
    );
  }

  async copyLink() {
    const link = await this.actions.act("link");
    if (!link) return;
    const address = `${location.origin}/${location.search}#${link.text}`;
    const field = h("input", { type: "text", readonly: true, value: address, "aria-label": "Address of this position" });
    field.addEventListener("focus", () => field.select());
    const token = location.search ? " It has the token of this server too: give it only to people who may use it." : "";
    const note = h("p", { class: "note" }, `This address holds the game up to here. It opens on any kawari board.${token}`);
    const body = h("div", {}, note, h("div", { class: "row" }, field));
    openDialog("Link of this position", body, [], true);
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      note.textContent += " It is in the clipboard now.";
    } catch {
      // Without leave to write the clipboard, the text stands selected.
    }
  }
}
