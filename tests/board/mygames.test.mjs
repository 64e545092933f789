// My games: everything that was played or opened is kept by itself, and nothing replaces it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";
import { Chromium } from "./chromium.mjs";
import { Firefox } from "./firefox.mjs";
import { closeDialog, entry, GAME, GO, listed, openGame, OTHER, pressEntry, turnIs } from "./mygames.mjs";

const { FIREFOX, CHROMIUM } = process.env;

await withBoard(async (server, browser) => {
  await test("new games, files and links replace nothing, and all are in the list", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7"]);
    await person.newGame("tao", { Size: ["7", "7"], ...HUMANS });
    await person.clickAll(["E5"]);
    await person.drop([["ann.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await person.newGame("go", GO);
    const entries = await listed(person);
    assert.equal(entries.length, 3, JSON.stringify(entries));
    assert.deepEqual(entries.map(([, kind]) => kind.replace(/ · from.*/, "")), ["Go 9×9 · 3 moves", "Tao Go 7×7 · 1 move", "Go 9×9 · 3 moves"]);
    assert.equal(entries[0][0], "Ann 3d – Bo 2k");
    assert.match(entries[0][2], /2020-01-02 · B\+R$/);
    assert.match(entries[1][2], /unfinished$/);
    await openGame(person, "Tao Go");
    await turnIs(person, 1);
    await person.clickAll(["C3"]);
    assert.equal((await listed(person)).length, 3, "going on makes no second game");
    await openGame(person, "Ann");
    await person.until("({ model }) => model.game.header.black === 'Ann' && model.nodes.size === 5");
    await person.checkPage();
    await person.tab.close();
  });

  await test("games are renamed, searched, deleted and put back", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.drop([["ann.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await person.drop([["cy.sgf", OTHER]]);
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    await person.tab.press("#my-games");
    const cy = await entry(person, "Cy");
    await pressEntry(person, cy, "rename");
    await person.tab.call(() => {
      document.querySelector(".my-games form input").value = "the final";
    });
    await person.tab.press(".my-games form button");
    assert.equal(await entry(person, "the final"), cy);
    const shown = () => person.tab.call(() => [...document.querySelectorAll(".my-games strong")].map(({ textContent }) => textContent));
    const search = (words) =>
      person.tab.call((text) => {
        const field = document.querySelector(".my-games-dialog input[type=search]");
        field.value = text;
        field.dispatchEvent(new Event("input"));
      }, words);
    await search("2020 ann");
    assert.deepEqual(await shown(), ["Ann 3d – Bo 2k"]);
    await search("nobody");
    assert.deepEqual(await shown(), []);
    await search("");
    await pressEntry(person, cy, "delete");
    await person.tab.until(() => document.querySelectorAll(".my-games li").length === 1);
    await person.tab.press("#put-back");
    await person.tab.until(() => document.querySelectorAll(".my-games li").length === 2);
    assert.deepEqual(await shown(), ["the final", "Ann 3d – Bo 2k"]);
    // A name stays when the game goes on.
    await pressEntry(person, await entry(person, "Ann"), "open");
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await openGame(person, "the final");
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    await person.tab.press("#my-games");
    await pressEntry(person, cy, "rename");
    await person.tab.call(() => {
      document.querySelector(".my-games form input").value = "the end";
    });
    await person.tab.press(".my-games form button");
    await entry(person, "the end");
    await closeDialog(person);
    await person.clickAll(["E5"]);
    await person.tab.press("#my-games");
    assert.equal(await entry(person, "the end"), cy);
    await pressEntry(person, cy, "delete");
    await person.tab.until(() => document.querySelectorAll(".my-games li").length === 1);
    await closeDialog(person);
    // The game that is open was removed: it is a game again once it changes.
    await person.clickAll(["E4"]);
    assert.deepEqual((await listed(person)).length, 2);
    await person.tab.close();
  });

  await test("a move and a comment of the last instant are there after a reload", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.tab.press("#tab-tree");
    // The page goes as soon as the move is shown.
    await person.tab.call(async () => {
      const { actions, model } = await import("/main.js");
      window.isOld = true;
      model.on("position", () => {
        const box = document.querySelector("#talk textarea");
        box.value = "too slow";
        box.dispatchEvent(new Event("input"));
        location.reload();
      });
      setTimeout(() => actions.play({ turn: "G7" }), 50);
    });
    await person.until("({ model }) => !window.isOld && model.state?.turn === 2 && [...model.nodes.values()].some(({ comment }) => comment === 'too slow')");
    await person.tab.reload();
    await person.until("({ model }) => model.state?.turn === 2 && [...model.nodes.values()].some(({ comment }) => comment === 'too slow')");
    assert.equal((await listed(person)).length, 1);
    await person.tab.close();
  });

  await test("two tabs with one game make two games of it", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    // A duplicated tab has a copy of the session storage of the first one.
    const session = await person.tab.call(() => sessionStorage.getItem("kawari.open"));
    const second = new Person(await browser.open("about:blank", { beside: person.tab }));
    const source = `sessionStorage.getItem("kawari.open") ?? sessionStorage.setItem("kawari.open", ${JSON.stringify(session)})`;
    await second.tab.preload(source);
    await second.tab.go(server.address);
    await second.ready();
    await turnIs(second, 1);
    await second.clickAll(["G7", "G3"]);
    await person.clickAll(["E5"]);
    await person.tab.until(() => document.getElementById("messages").textContent.includes("Another tab"));
    const [own] = await person.page("({ keeper }) => [keeper.id]");
    // The message is about this game only.
    await person.newGame("go", GO);
    await person.tab.until(() => !document.getElementById("messages").textContent.includes("Another tab"));
    await person.page("async ({ keeper }, id) => keeper.openKept(id, await keeper.store.read(id))", own);
    await turnIs(person, 2);
    const kinds = async (who) => (await listed(who)).map(([, kind]) => kind).sort();
    assert.deepEqual(await kinds(person), ["Go 9×9 · 2 moves", "Go 9×9 · 3 moves"]);
    await person.clickAll(["E3"]);
    await second.clickAll(["C7"]);
    assert.deepEqual(await kinds(second), ["Go 9×9 · 3 moves", "Go 9×9 · 4 moves"]);
    for (const who of [person, second]) {
      const { node } = await who.read();
      await who.tab.reload();
      await who.ready();
      assert.equal((await who.turn()).node, node);
    }
    await person.tab.close();
  });

  await test("clocks go on over a reload, and wait in a game of the list", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.request({ new: { variant: "go", width: 9, height: 9, clock: { fischer: { main: 300, increment: 10 } } } });
    await person.clickAll(["C3", "G7"]);
    // The event of the clock may come after the answer that caused it.
    const left = (least = 0, most = 3600) => person.tab.until((from, to) => {
      const face = document.querySelector('.player[data-color="black"] .clock');
      const [minutes, seconds] = face.textContent.split(":").map(Number);
      const all = 60 * minutes + seconds;
      return !face.hidden && all >= from && all <= to && all;
    }, least, most);
    const before = await left();
    for (let reloads = 0; reloads < 3; reloads++) {
      await person.tab.reload();
      await person.ready();
      await person.until("({ model }) => model.game.clock");
    }
    assert.ok((await left()) <= before, "nothing is added to a turn that was not made");
    const runs = () => person.tab.call(() => document.querySelector(".player .clock.running")?.closest(".player").dataset.color ?? null);
    const itRuns = (color) => person.tab.until((wanted) => (document.querySelector(".player .clock.running")?.closest(".player").dataset.color ?? null) === wanted, color);
    await itRuns("black");
    await person.clickAll(["C7"]);
    await itRuns("white");
    await person.tab.key(" ");
    await person.tab.until(() => !document.querySelector(".player .clock.running"));
    await person.tab.key(" ");
    await person.tab.until(() => document.querySelector(".player .clock.running"));
    await person.newGame("go", GO);
    await openGame(person, "3 moves");
    await turnIs(person, 3);
    assert.equal(await runs(), null, "a game of the list waits");
    await person.tab.close();
  });

  await test("a page that was frozen for long takes up its game as after a reload", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.request({ new: { variant: "go", width: 9, height: 9, clock: { fischer: { main: 300, increment: 10 } } } });
    await person.clickAll(["C3"]);
    const games = await person.until("({ model }) => model.games");
    await person.tab.call(() => {
      const now = Date.now;
      Date.now = () => now() + 660_000;
    });
    await person.until("({ model }, games) => model.games > games", games);
    await turnIs(person, 1);
    assert.equal(await person.until("({ model }) => model.lostOnTime ?? 'nobody'"), "nobody");
    assert.equal((await listed(person)).length, 1);
    await person.tab.close();
  });

  await test("the browser is asked once to keep the games for good", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.preload("window.asked = 0; navigator.storage.persist = async () => { window.asked++; return true; };");
    await person.tab.reload();
    await person.ready();
    await person.newGame("go", GO);
    assert.equal(await person.tab.call(() => window.asked), 0, "an empty game is not worth it");
    await person.clickAll(["C3", "G7"]);
    await person.tab.until(() => window.asked === 1);
    await person.tab.close();
  });

  await test("after a dialog Space and Enter are for the board", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.tab.key(" ");
    await person.tab.key("Enter");
    await person.tab.key("Enter");
    await turnIs(person, 1);
    assert.equal(await person.tab.call(() => document.querySelector("dialog[open]")), null);
    await person.tab.close();
  });

  await test("all games are saved to a file, and loaded from it elsewhere", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.drop([["ann.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await person.drop([["cy.sgf", OTHER]]);
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    await person.tab.call(() => {
      window.saved = [];
      URL.createObjectURL = (blob) => {
        window.saved.push(blob);
        return "#";
      };
    });
    await person.tab.press("#my-games");
    await person.tab.press("#save-all");
    const text = await person.tab.until(() => window.saved[0]?.text());
    // A game that came from a file keeps the file's name.
    await person.tab.call(() => {
      HTMLAnchorElement.prototype.click = function () {
        window.fileName = this.download;
      };
    });
    await pressEntry(person, await entry(person, "Cy"), "save");
    assert.equal(await person.tab.until(() => window.fileName), "cy.sgf");
    const other = await Person.visit(browser, server);
    await closeDialog(other);
    await other.tab.press("#my-games");
    await other.tab.call((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], "games.sgf"));
      data.items.add(new File(["no game"], "bad.sgf"));
      const input = document.querySelector('input[aria-label="Files for my games"]');
      input.files = data.files;
      input.dispatchEvent(new Event("change"));
    }, text);
    await other.tab.until(() => /2 games loaded from 2 files. 1 could not be read/.test(document.querySelector(".my-games-dialog [role=status]").textContent));
    const titles = await other.tab.call(() => [...document.querySelectorAll(".my-games strong")].map(({ textContent }) => textContent));
    assert.deepEqual(titles.sort(), ["Ann 3d – Bo 2k", "Cy – Di"]);
    await other.tab.close();
    await person.tab.close();
  });

  await test("a browser without storage says so once, and offers a file", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.preload("indexedDB.open = () => { throw new Error('off'); }; Storage.prototype.setItem = () => { throw new Error('off'); };");
    await person.tab.reload();
    await person.ready();
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7"]);
    const said = await person.tab.until(() => [...document.querySelectorAll(".message")].map(({ textContent }) => textContent));
    assert.equal(said.length, 1);
    assert.match(said[0], /cannot keep this game.*Save to a file/);
    await person.tab.call(() => document.querySelector(".message .square").click());
    await person.clickAll(["E5"]);
    assert.equal(await person.tab.call(() => document.querySelectorAll(".message").length), 0);
    await person.tab.close();
  });

  await test("the undo of a deletion keeps what another tab has played since", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    const second = new Person(await browser.open(server.address, { beside: person.tab }));
    await second.ready();
    await second.tab.call(() => document.querySelector("dialog[open]")?.close());
    await second.tab.press("#my-games");
    await pressEntry(second, await entry(second, "1 move"), "delete");
    await second.tab.until(() => document.querySelector("#put-back"));
    await person.clickAll(["G7", "G3", "C7"]);
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    await second.tab.press("#put-back");
    await second.tab.until(() => [...document.querySelectorAll(".my-games li")].some(({ textContent }) => textContent.includes("4 moves")));
    await person.tab.close();
  });

  await test("a full storage does not hide the latest state", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    const full = "for (const name of ['put', 'add']) IDBObjectStore.prototype[name] = () => { throw new DOMException('full', 'QuotaExceededError'); };";
    await person.tab.call((text) => new Function(text)(), full).catch(() => person.tab.preload(full));
    await person.tab.preload(full);
    await person.clickAll(["G7", "G3"]);
    await person.tab.reload();
    await person.ready();
    await turnIs(person, 3);
    await person.tab.until(() => /cannot keep this game/.test(document.getElementById("messages").textContent));
    await person.tab.close();
  });

  await test("a comment is stored while the person types on", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    // Keys every 100 ms for two seconds and a half.
    const stored = await person.tab.call(async () => {
      const { keeper } = await import("/main.js");
      const box = document.querySelector("#talk textarea");
      for (let key = 0; key < 25; key++) {
        box.value += "k";
        box.dispatchEvent(new Event("input"));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { game } = await keeper.store.read(keeper.id);
      return Math.max(game.typed?.text.length ?? 0, /k+/.exec(game.saved.sgf)?.[0].length ?? 0);
    });
    assert.ok(stored >= 12, `${stored} letters are in the store`);
    await person.tab.close();
  });

  await test("a browser that is killed loses nothing older than a second", { timeout: 300_000 }, async () => {
    const profile = mkdtempSync(join(tmpdir(), "kawari-kill-"));
    const start = () => (FIREFOX ? Firefox.start(FIREFOX, profile) : Chromium.start(CHROMIUM, profile));
    let other = await start();
    const person = await Person.visit(other, server, { lasts: true });
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7", "G3", "E5"]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await other.kill();
    other = await start();
    const again = await Person.visit(other, server, { lasts: true });
    await again.tab.press(".kept .button");
    await turnIs(again, 5);
    await other.close();
    rmSync(profile, { recursive: true, force: true });
  });
});
