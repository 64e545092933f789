// Hints, verdicts and mistakes of whole turns, in games whose turns have several steps.

import assert from "node:assert/strict";
import test from "node:test";
import { Person, withBoard } from "./board.mjs";

const SLOW = { timeout: 300_000 };
const SYGO = { variant: "sygo", width: 5, height: 5, komi: 0.5 };

/** White, to move, has two groups, each of which may grow. */
const TWO_GROUPS = ["B2", "A5", "D4", "E1"];

const said = (person) => person.tab.call(() => document.getElementById("saying").textContent);
const discs = (person) => person.tab.call(() => document.querySelectorAll("#board .candidate").length);

/** Asks for a hint when the last turn stands; returns its steps on points. */
async function hint(person) {
  await person.turn();
  await person.tab.key("h");
  await person.tab.until(() => /^Hint: /.test(document.getElementById("saying").textContent));
  return (await person.page("({ model }) => model.hintedSteps")).filter(({ at }) => at).map(({ at }) => at);
}

await withBoard(async (server, browser) => {
  await test("a hint names and draws a whole turn, and what is left of it after a step", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await person.begin(SYGO, TWO_GROUPS);
    // A hint of one stone says nothing about turns of several.
    await person.page(`({ model, actions }) => {
      const ask = actions.request;
      actions.act = (command) => (command === "hint" ? Promise.resolve({ best: { pv: ["B3", "D3", null, "A4"].map((at, index) => ({ color: index < 3 ? "white" : "black", at, kind: at ? 1 : null, text: at ? \`grow \${at}\` : "end", starts: index === 3 })) } }) : ask(command));
      model.hinted = null;
    }`);
    assert.deepEqual(await hint(person), ["B3", "D3"]);
    assert.equal(await said(person), "Hint: grow B3 D3, then End of turn");
    assert.equal(await discs(person), 2, "all steps are drawn");
    await person.clickAll(["D3"]);
    await person.tab.until(() => document.getElementById("saying").textContent === "Hint: grow B3, then End of turn");
    assert.equal(await discs(person), 1, "the rest stays on view");
    await person.tab.key("u");
    await person.tab.until(() => document.getElementById("saying").textContent === "Hint: grow B3 D3, then End of turn");
    // A step of another turn ends it.
    await person.clickAll(["D5"]);
    await person.tab.until(() => document.querySelectorAll("#board .candidate").length === 0);
    assert.doesNotMatch(await said(person), /Hint/);
    await person.checkPage();
    await person.tab.close();
  });

  await test("a hint of kawari is a whole turn, which may be played step by step", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await person.begin(SYGO, TWO_GROUPS);
    for (let turns = 0; turns < 3; turns++) {
      const before = await person.turn();
      const steps = await hint(person);
      assert.ok(steps.length > 0);
      for (const [index, at] of steps.entries()) {
        const page = await person.turn();
        await person.request({ play: { at: { kind: (await person.page("({ model }, point) => model.kindAt(point)", at)) ?? 0, point: at } } });
        await person.changed(page);
        if ((await person.read()).state.turn > before.state.turn) break;
        const left = (await person.page("({ model }) => model.hintedSteps")).filter((step) => step.at);
        assert.equal(left.length, steps.length - index - 1, "the steps that are left");
      }
      if ((await person.read()).state.turn === before.state.turn) await person.request({ play: "end" });
    }
    await person.checkPage();
    await person.tab.close();
  });

  await test("a turn with several stones carries its loss once, and Teaching shows it only on the last one", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await person.begin({ variant: "2.5d", width: 5, height: 5 }, ["layer 0 B2", "layer 1 C2", "layer 0 D4"]);
    const shown = (dots, teaching) =>
      person.page(
        `({ model }, dots, teaching) => {
          model.dots = dots;
          model.game.teaching = teaching;
          model.lineTo(model.position.node).slice(1).forEach(({ id, color }) => model.losses.set(id, { color, loss: 2 }));
          model.emit("reviewed");
          return document.querySelectorAll("#board .candidate").length;
        }`,
        dots,
        teaching,
      );
    assert.equal(await shown(true, null), 3, "on every layer");
    assert.equal(await shown(null, { points: 8, pause: 3 }), 1, "with Teaching");
    await person.begin(SYGO, [...TWO_GROUPS, "grow B3 D3"]);
    assert.equal(await shown(true, null), 6, "each stone has a disc");
    assert.equal(await person.tab.call(() => [...document.querySelectorAll("#board .candidate text")].filter(({ textContent }) => textContent).length), 5, "each turn has one number");
    await person.tab.close();
  });
});
