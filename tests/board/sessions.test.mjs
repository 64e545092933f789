// Actions around a game: take back, look ahead, analyse.

import assert from "node:assert/strict";
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
    assert.equal(said, "", "the stone just played is not a refusal");
    await person.tab.move(await person.place("C3"));
    await person.tab.move(await person.place("B1"));
    await person.tab.until(() => /already a/.test(document.getElementById("saying").textContent));
    await person.click("B1");
    await person.tab.until(() => document.getElementById("saying").classList.contains("asks"));
    assert.equal((await person.checkPage()).node, page.node);
    await person.tab.close();
  });

  await test("a click destroys one of your stones only when it is repeated", async () => {
    const person = await twoPeople(browser, server, "no", 7);
    let page = await person.clickAll(["D4", "B2"]);
    await person.click("D4");
    await person.click("D4");
    assert.equal((await person.read()).node, page.node, "a stone is not a nuke, however often it is clicked");
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
      await person.tab.until(() => document.getElementById("saying").textContent.includes("choose Balance stone first"));
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
    await pressAction(person, "Think ahead");
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
