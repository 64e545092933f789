// What people do around a game: take back, look ahead, analyse, keep records, come back after
// a reload.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { HUMANS, OF_SERVER, Person, Server, withBoard } from "./board.mjs";


/** A game between two people at one screen. */
async function twoPeople(browser, server, variant, size, fields = {}) {
  const person = await Person.visit(browser, server);
  await person.newGame(variant, { Size: [String(size), String(size)], ...HUMANS, ...fields });
  return person;
}

const pressAction = (person, words) =>
  person.tab.call((start) => {
    const button = [...document.querySelectorAll(".actions button, .panel button")].find((each) => each.textContent.startsWith(start) && !each.disabled);
    if (!button) throw new Error(`no button ${start}`);
    button.click();
  }, words);

const board = ({ state }) => state.board.join("\n");

await withBoard(async (server, browser) => {
  await test("a refused point says why, and nothing changes", async () => {
    const person = await twoPeople(browser, server, "go", 5);
    const page = await person.clickAll(["B1"]);
    const said = await person.tab.call(() => document.getElementById("saying").textContent);
    assert.equal(said, "", "the stone just played is no refusal");
    await person.tab.move(await person.place("C3"));
    await person.tab.move(await person.place("B1"));
    await person.tab.until(() => /occupied/i.test(document.getElementById("saying").textContent));
    await person.click("B1");
    await person.tab.until(() => document.getElementById("saying").classList.contains("asks"));
    assert.equal((await person.checkPage()).node, page.node);
    await person.tab.close();
  });

  await test("a click destroys an own stone only when it is repeated", async () => {
    const person = await twoPeople(browser, server, "no", 7);
    let page = await person.clickAll(["D4", "B2"]);
    await person.click("D4");
    await person.click("D4");
    assert.equal((await person.read()).node, page.node, "a stone is no nuke, however often it is clicked");
    await person.tab.until(() => /choose Nuke/.test(document.getElementById("saying").textContent));
    await person.tab.key("n");
    await person.click("D4");
    await person.tab.until(() => /Press the point again/.test(document.getElementById("saying").textContent));
    assert.equal((await person.read()).node, page.node);
    await person.tab.key("Escape");
    await person.click("D4");
    assert.equal((await person.read()).node, page.node, "Escape forgot the first click");
    await person.click("D4");
    await person.changed(page);
    page = await person.turn();
    assert.equal(page.state.voids.length, 1);
    await person.checkPage();
    await person.tab.close();
  });

  await test("the look ahead shows voids that are not there yet, and the present again", async () => {
    const person = await twoPeople(browser, server, "no", 7);
    await person.clickAll(["D4", "B2"]);
    await person.tab.key("n");
    await person.click("D4");
    await person.click("D4");
    await person.tab.until(async () => (await import("/main.js")).model.state.voids.length === 1);
    const page = await person.turn();
    for (let turns = 0; turns < 3; turns++) await person.tab.key("]");
    await person.tab.until(() => document.querySelectorAll("#board .void").length > 1);
    await person.tab.key("Escape");
    await person.tab.until(() => document.querySelectorAll("#board .void").length === 1);
    assert.equal((await person.checkPage()).node, page.node);
    await person.tab.close();
  });

  await test("take back, variations, navigation and comments", async () => {
    const person = await twoPeople(browser, server, "go", 9);
    const first = await person.clickAll(["C3", "G7", "C7"]);
    await pressAction(person, "Take back");
    await person.changed(first);
    const second = await person.clickAll(["D6"]);
    assert.notEqual(second.node, first.node);
    await person.tab.key("ArrowDown", 8);
    await person.changed(second);
    const other = await person.read();
    assert.equal(other.node, first.node, "the other variation");
    await person.tab.key("Home");
    await person.changed(other);
    assert.equal((await person.read()).state.turn, 0);
    await person.tab.key("End");
    await person.tab.until(async () => (await import("/main.js")).model.state.turn === 3);
    await person.tab.press("#tab-tree");
    await person.tab.press("#talk textarea");
    await person.tab.send("Input.insertText", { text: "Too slow?" });
    await person.tab.until(async () => {
      const { model } = await import("/main.js");
      return model.nodes.get(model.position.node).comment === "Too slow?";
    });
    await person.checkPage();
    await person.tab.close();
  });

  await test("a record that is saved and opened again is the same game", async () => {
    const person = await twoPeople(browser, server, "tao", 7);
    const before = await person.clickAll(["C3", "E5", "C5"]);
    const folder = mkdtempSync(join(tmpdir(), "kawari-save-"));
    await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: person.tab.target.browserContextId });
    await person.tab.press("#save-file");
    let names = [];
    while (!names.some((name) => name.endsWith(".sgf"))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      names = readdirSync(folder);
    }
    const sgf = readFileSync(join(folder, names.find((name) => name.endsWith(".sgf"))), "utf8");
    rmSync(folder, { recursive: true });
    await person.newGame("go", { Size: ["5", "5"], ...HUMANS });
    await person.tab.call((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "game.sgf"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, sgf);
    // It opens at its beginning.
    await person.tab.until(async () => {
      const { state } = (await import("/main.js")).model;
      return state.variant === "tao" && state.turn === 0;
    });
    await person.tab.key("End");
    await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn === turn, before.state.turn);
    const after = await person.checkPage();
    assert.equal(board(after), board(before));
    assert.equal(after.state.turn, before.state.turn);
    assert.deepEqual(after.state.hand, before.state.hand);
    await person.tab.close();
  });

  await test("marks of a record are drawn with their turns, and saved again", async () => {
    const person = await twoPeople(browser, server, "go", 5);
    const open = (text) => person.tab.call(async (sgf) => (await import("/main.js")).actions.request({ open: { sgf, from_start: true } }), text);
    const drawn = (count) => person.tab.until((wanted) => document.querySelectorAll("#board .people").length === wanted, count);
    const reply = await open("(;GM[1]SZ[9];B[ee]LB[cc:A][gc:B]TR[ee];W[dc]SQ[aa:bb];B[cd])");
    assert.equal(reply.left_out, 0);
    for (const count of [0, 3, 4, 0]) {
      await drawn(count);
      await person.tab.key("ArrowRight");
    }
    await person.tab.key("Home");
    await person.tab.key("ArrowRight");
    const labels = await person.tab.until(() => {
      const texts = [...document.querySelectorAll("#board .people text")].map(({ textContent }) => textContent);
      return texts.length > 0 && texts;
    });
    assert.deepEqual(labels.sort(), ["A", "B"]);
    const saved = await person.tab.call(async () => (await import("/main.js")).actions.request("save"));
    for (const mark of ["LB[cc:A][gc:B]", "TR[ee]", "SQ[aa:bb]"]) assert.ok(JSON.stringify(saved).includes(mark), JSON.stringify(saved));
    await person.tab.close();
  });

  await test("a reload in the middle of a growth goes on there", async () => {
    const person = await twoPeople(browser, server, "sygo", 9);
    await person.clickAll(["D4", "F6", "G2", "B7"]);
    const growing = await person.clickAll(["D5"]);
    assert.equal(growing.view.mid_turn.length, 1);
    await person.tab.reload();
    await person.ready();
    const page = await person.turn();
    assert.deepEqual(page.view.mid_turn, ["D5"]);
    assert.equal(board(page), board(growing));
    await pressAction(person, "End of turn");
    await person.changed(page);
    await person.checkPage();
    await person.tab.close();
  });

  await test("a balance turn has a button and a key of its own", async () => {
    const person = await twoPeople(browser, server, "sygo", 9);
    const button = () =>
      person.tab.call(() => {
        const found = [...document.querySelectorAll("#actions button")].find(({ textContent }) => textContent.startsWith("Balance stone"));
        return found ? { disabled: found.disabled, pressed: found.ariaPressed } : null;
      });
    assert.equal(await button(), null, "nobody has the right before the first turn");
    for (const way of ["button", "key"]) {
      await person.clickAll(["D4", "F6"]);
      assert.equal(await button(), null, "who began has no right");
      const before = await person.clickAll(["G2"]);
      assert.deepEqual(await button(), { disabled: true, pressed: "false" }, "a growth comes first");
      const growing = await person.clickAll(["F5"]);
      assert.deepEqual(await button(), { disabled: false, pressed: "false" });
      await person.click("B7");
      await person.tab.until(() => document.getElementById("saying").textContent.includes("After the button Balance stone"));
      assert.deepEqual((await person.read()).view.mid_turn, ["F5"], "a slip of the hand ends no turn");
      if (way === "button") await pressAction(person, "Balance stone");
      else await person.tab.key("b");
      assert.equal((await button()).pressed, "true");
      const after = await person.clickAll(["B7"]);
      assert.equal(after.state.turn, before.state.turn + 1);
      assert.equal(after.view.last.turn, "grow F5 B7");
      assert.notEqual(board(after), board(growing));
      assert.equal(await button(), null, "a growth has been made");
      if (way === "button") await person.newGame("sygo", { Size: ["9", "9"], ...HUMANS });
    }
    await person.tab.close();
  });

  await test("a link holds the position", async () => {
    const person = await twoPeople(browser, server, "2.5d", 4);
    const page = await person.clickAll(["B2", "G2", "B3"]);
    await person.tab.press("#copy-link");
    const address = await person.tab.until(() => document.querySelector("dialog input[readonly]")?.value);
    const other = await browser.open(address);
    const friend = new Person(other);
    await friend.tab.until(async () => (await import("/main.js")).model.state?.turn === 3);
    assert.equal(board(await friend.checkPage()), board(page));
    await friend.tab.close();
    await person.tab.close();
  });

  await test("hint, analysis, and the graph", { timeout: 300_000 }, async () => {
    const person = await twoPeople(browser, server, "go", 5);
    await person.clickAll(["C3", "C2"]);
    await person.tab.key("h");
    await person.tab.until(() => document.querySelector("#board .candidate.best"));
    await person.tab.key("a");
    await person.tab.until(() => document.querySelectorAll("#panel-analysis tbody tr").length > 1);
    await person.tab.until(() => document.querySelector("#board .owned"));
    await person.tab.call(() => document.querySelector("#panel-analysis tbody tr").dispatchEvent(new MouseEvent("mouseenter")));
    await person.tab.until(() => document.querySelectorAll("#board .number").length > 0);
    await person.tab.key("a");
    await person.tab.until(async () => !(await import("/main.js")).model.analysis);
    await person.checkPage();
    await person.tab.close();
  });

  await test("kawari ponders on the person's time, and only while the page can be seen", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["5", "5"], Black: ["human"], White: ["visits", "30"] });
    const ponders = (wanted) => person.tab.until(async (on) => ((await import("/main.js")).model.thinking?.what === "ponder") === on, wanted);
    const hide = (hidden) =>
      person.tab.call((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    assert.equal((await person.turn()).thinking, null);
    await pressAction(person, "Ponder");
    await ponders(true);
    await hide(true);
    await ponders(false);
    await hide(false);
    await ponders(true);
    const page = await person.read();
    await person.click("C3");
    await person.changed(page);
    await person.turn();
    await ponders(true);
    await person.tab.key("o");
    await ponders(false);
    await person.tab.close();
  });

  await test("the game outlives the server", { timeout: 300_000, ...OF_SERVER }, async () => {
    const own = await Server.start();
    const person = await twoPeople(browser, own, "stoical", 5);
    const before = await person.clickAll(["C3", "B2", "D4"]);
    await own.stop();
    await person.tab.until(() => /server is not running/.test(document.getElementById("status").textContent));
    const again = await Server.start(own.port);
    await person.ready();
    const after = await person.turn();
    assert.equal(board(after), board(before));
    await person.tab.close();
    await again.stop();
  });
});
