// Games by link: two people in two browsers send each other the whole game as an address.

import assert from "node:assert/strict";
import test from "node:test";
import { OF_SERVER, Person, Server, withBoard } from "./board.mjs";
import { begin, board, entries, hasEntries, join, passOn, paste, play, playAll, said, send } from "./friend.mjs";
import { listed, turnIs } from "./mygames.mjs";

const SLOW = { timeout: 300_000 };

await withBoard(async (server, browser) => {
  await test("a whole game by link: clicks, names, dead stones, My games, no help before the end", SLOW, async () => {
    const ann = await begin(browser, server);
    for (const help of ["hint", { analysis: { on: true } }, { review: { visits: 1 } }, "genmove", "play_on", "agree"]) {
      await assert.rejects(ann.request(help), /game with a friend|game by link/);
    }
    let page = await ann.read();
    await ann.click("C1");
    await ann.changed(page);
    assert.equal((await ann.read()).mine, false, "the friend is to move");
    const bo = await join(browser, await send(ann));
    page = await bo.read();
    await bo.click("D1");
    await bo.changed(page);
    await passOn(bo, ann);
    await assert.rejects(play(bo, "A5"), /not your move/);
    const link = await playAll("C2 D2 C3 D3 C4 D4 C5 D5 B3 A1 pass", ann, bo);
    assert.ok(link.length < 900, `${link.length} letters`);
    // The second pass and the count are one link; the game goes on until both have agreed.
    await bo.pass();
    await bo.tab.until(() => /Count the board below first/.test(document.getElementById("friend").textContent));
    assert.equal(await bo.tab.call(() => document.getElementById("review-game")), null);
    await bo.tab.until(() => document.getElementById("count-dead"));
    const { dead } = await bo.request({ dead_stones: { estimate: false } });
    if (!dead.includes("A1")) await bo.request({ toggle_dead: { at: "A1" } });
    await bo.tab.press("#count-dead");
    await hasEntries(bo, 15);
    await passOn(bo, ann);
    await ann.tab.until(() => /Bo ♜ sent this count/.test(document.getElementById("friend").textContent));
    await ann.tab.press("#ending #agree");
    await passOn(ann, bo);
    for (const person of [ann, bo]) {
      await person.tab.until(() => /as agreed/.test(document.querySelector("#ending h2")?.textContent ?? ""));
      const { game, state } = await person.read();
      assert.deepEqual([game.header.black, game.header.white, state.turn], ["Änne 安", "Bo ♜", 14]);
      const games = await listed(person);
      assert.equal(games.length, 1);
      assert.match(games[0].join(" "), /Änne 安 – Bo ♜/);
      await person.checkPage();
    }
    assert.equal(await board(ann), await board(bo));
    const result = await ann.tab.call(() => document.querySelector("#ending h2").textContent);
    await ann.tab.reload();
    await ann.ready();
    assert.equal(await ann.tab.until(() => document.querySelector("#ending h2")?.textContent), result);
    assert.equal(await ann.tab.call(() => document.getElementById("send-link")), null);
    await ann.request({ review: { visits: 1 } });
    await bo.tab.close();
    await ann.tab.close();
  });

  await test("old links, one's own link, and two continuations", SLOW, async () => {
    const ann = await begin(browser, server);
    await play(ann, "C3");
    const first = await send(ann);
    await paste(ann, first);
    await said(ann, "This is your own link");
    assert.equal((await ann.read()).mine, false);
    const bo = await join(browser, first);
    await play(bo, "B3");
    const second = await passOn(bo, ann);
    await paste(ann, first);
    await said(ann, "This link is old");
    await turnIs(ann, 2);
    // Another tab of the same browser has the game, too.
    const again = new Person(await browser.open(first, { beside: ann.tab }));
    await turnIs(again, 2);
    await said(again, "This link is old");
    // A third browser only looks once both sides have played.
    const cy = new Person(await browser.open(second));
    await said(cy, "only shows it");
    assert.equal((await cy.read()).mine, false);
    await cy.tab.close();
    // Bo has taken the move back in another copy of the page and sends a different one.
    const other = await join(browser, first);
    await play(other, "D3");
    const fork = await send(other);
    await paste(ann, fork);
    await ann.tab.until(() => document.querySelectorAll("dialog .continuations > div").length === 2);
    await ann.tab.press("#keep-mine");
    assert.equal((await entries(ann))[1], "B3");
    await paste(ann, fork);
    // A dialog in a tab behind others is closed, and removed later.
    await ann.tab.until(() => Boolean(document.querySelector("dialog[open] #take-link")));
    await ann.tab.call(() => document.querySelector("dialog[open] #take-link").click());
    await ann.until("({ keeper }) => keeper.latest.friend.entries[1] === 'D3'");
    await ann.tab.reload();
    await ann.ready();
    assert.deepEqual(await entries(ann), ["C3", "D3"]);
    for (const person of [other, bo, ann]) await person.tab.close();
  });

  await test("take back is asked and answered, a move that was not sent is free, and a side resigns", SLOW, async () => {
    const ann = await begin(browser, server);
    await play(ann, "C3");
    await ann.request("take_back");
    assert.equal((await ann.read()).state.turn, 0);
    await play(ann, "C2");
    const bo = await join(browser, await send(ann));
    await ann.request("take_back");
    await passOn(ann, bo);
    await bo.tab.press("#refuse");
    // The refusal goes with the move.
    assert.equal(await bo.tab.call(() => document.getElementById("send-link")), null);
    await play(bo, "B3");
    await passOn(bo, ann);
    assert.equal((await ann.read()).state.turn, 2);
    await ann.request("take_back");
    await passOn(ann, bo);
    await assert.rejects(play(bo, "B2"), /question/);
    await bo.tab.press("#allow");
    await passOn(bo, ann);
    for (const person of [ann, bo]) assert.equal((await person.read()).state.turn, 0);
    await playAll("C3 B3", ann, bo);
    await ann.request({ play: "resign" });
    await passOn(ann, bo);
    for (const person of [ann, bo]) await person.tab.until(() => /White wins by resignation/.test(document.querySelector("#ending h2")?.textContent ?? ""));
    assert.deepEqual(await entries(bo), ["C2", "black asks", "white no", "B3", "black asks", "white yes", "C3", "B3", "black resigns"]);
    await bo.tab.close();
    await ann.tab.close();
  });

  await test("turns of several steps go by link", SLOW, async () => {
    const ann = await begin(browser, server, "sygo", "9", { Black: ["friend"], White: ["human"] });
    await play(ann, "D4");
    const bo = await join(browser, await send(ann));
    await playAll("F6 G2 B7", bo, ann);
    let page = await ann.read();
    await ann.click("D5");
    await ann.changed(page);
    assert.equal(await ann.tab.call(() => document.getElementById("send-link")), null, "the turn is not over");
    await ann.tab.reload();
    await ann.ready();
    page = await ann.turn();
    assert.deepEqual(page.view.mid_turn, ["D5"]);
    await ann.request({ play: "end" });
    await passOn(ann, bo);
    assert.equal(await board(ann), await board(bo));
    await bo.tab.close();
    await ann.tab.close();
  });

  await test("links of a board open at its public address, and two boards play one game", { ...SLOW, ...OF_SERVER }, async () => {
    const local = await Server.start(0, ["--site", server.address]);
    try {
      const ann = await begin(browser, local);
      await play(ann, "C3");
      const link = await send(ann);
      assert.equal(link.split("#")[0], server.address);
      const bo = await join(browser, link);
      await play(bo, "B3");
      assert.equal((await passOn(bo, ann)).split("#")[0], server.address);
      await playAll("D3 B2", ann, bo);
      assert.equal(await board(ann), await board(bo));
      // A link of the record has the public address, too.
      await ann.tab.press("#copy-link");
      assert.equal((await ann.tab.until(() => document.querySelector("dialog input[readonly]")?.value)).split("#")[0], server.address);
      await bo.tab.close();
      await ann.tab.close();
    } finally {
      await local.stop();
    }
  });

  await test("a device with a share sheet opens it", SLOW, async () => {
    const ann = new Person(await browser.open("about:blank"));
    await ann.tab.preload(`
      const media = window.matchMedia.bind(window);
      window.matchMedia = (query) => (query === "(pointer: coarse)" ? { matches: true } : media(query));
      navigator.share = async ({ url }) => { window.shared = url; };
    `);
    await ann.tab.go(server.address);
    await ann.ready();
    await ann.newGame("go", { Size: ["5", "5"], Black: ["human"], White: ["friend"] });
    await play(ann, "C3");
    assert.equal(await ann.tab.until(() => document.getElementById("send-link")?.textContent), "Send the link to your friend");
    await ann.tab.press("#send-link");
    const shared = await ann.tab.until(() => window.shared);
    const bo = await join(browser, shared);
    assert.equal((await bo.read()).state.turn, 1);
    await bo.tab.close();
    await ann.tab.close();
  });

  await test("a position of the editor is played by link", SLOW, async () => {
    const ann = await Person.visit(browser, server);
    await ann.tab.press('dialog [data-variant="no"]');
    await ann.tab.press("#edit-position");
    await ann.until("({ model }) => model.editing === 'position' && !document.querySelector('dialog')");
    await ann.request({ set_up: { pieces: [["D4", "X"], ["D5", "O"], ["F3", "*SE"]], to_move: "white" } });
    await ann.tab.press("#editor-play");
    await ann.tab.until(() => document.querySelector("dialog select"));
    await ann.tab.call(() => {
      const [black, white] = document.querySelectorAll("dialog select");
      [black.value, white.value] = ["friend", "human"];
      for (const select of [black, white]) select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await ann.tab.press("dialog .primary");
    await ann.until("({ model }) => model.game.friend?.own === 'white' && model.editing === null && !document.querySelector('dialog')");
    await play(ann, "C3");
    const bo = await join(browser, await send(ann));
    assert.equal(await board(bo), await board(ann));
    const { state, game } = await bo.read();
    // The void has spread once.
    assert.deepEqual([game.friend.own, state.to_move, state.voids.length, state.turn], ["black", "black", 2, 1]);
    await playAll("E4 C4", bo, ann);
    assert.equal(await board(bo), await board(ann));
    assert.equal((await listed(ann)).length, 1);
    await bo.tab.close();
    await ann.tab.close();
  });

  await test("a tab that stayed behind takes the newest state first", SLOW, async () => {
    const ann = await begin(browser, server);
    await play(ann, "C3");
    const bo = await join(browser, await send(ann));
    const behind = new Person(await browser.open(server.address, { beside: ann.tab }));
    await behind.ready();
    await behind.page("async ({ keeper, model }) => { document.querySelector('dialog')?.close(); const [{ id }] = await keeper.listed(); await keeper.openKept(id, await keeper.store.read(id)); }");
    await hasEntries(behind, 1);
    await play(bo, "D3");
    await passOn(bo, ann);
    await play(ann, "C2");
    await send(ann);
    await ann.until("({ keeper }) => keeper.store.read(keeper.id).then(({ game }) => game.saved.friend.entries.length === 3)");
    // Bo's answer is opened in the other tab, which has only the first move.
    await paste(bo, await ann.page("() => document.getElementById('friend-link').value"));
    await hasEntries(bo, 3);
    await play(bo, "D2");
    await paste(behind, await send(bo));
    await hasEntries(behind, 4);
    assert.equal(await behind.tab.call(() => document.querySelector("dialog")), null, "it asks nothing");
    assert.equal((await listed(behind)).length, 1, "one game");
    await behind.tab.close();
    await bo.tab.close();
  });

  await test("hostile links say what is wrong and change nothing", SLOW, async () => {
    const ann = await begin(browser, server);
    await play(ann, "C3");
    const address = await send(ann);
    const hash = new URL(address).hash;
    const changed = (more, by = {}) => ann.tab.call(async (text, fields, added) => {
      const { pack, unpack } = await import("/link.js");
      const { friend } = await unpack(text);
      const { start = {}, ...others } = fields;
      return `#${await pack({ friend: { ...friend, entries: [...friend.entries, ...added], ...others, start: { ...friend.start, ...start } } })}`;
    }, hash.slice(1), by, more);
    const before = await entries(ann);
    const hostile = [
      [hash.replace("game1.", "game2."), "different version"],
      [hash.slice(0, -15), "cannot be read"],
      ["#game1.AAAA", "cannot be read"],
      [`#game1.${"A".repeat(50_000)}`, "too long"],
      [await changed(["C3"]), "is not allowed"],
      [await changed(["B3", "Z99"]), "is not allowed"],
      [await changed(["white agrees"]), "is not allowed"],
      [await changed(["white dead"]), "pass twice first"],
      [await changed([], { entries: Array(4000).fill("pass") }), "at most 3000 entries"],
      [await changed(["B3"], { surplus: 1 }), "unknown field"],
      [await changed([], { id: "another", start: { width: 99 } }), "size"],
    ];
    for (const [fragment, words] of hostile) {
      await ann.tab.call((text) => {
        document.getElementById("messages").replaceChildren();
        location.hash = text;
      }, fragment);
      await said(ann, words);
      assert.deepEqual(await entries(ann), before, fragment.slice(0, 40));
    }
    // A link with moves of the own side from elsewhere asks first.
    await paste(ann, await changed(["B3", "D3"]));
    await ann.tab.press("#keep-mine");
    assert.deepEqual(await entries(ann), before);
    await ann.tab.close();
  });

  await test("300 turns on 19x19 are a short link", SLOW, async () => {
    const ann = await begin(browser, server, "go", "19");
    const game = await ann.request("link");
    let at = 1;
    const points = Array.from({ length: 361 }, (_, index) => "ABCDEFGHJKLMNOPQRST"[index % 19] + (1 + Math.floor(index / 19)));
    for (let index = points.length - 1; index > 0; index--) {
      at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
      const other = at % (index + 1);
      [points[index], points[other]] = [points[other], points[index]];
    }
    const length = await ann.tab.call(async (linked) => {
      const { addressOf, pack } = await import("/link.js");
      return addressOf({ site: "https://example.org/kawari/" }, await pack({ friend: linked })).length;
    }, { ...game, entries: points.slice(0, 300) });
    assert.ok(length < 1500, `${length} letters`);
    await ann.tab.close();
  });
});
