// Actions of two people in a game by link.

import { Person } from "./board.mjs";
import { turnIs } from "./mygames.mjs";

/** Begins a game by link; Ann has the first move. */
export async function begin(browser, server, variant = "go", size = "5", sides = { Black: ["human"], White: ["friend"] }) {
  const ann = await Person.visit(browser, server);
  await ann.newGame(variant, { Size: [size, size], ...sides, "Your name": "Änne 安" });
  return ann;
}

/** Presses the large button; returns the link. */
export async function send(person) {
  await person.tab.press("#send-link");
  return person.until("({ model }) => !model.game.friend.to_send && document.getElementById('friend-link')?.value");
}

/** Bo opens the first link in another browser. */
export async function join(browser, address, name = "Bo ♜") {
  const bo = new Person(await browser.open(address));
  await bo.tab.until(() => document.getElementById("friend-name"));
  await bo.tab.call((text) => {
    document.getElementById("friend-name").value = text;
  }, name);
  await bo.tab.press("#join");
  await bo.until("({ model }) => model.game.friend.own !== null && !document.querySelector('dialog')");
  return bo;
}

/** Pastes a link where the page waits for the answer; elsewhere opens it in the tab. */
export const paste = (person, address) =>
  person.tab.call((text) => {
    document.getElementById("messages").replaceChildren();
    const field = document.getElementById("friend-answer");
    if (!field) {
      location.hash = text.slice(text.indexOf("#"));
      return;
    }
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }, address);

export const said = (person, words) => person.tab.until((text) => document.getElementById("messages").textContent.includes(text), words);

export const entries = (person) => person.page("async ({ keeper }) => keeper.latest.friend.entries");

export const hasEntries = (person, count) => person.until("({ keeper }, count) => keeper.latest.friend?.entries.length === count", count);

/** Sends what `from` has just done; `to` gets it. */
export async function passOn(from, to) {
  const address = await send(from);
  await paste(to, address);
  await hasEntries(to, (await entries(from)).length);
  await turnIs(to, await from.page("({ model }) => model.state.turn"));
  return address;
}

export const play = (person, turn) => person.request({ play: { turn } });

/** Plays turns, each sent by link, the first by `from`. */
export async function playAll(turns, from, to) {
  let link = null;
  for (const [index, turn] of turns.split(" ").entries()) {
    const [mover, other] = index % 2 === 0 ? [from, to] : [to, from];
    await play(mover, turn);
    link = await passOn(mover, other);
  }
  return link;
}

export const board = (person) => person.page("({ model }) => model.state.board.join(' ')");
