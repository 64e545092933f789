// Every hand and ear: keyboards with other letters, the focus, texts for screen readers, names from
// right to left, komi as people write it, contrast themes.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, OF_CHROMIUM, Person, withBoard } from "./board.mjs";

const GO = { Size: ["9", "9"], ...HUMANS };

/** A key as a keyboard of another layout sends it. */
const type = (person, key, more = {}) =>
  person.tab.call((name, given) => {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...given }));
  }, key, more);

const turnIs = (person, wanted) => person.until("({ model }, turn) => model.state.turn === turn", wanted);
const live = (person) => person.tab.call(() => document.getElementById("live").textContent);

await withBoard(async (server, browser) => {
  await test("keys act on keyboards of every layout, and once while they are held", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7", "G3"]);
    await type(person, "г", { code: "KeyU" });
    await turnIs(person, 3);
    await type(person, "υ", { code: "KeyU" });
    await turnIs(person, 2);
    await type(person, "u", { code: "KeyU", repeat: true });
    await type(person, "u", { code: "KeyU", repeat: true });
    await type(person, "ArrowLeft", { repeat: true });
    await person.until("({ model }) => model.position.node === model.line[1].id");
    assert.equal(await person.page("({ model }) => model.line.length"), 5, "held keys take nothing back");
    await person.tab.close();
  });

  await test("AltGr makes the brackets that look ahead", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("no", { Size: ["7", "7"], ...HUMANS });
    await person.clickAll(["D4", "B2"]);
    await person.request({ play: { turn: "nuke D4" } });
    await person.turn();
    await type(person, "]", { ctrlKey: true, altKey: true, modifierAltGraph: true });
    await person.tab.until(() => /after 1 pass:/.test(document.querySelector("#forecast output").textContent));
    await person.tab.close();
  });

  await test("the arrow keys choose a game of the dialog, which is one stop of the Tab key", async () => {
    const person = await Person.visit(browser, server);
    const chosen = () => person.tab.call(() => [...document.querySelectorAll('dialog [role="radio"][data-variant][tabindex="0"]')].map(({ dataset, ariaChecked }) => [dataset.variant, ariaChecked]));
    const [[first, checked], ...more] = await chosen();
    assert.deepEqual([checked, more], ["true", []]);
    await person.tab.call(() => document.querySelector('dialog [data-variant][tabindex="0"]').focus());
    await person.tab.key("ArrowRight");
    const next = await person.tab.until((old) => document.activeElement.dataset.variant !== old && document.activeElement.dataset.variant, first);
    assert.deepEqual(await chosen(), [[next, "true"]]);
    await person.tab.key("ArrowLeft");
    await person.tab.until((old) => document.activeElement.dataset.variant === old, first);
    await person.tab.close();
  });

  await test("the keyboard opens folds, and a box or a button that goes leaves it on the page", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7"]);
    for (const fold of ["#rare", "#graph", "#talk"]) {
      const isOpen = await person.tab.call((name) => {
        document.querySelector(`${name} summary`).focus();
        return document.querySelector(name).open;
      }, fold);
      await person.tab.key("Enter");
      await person.tab.until((name, was) => document.querySelector(name).open !== was, fold, isOpen);
    }
    await person.tab.press("#tab-analysis");
    await person.tab.press("#ownership");
    await person.tab.key("u");
    await turnIs(person, 1);
    await person.tab.call(() => document.querySelector('#navigation [data-way="first"]').focus());
    await person.tab.key("Enter");
    await person.until("({ model }) => model.trying");
    assert.ok(await person.tab.call(() => document.activeElement !== document.body), "First move");
    await person.tab.call(() => document.querySelector('[data-action="back-to-game"]').focus());
    await person.tab.key("Enter");
    await person.until("({ model }) => !model.trying");
    assert.ok(await person.tab.call(() => document.activeElement !== document.body), "Back to the game");
    await person.tab.close();
  });

  await test("I switches Teaching, and W swaps the sides", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["9", "9"], White: ["level 1"] });
    await person.tab.key("i");
    await person.until("({ model }) => Boolean(model.game.teaching)");
    await person.tab.key("i");
    await person.until("({ model }) => !model.game.teaching");
    await person.tab.key("w");
    await person.until("({ model }) => model.game.players.white === 'human'");
    await person.turn();
    await person.checkPage();
    await person.tab.close();
  });

  await test("a screen reader hears the moves of a game that somebody goes through", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7"]);
    await person.tab.key("ArrowLeft");
    await person.tab.until(() => /G7/.test(document.getElementById("live").textContent));
    await person.tab.key("Home");
    await person.tab.until(() => /Start/.test(document.getElementById("live").textContent));
    await person.tab.key("ArrowRight");
    await person.tab.until(() => /C3/.test(document.getElementById("live").textContent));
    await person.tab.key("End");
    await person.tab.until(() => /C7/.test(document.getElementById("live").textContent));
    await person.tab.key("h");
    await person.tab.until(() => /^Hint: /.test(document.getElementById("live").textContent));
    assert.equal(await live(person), await person.tab.call(() => document.getElementById("saying").textContent));
    await person.tab.close();
  });

  await test("names and comments from right to left keep their direction", async () => {
    const person = await Person.visit(browser, server);
    await person.page("({ actions }, sgf) => { document.querySelector('dialog').close(); return actions.request({ open: { sgf } }); }", "(;GM[1]SZ[9]PB[אבג]PW[مرحبا];B[ee]C[שלום])");
    const directions = await person.tab.until(() => {
      const parts = [".player .who", "#talk textarea", ".record-header .lines p"].map((name) => document.querySelector(name));
      return parts.every(Boolean) && [...parts.map((part) => getComputedStyle(part).direction), document.querySelector("#title bdi")?.textContent];
    });
    assert.deepEqual(directions.slice(0, 3), ["rtl", "rtl", "rtl"]);
    assert.match(directions[3], /אבג/);
    await person.tab.close();
  });

  await test("komi is read as people write it", async () => {
    const person = await Person.visit(browser, server);
    const values = await person.tab.call(async () => {
      const { komiOf } = await import("/fields.js");
      return ["6,5", "6.5", "7½", "½", "−3", "+0.5", "-7", "6,5,1", "x", ""].map((text) => String(komiOf(text)));
    });
    assert.deepEqual(values, ["6.5", "6.5", "7.5", "0.5", "-3", "0.5", "-7", "NaN", "NaN", "NaN"]);
    await person.fill('dialog [aria-label="Komi"]', "6,5");
    await person.tab.press("#begin");
    await person.until("({ model }) => Number(model.game?.komi) === 6.5");
    await person.tab.close();
  });

  await test("a contrast theme shows what is chosen", OF_CHROMIUM, async () => {
    const person = await Person.visit(browser, server);
    await person.tab.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
    const chosen = await person.tab.until(() => {
      const marks = [...document.querySelectorAll('dialog [aria-checked="true"], dialog .primary')];
      return marks.length > 2 && marks.map((mark) => Number.parseFloat(getComputedStyle(mark).outlineWidth));
    });
    assert.ok(chosen.every((width) => width >= 2), JSON.stringify(chosen));
    await person.tab.close();
  });

  await test("the date of a game is that of the place", OF_CHROMIUM, async () => {
    const person = await Person.visit(browser, server);
    const dates = [];
    for (const timezoneId of ["Pacific/Kiritimati", "Pacific/Niue"]) {
      await person.tab.send("Emulation.setTimezoneOverride", { timezoneId });
      dates.push(await person.tab.call(async () => (await import("/records.js")).fileName("go")));
    }
    // A day and an hour lie between the two.
    assert.notEqual(dates[0], dates[1]);
    await person.tab.close();
  });
});
