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

/** The place of a point of the first sheet on the board of an exercise. */
const onExercise = (person, point) =>
  person.tab.resting(async (wanted) => {
    const { parseVertex } = await import("/dom.js");
    const svg = document.querySelector(".exercise-board svg");
    if (!svg) return null;
    svg.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { column, row } = parseVertex(wanted);
    const box = svg.querySelector(".line").getBBox();
    const { x, y } = new DOMPoint(box.x + column, box.y + Math.round(box.height) - row).matrixTransform(svg.getScreenCTM());
    return { x, y };
  }, point);

/** What is wider than the window, or cut: buttons that a finger cannot reach whole. */
function unreachable() {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const cut = [...document.querySelectorAll("button, input, select, summary")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && getComputedStyle(element).visibility === "visible" && (left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 2) && !element.matches("input, .tabs *");
  });
  // What an ancestor cuts off.
  const words = [...document.querySelectorAll("label, output, #saying, #held button")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const around = element.parentElement.getBoundingClientRect();
    return width > 0 && (left < around.left - 1 || right > around.right + 1 || element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0);
  });
  cut.push(...words);
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
      // A look ahead, a long sentence, and a move that Teaching holds.
      await person.request({ new: { variant: "no", width: 7, height: 7, players: { black: "human", white: "human" } } });
      for (const turn of ["D4", "B2", "nuke D4"]) await person.request({ play: { turn } });
      await person.turn();
      await person.tab.call(() => {
        const slider = document.getElementById("ahead");
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input"));
      });
      await person.tab.until(() => /after \d+ passes/.test(document.querySelector("#forecast output").textContent));
      await person.tab.call(() => {
        document.getElementById("saying").textContent = "H5: growth: not next to a group that you had at the start of the turn. To place a stone here, choose Balance stone first.";
      });
      assert.deepEqual(await person.tab.call(unreachable), { wide: 0, cut: [] }, "a look ahead");
      const whole = await person.tab.call(() => {
        const saying = document.getElementById("saying");
        return saying.scrollHeight <= saying.clientHeight + 1;
      });
      assert.ok(whole, "a long sentence is whole");
      await person.page("({ model }) => { const pv = Array.from({ length: 10 }, () => ({ text: 'upper B5', at: 'B5', kind: 0, ends: true })); model.held = { caption: 'lower C8', loss: 20, reason: '3 stones at A7 died', answer: { pv } }; model.emit('held'); }");
      const leave = await person.tab.until(() => document.getElementById("leave-it")?.getBoundingClientRect().toJSON());
      assert.ok(leave.top >= 0 && leave.bottom <= shape.height, `the answers to Teaching are in sight: ${JSON.stringify(leave)}`);
      await person.tab.close();
    });
  }

  await test("a turn of three steps is made by touch", SLOW, async () => {
    const person = await Person.visit(browser, server, PHONES[0]);
    await person.newGame("sygo", { ...HUMANS, Size: [7, 7] });
    for (const turn of ["B2", "A7", "F2", "C7", "D6", "E7"]) await person.request({ play: { turn } });
    for (const [index, point] of ["B3", "F3", "D5"].entries()) {
      const page = await touch(person, point);
      assert.equal(page.view.mid_turn.length, index < 2 ? index + 1 : 0, point);
    }
    assert.equal((await person.turn()).state.turn, 7, "a group that each has grown: the turn ends");
    await person.checkPage();
    await person.tab.close();
  });

  for (const shape of [PHONES[1], PHONES[2]]) {
    await test(`the first lesson of each game is finished by touch at ${shape.width}x${shape.height}`, SLOW, async () => {
      const person = await Person.visit(browser, server, shape);
      const { variants } = await person.page("({ model }) => model.hello");
      for (const { id, name } of variants) {
        await person.page("({ model, actions }, id) => { document.querySelector('dialog[open]')?.close(); return actions.request({ new: { variant: id, width: 5, height: 5, players: { black: 'human', white: 'human' } } }); }", id);
        await tapOn(person, "#show-rules");
        await person.tab.until((wanted) => document.querySelector(`.learn-head [aria-checked=true][data-value="${wanted}"]`) && document.querySelector('.exercise[aria-busy="false"] .exercise-board svg'), id);
        const task = await person.tab.call(() => document.querySelector(".lesson-text strong").textContent);
        const [, named = "C3"] = /\b([A-H]\d)\b/.exec(task) ?? [];
        // This lesson names the stone to take, not the point.
        const point = id === "stoical" ? "D3" : named;
        if (/Nuke/.test(task)) await tapOn(person, ".exercise-controls .button:nth-child(2)");
        for (let touches = 0; touches < 4 && !(await person.tab.call(() => document.querySelector(".feedback.right"))); touches++) {
          await person.tab.tap(await onExercise(person, point));
          await person.tab.until(() => document.querySelector('.exercise[aria-busy="false"]') || document.querySelector(".feedback.right"));
          await new Promise((resolve) => setTimeout(resolve, 150));
        }
        assert.ok(await person.tab.call(() => document.querySelector(".feedback.right") !== null), `${name}: ${task}`);
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
    // The wheel goes back while the box has the keyboard; text typed then belongs to that position.
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
