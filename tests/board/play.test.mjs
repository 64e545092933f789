// How a game begins and is played: the dialog, buttons that stay, the way through the game,
// variations, sounds, clocks.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, legalPoints, Person, random, withBoard } from "./board.mjs";

/** The places of elements on the page, by their texts. */
const boxes = (person, selector) =>
  person.tab.call(
    (wanted) =>
      [...document.querySelectorAll(wanted)].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.textContent, Math.round(x), Math.round(y + scrollY), Math.round(width), Math.round(height)];
      }),
    selector,
  );

const boardBox = async (person) => JSON.stringify((await boxes(person, "#board"))[0].slice(1));

async function doubleClick(tab, selector) {
  const place = await tab.until((wanted) => {
    const element = document.querySelector(wanted);
    if (!element || element.disabled || getComputedStyle(element).visibility === "hidden") return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, selector);
  await tab.move(place);
  for (const clickCount of [1, 2]) {
    const button = { ...place, button: "left", clickCount };
    await tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
    await tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
  }
}

await withBoard(async (server, browser) => {
  await test("the dialog fits a screen, and remembers what was chosen", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server, { width: 1280, height: 720 });
    const variants = await person.page("({ model: { hello } }) => hello.variants.map(({ id, sizes }) => [id, sizes.first])");
    for (const [variant, first] of variants) {
      await person.tab.press(`dialog [data-variant="${variant}"]`);
      const { scrolls, chosen } = await person.tab.call(() => {
        const body = document.querySelector(".dialog-body");
        return { scrolls: body.scrollHeight - body.clientHeight, chosen: document.querySelector('dialog .pill[aria-checked="true"]').dataset.value };
      });
      assert.ok(scrolls <= 0, `${variant}: ${scrolls} pixels are out of sight`);
      assert.equal(chosen, String(first), variant);
    }
    await person.newGame("tao", { Size: ["7", "7"], Black: ["level 2"], White: ["human"] });
    await person.tab.press("#new-game");
    const again = await person.tab.call(() => ({
      variant: document.querySelector('.game-card[aria-checked="true"]').dataset.variant,
      pills: [...document.querySelectorAll('dialog .pill[aria-checked="true"]')].map(({ dataset }) => dataset.value),
      opponent: document.querySelector("dialog .field select").value,
      columns: document.querySelector('dialog [aria-label="Columns"]').value,
    }));
    assert.deepEqual(again, { variant: "tao", pills: ["other", "white"], opponent: "level 2", columns: "7" });
    await person.tab.close();
    for (const shape of [{ width: 390, height: 844 }, { width: 844, height: 390 }, { width: 1280, height: 720 }]) {
      const phone = await Person.visit(browser, server, { ...shape, scale: 2, touch: true });
      const pages = await phone.tab.call(() => {
        const body = document.querySelector(".dialog-body");
        return body.scrollHeight / body.clientHeight;
      });
      assert.ok(pages <= 2 || shape.height < 400, `${pages} pages`);
      const cut = await phone.tab.call(() => [...document.querySelectorAll(".game-card strong")].filter((name) => name.scrollWidth > name.clientWidth).length);
      assert.equal(cut, 0, `names of games that are cut at ${shape.width} pixels`);
      await phone.tab.press("dialog .more summary");
      await phone.tab.until(() => document.querySelector("dialog .setup-board svg"));
      const wide = await phone.tab.call(() => {
        const body = document.querySelector(".dialog-body");
        const cut = [...body.querySelectorAll("select, input, .pill")].filter((each) => each.getBoundingClientRect().right > body.getBoundingClientRect().right);
        return [body.scrollWidth - body.clientWidth, cut.length];
      });
      assert.deepEqual(wide, [0, 0], `wider than ${shape.width} pixels`);
      await phone.tab.close();
    }
  });

  await test("the dialog begins with a fair komi, and what is out of range stands at its field", async () => {
    const person = await Person.visit(browser, server);
    const komi = () => person.tab.call(() => document.querySelector('dialog [aria-label="Komi"]').value);
    const set = (selector, value) => person.fill(selector, value);
    await person.tab.press('dialog [data-variant="no"]');
    assert.equal(await komi(), "0");
    // The komi of the rules is one press away, and so is the fair one again.
    await person.tab.press("dialog .fair");
    assert.equal(await komi(), "6.5");
    await person.tab.press("dialog .fair");
    assert.equal(await komi(), "0");
    // Another size has another fair komi, but a komi that was typed stays.
    await set('dialog [aria-label="Columns"]', "6");
    await set('dialog [aria-label="Rows"]', "6");
    assert.equal(await komi(), "6.5");
    await set('dialog [aria-label="Komi"]', "3.5");
    await set('dialog [aria-label="Columns"]', "5");
    assert.equal(await komi(), "3.5");
    await set('dialog [aria-label="Columns"]', "6");
    assert.equal(await person.tab.call(() => document.querySelector('dialog .pill[aria-checked="true"]').textContent), "6×6", "the size is marked");
    await person.tab.press('dialog [data-variant="go"]');
    assert.match(await person.tab.call(() => document.querySelector("dialog .part select").textContent), /3: advanced beginner, ~\d+ kyu/);
    await person.tab.press('dialog .pill[data-value="13"]');
    assert.doesNotMatch(await person.tab.call(() => document.querySelector("dialog .part select").textContent), /kyu/, "ranks were measured on 9x9");
    await person.tab.press("dialog .more summary");
    await person.fillLabelled("Handicap stones", 2);
    assert.equal(await komi(), "0.5");
    assert.match(await person.tab.call(() => document.querySelector('dialog [aria-label="Komi"]').closest(".field").textContent), /Handicap replaces komi/);
    await person.tab.press('dialog [data-variant="no"]');
    await person.tab.call(() => {
      document.querySelector('dialog [aria-label="Komi"]').value = "20000";
    });
    await person.tab.press("#begin");
    await person.tab.until(() => [...document.querySelectorAll("dialog .field-error")].filter(({ textContent }) => textContent.includes("Komi is a number")).length === 2);
    assert.equal(await komi(), "20000", "nothing is changed silently");
    await person.tab.press("dialog .more summary");
    const raw = await person.tab.call(() => [...document.querySelectorAll("dialog .more option")].map(({ textContent }) => textContent).filter((text) => /^[a-z-]+:/.test(text) && !/[ ]/.test(text)));
    assert.deepEqual(raw, []);
    await person.tab.close();
  });

  await test("games against the same opponent differ", { timeout: 300_000 }, async () => {
    const game = async () => {
      const person = await Person.visit(browser, server);
      await person.tab.call(async () => {
        document.querySelector("dialog[open]")?.close();
        const { actions } = await import("/main.js");
        await actions.request({ pace: { reply: 0, engines: 0 } });
        await actions.request({ new: { variant: "go", width: 5, height: 5, players: { black: { level: 1 }, white: { level: 1 } } } });
      });
      await person.until("({ model }) => model.state.turn >= 8 || model.state.over");
      const captions = await person.page("({ model: { nodes } }) => [...nodes.values()].slice(0, 9).map(({ caption }) => caption)");
      await person.tab.close();
      return captions;
    };
    assert.notDeepEqual(await game(), await game());
  });

  await test("a double click on Move now makes one move", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["9", "9"], Black: ["human"], White: ["seconds", "60"] });
    const before = await boxes(person, "#actions > *");
    assert.equal(await person.tab.call(() => document.querySelector('[data-action="stop"]')), null, "nothing is to be ended");
    await person.click("E5");
    await person.until("({ model: { thinking } }) => thinking?.what === 'genmove'");
    const during = await boxes(person, "#actions > *");
    const places = (all) => all.map(([, ...place]) => place);
    assert.deepEqual(places(during), places(before), "no button moves");
    assert.deepEqual(during.slice(0, -1), before.slice(0, -1), "none takes the place of another");
    assert.deepEqual([before.at(-1)[0], during.at(-1)[0]], ["", "Move nowEsc"]);
    const isHidden = () => getComputedStyle(document.querySelector('[data-action="stop"]')).visibility === "hidden";
    assert.equal(await person.tab.call(isHidden), true, "it may end at once");
    await doubleClick(person.tab, '[data-action="stop"]');
    await person.until("({ model: { state } }) => state.turn === 2");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { state, view } = await person.turn();
    assert.equal(state.turn, 2);
    assert.equal(state.over, false);
    assert.notEqual(view.last.turn, "pass");
    await person.tab.close();
  });

  await test("a pass on an open board asks first", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["9", "9"], ...HUMANS });
    await person.tab.press('[data-action="pass"]');
    await person.tab.until(() => document.querySelector("dialog[open] h2")?.textContent.startsWith("Pass?"));
    await person.tab.press("dialog[open] .dialog-foot .button");
    assert.equal((await person.read()).state.turn, 0);
    await person.pass();
    await person.until("({ model: { state } }) => state.turn === 1");
    await person.tab.key("p");
    const words = await person.tab.until(() => document.querySelector("dialog[open] h2")?.textContent);
    assert.match(words, /two passes end the game/);
    // The keyboard answers, too.
    await person.tab.key("Enter");
    await person.until("({ model: { state } }) => state.over");
    await person.tab.close();
  });

  await test("the wheel and the arrow keys go through the game, and a variation has a way back", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["9", "9"], Black: ["human"], White: ["level 1"] });
    await person.clickAll(["E5", "C3"]);
    await person.until("({ model: { state } }) => state.turn === 4");
    const live = (await person.read()).node;
    const at = (turn) => person.until(`({ model: { state } }) => state.turn === ${turn}`);
    await person.tab.key("ArrowLeft");
    await at(3);
    const wheel = async (deltaY) => person.tab.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...(await person.place("A1")), deltaX: 0, deltaY });
    await wheel(-120);
    await at(2);
    await wheel(120);
    await at(3);
    await person.tab.key("Home");
    await at(0);
    await person.tab.key("ArrowRight");
    await at(1);
    // Keys that come before the server has answered go on from one another.
    const quickly = (...keys) => person.tab.call((list) => list.forEach((key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))), keys);
    await person.tab.press("#tab-tree");
    await person.tab.key("h");
    await person.tab.until(() => document.querySelector("#board .candidate.best"), "a tab that was pressed has taken the arrow keys only");
    await person.tab.call(() => document.activeElement.blur());
    await quickly("ArrowRight", "ArrowRight");
    await at(3);
    await quickly("Home", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await at(1);
    assert.match(await person.tab.call(() => document.querySelector("#navigation .count").textContent), /move 1 of 4/);
    // White's move and Black's answer are tried by the person.
    await person.clickAll(["G3", "G5"]);
    const tried = await person.read();
    assert.equal(tried.state.turn, 3);
    assert.equal(tried.thinking, null);
    await person.tab.press('[data-action="back-to-game"]');
    await at(4);
    assert.equal((await person.read()).node, live);
    assert.equal(await person.tab.call(() => getComputedStyle(document.getElementById("looking")).visibility), "hidden");
    await person.checkPage();
    await person.tab.close();
  });

  await test("a click before the answer to another one is not a move of the other side", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["9", "9"], Black: ["human"], White: ["level 1"] });
    const before = await person.turn();
    const places = [await person.place("E5"), await person.place("C3")];
    await person.tab.call((list) => {
      for (const { x: clientX, y: clientY } of list) document.getElementById("board").dispatchEvent(new PointerEvent("click", { clientX, clientY, pointerType: "mouse" }));
    }, places);
    await person.changed(before);
    await person.until("({ model: { state } }) => state.turn === 2");
    assert.equal(await person.page("({ model: { nodes } }) => [...nodes.values()].filter(({ caption }) => caption === 'C3').length"), 0);
    await person.tab.close();
  });

  await test("the cursor appears when it is asked for", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["5", "5"], ...HUMANS });
    const shown = () => person.tab.call(() => document.querySelectorAll("#board .cursor rect").length > 0);
    await person.clickAll(["B2"]);
    await person.tab.key("ArrowLeft");
    assert.equal(await shown(), false);
    await person.tab.key("End");
    await person.tab.key("Enter");
    assert.equal(await shown(), true);
    await person.tab.key("ArrowUp");
    await person.tab.key("Enter");
    await person.until("({ model: { state } }) => state.turn === 2");
    await person.tab.key("Escape");
    assert.equal(await shown(), false);
    await person.tab.close();
  });

  await test("the board has one place and size from the first move of a game to the last", { timeout: 300_000 }, async () => {
    for (const shape of [{ width: 1280, height: 720 }, { width: 390, height: 844, scale: 2, still: true }, { width: 844, height: 390, scale: 2, still: true }]) {
      const person = await Person.visit(browser, server, shape);
      await person.newGame("no", { Size: ["7", "7"], ...HUMANS });
      const pick = random(5);
      const box = await boardBox(person);
      let page = await person.turn();
      for (let turns = 0; turns < 18 && !page.state.over; turns++) {
        const nuke = turns % 3 === 2 ? legalPoints(page, page.modes[1]) : [];
        const points = nuke.length > 0 ? nuke : legalPoints(page, page.modes[0]);
        if (points.length === 0) break;
        const kind = nuke.length > 0 ? 1 : 0;
        const point = points[pick(points.length)];
        await person.tab.call(async (move) => (await import("/main.js")).actions.request({ play: { at: move } }), { kind, point });
        await person.changed(page);
        page = await person.turn();
        assert.equal(await boardBox(person), box, `${JSON.stringify(shape)}, turn ${turns + 1}`);
      }
      assert.ok(page.state.voids.length > 0);
      await person.tab.key("Home");
      await person.until("({ model: { state } }) => state.turn === 0");
      assert.equal(await boardBox(person), box, "an earlier move");
      await person.tab.close();
    }
  });

  await test("a phone held sideways has a board as high as the screen", async () => {
    const person = await Person.visit(browser, server, { width: 844, height: 390, scale: 2, touch: true });
    for (const variant of ["go", "2.5d"]) {
      await person.newGame(variant, HUMANS);
      const [, , top, width, height] = (await boxes(person, "#board"))[0];
      assert.ok(top === 0 && (height >= 380 || width >= 480), `${variant}: ${width} by ${height} at ${top}`);
      assert.ok((await person.tab.call(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    }
    await person.tab.close();
  });

  await test("stones, captures, voids and passes are heard", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.call(async () => {
      const { model } = await import("/main.js");
      window.heard = [];
      model.on("sound", (name) => window.heard.push(name));
    });
    await person.newGame("no", { Size: ["5", "5"], ...HUMANS });
    await person.clickAll(["A2", "A1"]);
    await person.clickAll(["B1"]);
    await person.pass();
    await person.until("({ model: { state } }) => state.turn === 4");
    await person.tab.key("n");
    await person.click("A2");
    await person.click("A2");
    await person.until("({ model: { state } }) => state.voids.length === 1");
    const heard = await person.tab.call(() => window.heard);
    for (const name of ["stone", "capture", "pass", "void"]) assert.ok(heard.includes(name), `${name} among ${heard}`);
    await person.tab.press("#sound");
    const before = heard.length;
    await person.clickAll(["C3"]);
    assert.equal(await person.tab.call(() => window.heard.length), before, "switched off");
    await person.tab.close();
  });

  await test("a clock runs, warns, and ends the game", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.tab.call(async () => {
      const { model } = await import("/main.js");
      window.heard = [];
      model.on("sound", (name) => window.heard.push(name));
    });
    await person.newGame("go", { Size: ["5", "5"], ...HUMANS }, async () => {
      await person.tab.press("dialog .more summary");
      await person.tab.call(() => {
        const text = [...document.querySelectorAll("dialog label")].find(({ textContent }) => textContent === "Clock (people only)");
        const select = text.closest(".field").querySelector("select");
        select.value = "fischer";
        select.dispatchEvent(new Event("change"));
        const [minutes, seconds] = text.closest(".field").querySelectorAll(".clock-numbers input");
        minutes.value = 0.05;
        seconds.value = 1;
      });
    });
    await person.tab.until(() => document.querySelectorAll(".player .clock:not([hidden])").length === 2);
    // Nobody moves: a slow machine could be too late.
    await person.tab.until(() => /White wins on time/.test(document.getElementById("status").textContent));
    assert.ok((await person.tab.call(() => window.heard)).includes("second"));
    assert.equal((await person.read()).mine, false);
    await person.checkPage();
    await person.tab.close();
  });

  await test("points have the coordinates that the board shows", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("2.5d", HUMANS);
    await person.clickAll(["T9"]);
    const { view } = await person.read();
    assert.equal(view.last.caption, "upper J9");
    assert.doesNotMatch(await person.tab.call(() => document.body.innerText), /T9/);
    await person.tab.close();
  });
});
