// A game with a friend who moves at once: both pages follow a mailbox on the server, which keeps its
// newest link.

import { nextWait } from "./connection.js";
import { guestKey } from "./link.js";
import { otherSide } from "./cells.js";
import { capital } from "./dom.js";
import { tell } from "./dialog.js";

const continues = (longer, shorter) => shorter.every((entry, index) => entry === longer[index]);

/** A new key, of 128 bits. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Live {
  #socket = null;
  #timer = null;
  #wait = 0;
  #key = null;
  /** The newest link that the server has; null if it has none, undefined before it says so. */
  #newest;
  #here = [];
  /** Entries of the link that was posted and is not in the mailbox yet. */
  #posted = null;
  /** The side that the server knows. */
  #side = null;
  /** Whether the page compares its game with the mailbox, and whether it has to again. */
  #isBusy = false;
  #isDue = false;
  /** Whether the board has its game again after a start. */
  #isReady = false;
  /** Whether the board of a guest is new and has no game yet. */
  #isEmpty = false;
  /** The link about which the person was asked. */
  #asked = null;
  /** The game that this connection has shown here. */
  #followed = null;

  /** `show()` shows the friend; `ask(game)` asks about another continuation, `invite(game)` which side the person has. */
  constructor(model, actions, keeper, { show, ask, invite }) {
    Object.assign(this, { model, actions, keeper, show, ask, invite });
    model.on("game", () => this.follow());
    model.on("connection", () => !model.connected && (this.#isReady = false));
    document.addEventListener("visibilitychange", () => !document.hidden && this.#timer !== null && this.#open());
  }

  /** The key of the game of this page, or null; without a server that others reach, the game goes on by link. */
  get key() {
    return guestKey ?? (this.model.hello?.invitations ? this.keeper.item?.key : null) ?? null;
  }

  /** Whether the page has reached the mailbox of its game before. */
  wasConnected = false;

  get isConnected() {
    return this.#newest !== undefined;
  }

  isHere(side) {
    return this.#here.includes(side);
  }

  /** The board has begun, and has the game that this page keeps; that of a guest waits for the mailbox. */
  start() {
    this.#isReady = true;
    this.#isEmpty = Boolean(guestKey);
    this.follow();
  }

  /** Follows the mailbox of the game that is open, and posts what it lacks. */
  follow() {
    const { friend } = this.model.game ?? {};
    // A rematch keeps the mailbox of its game.
    if (friend && !this.key && this.#key && friend.id === `${this.#newest?.id}+`) this.keeper.note({ key: this.#key });
    const key = guestKey || friend ? this.key : null;
    if (key !== this.#key) this.#begin(key);
    else if (this.isConnected) {
      if (this.#side !== friend?.own) this.#greet({ side: friend?.own ?? null });
      this.#settle();
    }
  }

  #begin(key) {
    this.#key = key;
    this.wasConnected = false;
    this.#socket?.close();
    clearTimeout(this.#timer);
    [this.#socket, this.#timer, this.#newest, this.#here, this.#posted] = [null, null, undefined, [], null];
    if (key) this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/mailbox${location.search}`);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#greet({ key: this.#key, side: this.model.game?.friend?.own ?? null }));
    socket.addEventListener("message", ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => socket === this.#socket && this.#closed());
  }

  #greet(message) {
    this.#side = message.side;
    this.#socket.send(JSON.stringify(message));
  }

  #closed() {
    [this.#socket, this.#newest, this.#here, this.#posted] = [null, undefined, [], null];
    this.#wait = nextWait(this.#wait);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.show();
  }

  #receive({ newest, here, refused }) {
    this.wasConnected = true;
    if (newest !== undefined) [this.#newest, this.#posted] = [newest, null];
    if (newest) this.#wait = 0;
    this.#here = here;
    this.show();
    if (refused) {
      tell(`${capital(refused)}.`);
      // A refused state is not posted again by itself.
      this.#posted = this.keeper.latest?.friend?.entries.length ?? null;
    }
    this.#settle();
  }

  async #settle() {
    this.#isDue = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#isDue && this.isConnected && this.#isReady) {
        this.#isDue = false;
        await this.#compare();
      }
    } catch ({ message }) {
      tell(message);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Takes what is newer in the mailbox, or posts what is newer here. */
  async #compare() {
    const { model, keeper } = this;
    const newest = this.#newest;
    const own = model.game?.friend && keeper.latest?.friend;
    if (!own || this.#isEmpty) return newest && this.#enter(newest);
    if (!newest) return this.#post(null);
    const { length } = newest.entries;
    if (own.id !== newest.id) return own.id.startsWith(newest.id) ? this.#post(length) : this.#offerRematch(newest);
    this.#followed = own.id;
    const { header } = model.game;
    const isNamed = !own.own || newest[own.own] === header[own.own];
    const other = own.own && otherSide(own.own);
    const isNewName = other && newest[other] && newest[other] !== header[other];
    const isOlder = continues(newest.entries, own.entries) && (own.entries.length < length || isNewName);
    const isNewer = continues(own.entries, newest.entries) && (own.entries.length > length || !isNamed);
    // A turn may be under way to the board.
    if (isOlder) await this.actions.request({ receive: { game: newest, continues: true } });
    else if (isNewer) await this.#post(length);
    else if (!continues(own.entries, newest.entries) && this.#asked !== newest) this.ask((this.#asked = newest));
  }

  /** Posts the game after the link with this number of entries. */
  async #post(follows) {
    const { entries } = this.keeper.latest.friend;
    if (this.#posted === entries.length || !this.model.game.friend.own) return;
    this.#posted = entries.length;
    const game = await this.actions.request("link");
    if (this.isConnected) this.#socket.send(JSON.stringify({ post: { game, follows } }));
  }

  /** Begins the rematch of the game that was played here; asks in an older game. */
  async #offerRematch(newest) {
    if (this.#followed === this.model.game.friend.id) return this.#enter(newest);
    if (this.#asked === newest) return;
    this.#asked = newest;
    tell("Your friend has begun a rematch.", [["Open it", () => this.#enter(newest)]]);
  }

  /** Opens the game of the mailbox: the one that this browser keeps, a rematch, or another one. */
  async #enter(newest) {
    const { model, keeper } = this;
    this.#isEmpty = false;
    const isOpen = keeper.latest?.friend?.id === newest.id;
    const item = !isOpen && (await keeper.listed()).find(({ friend }) => friend === newest.id);
    const kept = item && (await keeper.store.read(item.id));
    const before = model.game?.friend?.own;
    const { own = before && otherSide(before), entries = [] } = (isOpen ? keeper.latest : kept?.game.saved)?.friend ?? {};
    const game = continues(entries, newest.entries) ? { ...newest, entries } : newest;
    const command = { receive: own ? { game, own } : { game } };
    if (isOpen) await keeper.again(command);
    else await keeper.open(command, { ...(kept ? { ...kept, id: item.id } : { item: { key: this.#key } }), isKept: true });
    if (!model.game.friend.own) this.invite(newest);
  }
}
