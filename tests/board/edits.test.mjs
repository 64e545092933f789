// Edits of a game: deletions, drawings, marks, set-up stones, and undo.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";
import { GO, turnIs } from "./mygames.mjs";

await withBoard(async (server, browser) => {
  await test("edits are undone and redone, and moves that were played since stay", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7"]);
    await person.tab.key("ArrowLeft");
    await turnIs(person, 2);
    await person.tab.press("#tab-tree");
    await person.tab.call(() => [...document.querySelectorAll("#panel-tree .button")].find(({ textContent }) => textContent === "Delete from here").click());
    await person.until("({ model }) => model.nodes.size === 2");
    const said = await person.tab.until(() => document.querySelector(".message span")?.textContent);
    assert.match(said, /Deleted from G7 on: 2 moves/);
    await person.tab.press(".message .row .button");
    await turnIs(person, 2);
    await person.tab.press("#redo_edit");
    await person.until("({ model }) => model.nodes.size === 2");
    const page = await person.turn();
    await person.click("E5");
    await person.changed(page);
    await person.tab.key("z", 2);
    await person.until("({ model }) => model.nodes.size === 5");
    await person.tab.key("Z", 2 | 8);
    await person.until("({ model }) => model.nodes.size === 3");
    await person.tab.press("#undo_edit");
    await person.until("({ model }) => model.nodes.size === 5");
    await person.checkPage();
    await person.tab.close();
  });

  await test("arrows and lines are drawn between two points, also by dragging, and taken away", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("no", { Size: ["9", "9"], ...HUMANS });
    await person.tab.press("#tab-tree");
    const lines = (count) => person.tab.until((wanted) => document.querySelectorAll("#board .marks .people.line").length === wanted, count);
    await person.tab.press('[data-tool="AR"]');
    await person.click("C3");
    await person.click("E5");
    await lines(1);
    await person.tab.press('[data-tool="LN"]');
    await person.tab.drag(await person.place("G7"), await person.place("G3"));
    await lines(2);
    const { sgf } = await person.request("save");
    assert.match(sgf, /AR\[cg:ee\]/);
    assert.match(sgf, /LN\[gc:gg\]/);
    await person.tab.press('[data-tool="AR"]');
    await person.click("C3");
    await person.click("E5");
    await lines(1);
    await person.tab.key("z", 2);
    await lines(2);
    await person.tab.close();
  });

  await test("marks are put on points, taken away and undone", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3"]);
    await person.tab.press("#tab-tree");
    const drawn = (count) => person.tab.until((wanted) => document.querySelectorAll("#board .people").length === wanted, count);
    await person.tab.press('[data-tool="TR"]');
    for (const [number, point] of ["C3", "E5"].entries()) {
      await person.click(point);
      await drawn(number + 1);
    }
    await person.tab.press('[data-tool="A"]');
    for (const [number, point] of ["G7", "G6"].entries()) {
      await person.click(point);
      await drawn(number + 3);
    }
    await person.click("E5");
    await person.until("({ model }) => model.nodes.get(1).marks.LB?.split('\\n').length === 3");
    const { sgf } = await person.request("save");
    assert.match(sgf, /TR\[cg\]/);
    assert.match(sgf, /LB\[gc:A\]\[gd:B\]\[ee:C\]/);
    await person.click("G7");
    await drawn(3);
    await person.tab.key("z", 2);
    await drawn(4);
    await person.tab.key("Escape");
    await person.click("E4");
    await turnIs(person, 2);
    await person.tab.close();
  });

});
