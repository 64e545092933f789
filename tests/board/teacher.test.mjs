// The teacher: moves that are held up, mistakes that are practised.

import assert from "node:assert/strict";
import test from "node:test";
import { Person, withBoard } from "./board.mjs";

const SLOW = { timeout: 240_000 };
const GAME = { variant: "go", width: 5, height: 5, komi: 0.5 };
const AGAINST = { black: "human", white: { visits: 2 } };

/** Begins a game on the page, and plays the moves of both sides. */
const begin = (person, game, turns = []) =>
  person.tab.call(
    async (settings, list) => {
      document.querySelector("dialog")?.close();
      const { actions } = await import("/main.js");
      await actions.request({ new: { ...settings, players: { black: "human", white: "human" } } });
      for (const turn of list) await actions.request({ play: turn === "pass" ? turn : { turn } });
      await actions.request({ pace: { reply: 0, engines: 0 } });
      await actions.request({ players: settings.players });
    },
    game,
    turns,
  );

const held = (person) => person.tab.until(() => !document.getElementById("held").hidden && document.querySelectorAll("#board .number").length > 0);

await withBoard(async (server, browser) => {
  for (const shape of [{ width: 1280, height: 800 }, { width: 1024, height: 720 }, { width: 390, height: 844, touch: true }]) {
    await test(`a move that costs much is held up on ${shape.width}x${shape.height}`, SLOW, async () => {
      const person = await Person.visit(browser, server, shape);
      const press = (point) => (shape.touch ? person.place(point).then((place) => person.tab.tap(place)) : person.click(point));
      await begin(person, { ...GAME, players: AGAINST, teach: true }, ["C3", "C2", "B2", "D3"]);
      const before = await person.turn();
      // White takes two points of Black's at once if Black plays in its own corner.
      await press("A1");
      await held(person);
      const text = await person.tab.call(() => document.getElementById("held").textContent);
      assert.match(text, /^A1 costs [\d.]+ points\..*The numbered stones punish it: /s);
      assert.ok(await person.tab.call(() => document.querySelector("#board .played") !== null), "the ring where it was played");
      const box = await person.tab.call(() => {
        const { top, bottom, left, right } = document.getElementById("try-again").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
      });
      assert.ok(box, "the way back is in sight");
      assert.equal((await person.read()).state.turn, before.state.turn + 1, "the opponent waits");
      await person.tab.press("#try-again");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn === turn && document.getElementById("held").hidden, before.state.turn);
      await person.turn();
      // A second attempt is judged, too; this time the move stays.
      await press("A1");
      await held(person);
      await person.tab.press("#leave-it");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn >= turn, before.state.turn + 2);
      assert.equal(await person.tab.call(() => document.getElementById("held").hidden), true);
      await person.checkPage();
      await person.tab.close();
    });
  }

  await test("by the keyboard alone a move that is held up is taken back", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await begin(person, { ...GAME, players: AGAINST, teach: true }, ["C3", "C2", "B2", "D3"]);
    await person.turn();
    await person.tab.call(async () => {
      const { table } = await import("/main.js");
      table.cursor = "A1";
      document.getElementById("board").focus();
    });
    await person.tab.key("Enter");
    await person.tab.key("Enter");
    await held(person);
    await person.tab.until(() => document.activeElement?.id === "try-again");
    await person.tab.key("Enter");
    await person.tab.until(async () => (await import("/main.js")).model.state.turn === 4 && document.getElementById("held").hidden);
    await person.tab.close();
  });

  await test("the dialog offers a teacher for weak opponents, and a game has a switch for it", SLOW, async () => {
    const person = await Person.visit(browser, server);
    const choose = (value) =>
      person.tab.call((wanted) => {
        const select = document.querySelector("dialog .part select");
        select.value = wanted;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }, value);
    const checked = () => person.tab.call(() => document.getElementById("teach").checked);
    await choose("level 2");
    assert.equal(await checked(), true);
    await choose("level 9");
    assert.equal(await checked(), false);
    assert.match(await person.tab.call(() => document.getElementById("teach").closest(".field").textContent), /costs 3 points or more waits/);
    await choose("level 2");
    await person.tab.press("#begin");
    const pressed = (on) => person.tab.until((wanted) => document.querySelector('#actions [data-action="teach"]')?.getAttribute("aria-pressed") === wanted, String(on));
    await pressed(true);
    await person.tab.press('#actions [data-action="teach"]');
    await pressed(false);
    await person.tab.reload();
    await person.ready();
    await pressed(false);
    await person.tab.close();
  });
});
