// The games that the browser keeps: in IndexedDB, and first of all in a journal in localStorage,
// which is written before a change is shown. A game has two parts: `item` is what the list
// shows, `game` is what opens it. Every version of a game has a revision, so that two tabs never
// overwrite each other.

import { isRecord, kept } from "./model.js";

const DATABASE = "kawari";
const STORES = ["list", "games"];
const MISTAKES = "mistakes";
const JOURNAL = "journal.";

/** Maximum letters of a record in the journal: all tabs share 5 million. */
const MAX_JOURNALED = 1_000_000;

export const newName = () => Math.random().toString(36).slice(2, 12) + Date.now().toString(36);

/** Whether an entry of the list is what this page writes; a damaged one is left out of the list. */
const isWhole = ({ id, at, header, state, count }) => typeof id === "string" && Number.isFinite(at) && isRecord(header) && (isRecord(state) || count > 0);

const revisionOf = ({ writer, seq }) => `${writer}.${seq}`;

function finished(transaction) {
  const end = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
  // A failed request rejects too, and then no caller waits for the end.
  end.catch(() => {});
  return end;
}

function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the database; `closed` is called when the browser closes it. */
function openDatabase(closed) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 2);
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const name of [...STORES, MISTAKES]) database.createObjectStore(name, { keyPath: "id" });
    };
    request.onsuccess = () => {
      // A later version of the page may need another form.
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = closed;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

export class Store {
  /** The name of this page among all that write. */
  writer = newName();
  #database = null;

  /** The stores of these names, within one transaction, and its end. */
  async #begin(mode, names = STORES) {
    const transaction = await this.#transaction(mode, names);
    return { end: finished(transaction), stores: names.map((name) => transaction.objectStore(name)) };
  }

  /** Begins a transaction; opens the database anew if the browser has closed it. */
  async #transaction(mode, names) {
    const opened = this.#database;
    this.#database ??= openDatabase(() => (this.#database = null));
    try {
      return (await this.#database).transaction(names, mode);
    } catch (failure) {
      this.#database = null;
      if (!opened) throw failure;
      return this.#transaction(mode, names);
    }
  }

  /** Changes stores by `change(…stores)`, within one transaction; returns what that returns. */
  async #change(names, change) {
    const { end, stores } = await this.#begin("readwrite", names);
    const changed = await change(...stores);
    await end;
    return changed;
  }

  /** Writes a version into the journal at once; returns false if that is not possible. */
  journal(version) {
    const { sgf, bytes = "" } = version.game.saved;
    if (sgf.length + bytes.length > MAX_JOURNALED) return false;
    return kept.write(`${JOURNAL}${version.id}.${version.writer}`, version);
  }

  /** The version of a page in the journal, or null. */
  journaled(id, writer) {
    return kept.read(`${JOURNAL}${id}.${writer}`);
  }

  /** Removes a version from the journal, unless a later one is there. */
  #forget({ id, writer, seq }) {
    if (this.journaled(id, writer)?.seq === seq) kept.remove(`${JOURNAL}${id}.${writer}`);
  }

  /**
   * Writes a version: `{id, writer, seq, base, item, game}`, where `base` is the revision that
   * it comes from. Returns false, and writes nothing, if another page has written another game
   * since. Fails if the storage is full or switched off.
   */
  async write(version) {
    const { id, writer, seq, base } = version;
    const isFree = await this.#change(STORES, async (list, games) => {
      const [item, game] = await Promise.all([result(list.get(id)), result(games.get(id))]);
      const isOwn = item?.writer === writer;
      if (!(isOwn ? item.seq < seq : !item || revisionOf(item) === base)) return isOwn || game?.saved?.sgf === version.game.saved?.sgf;
      list.put({ ...item, ...version.item, id, writer, seq });
      games.put({ ...version.game, id });
      return true;
    });
    if (isFree) this.#forget(version);
    return isFree;
  }

  /** Writes a version, with another id if two pages have changed the game; returns the id. */
  async writeOrSplit(version) {
    if (await this.write(version)) return version.id;
    const second = { ...version, id: newName(), base: null };
    await this.write(second);
    kept.remove(`${JOURNAL}${version.id}.${version.writer}`);
    return second.id;
  }

  /** Moves the journal of earlier pages into the database, unless that is full. */
  async takeJournal() {
    const moved = new Map();
    for (const key of kept.keys(JOURNAL)) {
      const version = kept.read(key, ({ game, item }) => isRecord(game?.saved) && isRecord(item));
      if (!version) continue;
      const id = await this.writeOrSplit(version).catch(() => null);
      if (id) moved.set(`${version.id}.${version.writer}`, id);
    }
    return moved;
  }

  /** Removes a version of an earlier page that one of this page replaces. */
  replaceJournaled({ id, writer }) {
    if (this.journaled(id, this.writer)) kept.remove(`${JOURNAL}${id}.${writer}`);
  }

  async list() {
    const { stores } = await this.#begin("readonly");
    const items = await result(stores[0].getAll());
    return items.filter(isWhole).sort((one, other) => other.at - one.at);
  }

  /** A game: `{item, game, base}`; null if it is not there. */
  async read(id) {
    const { stores } = await this.#begin("readonly");
    const [item, game] = await Promise.all(stores.map((store) => result(store.get(id))));
    return item && game ? { item, game, base: revisionOf(item) } : null;
  }

  rename(id, name) {
    return this.#change(["list"], async (list) => {
      const item = await result(list.get(id));
      if (item) list.put({ ...item, name });
    });
  }

  /** Removes a game; returns the argument of `putBack`. */
  remove(id) {
    return this.#change(STORES, async (...stores) => {
      const parts = await Promise.all(stores.map((store) => result(store.get(id))));
      for (const store of stores) store.delete(id);
      return parts;
    });
  }

  /** The mistakes that come back: `{id, game, path, mistake, step, due}`. */
  async mistakes() {
    const { stores } = await this.#begin("readonly", [MISTAKES]);
    return result(stores[0].getAll());
  }

  keepMistake(mistake) {
    return this.#change([MISTAKES], (mistakes) => void mistakes.put(mistake));
  }

  forgetMistake(id) {
    return this.#change([MISTAKES], (mistakes) => void mistakes.delete(id));
  }

  /** Puts back a removed game, unless a page has kept a newer state of it since. */
  putBack(parts) {
    return this.#change(STORES, async (...stores) => {
      const newer = parts[0] && (await result(stores[0].get(parts[0].id)));
      if (!newer) parts.forEach((part, index) => part && stores[index].put(part));
    });
  }
}
