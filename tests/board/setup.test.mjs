// The dialogs of a game: rules, players, and what cannot be.

import assert from "node:assert/strict";
import test from "node:test";
import { Person, withBoard } from "./board.mjs";

const ENGINES = { Black: ["level 1"], White: ["level 1"] };

await withBoard(async (server, browser) => {
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
      await person.tab.press(`dialog:has(.rules) .pill[data-value="${variant}"]`);
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

  await test("two engines play until somebody pauses them, and a person takes over", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["19", "19"], ...ENGINES });
    await person.tab.until(async () => (await import("/main.js")).model.state.turn > 3);
    await person.tab.key(" ");
    await person.tab.until(async () => {
      const { model } = await import("/main.js");
      return model.game.paused && model.thinking === null;
    });
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
