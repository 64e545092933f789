// Whole games of every variant against the engine, by clicks and by keys.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { legalPoints, Person, random, withBoard } from "./board.mjs";

const MOST_TURNS = 24;

/** A small game against the weakest engine; the first player is a person. */
function fields({ sizes }, first) {
  const size = sizes.square_only ? 3 : 5;
  const players = { black: ["human"], white: ["level 1"] };
  const [black, white] = first === "black" ? [players.black, players.white] : [players.white, players.black];
  return { Size: [String(size), String(size)], Black: black, White: white };
}

/** A point that a person might choose, with its mode. */
function choose(page, pick) {
  const options = page.modes
    .map((mode, index) => ({ mode, index, points: legalPoints(page, mode) }))
    .filter(({ points }) => points.length > 0);
  if (options.length === 0) return null;
  // A step that destroys one of your stones is rarer than a stone.
  const usual = options.filter(({ mode }) => !mode.confirm || pick(4) === 0);
  const { mode, index, points } = (usual.length > 0 ? usual : options)[pick((usual.length > 0 ? usual : options).length)];
  return { mode, index, point: points[pick(points.length)] };
}

const byClicks = {
  async mode(person, { index }) {
    const several = await person.tab.call(() => !document.getElementById("modes").hidden);
    if (several) await person.tab.press(`#modes button:nth-child(${index + 1})`);
  },
  async play(person, { mode, point }) {
    await person.click(point);
    if (mode.confirm) await person.click(point);
  },
  pass: (person) => person.pass(),
  end: (person) => person.tab.call(() => [...document.querySelectorAll("#actions button")].find(({ textContent }) => textContent.startsWith("End of turn")).click()),
};

const byKeys = {
  mode: (person, { mode }) => person.tab.key(mode.key),
  async play(person, { mode, point }) {
    await person.tab.call(() => document.getElementById("board").focus());
    if (!(await person.tab.call(async () => (await import("/main.js")).table.cursorShown))) await person.tab.key("Enter");
    await walk(person, point);
    await person.tab.key("Enter");
    if (mode.confirm) await person.tab.key("Enter");
  },
  pass: (person) => person.pass(() => person.tab.key("p")),
  end: (person) => person.tab.key("e"),
};

/** Moves the cursor of the keyboard to a point. */
async function walk(person, point) {
  const where = (wanted) =>
    person.tab.call(async (target) => {
      const { table } = await import("/main.js");
      const { geometry } = table.board;
      const from = table.cursor && geometry.at(table.cursor);
      const to = geometry.at(target);
      return from && { across: to.column + 100 * to.frame.index - from.column - 100 * from.frame.index, up: to.row - from.row };
    }, wanted);
  for (let steps = 0; steps < 100; steps++) {
    const left = await where(point);
    if (left && left.across === 0 && left.up === 0) return;
    const key = !left || left.up > 0 ? "ArrowUp" : left.up < 0 ? "ArrowDown" : left.across > 0 ? "ArrowRight" : "ArrowLeft";
    await person.tab.key(key);
  }
  assert.fail(`the cursor never came to ${point}`);
}

/** Plays one turn of the person. */
async function playTurn(person, hand, page, pick) {
  const wanted = choose(page, pick);
  if (wanted === null) {
    await (page.view.can_end ? hand.end(person) : hand.pass(person));
  } else {
    await hand.mode(person, wanted);
    await hand.play(person, wanted);
  }
  await person.changed(page);
}

/** Plays a whole game; the person passes after a while. */
async function playGame(person, hand, pick) {
  let page = await person.turn();
  for (let steps = 0; !page.state.over; steps++) {
    assert.ok(steps < 200, "a game that never ends");
    if (steps < MOST_TURNS && page.view.mid_turn.length < 3) await playTurn(person, hand, page, pick);
    else {
      await (page.view.can_end ? hand.end(person) : hand.pass(person));
      await person.changed(page);
    }
    page = await person.turn();
    await person.checkPage();
  }
  return page;
}

await withBoard(async (server, browser) => {
  const visitor = await Person.visit(browser, server);
  const variants = await visitor.tab.call(async () => (await import("/main.js")).model.hello.variants.map(({ id, sizes }) => ({ id, sizes })));
  await visitor.tab.close();
  const listed = execFileSync(process.env.KAWARI, ["variants"], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(
    variants.map(({ id }) => id),
    listed.map((line) => line.split(" ")[0]),
  );
  for (const [index, variant] of variants.entries()) {
    for (const [way, hand] of Object.entries({ clicks: byClicks, keys: byKeys })) {
      await test(`${variant.id}, a whole game by ${way}`, { timeout: 300_000 }, async () => {
        // Turns are played step by step on the board in one of the two games.
        const person = await Person.visit(browser, server, { still: way === "keys" });
        await person.newGame(variant.id, fields(variant, way === "clicks" ? "black" : "white"));
        const page = await playGame(person, hand, random(17 + index));
        assert.match(page.state.result, /^([BW]\+[\d.R]*|0)$/);
        await person.tab.close();
      });
    }
  }
});
