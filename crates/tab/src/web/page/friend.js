// A game with a friend elsewhere, by links: each has the whole game so far.

import { thumbnail } from "./board.js";
import { named, otherSide } from "./cells.js";
import { openDialog, tell } from "./dialog.js";
import { button, byId, h } from "./dom.js";
import { field } from "./fields.js";
import { PARTNER } from "./channel.js";
import { addressOf, copyFrom, fragmentIn, guestAddress, guestKey, pack, whoOpens } from "./link.js";
import { Live, newKey } from "./live.js";
import { nameIn } from "./players.js";

/** What the last entry says that is in no link yet. */
function draftWords(draft) {
  const [, saying] = /^(?:black|white) (\w+)/.exec(draft) ?? [];
  const words = { asks: "You ask to take back your move.", yes: "You agree.", no: "You refuse.", dead: "The link has your count.", resigns: "You resign." };
  return words[saying] ?? `Your move: ${draft}.`;
}

const firstOther = (game, entries) => game.entries.findIndex((entry, index) => entry !== entries[index]);

const hasShareSheet = () => Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;

export class FriendGame {
  #address = h("input", { type: "text", readonly: true, "aria-label": "Link for your friend", id: "friend-link" });
  #id = null;
  #copied = false;
  #answer = h("input", { type: "text", placeholder: "Paste your friend's link here", "aria-label": "Your friend's link", id: "friend-answer" });

  /** `open(fragment)` opens a link. */
  constructor(model, actions, keeper, open) {
    Object.assign(this, { model, actions, keeper });
    this.#answer.addEventListener("input", () => {
      const fragment = fragmentIn(this.#answer.value);
      if (!fragment) return tell("This link contains no game.");
      this.#answer.value = "";
      return open(fragment);
    });
    this.live = new Live(model, actions, keeper, { show: () => this.#show(), ask: (game) => this.#ask(game), invite: (game) => this.#offerSide(game) });
    model.on("game position", () => this.#show());
  }

  /** Takes the game of a link: advances a known game, or begins it here. */
  async receive(game) {
    const { keeper, actions } = this;
    if (!(await this.#openKnown(game.id))) await keeper.open({ receive: { game } }, { isKept: true });
    else {
      const { entries, sent } = keeper.latest.friend;
      const differs = firstOther(game, entries);
      if (differs < 0) this.#explainOld(game, entries);
      else {
        const look = await actions.request({ receive: { game, look: true } });
        if (differs >= (sent ?? 0) && !look.foreign) await this.#advance(game);
        else this.#choose(game, look, differs);
      }
    }
    if (!this.model.game.friend.own) await this.#offerSide(game);
  }

  /** Takes what the friend has added; the last link of this side is of the past then. */
  async #advance(game) {
    if ((await this.actions.act({ receive: { game } })) === null) return;
    this.#address.value = "";
    this.#show();
    byId("board").scrollIntoView({ block: "nearest" });
  }

  async #ask(game) {
    const { entries } = this.keeper.latest.friend;
    if (document.querySelector("dialog .continuations")) return;
    const look = await this.actions.request({ receive: { game, look: true } });
    this.#choose(game, look, firstOther(game, entries));
  }

  /** Opens the newest state of a game, perhaps of another tab; returns whether there is one. */
  async #openKnown(id) {
    const { model, keeper } = this;
    const isOpen = model.game?.friend?.id === id;
    const item = (await keeper.listed()).find(({ friend }) => friend === id);
    const kept = item && (await keeper.store.read(item.id));
    if (kept && !(isOpen && keeper.isNewest(kept))) await keeper.openKept(item.id, kept);
    return isOpen || Boolean(kept);
  }

  #explainOld(game, entries) {
    if (game.entries.length < entries.length) tell("This link is old: the game has continued since. The page shows the newer state.");
    else if (game.from === this.model.game.friend.own) tell("This is your own link. Your friend has to open it.");
  }

  #choose(game, look, differs) {
    const { model } = this;
    const close = () => dialog.close();
    const take = () => {
      close();
      this.#advance(game);
    };
    const figure = (words, scene) => h("div", {}, thumbnail(scene), h("p", {}, words));
    const words = look.foreign ? "The link has moves of your side that were not made in this browser." : `From move ${differs + 1} on, the link has other moves than this browser.`;
    const pictures = h("div", { class: "continuations" }, figure("In this browser", model.scene), figure("In the link", { ...look.state, sheets: look.sheets }));
    const foot = [button("Keep mine", close, { id: "keep-mine" }), button("Take the link's", take, { class: "primary", id: "take-link" })];
    const dialog = openDialog("Two continuations", [h("p", {}, `${words} Agree with your friend which one is the game.`), pictures], foot, "narrow");
  }

  /** Offers the other side, unless somebody has played it already. */
  async #offerSide(game) {
    const { model, actions } = this;
    const own = otherSide(game.from);
    const look = await actions.request({ receive: { game, look: true } });
    if (look.present[own === "black" ? 0 : 1]) {
      tell(`Both sides of this game have played, so this page only shows it. If ${named[own]} is yours, continue here.`, [[`Play ${named[own]} here`, () => this.#take(game, own, game[own])]]);
      return;
    }
    const name = h("input", { type: "text", dir: "auto", maxlength: 60, autocomplete: "nickname", id: "friend-name" });
    const play = () => {
      dialog.close();
      this.#take(game, own, name.value.trim());
    };
    const words = `${game[game.from] || "A friend"} invites you to ${model.variant.name} on ${model.state.width}×${model.state.height}. You play ${named[own]}. ${this.live.key ? "Your friend sees each move at once." : "After each move, copy the link and send it back."}`;
    const body = [h("p", {}, words), field("Your name", [name]).element];
    const dialog = openDialog("Play by link", body, [button("Only look", () => dialog.close()), button("Play", play, { class: "primary", id: "join" })], "narrow");
    name.focus();
  }

  #take(game, own, name) {
    return this.actions.act({ receive: { game: { ...game, [own]: name }, own } });
  }

  /** Gives the game a mailbox on the server, whose address the friend opens. */
  #invite() {
    this.keeper.note({ key: newKey() });
    this.live.follow();
    this.#copy(guestAddress(this.model.hello, this.live.key));
  }

  async #send() {
    const { model, actions } = this;
    this.#address.value = "";
    const game = await actions.act("link");
    if (!game) return;
    const packed = await pack({ friend: game });
    const { key } = this.live;
    await this.#copy(key && !model.hello.site ? `${guestAddress(model.hello, key)}&${packed}` : addressOf(model.hello, packed));
  }

  async #copy(address) {
    this.#address.value = address;
    this.#show();
    if (hasShareSheet()) await navigator.share({ title: "kawari", url: this.#address.value }).catch(() => {});
    else this.#copied = await copyFrom(this.#address);
    this.#show();
  }

  #show() {
    const friend = this.model.game?.friend;
    const box = byId("friend");
    if (friend?.id !== this.#id) this.#address.value = "";
    this.#id = friend?.id;
    const parts = friend && this.model.state ? this.#parts(friend).filter(Boolean) : [];
    box.hidden = parts.length === 0;
    box.replaceChildren(...parts);
  }

  #parts({ own, acts, asked, draft, to_send: toSend }) {
    const { model } = this;
    if (!own) return [h("p", {}, "You are watching this game.")];
    const name = nameIn(model.game, otherSide(own));
    const inside = name.replace(/^Your friend$/, "your friend");
    if (this.live.key) return this.#liveParts({ own, acts, asked, name, inside });
    if (acts === own) this.#address.value = "";
    const where = this.#whoOpens();
    // Without a public address a link would have the token of this server.
    const isLive = Boolean(model.hello.invitations);
    const invite = isLive && [h("p", {}, `Send ${inside} the address of this game, and you both see each move at once.`), h("p", { class: "note" }, where), button("Invite your friend", () => this.#invite(), { class: "primary large", id: "invite" })];
    if (isLive && (!model.hello.site || (model.state.turn === 0 && !draft))) return invite;
    if (toSend) {
      const label = hasShareSheet() ? "Send the link to your friend" : "Copy the link for your friend";
      const first = model.outcome?.how === "counted" && !asked ? " Count the board below first: the link takes your count along." : "";
      return [h("p", {}, `${draft ? draftWords(draft) : `${name} begins.`}${first}`), button(label, () => this.#send(), { class: "primary large", id: "send-link" }), where && h("p", { class: "note" }, where)];
    }
    if (!acts) return this.#address.value ? [h("p", {}, `${this.#copied ? "Copied. Send" : "Copy and send"} this last link, too.`), this.#address] : [];
    if (acts === own) {
      if (asked?.[1] === "dead") return [h("p", {}, `${name} sent this count. Agree below, or mark other stones.`)];
      if (!asked) return [h("p", {}, model.state.over ? "Count the board." : `${draft ? `${draftWords(draft)} ` : ""}It is your move. Then copy the link for your friend.`), where && h("p", { class: "note" }, where)];
      return this.#takeBackParts(name);
    }
    return [
      h("p", {}, `${!this.#address.value ? "" : this.#copied ? "Copied: send the link by mail or chat. " : "Copy the link below and send it by mail or chat. "}When ${inside} answers, open that link, or paste it here.`),
      where && h("p", { class: "note" }, where),
      this.#answer,
      h("div", { class: "row" }, this.#address.value && this.#address, button("Copy again", () => this.#send(), { id: "send-again" })),
    ];
  }
  #whoOpens() {
    return whoOpens(this.model.hello, PARTNER === "server");
  }

  #takeBackParts(name) {
    const say = (what) => () => this.actions.act({ say: what });
    return [h("p", {}, `${name} asks to take back a move.`), h("div", { class: "row" }, button("Allow", say("yes"), { class: "primary", id: "allow" }), button("Refuse", say("no"), { id: "refuse" }))];
  }

  /** The parts of a game whose moves reach the friend at once. */
  #liveParts({ own, acts, asked, name, inside }) {
    const { model, live } = this;
    const isHere = live.isHere(otherSide(own));
    const state = live.isConnected ? `${name} is ${isHere ? "here" : "away"}.` : live.wasConnected ? "The server does not answer. Your move reaches your friend when it is back." : "Connecting …";
    const presence = h("p", { class: isHere ? "presence here" : "presence", id: "presence" }, state);
    if (acts === own && asked && asked[1] !== "dead") return [presence, ...this.#takeBackParts(name)];
    const asks = asked && { dead: "sent a count", take_back: "asked to take back a move" }[asked[1]];
    const words = !acts ? "" : acts !== own ? (asks ? `You ${asks}. ` : "") : asks ? `${name} ${asks}. Agree below, or mark other stones.` : model.state.over ? "Count the board." : "It is your move.";
    const shown = this.#address.value && h("div", { class: "row" }, this.#address);
    const copy = !guestKey && button(`Copy the address for ${inside}`, () => this.#copy(guestAddress(model.hello, live.key)), { id: "copy-invitation", class: model.state.turn === 0 && !isHere ? "primary" : null });
    const link = button("Copy a link with the game", () => this.#send(), { id: "send-again", title: "For your friend if the server ends" });
    return [presence, words && h("p", {}, words), !guestKey && !isHere && h("p", { class: "note" }, this.#whoOpens()), shown, h("div", { class: "row wrap" }, [copy, link].filter(Boolean))];
  }
}
