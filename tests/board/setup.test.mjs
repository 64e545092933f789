// The dialogs of a game: blocked points, handicap, rules, players.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";

const ENGINES = { Black: ["level 1"], White: ["level 1"] };

/** The place of a point on the small board of the dialog, a square with this many lines. */
const setupPlace = (person, size, column, row) =>
  person.tab.resting(
    (lines, across, up) => {
      // The board is drawn when its part of the dialog has been opened.
      const svg = document.querySelector(".setup-board svg");
      const [first, ...others] = svg?.querySelectorAll(".line") ?? [];
      if (others.length !== 2 * lines - 1) return null;
      svg.scrollIntoView({ block: "center", behavior: "instant" });
      const { x: left, y: bottom, height } = first.getBBox();
      const { x, y } = new DOMPoint(left + across, bottom + height - up).matrixTransform(svg.getScreenCTM());
      return { x, y };
    },
    size,
    column,
    row,
  );

await withBoard(async (server, browser) => {
  await test("points are blocked and handicap stones placed by clicks", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["7", "7"], ...HUMANS }, async () => {
      await person.tab.press("dialog .more summary");
      await person.tab.click(await setupPlace(person, 7, 2, 2));
      await person.tab.click(await setupPlace(person, 7, 1, 1));
      await person.tab.click(await setupPlace(person, 7, 1, 1));
      await person.tab.call(() => document.querySelectorAll("dialog .setup-fields input[type=radio]")[1].click());
      await person.tab.click(await setupPlace(person, 7, 4, 4));
      await person.tab.click(await setupPlace(person, 7, 0, 6));
    });
    const { state } = await person.checkPage();
    assert.deepEqual(state.board, ["X......", ".......", "....X..", ".......", "..#....", ".......", "......."]);
    assert.equal(state.to_move, "white");
    await person.tab.close();
  });

  await test("a game that cannot be says why, and the dialog stays", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.press('dialog [data-variant="2.5d"]');
    await person.tab.call(() => {
      document.querySelector('dialog [aria-label="Columns"]').value = "25";
    });
    await person.tab.press("#begin");
    const inSight = await person.tab.until(() => {
      const errors = [...document.querySelectorAll("dialog .field-error")].filter(({ textContent }) => textContent.length > 10);
      const seen = ({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight;
      return errors.length === 2 && errors.every((error) => seen(error.getBoundingClientRect()));
    });
    assert.ok(inSight, "at its field and at Start game");
    await person.tab.close();
  });

  await test("the rules of every game go through an example", async () => {
    const person = await Person.visit(browser, server);
    const variants = await person.tab.call(async () => {
      document.querySelector("dialog").close();
      return (await import("/main.js")).model.hello.variants.filter(({ example }) => example.length > 1).map(({ id }) => id);
    });
    assert.ok(variants.length > 0);
    await person.tab.press("#show-rules");
    await person.tab.until(() => document.querySelector("dialog .lesson h3"));
    await person.tab.press("dialog .lesson .link");
    for (const variant of variants) {
      await person.tab.press(`dialog [data-variant="${variant}"]`);
      const read = () =>
        person.tab.call(() => {
          const [back, on] = document.querySelectorAll(".example button");
          return { picture: document.querySelector(".example svg").innerHTML, text: document.querySelector(".example-text").textContent, back: !back.disabled, on: !on.disabled };
        });
      const last = await read();
      assert.deepEqual([last.back, last.on], [true, false]);
      await person.tab.press(".example button");
      const before = await read();
      assert.equal(before.on, true);
      assert.notEqual(before.text, last.text);
      assert.notEqual(before.picture, last.picture, `${variant}: the picture is that of the turn before`);
    }
    assert.deepEqual(person.tab.problems, []);
    await person.tab.close();
  });

  await test("two engines play until somebody pauses them, and a person takes over", { timeout: 120_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["19", "19"], ...ENGINES });
    await person.tab.until(async () => (await import("/main.js")).model.state.turn > 3);
    await person.tab.key(" ");
    await person.tab.until(async () => {
      const { model } = await import("/main.js");
      return model.game.paused && model.thinking === null;
    });
    const paused = (await person.read()).state.turn;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal((await person.read()).state.turn, paused);
    await person.tab.press('.player[data-color="black"]');
    await person.tab.call(() => {
      for (const select of document.querySelectorAll("dialog select")) {
        select.value = "human";
        select.dispatchEvent(new Event("change"));
      }
    });
    await person.tab.press("dialog .primary");
    await person.tab.until(async () => (await import("/main.js")).model.personToMove);
    await person.tab.press("#rare summary");
    await person.tab.press('#rare [data-action="resign"]');
    await person.tab.press("dialog .primary");
    await person.tab.until(() => /by resignation/.test(document.getElementById("status").textContent));
    await person.checkPage();
    await person.tab.close();
  });
});
