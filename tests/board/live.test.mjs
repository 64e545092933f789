// A friend who moves at once: two browsers follow the mailbox of a game on one server.

import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import test from "node:test";
import { OF_SERVER, Person, Server, withBoard } from "./board.mjs";
import { begin, board, entries, hasEntries, play } from "./friend.mjs";
import { turnIs } from "./mygames.mjs";

const SLOW = { timeout: 300_000, ...OF_SERVER };

/** A server that other machines reach. */
const open = (port = 0) => Server.start(port, ["--listen", "0.0.0.0"]);

const isHere = (person, word) => person.tab.until((words) => document.getElementById("presence")?.textContent.endsWith(words), `is ${word}.`);

/** Ann begins a game; returns her page and the address for her friend, at the server's own address. */
async function invite(browser, server, variant = "go", size = "5", sides = undefined) {
  const ann = await begin(browser, server, variant, size, sides);
  await ann.tab.press("#invite");
  const address = await ann.tab.until(() => document.getElementById("friend-link")?.value);
  const { origin } = new URL(server.address);
  return { ann, address: `${origin}${new URL(address).pathname}${new URL(address).hash}` };
}

/** A friend opens the address and takes the other side. */
async function join(browser, address, name = "Bo ♜", options = {}) {
  const bo = new Person(await browser.open(address, options));
  await bo.tab.until(() => document.getElementById("friend-name"));
  await bo.tab.call((text) => {
    document.getElementById("friend-name").value = text;
  }, name);
  await bo.tab.press("#join");
  await bo.until("({ model }) => model.game?.friend?.own && !document.querySelector('dialog')");
  return bo;
}

/** Plays turns, each of which reaches the other page by itself. */
async function playAll(turns, from, to) {
  for (const [index, turn] of turns.split(" ").entries()) {
    const [mover, other] = index % 2 === 0 ? [from, to] : [to, from];
    await play(mover, turn);
    await hasEntries(other, (await entries(mover)).length);
    await turnIs(other, await mover.page("({ model }) => model.state.turn"));
  }
}

/** A way to a port that can be cut. */
async function way(port) {
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const listen = (at) => new Promise((resolve) => server.listen(at, "127.0.0.1", () => resolve(server.address().port)));
  const own = await listen(0);
  return {
    port: own,
    mend: () => listen(own),
    cut() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const over = (person, words) => person.tab.until((text) => document.querySelector("#ending h2")?.textContent.includes(text), words);

await withBoard(async (_, browser) => {
  await test("a whole game at once: a phone, names, take back, a count, a rematch", SLOW, async () => {
    const server = await open();
    try {
      const { ann, address } = await invite(browser, server);
      assert.doesNotMatch(address, /token/);
      await isHere(ann, "away");
      const bo = await join(browser, address, "Bo ♜", { width: 390, height: 844, touch: true });
      assert.equal(await bo.tab.call(() => getComputedStyle(document.getElementById("new-game")).display), "none");
      await isHere(ann, "here");
      await isHere(bo, "here");
      await ann.until("({ model }) => model.game.header.white === 'Bo ♜'");
      await playAll("C3 B3", ann, bo);
      await assert.rejects(play(bo, "A5"), /not your move/);
      await ann.request("take_back");
      await bo.tab.press("#allow");
      for (const person of [ann, bo]) await turnIs(person, 0);
      await playAll("C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B3 A1 pass pass", ann, bo);
      await ann.tab.until(() => document.getElementById("count-dead"));
      const { dead } = await ann.request({ dead_stones: { estimate: false } });
      if (!dead.includes("A1")) await ann.request({ toggle_dead: { at: "A1" } });
      await ann.tab.press("#count-dead");
      await bo.tab.press("#ending #agree");
      for (const person of [ann, bo]) await over(person, "as agreed");
      assert.equal(await board(ann), await board(bo));
      await bo.tab.press("#rematch");
      for (const person of [ann, bo]) await person.until("({ keeper, model }) => keeper.latest.friend.entries.length === 0 && model.state.turn === 0 && !document.querySelector('dialog')");
      await playAll("C3 B2", bo, ann);
      await bo.tab.close();
      await isHere(ann, "away");
      await ann.tab.close();
    } finally {
      await server.stop();
    }
  });

  await test("a reload, a second page of a friend, and a server that ends and comes back", SLOW, async () => {
    let server = await open();
    const { port } = server;
    try {
      const { ann, address } = await invite(browser, server, "stoical", "9");
      const bo = await join(browser, address);
      await playAll("D4 F6", ann, bo);
      await bo.tab.reload();
      await bo.until("({ model }) => model.game?.friend?.own === 'white' && model.state.turn === 2");
      await isHere(ann, "here");
      await server.stop();
      await bo.tab.until(() => /does not answer/.test(document.getElementById("friend").textContent));
      server = await open(port);
      // The token is new; Ann opens the new address, and her page brings the game back.
      await ann.tab.go(server.address);
      await ann.until("({ model }) => model.connected && model.game?.friend?.own === 'black' && model.state.turn === 2");
      await isHere(ann, "here");
      await playAll("C3 F7", ann, bo);
      assert.equal(await board(ann), await board(bo));
      // Another page of the same friend sees the game and plays on.
      const again = new Person(await browser.open(address, { beside: bo.tab }));
      await again.until("({ model }) => model.game?.friend?.own === 'white' && model.state.turn === 4");
      await play(ann, "E3");
      await turnIs(again, 5);
      await play(again, "G7");
      for (const person of [ann, bo]) await turnIs(person, 6);
      await ann.request({ play: "resign" });
      for (const person of [ann, bo, again]) await over(person, "White wins by resignation");
      for (const person of [bo, ann]) await person.tab.close();
    } finally {
      await server.stop();
    }
  });

  await test("a dead connection delays moves, and loses none", SLOW, async () => {
    const server = await open();
    const line = await way(server.port);
    try {
      const { ann, address } = await invite(browser, server, "tao", "5");
      const bo = await join(browser, address.replace(`:${server.port}/`, `:${line.port}/`));
      await playAll("A1 B2", ann, bo);
      await line.cut();
      await isHere(ann, "away");
      await bo.tab.until(() => /does not answer/.test(document.getElementById("friend").textContent));
      await play(ann, "D4");
      await line.mend();
      await turnIs(bo, 3);
      await isHere(ann, "here");
      await playAll("B4 D2", bo, ann);
      await bo.request({ play: "resign" });
      for (const person of [ann, bo]) await over(person, "Black wins by resignation");
      assert.equal(await board(ann), await board(bo));
      await bo.tab.close();
      await ann.tab.close();
    } finally {
      await server.stop();
      await line.cut();
    }
  });

  await test("without a server that others reach, the game goes on by link", SLOW, async () => {
    let server = await open();
    const { port } = server;
    try {
      const { ann, address } = await invite(browser, server);
      const bo = await join(browser, address);
      await playAll("C3", ann, bo);
      await bo.tab.close();
      await server.stop();
      server = await Server.start(port);
      await ann.tab.go(server.address);
      await ann.until("({ model }) => model.connected && model.game?.friend?.own === 'black' && model.state.turn === 1");
      await ann.tab.until(() => document.getElementById("send-again") && document.getElementById("friend-answer"));
      assert.equal(await ann.tab.call(() => document.getElementById("presence")), null);
      await ann.tab.press("#send-again");
      const link = await ann.tab.until(() => document.getElementById("friend-link")?.value);
      assert.match(link, /#game1\./);
      await ann.tab.close();
    } finally {
      await server.stop();
    }
  });
});
