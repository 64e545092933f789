// A player's view, and the browser's storage: damaged data, links, messages, files, the
// dialog of a new game, the panels, clocks, and records of two people.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";
import { closeDialog, GAME, GO, listed, turnIs } from "./mygames.mjs";

const SLOW = { timeout: 300_000 };

const said = (person, words) => person.tab.until((wanted) => new RegExp(wanted).test(document.getElementById("messages").textContent), words);

/** Opens the address of the page with another fragment. */
const visitLink = (person, fragment) =>
  person.tab.call((text) => {
    document.getElementById("messages").replaceChildren();
    location.hash = text;
  }, fragment);

/** The fragment of a link with this content. */
const linkOf = (person, content) => person.tab.call(async (data) => `#${await (await import("/link.js")).pack(data)}`, content);

await withBoard(async (server, browser) => {
  await test("a damaged value in the storage costs only itself", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    await person.tab.call(async () => {
      const damaged = { folded: "{}", lessons: "5", solved: '"x"', choices: "[]", panels: '"wide"', pace: "{}", dots: "7", arrangement: "{}", "journal.x.y": "{" };
      for (const [name, text] of Object.entries(damaged)) localStorage.setItem(`kawari.${name}`, text);
      const database = await new Promise((resolve) => {
        indexedDB.open("kawari").onsuccess = ({ target }) => resolve(target.result);
      });
      const list = database.transaction("list", "readwrite").objectStore("list");
      for (const entry of [{ id: "a" }, { id: "b", at: 1 }, { id: "c", at: 1, header: null, state: 3 }]) list.put(entry);
      await new Promise((resolve) => {
        list.transaction.oncomplete = resolve;
      });
      database.close();
    });
    await person.tab.reload();
    await person.ready();
    await turnIs(person, 1);
    assert.equal((await listed(person)).length, 1, "the entry that is whole");
    await person.tab.press("#show-rules");
    await person.tab.until(() => document.querySelector("dialog.learning .lesson h3"));
    await closeDialog(person);
    await person.tab.press("#new-game");
    await person.tab.until(() => document.querySelectorAll("dialog .game-card").length >= 8);
    await person.checkPage();
    await person.tab.close();
  });

  await test("a database that the browser closes is opened again", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    // The store closes its database for whoever wants to delete it.
    await person.tab.call(() => new Promise((resolve) => {
      indexedDB.deleteDatabase("kawari").onsuccess = resolve;
    }));
    await person.clickAll(["G7"]);
    await person.until("({ keeper }) => keeper.store.read(keeper.id).then((entry) => entry?.item.positions === 2)");
    assert.equal(await person.tab.call(() => document.querySelector("#messages .message")), null);
    await person.tab.close();
  });

  await test("the page says that a newer version has changed the storage", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    await person.tab.call(() => new Promise((resolve) => {
      indexedDB.open("kawari", 99).onsuccess = resolve;
    }));
    await person.clickAll(["G7"]);
    await said(person, "newer version of this page");
    await person.tab.close();
  });

  await test("a link opens with what chat programs add to it, and a damaged one costs only itself", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    const record = { sgf: GAME, path: [], live: [] };
    const link = await linkOf(person, { saved: record });
    for (const after of [".", ")", ",", "%20", "&utm_source=x"]) {
      await person.newGame("go", GO);
      await visitLink(person, link + after);
      await person.until("({ model }) => model.game.header.black === 'Ann'");
    }
    // A review that cannot be read is left out; the game is there, also after a reload.
    for (const review of [5, { path: [0] }, { path: [0], losses: [[99, "x"]], mistakes: [[99, {}]], accuracy: 3 }, { path: [0], losses: [], mistakes: [[1, { color: "black", better: {} }]], accuracy: {} }]) {
      await person.newGame("go", GO);
      await visitLink(person, await linkOf(person, { saved: record, review }));
      await person.until("({ model }) => model.game.header.black === 'Ann'");
      await person.tab.reload();
      await person.ready();
      await person.until("({ model }) => model.game.header.black === 'Ann'");
      assert.equal(await person.tab.call(() => document.querySelector("#messages .message")), null, JSON.stringify(review));
    }
    for (const content of [5, null, {}, [], { saved: 3 }, { saved: {} }, { friend: [] }, { friend: {} }]) {
      await visitLink(person, await linkOf(person, content));
      await said(person, "^The link cannot be read");
    }
    await person.checkPage();
    await person.tab.close();
  });

  await test("Copied stands only where something was copied", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    const copy = async (works) => {
      await person.tab.call((isAllowed) => {
        Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: () => (isAllowed ? Promise.resolve() : Promise.reject(new Error("no"))) } });
        document.execCommand = () => isAllowed;
      }, works);
      await person.tab.press("#copy-link");
      const words = await person.tab.until(() => /[Cc]opied/.exec(document.querySelector("#copy-address")?.textContent) && document.querySelector("#copy-address").textContent);
      await closeDialog(person);
      return words;
    };
    assert.equal(await copy(true), "Copied");
    assert.match(await copy(false), /^Not copied/);
    await person.tab.close();
  });

  await test("a folder among files costs no file, and a file that is opened again is the same game", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.tab.call(() => {
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = function () {
        return this.name === "folder" ? Promise.reject(new DOMException("it is a folder", "NotFoundError")) : read.call(this);
      };
    });
    await person.drop([["folder", ""], ["game.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await said(person, "folder: it cannot be read");
    await person.until("({ keeper }) => keeper.store.list().then((games) => games.length === 1)");
    await person.newGame("go", GO);
    await person.drop([["game.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    assert.equal((await listed(person)).filter(([title]) => title.includes("Ann")).length, 1);
    await person.tab.close();
  });

  await test("messages end with the game that they are about, and after a while", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.tab.call(async () => {
      (await import("/dialog.js")).tell("about this game");
    });
    await person.newGame("go", GO);
    assert.equal(await person.tab.call(() => document.querySelector("#messages .message")), null);
    // The clock is the test's: a message waits for one call.
    const left = await person.tab.call(async () => {
      const { tell } = await import("/dialog.js");
      const waiting = [];
      const wait = globalThis.setTimeout;
      globalThis.setTimeout = (action) => waiting.push(action);
      tell("after a while");
      globalThis.setTimeout = wait;
      const before = document.querySelectorAll("#messages .message").length;
      for (const action of waiting) action();
      return [before, document.querySelectorAll("#messages .message").length];
    });
    assert.deepEqual(left, [1, 0]);
    await person.tab.close();
  });

  await test("a beginner is led to games that end decided, and the dialog says how Nuclear Go ends", async () => {
    const person = await Person.visit(browser, server);
    const suggested = () => person.tab.call(() => document.querySelector("dialog .first")?.closest("[data-variant]").dataset.variant ?? null);
    const seen = [];
    for (let games = 0; games < 3; games++) {
      const variant = await suggested();
      seen.push(variant);
      await person.tab.press(`dialog [data-variant="${variant}"]`);
      await person.tab.press("#begin");
      await person.until("({ model }, id) => model.game?.variant === id && !document.querySelector('dialog')", variant);
      await person.tab.press("#new-game");
    }
    assert.deepEqual([...seen, await suggested()], ["go", "capture", "tao", null]);
    await person.tab.press('dialog [data-variant="no"]');
    assert.match(await person.tab.call(() => document.querySelector("dialog .summary").textContent), /without komi are drawn/);
    await person.tab.close();
  });

  await test("in a laptop's window the warnings of Nuclear Go are whole, and each sentence ends once", async () => {
    const person = await Person.visit(browser, server, { width: 1366, height: 768 });
    await person.newGame("no", { Size: ["7", "7"], ...HUMANS });
    await person.clickAll(["D4", "F4"]);
    for (const turn of ["nuke D4", "nuke F4", "C3", "B6"]) await person.request({ play: { turn } });
    await person.turn();
    const seen = await person.tab.call(() => {
      const warnings = document.getElementById("warnings");
      return { cut: warnings.scrollHeight - warnings.clientHeight, texts: warnings.querySelectorAll("p").length, said: document.getElementById("live").textContent };
    });
    assert.ok(seen.texts >= 2, `${seen.texts} warnings`);
    assert.ok(seen.cut <= 0, `${seen.cut} pixels are out of sight`);
    assert.match(seen.said, /spreads to .*\. Void/);
    assert.doesNotMatch(seen.said, /\.\./);
    await person.tab.close();
  });

  await test("rules with a name set the options of Go, and say what is missing", async () => {
    const person = await Person.visit(browser, server, { width: 1366, height: 650 });
    await person.tab.press('dialog [data-variant="go"]');
    assert.ok(await person.tab.until(() => document.querySelector("dialog .dialog-body").classList.contains("goes-on")), "the dialog shows that it goes on");
    const inside = await person.tab.call(() => {
      const { bottom } = document.getElementById("begin").getBoundingClientRect();
      return bottom <= innerHeight && [...document.querySelectorAll("dialog .games, dialog .part .pills, dialog .part select")].every((part) => part.getBoundingClientRect().bottom <= bottom);
    });
    assert.ok(inside, "a beginner starts a game without scrolling");
    await person.tab.press("dialog .more summary");
    const choose = (value) =>
      person.tab.call((name) => {
        const select = document.getElementById("preset");
        select.value = name;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        return [document.querySelector('dialog [aria-label="Komi"]').value, select.closest(".field").textContent];
      }, value);
    assert.deepEqual((await choose("Chinese"))[0], "7.5");
    assert.match((await choose("AGA"))[1], /points for handicap stones/);
    const [komi, words] = await choose("Japanese");
    assert.equal(komi, "6.5");
    assert.match(words, /seki/);
    await person.tab.press("#begin");
    await person.until("({ model }) => model.game.rules.scoring === 'territory' && model.game.rules.ko === 'simple' && Number(model.game.komi) === 6.5");
    await person.tab.press("#new-game");
    assert.equal(await person.tab.call(() => document.getElementById("preset").value), "Japanese", "remembered");
    await person.tab.close();
  });

  await test("the board keeps its room whatever the panels were", async () => {
    for (const [width, height] of [[1920, 1000], [1366, 650], [1280, 800], [1024, 720], [900, 620]]) {
      const person = await Person.visit(browser, server, { width, height });
      await person.newGame("go", GO);
      for (const panels of ["0.97", "0.6", "700", "1500", "-3", '"x"']) {
        await person.tab.call((text) => localStorage.setItem("kawari.panels", text), panels);
        await person.tab.reload();
        await person.ready();
        const share = await person.tab.until(() => {
          const { width: side } = document.getElementById("board").getBoundingClientRect();
          return side > 0 && side / Math.min(innerWidth, innerHeight);
        });
        assert.ok(share >= 0.5, `${share} of ${width}x${height} with ${panels}`);
      }
      await person.tab.close();
    }
  });

  await test("clocks stay when their time is over, and when the game ends otherwise", SLOW, async () => {
    const person = await Person.visit(browser, server);
    const clocks = () => person.tab.call(() => [...document.querySelectorAll(".player .clock")].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent));
    const begin = (clock) => person.begin({ variant: "go", width: 9, height: 9, clock });
    await begin({ byo_yomi: { main: 0, period: 0.4, periods: 2 } });
    assert.equal((await clocks()).length, 2, "before the first move");
    await person.until("({ model }) => model.lostOnTime !== null && model.ended");
    assert.deepEqual((await clocks())[0], "0:00");
    assert.equal((await clocks()).length, 2);
    await begin({ fischer: { main: 300, increment: 5 } });
    await person.request({ play: "resign" });
    await person.until("({ model }) => model.outcome !== null");
    assert.equal((await clocks()).length, 2, "after a resignation");
    await person.tab.close();
  });

  await test("a record of two people asks the mistakes of the chosen side", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await person.page(
      `async ({ actions, keeper, model }) => {
        document.querySelector("dialog")?.close();
        await keeper.open({ open: { sgf: "(;GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bo];B[cc];W[cd];B[bd];W[dc];B[aa];W[dd])" } }, { isKept: true });
        const line = model.lineThrough(model.root.id);
        const mistake = (depth, color) => [depth, { color, loss: 3, reason: null, caption: "x", points: [], better: null, answer: null }];
        keeper.review.restore({ path: model.pathTo(line.at(-1).id), losses: [[4, 3, "white", false, null], [5, 3, "black", false, null]], mistakes: [mistake(4, "white"), mistake(5, "black")], accuracy: { black: 50, white: 50 } });
      }`,
    );
    const asked = () => person.page("({ keeper }) => keeper.questions().map(({ mistake }) => mistake.color)");
    assert.deepEqual(await asked(), ["white", "black"]);
    await person.tab.press("#tab-review");
    const choose = (side) =>
      person.tab.call((value) => {
        const select = document.getElementById("own-side");
        select.value = value;
        select.dispatchEvent(new Event("change"));
        return select.hidden;
      }, side);
    assert.equal(await choose("white"), false);
    assert.deepEqual(await asked(), ["white"]);
    await person.until("({ keeper }) => keeper.store.read(keeper.id).then((entry) => entry?.game.side === 'white')");
    await person.tab.reload();
    await person.ready();
    assert.deepEqual(await asked(), ["white"]);
    assert.equal(await person.tab.call(() => document.getElementById("own-side").value), "white");
    await person.tab.close();
  });

  await test("a key at a long record lays out no node twice, and looks at each node a few times", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    const looks = [];
    for (const length of [2000, 20_000]) {
      looks.push(
        await person.tab.call(async (count) => {
          const { layOut } = await import("/tree.js");
          const nodes = new Map();
          // A main line, and a variation of two moves at every tenth.
          for (let id = 0; id < count; id++) nodes.set(id, { id, parent: id === 0 ? null : id - 1, children: id + 1 < count ? [id + 1] : [] });
          for (let at = 0; at + 1 < count; at += 10) {
            const [one, two] = [count + at, count + at + 1];
            nodes.get(at).children.push(one);
            nodes.set(one, { id: one, parent: at, children: [two] });
            nodes.set(two, { id: two, parent: one, children: [] });
          }
          let seen = 0;
          const get = nodes.get.bind(nodes);
          nodes.get = (id) => {
            seen++;
            return get(id);
          };
          const placed = layOut(nodes, 0);
          return [placed.size === nodes.size, seen / nodes.size];
        }, length),
      );
    }
    for (const [isWhole, each] of looks) assert.ok(isWhole && each < 8, `${each} looks at a node`);
    // A variation of many moves at each turn: the picture has what is in sight, and nothing else.
    const turns = Array.from({ length: 100 }, (_, at) => `;${"BW"[at % 2]}[${String.fromCharCode(97 + (at % 19))}${String.fromCharCode(97 + Math.floor(at / 19))}]`);
    const branch = (at) => `(${turns.slice(at).join("").replaceAll("]", "]C[variation]")})`;
    await person.drop([["comb.sgf", `(;SZ[19]${turns.map((turn) => `(${turn}`).join("")}${turns.map((_, at) => `)${branch(99 - at)}`).join("")})`]]);
    await person.until("({ model }) => model.nodes.size > 5000");
    await person.tab.press("#tab-tree");
    await person.page("({ actions, model }) => actions.go(model.lineThrough(model.root.id)[50].id)");
    const edges = await person.tab.resting(() => [...document.querySelectorAll(".tree-view .edge")].map((edge) => edge.getAttribute("d")).join("").split("M").length);
    assert.ok(edges > 20 && edges < 600, `${edges} edges`);
    await person.tab.close();
  });
});
