// Boards with joined sides: the points drawn beyond the edges, and play there.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";


/** Begins a game of two people on a board of this shape, by the dialog. */
async function begin(person, variant, size, shape) {
  await person.newGame(variant, { Size: size, ...HUMANS }, async () => {
    await person.tab.press("dialog .more summary");
    await person.fillLabelled("Shape of the board", shape);
  });
}

/** What the picture has beyond the edges, and the box that it fills. */
const drawn = (person) =>
  person.tab.call(() => {
    const { width, height } = document.getElementById("board").getBoundingClientRect();
    const repeated = [...document.querySelectorAll("#board .repeats .stone")];
    const { baseVal } = document.querySelector("#board svg").viewBox;
    return {
      box: [baseVal.x, baseVal.y, baseVal.width, baseVal.height, width, height].map(Math.round),
      black: repeated.filter(({ classList }) => classList.contains("black")).length,
      white: repeated.filter(({ classList }) => classList.contains("white")).length,
      seams: document.querySelectorAll("#board .seam").length,
      edges: document.querySelectorAll("#board .line.outer").length,
    };
  });

/** A place beyond the edge where a point is drawn once more, on the screen. */
const repeatOf = (person, point) =>
  person.tab.call(async (wanted) => {
    const { table } = await import("/main.js");
    const [{ x, y }] = table.board.geometry.at(wanted).repeats;
    const at = new DOMPoint(x, y).matrixTransform(table.board.svg.getScreenCTM());
    return { x: at.x, y: at.y };
  }, point);

await withBoard(async (server, browser) => {
  await test("a torus repeats the other side, and its box stays as it is", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, "go", ["5", "4"], "torus");
    const empty = await drawn(person);
    assert.deepEqual([empty.black, empty.white, empty.seams, empty.edges], [0, 0, 4, 0]);
    let page = await person.read();
    assert.equal(page.state.topology, "torus");
    // A corner is drawn at three more corners, the middle of the first row once.
    for (const [point, black, white] of [["A1", 3, 0], ["C1", 3, 1], ["C3", 4, 1]]) {
      await person.click(point);
      await person.changed(page);
      page = await person.checkPage();
      const now = await drawn(person);
      assert.deepEqual([now.black, now.white], [black, white], point);
      assert.deepEqual(now.box, empty.box);
    }
    await person.tab.close();
  });

  await test("a click beyond the edge means the point that is drawn there, and stones are captured round the board", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, "go", ["5", "5"], "torus");
    let page = await person.read();
    const play = async (point) => {
      await person.tab.click(await repeatOf(person, point));
      await person.changed(page);
      page = await person.checkPage();
    };
    // White's neighbours of A1 are B1, A2, E1 and A5.
    for (const point of ["A1", "B1", "D4", "A2", "D5", "E1", "B4", "A5"]) await play(point);
    assert.equal(page.state.captures.white, 1);
    assert.equal(page.state.board.at(-1)[0], ".");
    await person.turn();
    assert.equal((await drawn(person)).black, 3 * 3, "three stones are left, each near a corner");
    await person.tab.close();
  });

  await test("arrow keys go round where sides are joined, and stop where they are not", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, "go", ["5", "4"], "cylinder");
    const { seams, edges } = await drawn(person);
    assert.deepEqual([seams, edges], [2, 2]);
    const steps = await person.tab.call(async () => {
      const { geometry } = (await import("/main.js")).table.board;
      return [geometry.step("A1", -1, 0), geometry.step("E1", 1, 0), geometry.step("A1", 0, -1), geometry.step("A4", 0, 1)];
    });
    assert.deepEqual(steps, ["E1", "A1", "A1", "A4"]);
    await person.tab.close();
  });

  await test("a void that spreads over the edge points there", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, "no", ["5", "5"], "torus");
    await person.tab.call(async () => {
      const { actions } = await import("/main.js");
      for (const turn of ["C5", "A3", "nuke C5"]) await actions.request({ play: { turn } });
    });
    const { view } = await person.turn();
    assert.deepEqual(view.spreads.map(({ to }) => to), ["D1"]);
    const [chevron, top] = await person.tab.call(async () => {
      const { table } = await import("/main.js");
      const mark = document.querySelector("#board .marks g:has(.spread)").getAttribute("transform");
      return [Number(/translate\(\S+ (\S+)\)/.exec(mark)[1]), table.board.geometry.at("C5").y];
    });
    assert.ok(chevron < top, `${chevron} is above ${top}`);
    assert.equal(await person.tab.call(() => document.querySelectorAll("#board .repeats .void").length), 1);
    await person.tab.close();
  });

  await test("a rectangle has edges, and nothing beyond them", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, "go", ["5", "5"], "rectangle");
    const { seams, edges } = await drawn(person);
    assert.deepEqual([seams, edges], [0, 4]);
    assert.equal(await person.tab.call(() => document.querySelector("#board .repeats")), null);
    await person.tab.close();
  });
});
