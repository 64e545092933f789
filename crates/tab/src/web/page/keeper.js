// The game of this tab as the browser keeps it: each change goes into the journal first.

import { questionsOf } from "./mistakes.js";
import { tried } from "./model.js";
import { newName, Store } from "./store.js";
import { tell } from "./dialog.js";

/** Milliseconds before a mere change of the position is stored. */
const PAUSE = 300;

/** The game that is open in this tab, for a reload; without storage that begins another game. */
const OPEN = "kawari.open";

/** Whether a new game is worth an entry of the list. */
const hasContent = ({ positions }, sgf) => positions > 0 || /[^A-Z]C\[/.test(sgf);

/** A text with `changes`, each of which replaces a part of it. */
function changed(text, changes = []) {
  const parts = [];
  let at = 0;
  for (const [from, to, part] of changes) {
    parts.push(text.slice(at, from), part);
    at = to;
  }
  return parts.join("") + text.slice(at);
}

export class Keeper {
  store = new Store();
  #current = null;
  #next = null;
  #isOpening = false;
  #seq = 0;
  #hasWarned = false;
  /** What this page said about the open game. */
  #message = null;
  /** Versions of earlier pages that are in the store now. */
  #moved = null;
  /** The version that this page has opened from the journal. */
  #replaced = null;

  /** `clocks.spent()` returns the seconds of the unfinished turn; `save()` offers a file. */
  constructor(model, actions, { review, clocks, save }) {
    Object.assign(this, { model, actions, review, clocks, save });
    model.on("reviewed", () => this.#noteReview());
    model.on("side", (side) => this.#noteSide(side));
    addEventListener("pagehide", () => this.leave());
    document.addEventListener("visibilitychange", () => document.hidden && this.leave());
  }

  get id() {
    return this.#current?.id ?? null;
  }

  get base() {
    return this.#current?.base ?? null;
  }

  /** Whether a state of the open game in the store is not newer than this page. */
  isNewest({ item, base }) {
    return item.writer === this.store.writer || base === this.base;
  }

  get item() {
    return this.#current?.item ?? null;
  }

  note(changes) {
    const current = this.#current;
    if (!current) return;
    Object.assign(current.item, changes);
    this.#changed(current, true);
  }

  /** The game as it was sent last, or null. */
  get latest() {
    return this.#current?.game.saved ?? null;
  }

  take({ reset, game, changes, summary }) {
    if (reset || !this.#current) this.#begin();
    const current = this.#current;
    const { sgf = "", bytes, game: number, charset } = current.game.saved ?? {};
    // A mere change of the position comes without the record.
    current.game.saved = summary ? { sgf: changed(sgf, changes), ...game } : { sgf, bytes, game: number, charset, ...game };
    Object.assign(current.item, summary, { players: game.players });
    if (game.friend) {
      current.isKept = true;
      current.item.friend = game.friend.id;
    }
    if (reset) {
      this.#noteOpen();
      if (!current.isKept || current.base !== null) return;
    } else if (summary) {
      current.isKept ||= hasContent(summary, current.game.saved.sgf);
    }
    if (summary) current.item.at = Date.now();
    this.#changed(current, Boolean(summary));
  }

  #begin() {
    const { id = newName(), base = null, isKept = false, item = {}, review = null, side = null, typed = null } = this.#next ?? {};
    this.#next = null;
    this.#message?.remove();
    // Only the list has the name, which may change.
    const { name: _, ...shown } = item;
    this.#current = { id, base, isKept, item: shown, game: { saved: null, review, side, typed } };
    this.review.showSide(side);
  }

  #changed(current, isUrgent) {
    current.seq = ++this.#seq;
    this.#noteOpen();
    if (!current.isKept) return;
    if (this.store.journal(this.#version(current)) && this.#replaced) {
      this.store.replaceJournaled(this.#replaced);
      this.#replaced = null;
    }
    // Changes that continue, as under the keys, do not delay the write.
    if (isUrgent) this.#write(current);
    else current.timer ??= setTimeout(() => this.#write(current), PAUSE);
  }

  #version({ id, base, seq, item, game }) {
    return { id, base, seq, writer: this.store.writer, item, game };
  }

  /** Notes the open game for a reload: its id, or the whole game if it is not kept yet. */
  #noteOpen() {
    const { id, isKept, item, game } = this.#current;
    if (isKept && this.noted === id) return;
    this.noted = isKept ? id : null;
    tried(() => sessionStorage.setItem(OPEN, JSON.stringify({ id, writer: this.store.writer, own: isKept ? null : { item, game } })));
  }

  async #write(current) {
    clearTimeout(current.timer);
    current.timer = null;
    current.again = true;
    if (current.isWriting) return;
    current.isWriting = true;
    try {
      while (current.again) {
        current.again = false;
        const { id } = current;
        const written = await this.store.writeOrSplit(this.#version(current));
        if (written !== id) this.#split(current, written);
      }
      if (!this.persists) this.persists = navigator.storage?.persist?.() ?? true;
    } catch (failure) {
      this.#tellFull(failure);
    } finally {
      current.isWriting = false;
    }
  }

  #split(current, id) {
    Object.assign(current, { id, base: null });
    if (current === this.#current) this.#noteOpen();
    this.#changed(current, true);
    this.#message = tell("Another tab changed this game, too. My games has both versions.");
  }

  #tellFull(failure) {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const why = failure?.name === "VersionError" ? "a newer version of this page has changed its storage. Reload the page" : "its storage is full or switched off";
    tell(`The browser cannot keep this game: ${why}.`, [["Save to a file", () => this.save()]]);
  }

  #noteReview() {
    const current = this.#current;
    if (!current || this.#isOpening) return;
    const review = this.review.saved();
    if (JSON.stringify(review) === JSON.stringify(current.game.review)) return;
    current.game.review = review;
    current.item.mistakes = this.questions().length;
    this.#changed(current, true);
  }

  /** Notes the side whose mistakes the person learns from; null for both. */
  #noteSide(side) {
    const current = this.#current;
    if (!current) return;
    current.game.side = side;
    current.item.mistakes = this.questions().length;
    this.#changed(current, true);
  }

  questions() {
    const current = this.#current;
    return current?.game.saved ? questionsOf(current.id, current) : [];
  }

  /** Notes a comment that the engine does not have yet; null once it has. */
  type(node, text) {
    const current = this.#current;
    if (!current || (text === null && current.game.typed === null)) return;
    current.game.typed = text === null ? null : { path: this.model.pathTo(node), text };
    current.isKept ||= Boolean(text);
    this.#changed(current, false);
  }

  /** Notes the time of the unfinished turn when the page or the engine goes away. */
  leave() {
    const { clock } = this.latest ?? {};
    if (!clock?.turn?.runs) return;
    const spent = this.clocks.spent();
    clock.at += Math.round(1000 * (spent - clock.turn.spent));
    clock.turn.spent = spent;
    this.#changed(this.#current, true);
  }

  /**
   * Opens a game by a command of the protocol. `next` says which game it is: `id`, `base`, `item`,
   * `review`, `side`, `typed`, and whether it `isKept` before it changes. A new one without.
   */
  async open(command, next = {}) {
    this.#next = next;
    this.#isOpening = true;
    try {
      const reply = await this.actions.request(command);
      this.review.restore(next.review);
      if (next.typed) await this.#comment(next.typed);
      return reply;
    } finally {
      this.#next = null;
      this.#isOpening = false;
    }
  }

  /** Opens a game by a command instead of this one; returns why it was refused, or null. */
  again(command) {
    return this.open(command, this.#own(this.#current)).then(
      () => null,
      ({ message }) => message,
    );
  }

  async #comment({ path, text }) {
    const node = this.model.along(path);
    if (node) await this.actions.act({ comment: { node: node.id, text } });
    this.type(node?.id ?? null, null);
  }

  /** Opens a game of the store, or says why not; its clocks wait for somebody to play. */
  async openKept(id, found) {
    if (!found) return;
    const { item, game, base } = found;
    const { saved, ...rest } = game;
    const waits = Boolean(saved.clock) && !saved.clock.lost;
    const opening = this.open({ open: { ...saved, paused: Boolean(saved.paused) || waits } }, { id, base, item, ...rest, isKept: true });
    await opening.catch(({ message }) => tell(`The game cannot be opened: ${message}`));
  }

  async resume() {
    const own = this.#current ? this.#own(this.#current) : await this.#ownOfReload();
    if (!own?.game.saved) return false;
    try {
      await this.open({ open: own.game.saved }, { ...own, ...own.game });
      // The game that opens closes earlier messages.
      if (this.#replaced) this.#tellFull();
      return true;
    } catch ({ message }) {
      tell(`The saved game cannot be opened: ${message}`);
      return false;
    }
  }

  #own({ id, base, isKept, item, game }) {
    return { id, base, isKept, item, game };
  }

  /** Moves what earlier pages left in the journal into the store. */
  #settle() {
    this.#moved ??= this.store.takeJournal().catch(() => null);
    return this.#moved;
  }

  async listed() {
    await this.#settle();
    return this.store.list().catch(() => []);
  }

  async #ownOfReload() {
    const moved = await this.#settle();
    const { id, writer, own } = tried(() => JSON.parse(sessionStorage.getItem(OPEN))) ?? {};
    if (own) return { id, isKept: false, ...own };
    if (!id) return null;
    // Entries still in the journal are newer than the store, which is full or switched off.
    const journaled = this.store.journaled(id, writer);
    if (journaled) {
      this.#replaced = { id, writer };
      return { ...journaled, isKept: true };
    }
    const now = moved?.get(`${id}.${writer}`) ?? id;
    const entry = await this.store.read(now).catch(() => null);
    return entry && { ...entry, id: now, isKept: true };
  }

  /** The entry of each game of a file in Base64; an unreadable game has an `error`. */
  async describe(bytes) {
    const all = [];
    // A reply has a part of a long file.
    for (let from = 0; from !== null; ) {
      const { games, next } = await this.actions.request({ describe: { bytes, from } });
      for (const { summary, ...rest } of games) all.push({ ...rest, ...summary });
      from = next ?? null;
    }
    return all;
  }

  /** Adds a game, or a collection of several, to the store without opening it; returns its id. */
  async add(item, game) {
    const version = { id: newName(), writer: this.store.writer, seq: ++this.#seq, base: null };
    try {
      return await this.store.writeOrSplit({ ...version, item: { at: Date.now(), ...item }, game });
    } catch {
      this.#tellFull();
      return null;
    }
  }

  /** The kept game of a record that is opened again, or null. */
  async find({ sgf, positions, state }) {
    const alike = (await this.listed()).filter((item) => item.positions === positions && item.state?.turn === state?.turn);
    for (const { id } of alike) {
      const found = await this.store.read(id).catch(() => null);
      if (found?.game.saved?.sgf === sgf) return found;
    }
    return null;
  }

  async unfinished(most) {
    const items = await this.listed();
    return items.filter(({ id, result, count }) => id !== this.id && !result && !count).slice(0, most);
  }

  /** Notes that a game was removed from the list, or put back. */
  setKept(id, isKept) {
    if (this.#current?.id !== id) return;
    this.#current.isKept = isKept;
    this.#noteOpen();
  }
}
