// The looks and the cost of the page: phone width, dark, accessibility, work, size.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { findings, HUMANS, Person, withBoard } from "./board.mjs";

const PHONE = { width: 360, height: 740, scale: 2, touch: true };

const variantsOf = (person) => person.tab.call(async () => (await import("/main.js")).model.hello.variants.map(({ id }) => id));

const overflow = (person) => person.tab.call(() => document.documentElement.scrollWidth - innerWidth);

/** A game of two people with a dead stone, after both have passed. */
async function endedGame(person) {
  await person.begin({ variant: "go", width: 5, height: 5 }, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B3 A1 pass pass".split(" "));
  await person.tab.until(() => document.getElementById("agree") !== null);
}

await withBoard(async (server, browser) => {
  await test("the first paint needs two small files and no engine", async (t) => {
    const tab = await browser.open("about:blank");
    // The engine never answers here, wherever it is.
    await tab.preload("for (const way of ['WebSocket', 'Worker']) window[way] = class extends EventTarget { send() {} postMessage() {} terminate() {} };");
    await tab.go(server.address);
    const files = await tab.until(() => {
      if (performance.getEntriesByName("first-contentful-paint").length === 0) return null;
      const [page] = performance.getEntriesByType("navigation");
      const blocking = performance.getEntriesByType("resource").filter(({ renderBlockingStatus }) => renderBlockingStatus === "blocking");
      return [page, ...blocking].map(({ name, decodedBodySize }) => [new URL(name).pathname.split("/").at(-1), decodedBodySize]);
    });
    t.diagnostic(`before the first paint: ${files.map(([name, bytes]) => `${name || "page"} ${bytes} bytes`).join(", ")}`);
    assert.deepEqual(files.slice(1).map(([name]) => name), ["style.css"]);
    assert.ok(files.every(([, bytes]) => bytes > 0) && files.reduce((sum, [, bytes]) => sum + bytes, 0) < 60_000);
    // The first picture has all buttons of the bar; no position has come.
    assert.equal(await tab.call(() => document.querySelectorAll(".tools .button").length), 9);
    assert.equal(await tab.call(() => document.querySelector("#board svg")), null);
    await tab.close();
  });

  await test("a click shows before the engine replies", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { Size: ["19", "19"], ...HUMANS });
    await person.tab.call(async () => {
      window.shown = [];
      const { table } = await import("/main.js");
      let changes = 0;
      new MutationObserver((records) => { changes += records.length; }).observe(table.container, { subtree: true, childList: true, attributes: true });
      addEventListener("click", () => { changes = 0; }, { capture: true });
      // A listener runs in the task of the click, which no reply interrupts.
      addEventListener("click", () => window.shown.push(changes > 0));
    });
    const points = ["D4", "Q16", "D16", "Q4", "C10", "K10", "K4"];
    for (const point of points) {
      const page = await person.turn();
      await person.click(point);
      await person.changed(page);
    }
    assert.deepEqual(await person.tab.call(() => window.shown), points.map(() => true));
    await person.tab.close();
  });

  await test("a page that nobody touches does nothing", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("no", { Size: ["9", "9"], ...HUMANS });
    await person.tab.send("Performance.enable");
    const work = async () => {
      const { metrics } = await person.tab.send("Performance.getMetrics");
      return metrics.filter(({ name }) => ["LayoutCount", "RecalcStyleCount"].includes(name));
    };
    // The page has come to rest after the beginning of the game once two seconds add nothing.
    const rest = () => new Promise((resolve) => setTimeout(resolve, 2000));
    let [before, after] = [await work(), []];
    for (let waits = 0; waits < 4 && JSON.stringify(after) !== JSON.stringify(before); waits++) {
      if (waits > 0) before = after;
      await rest();
      after = await work();
    }
    assert.deepEqual(after, before);
    await person.tab.close();
  });

  await test("every game fits a phone, by touch", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server, PHONE);
    for (const variant of await variantsOf(person)) {
      await person.newGame(variant, HUMANS);
      assert.ok((await overflow(person)) <= 0, `${variant} is wider than the screen`);
      const page = await person.turn();
      const point = await person.tab.call(async () => (await import("/main.js")).table.board.geometry.middle());
      await person.tab.call(() => document.getElementById("board").scrollIntoView());
      for (let taps = 0; taps < 2 && (await person.read()).node === page.node; taps++) {
        await person.tab.tap(await person.place(point));
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      await person.checkPage();
    }
    await person.tab.close();
  });

  await test("below two layers on a phone the buttons are in sight, and no stone's capture is counted where captures flip", async () => {
    const person = await Person.visit(browser, server, PHONE);
    await person.newGame("2.5d", HUMANS);
    const { top, bottom, height } = await person.tab.call(() => {
      scrollTo(0, 0);
      const rect = document.querySelector('[data-action="pass"]').getBoundingClientRect();
      return { top: rect.top, bottom: rect.bottom, height: innerHeight };
    });
    assert.ok(top > 0 && bottom <= height, `${top} to ${bottom} of ${height}`);
    // So is the result, and the panels have room for their lists.
    await person.request({ play: { turn: "D4" } });
    await person.request({ play: "resign" });
    await person.tab.until(() => {
      const rect = document.querySelector("#ending h2")?.getBoundingClientRect();
      return rect && rect.height > 0 && rect.top >= 0 && rect.bottom <= innerHeight;
    });
    assert.ok((await person.tab.call(() => document.getElementById("panel-turn").clientHeight + document.getElementById("panel-tree").clientHeight)) > 200);
    const facts = () => person.tab.call(() => [...document.querySelectorAll(".player dt")].map(({ textContent }) => textContent));
    assert.deepEqual(await facts(), ["captures", "captures"]);
    await person.newGame("sygo", HUMANS);
    assert.deepEqual(await facts(), []);
    // The graph counts what the game counts.
    await person.page(`({ model }) => {
      model.noteValue({ node: model.position.node, winrate: 0.5, scoreLead: 2, visits: 1 });
      model.emit("reviewed");
    }`);
    assert.equal(await person.tab.call(() => document.querySelector("#graph .value").textContent), "turn 0: B+2.0");
    await person.tab.close();
  });

  await test("dark and light are different, and the choice stays", async () => {
    const colors = () => getComputedStyle(document.body).backgroundColor;
    const light = await Person.visit(browser, server);
    const dark = await Person.visit(browser, server, { dark: true });
    assert.notEqual(await light.tab.call(colors), await dark.tab.call(colors));
    await light.tab.call(() => document.querySelector("dialog").close());
    await light.tab.press("#theme");
    assert.equal(await light.tab.call(colors), await dark.tab.call(colors));
    await light.tab.reload();
    assert.equal(await light.tab.call(colors), await dark.tab.call(colors));
    await light.tab.close();
    await dark.tab.close();
  });

  const axe = process.env.AXE ?? "";
  const skip = existsSync(axe) ? false : "AXE is not a file axe.min.js of axe-core";
  await test("at 150% all buttons of a game stand beside the board, whole", async () => {
    const person = await Person.visit(browser, server, { width: 853, height: 533, scale: 1.5 });
    for (const variant of await variantsOf(person)) {
      await person.newGame(variant, { Black: ["human"], White: ["level 1"] });
      const cut = await person.tab.call(() => {
        const buttons = [...document.querySelectorAll("#actions .button, .tools .button, #navigation .button")].filter((button) => button.offsetParent);
        const isWhole = (button) => {
          const { top, left, right, bottom } = button.getBoundingClientRect();
          const inside = top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight;
          return inside && button.scrollWidth <= button.clientWidth + 1 && button.scrollHeight <= button.clientHeight + 1;
        };
        return buttons.filter((button) => !isWhole(button)).map((button) => button.textContent);
      });
      assert.deepEqual(cut, [], variant);
      assert.equal(await person.tab.call(() => document.documentElement.scrollHeight - innerHeight), 0, `${variant} scrolls`);
    }
    await person.tab.close();
  });

  await test("a message with many buttons stays within the window", async () => {
    for (const shape of [{ width: 1280, height: 800 }, PHONE]) {
      const person = await Person.visit(browser, server, shape);
      await person.tab.call(async () => {
        document.querySelector("dialog[open]").close();
        const { tell } = await import("/dialog.js");
        tell("The names of this file may be read in another way.", ["GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1252"].map((name) => [name, () => {}]));
      });
      const outside = await person.tab.call(() => {
        const isOutside = (button) => button.getBoundingClientRect().right > innerWidth || button.getBoundingClientRect().bottom > innerHeight;
        return [...document.querySelectorAll(".message button")].filter(isOutside).map(({ textContent }) => textContent);
      });
      assert.deepEqual(outside, [], JSON.stringify(shape));
      await person.tab.close();
    }
  });

  await test("the arrows stand under the middle of the board", async () => {
    for (const [width, height] of [[1920, 1080], [1280, 800], [1024, 720], [853, 533]]) {
      const person = await Person.visit(browser, server, { width, height });
      for (const variant of ["go", "2.5d"]) {
        await person.newGame(variant, HUMANS);
        await person.clickAll([await person.tab.call(async () => (await import("/main.js")).table.board.geometry.middle())]);
        await person.tab.press('#navigation [data-way="back"]');
        await person.tab.until(() => document.getElementById("looking").classList.contains("away"));
        const { off, outside } = await person.tab.call(() => {
          const box = (element) => element.getBoundingClientRect();
          const middle = (id) => (box(document.getElementById(id)).left + box(document.getElementById(id)).right) / 2;
          const below = box(document.querySelector(".below-board"));
          const outside = [...document.querySelectorAll(".steering .button")].filter((button) => button.offsetParent && (box(button).left < below.left || box(button).right > below.right));
          return { off: Math.abs(middle("board") - middle("navigation")), outside: outside.map(({ textContent }) => textContent) };
        });
        assert.ok(off <= 1, `${variant} at ${width}: ${off} px off`);
        assert.deepEqual(outside, [], `${variant} at ${width}`);
      }
      await person.tab.close();
    }
  });

  await test("axe-core finds nothing", { skip, timeout: 600_000 }, async () => {
    const source = readFileSync(axe, "utf8");
    for (const look of [{}, { dark: true }, PHONE]) {
      const person = await Person.visit(browser, server, look);
      const check = async (name) => assert.deepEqual(await findings(person, source), [], `${name}, ${JSON.stringify(look)}`);
      await check("dialog for a new game");
      await person.tab.press("dialog .more summary");
      await person.tab.until(() => document.querySelector("dialog .setup-board svg"));
      await check("More");
      for (const variant of look === PHONE ? [] : await variantsOf(person)) {
        await person.newGame(variant, { ...HUMANS });
        await check(variant);
      }
      await endedGame(person);
      await check("the end of a game");
      await person.tab.press("#tab-review");
      await person.tab.call(() => (document.querySelector("#panel-review select").value = "50"));
      await person.tab.press("#run-review");
      // The list moves until the review ends, and a press would miss it.
      await person.tab.until(() => document.querySelector("[data-accuracy]"));
      await person.tab.press(".mistakes button");
      await person.tab.until(() => document.querySelector(".better p"));
      await check("a mistake of a review");
      await person.tab.press("#tab-tree");
      await check("record");
      await person.tab.key("a");
      await person.tab.until(() => document.querySelectorAll("#panel-analysis tbody tr").length > 1);
      await check("analysis");
      await person.tab.key("a");
      await person.tab.press("#show-rules");
      await person.tab.until(() => document.querySelector('.exercise[aria-busy="false"] svg'));
      await check("lesson");
      await person.tab.press('.pills [data-value="problems"]');
      await person.tab.until(() => document.querySelectorAll(".problem-list .dot").length > 50);
      await check("problems");
      await person.tab.call(() => document.querySelector("dialog[open]").close());
      for (const opener of ["#show-keys", ".record-header .button", "#my-games"]) {
        await person.tab.press("#tab-tree");
        await person.tab.press(opener);
        await check(opener);
        await person.tab.call(() => document.querySelector("dialog[open]").close());
      }
      await person.tab.close();
    }
  });
});
