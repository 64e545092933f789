// A phone: turns by touch in windows of several sizes, and a page that fits each of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HUMANS, legalPoints, Person, withBoard } from "./board.mjs";

const SLOW = { timeout: 300_000 };

/** Windows of phones, upright and sideways. */
const PHONES = [[360, 740], [390, 844], [740, 360], [568, 320], [320, 568]].map(([width, height]) => ({ width, height, scale: 2, touch: true }));

/** The games whose turns differ from a stone, and the games on the smallest boards of their dialogs. */
const GAMES = ["no", "tao", "sygo", "2.5d", "go"];

/** Touches a point, and once more where the page only shows what the touch would do. */
async function touch(person, point) {
  const before = await person.turn();
  for (let touches = 0; touches < 3; touches++) {
    await person.tab.tap(await person.place(point));
    const done = await person.tab.call(async (old) => {
      const { model, table } = await import("/main.js");
      for (let waits = 0; waits < 20; waits++) {
        if (old !== JSON.stringify([model.position.node, model.state, model.view.mid_turn])) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return table.playback.running;
    }, JSON.stringify([before.node, before.state, before.view.mid_turn]));
    if (done) return person.turn();
  }
  return assert.fail(`three touches of ${point} play nothing`);
}

/** Touches the middle of an element. */
async function tapOn(person, selector) {
  const place = await person.tab.until((wanted) => {
    const element = document.querySelector(wanted);
    if (!element || element.disabled) return null;
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, selector);
  await person.tab.tap(place);
}

/** What is wider than the window, or cut: buttons that a finger cannot reach whole. */
function unreachable() {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const cut = [...document.querySelectorAll("button, input, select, summary")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && getComputedStyle(element).visibility === "visible" && (left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 2) && !element.matches("input, .tabs *");
  });
  return { wide: Math.max(wide, 0), cut: cut.map((element) => `${element.id || element.textContent} ${JSON.stringify(element.getBoundingClientRect())}`) };
}

await withBoard(async (server, browser) => {
  for (const [index, shape] of PHONES.entries()) {
    await test(`turns by touch at ${shape.width}x${shape.height}`, SLOW, async () => {
      const person = await Person.visit(browser, server, shape);
      const variants = process.env.EVERY_SIZE ? GAMES : [GAMES[index % GAMES.length]];
      for (const variant of variants) {
        await person.newGame(variant, HUMANS);
        let page = await person.turn();
        const middle = legalPoints(page, page.modes[0])[Math.floor(page.state.width * 2.5)];
        page = await touch(person, middle);
        assert.equal(page.state.turn, 1, variant);
        const special = page.modes.findIndex((mode) => legalPoints(page, mode).length > 0 && mode !== page.modes[0]);
        if (variant === "no") {
          page = await touch(person, legalPoints(page, page.modes[0])[0]);
          await tapOn(person, "#modes [role=radio]:nth-child(2)");
          page = await touch(person, middle);
          assert.equal(page.state.board.join("").split("*").length, 2, "a void");
        } else if (special > 0 && variant !== "sygo") {
          await tapOn(person, `#modes [role=radio]:nth-child(${special + 1})`);
          page = await touch(person, legalPoints(page, page.modes[special]).at(-1));
          assert.equal(page.state.turn, 2, variant);
        } else if (variant === "sygo") {
          page = await touch(person, legalPoints(page, page.modes[0]).at(-1));
          const [column, row] = [middle[0], Number(middle.slice(1))];
          page = await touch(person, `${column}${row + 1}`);
          // A single group has grown whole: the turn ends by itself.
          assert.equal(page.state.grown, true, "a growth");
        }
        assert.deepEqual(await person.tab.call(unreachable), { wide: 0, cut: [] }, variant);
        // A look back adds buttons.
        await person.page("({ actions, model }) => actions.go(model.root.id)");
        await person.until("({ model }) => model.trying");
        assert.deepEqual(await person.tab.call(unreachable), { wide: 0, cut: [] }, `${variant}, looking back`);
      }
      await person.checkPage();
      await person.tab.close();
    });
  }

  await test("a comment belongs to the position where it was typed", SLOW, async () => {
    const person = await Person.visit(browser, server, {});
    await person.newGame("go", { ...HUMANS, Size: [9, 9] });
    await person.clickAll(["D4", "E5", "F6"]);
    const comments = () => person.page("({ model }) => model.line.map(({ comment }) => comment ?? \"\")");
    await person.tab.call(() => document.querySelector("#talk textarea").focus());
    await person.tab.key("a");
    // The wheel goes back while the box has the keyboard; what is typed then belongs to that position.
    await person.page("({ actions, model }) => actions.go(model.line[1].id)");
    await person.until("({ model }) => model.position.node === model.line[1].id");
    assert.equal(await person.tab.call(() => document.querySelector("#talk textarea").value), "", "the comment of the position that is shown");
    await person.tab.key("b");
    await person.tab.call(() => document.activeElement.blur());
    await person.until("({ model }) => model.line[1].comment === \"b\"");
    assert.deepEqual(await comments(), ["", "b", "", "a"]);
    // A move that the game makes leaves the text where it is typed.
    await person.page("({ actions, model }) => actions.go(model.line[3].id)");
    await person.tab.call(() => document.querySelector("#talk textarea").focus());
    await person.tab.key("c");
    await person.request({ play: { at: { kind: 0, point: "G7" } } });
    await person.until("({ model }) => model.line.length === 5");
    await person.tab.key("d");
    await person.tab.call(() => document.activeElement.blur());
    await person.until("({ model }) => model.line[3].comment.length === 3");
    assert.equal((await comments())[4], "");
    await person.checkPage();
  });
});
