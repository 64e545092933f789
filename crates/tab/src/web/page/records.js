// Records: files, links, and the details of the game.

import { PARTNER } from "./channel.js";
import { button, byId, counted, h } from "./dom.js";
import { FriendGame } from "./friend.js";
import { closeDialogs, openDialog, tell } from "./dialog.js";
import { field } from "./fields.js";
import { addressOf, copyFrom, fragmentIn, guestKey, MAX_LINK, pack, unpack, UNREADABLE } from "./link.js";

export function toBase64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}

/** The content of the file of a kept game: a text, or bytes if it is not UTF-8. */
export const contentOf = ({ sgf, bytes }) => (bytes ? Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)) : sgf);

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

/** The players in the header of a record; empty without names. */
export function headerNames({ black, black_rank, white, white_rank }) {
  if (!black && !white) return "";
  return `${named(black, black_rank, "Black")} – ${named(white, white_rank, "White")}`;
}

function headerPlace({ name, event, round, place, date }) {
  return [name, event, round && `round ${round}`, place, date].filter(Boolean).join(", ");
}

export function download(content, name) {
  const url = URL.createObjectURL(new Blob([content], { type: "application/x-go-sgf" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The date of this place, as `2026-01-31`. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The name of a file with games: that of the file from which they came, if any. */
export const fileName = (what, date = "", file = "") => (file.endsWith(".sgf") ? file : `kawari-${what}-${/^\d{4}-\d\d-\d\d/.exec(date)?.[0] ?? today()}.sgf`);

/** A field for files. `many` is called with those that were chosen. */
export function fileField(label, many) {
  const input = h("input", { type: "file", accept: ".sgf,application/x-go-sgf", multiple: true, hidden: true, "aria-label": label });
  input.addEventListener("change", () => {
    many([...input.files]);
    input.value = "";
  });
  document.body.append(input);
  return input;
}

/** Where a game ends and another begins. No character set has these letters within a character. */
const BORDER = /\)\s*(?=\(\s*;?\s*(?:AP|CA|DT|EV|FF|GM|GN|HA|KM|PB|PW|RE|RU|SZ)\s*\[)/g;

/** Parts of a file, of whole games and about `most` bytes. */
export function* portions(bytes, most) {
  const [one, two] = bytes;
  const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be", "40,0": "utf-16le", "0,40": "utf-16be" }[`${one},${two}`];
  const whole = utf16 ? new TextEncoder().encode(new TextDecoder(utf16).decode(bytes)) : bytes;
  // A letter for each byte.
  const text = new TextDecoder("latin1").decode(whole);
  let [start, last] = [0, 0];
  for (const { index, 0: border } of text.matchAll(BORDER)) {
    const end = index + border.length;
    if (end - start > most && last > start) {
      yield whole.subarray(start, last);
      start = last;
    }
    last = end;
  }
  if (text.length - start > most && last > start) {
    yield whole.subarray(start, last);
    start = last;
  }
  if (start < text.length) yield whole.subarray(start);
}

export class Records {
  constructor(model, actions, tabs, keeper) {
    Object.assign(this, { model, actions, tabs, keeper });
    const input = fileField("SGF files", (files) => this.openFiles(files));
    byId("open-file").addEventListener("click", () => input.click());
    byId("save-file").addEventListener("click", () => this.saveFile());
    byId("copy-link").addEventListener("click", () => this.copyLink());
    this.#listenForDrops();
    this.friend = new FriendGame(model, actions, keeper, (fragment) => this.openLink(fragment));
    addEventListener("hashchange", () => (guestKey ? location.reload() : this.openLink()));
    this.#showHeader();
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
      this.openFiles([...event.dataTransfer.files]);
    });
    document.addEventListener("paste", (event) => {
      if (event.target.closest?.("input, textarea, dialog")) return;
      const { files } = event.clipboardData;
      const text = event.clipboardData.getData("text/plain");
      if (files.length > 0) this.openFiles([...files]);
      else if (/\(\s*;/.test(text)) this.#openContents([{ name: "The pasted text", bytes: new TextEncoder().encode(text) }]);
      else if (fragmentIn(text)) this.openLink(fragmentIn(text));
      else return;
      event.preventDefault();
    });
  }

  /**
   * The games of files: `{name, sgf}` with what a list shows, or with an `error`. `source` opens a
   * game from its whole file, unless that is too long.
   */
  async *read(files) {
    for (const { name, bytes } of files) {
      const { sgf: most } = this.model.hello.limits;
      const isShort = bytes.length <= most;
      for (const part of isShort ? [bytes] : portions(bytes, most / 4)) {
        const file = toBase64(part);
        const games = await this.keeper.describe(file).catch(({ message }) => [{ error: message }]);
        for (const [game, described] of games.entries()) yield { name, ...described, source: isShort ? { bytes: file, game } : null };
      }
    }
  }

  /** The contents of files; `wrong` receives a sentence about each unreadable one, such as a folder. */
  async contents(files, wrong) {
    const read = (file) => file.arrayBuffer().then((bytes) => ({ name: file.name, bytes: new Uint8Array(bytes) }), () => wrong.push(`${file.name}: it cannot be read, and may be a folder`));
    const contents = await Promise.all(files.map(read));
    return contents.filter(({ bytes }) => bytes);
  }

  async openFiles(files) {
    const wrong = [];
    await this.#openContents(await this.contents(files, wrong), wrong);
  }

  /** Opens the game of a file; several are a collection. `wrong` has what a message says afterwards. */
  async #openContents(files, wrong = []) {
    const games = [];
    for await (const game of this.read(files)) {
      if (game.error) wrong.push(`${game.name}: ${game.error}`);
      else games.push(game);
    }
    await this.#openGames(files, games);
    // A game that opens closes earlier messages.
    for (const words of wrong.slice(0, 3)) tell(words);
  }

  async #openGames(files, games) {
    if (games.length === 1) {
      const [{ name, sgf, source }] = games;
      const known = await this.keeper.find(games[0]);
      if (known) {
        closeDialogs();
        await this.keeper.openKept(known.item.id, known);
      } else await this.openRecord(source ?? { sgf }, { item: { file: name }, isKept: true });
    }
    if (games.length < 2) return;
    const only = files.length === 1;
    const name = only ? files[0].name : `${files.length} files: ${files[0].name}, …`;
    // The store keeps the file once.
    const bytes = only ? games[0].source?.bytes : undefined;
    const parts = games.map(({ source, ...game }) => ({ ...game, game: source?.game }));
    const { sgf: _, game: __, ...first } = parts[0];
    await this.keeper.add({ ...first, name, count: games.length }, { parts, saved: { sgf: "", bytes } });
    closeDialogs();
    this.chooseOf({ name }, parts, bytes);
  }

  /** Opens a record at its beginning. Messages name moves that are not shown, or the error. */
  async openRecord(source, next) {
    const { file } = next.item;
    try {
      const opened = await this.keeper.open({ open: { ...source, from_start: true } }, next);
      closeDialogs();
      this.tabs.choose("tree");
      const { refused, left_out } = opened;
      if (refused) tell(`Move ${refused.number} of ${file}, ${refused.turn}, is not allowed: ${refused.why}. The page shows the moves before it. The file keeps the rest.`);
      if (left_out > 0) tell(`${left_out} variations of ${file} are not allowed and not shown; the file keeps them.`);
      this.#offerCharsets(opened, source, next);
    } catch ({ message }) {
      tell(`${file}: ${message}`);
    }
  }

  /** Offers other character sets if the bytes do not determine theirs. */
  #offerCharsets({ charset, charsets }, source, next) {
    if (!source.bytes || charsets.length === 0) return;
    const again = { ...next, id: this.keeper.id, base: this.keeper.base };
    const way = (name) => [name, () => this.openRecord({ ...source, charset: name }, again)];
    const words = `kawari reads the texts of ${next.item.file} as ${charset || "an unknown character set"}. If names look wrong, choose another character set.`;
    // GB18030 contains GBK.
    const read = charset === "GBK" ? "GB18030" : charset;
    tell(words, charsets.filter((name) => name.toLowerCase() !== read.toLowerCase()).map(way));
  }

  /** Asks which game of a collection to open. An edit makes it a separate game. */
  chooseOf({ name }, games, bytes) {
    const choose = (game) => {
      dialog.close();
      this.openRecord(bytes ? { bytes, game: game.game } : { sgf: game.sgf }, { item: { file: name } });
    };
    const row = (game, index) => {
      const { header, result, state } = game;
      const words = [headerNames(header) || header.name || `Game ${index + 1}`, header.date, result ?? "unfinished", counted(state.turn, "move")];
      return h("li", {}, h("button", { onclick: () => choose(game) }, words.filter(Boolean).join(" · ")));
    };
    const dialog = openDialog(`${name}: ${games.length} games`, h("ol", { class: "collection" }, games.map(row)));
  }

  /** Saves the game; without the server, its latest kept state. */
  async saveFile() {
    const saved = (await this.actions.request("save").catch(() => null)) ?? this.keeper.latest;
    const { header, variant } = this.model.game;
    if (saved) download(contentOf(saved), fileName(variant, header.date, this.keeper.item?.file));
    else tell(`The ${PARTNER} is not running, and there is no game yet to save.`);
  }

  #showHeader() {
    const box = h("div", { class: "record-header" });
    byId("panel-tree").prepend(box);
    this.model.on("game", () => {
      const { header, result, remarks } = this.model.game;
      const lines = [headerNames(header), headerPlace(header), result && `${result}.`].filter(Boolean);
      const edit = button("Game details", () => this.#editHeader());
      const paragraphs = (texts) => texts.map((text) => h("p", { dir: "auto" }, text));
      const remarked = remarks.length > 0 && h("details", { class: "note" }, h("summary", {}, "Remarks on the file"), paragraphs(remarks));
      box.replaceChildren(h("div", { class: "lines" }, paragraphs(lines), remarked), edit);
    });
  }

  #editHeader() {
    const { header } = this.model.game;
    const inputs = FIELDS.map(([key, label]) => [key, h("input", { type: "text", dir: "auto", value: header[key], maxlength: 120, id: `header-${key}`, placeholder: label.includes("rank") ? "5k, 3d, 9p" : null }), label]);
    const send = () => {
      this.actions.act({ header: Object.fromEntries(inputs.map(([key, input]) => [key, input.value])) });
      dialog.close();
    };
    const fields = inputs.map(([, input, label]) => field(label, [input]).element);
    const dialog = openDialog(
      "Game details",
      h("div", { class: "form" }, fields),
      [
        button("Cancel", () => dialog.close()),
        button("Save", send, { class: "primary" }),
      ],
      "narrow",
    );
  }

  async copyLink() {
    const saved = await this.actions.act("save");
    if (!saved) return;
    const { sgf, path, live = path, steps, resigned } = saved;
    const text = await pack({ saved: { sgf, path, live, steps, resigned }, review: this.keeper.review.saved() });
    const address = addressOf(this.model.hello, text);
    if (address.length > MAX_LINK) {
      const words = `The record is too long for a link: ${address.length} characters, and a link has at most ${MAX_LINK}. Send a file instead.`;
      tell(words, [["Save to a file", () => this.saveFile()]]);
      return;
    }
    const box = h("input", { type: "text", readonly: true, value: address, "aria-label": "Address of this game", onfocus: () => box.select() });
    const token = location.search && !this.model.hello.site ? " The address also has the token of this server. Give it only to people who may use the server." : "";
    const note = h("p", { class: "note" }, `This address contains the whole record of the game. Any kawari board opens it.${token}`);
    const copy = button("Copy", async () => {
      copy.textContent = (await copyFrom(box)) ? "Copied" : "Not copied: copy the selected text";
    }, { class: "primary", id: "copy-address" });
    const body = h("div", {}, note, h("div", { class: "row" }, box, copy));
    openDialog("Link of this game", body, [], "narrow");
    copy.click();
  }

  /** Opens the game of an address; returns whether it has one. */
  async openLink(link = location.hash.slice(1)) {
    if (!link) return false;
    history.replaceState(null, "", location.pathname + location.search);
    closeDialogs();
    try {
      const { saved, review, friend } = await unpack(link);
      if (friend) await this.friend.receive(friend);
      else await this.keeper.open({ open: saved }, { review, isKept: true, item: { file: "a link" } });
      return true;
    } catch ({ message }) {
      const isForeign = message.startsWith("not a request");
      tell(!isForeign ? message : message.includes("unknown field") ? "The link cannot be read: it has an unknown field." : UNREADABLE);
      return false;
    }
  }
}
