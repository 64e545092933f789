// A laptop is enough: the board, players, comment, candidates and graph beside each other; panels
// that keep their width and folds; how a game ended, with one voice.

import assert from "node:assert/strict";
import test from "node:test";
import { HUMANS, Person, withBoard } from "./board.mjs";

const MOVES = ["pd", "dp", "qp", "dd", "oq", "cn", "fq", "nc"];
const RECORD = `(;GM[1]FF[4]SZ[19]KM[6.5]PB[Ann]PW[Bert]C[A game to look at.]${MOVES.map((at, index) => `;${index % 2 ? "W" : "B"}[${at}]`).join("")})`;

/** Opens a record as a file is opened. */
async function openFile(person, sgf) {
  await person.tab.call((text) => {
    document.querySelector("dialog[open]")?.close();
    const data = new DataTransfer();
    data.items.add(new File([text], "game.sgf"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, sgf);
  await person.until("({ model }) => model.game?.header.black === 'Ann'");
}

/** The parts that are wholly within the window and in front, and the candidates in view. */
const inView = (person, parts) =>
  person.tab.call((names) => {
    const whole = (element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      const inside = width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const front = document.elementFromPoint(left + width / 2, top + Math.min(height - 2, 8));
      return inside && element.contains(front);
    };
    const panel = document.getElementById("panel-analysis").getBoundingClientRect();
    const rows = [...document.querySelectorAll("#panel-analysis tbody tr")];
    return {
      hidden: names.filter((name) => !whole(document.querySelector(name))),
      rows: rows.filter((row) => row.getBoundingClientRect().bottom <= panel.bottom).length,
      scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
    };
  }, parts);

const PARTS = ["#board", "#navigation", ".player", "#actions .button", "#talk textarea", "#graph .plot", "#panel-analysis .moves"];

await withBoard(async (server, browser) => {
  for (const [width, height] of [[1366, 680], [1280, 720], [1024, 768]]) {
    await test(`${width}x${height} shows all of a study at once`, { timeout: 300_000 }, async () => {
      const person = await Person.visit(browser, server, { width, height });
      await openFile(person, RECORD);
      assert.equal(await person.tab.until(() => document.querySelector("#talk textarea").value), "A game to look at.");
      await person.tab.press("#tab-analysis");
      const board = () => person.tab.call(() => JSON.stringify(document.getElementById("board").getBoundingClientRect()));
      const before = await board();
      await person.tab.call(async () => (await import("/main.js")).actions.analyse(true));
      await person.tab.until(() => document.querySelectorAll("#panel-analysis tbody tr").length >= 6);
      const seen = await inView(person, PARTS);
      assert.deepEqual([seen.hidden, seen.scrolls], [[], false]);
      assert.ok(seen.rows >= 6, `${seen.rows} rows`);
      const share = await person.tab.call(() => document.getElementById("board").clientHeight / innerHeight);
      assert.ok(share > 0.75, `the board has ${share} of the height`);
      assert.equal(await board(), before);
      await person.tab.close();
    });
  }

  await test("the warnings of Nuclear Go leave rows of the table in view", async () => {
    for (const [width, height, least] of [[1366, 680, 5], [1024, 768, 1]]) {
      const person = await Person.visit(browser, server, { width, height });
      await person.newGame("no", { Size: ["9", "9"], ...HUMANS });
      await person.clickAll(["C3"]);
      // Without a stone to nuke, White has many turns to consider.
      await person.request({ play: "pass" });
      await person.request({ play: { turn: "nuke C3" } });
      await person.tab.key("a");
      await person.tab.until(() => document.querySelectorAll("#panel-analysis tbody tr").length > 5);
      const { rows } = await inView(person, PARTS);
      assert.ok(rows >= least, `${rows} rows at ${width}x${height}`);
      await person.tab.close();
    }
  });

  await test("at 150% the board and the buttons are there", async () => {
    const person = await Person.visit(browser, server, { width: 911, height: 453 });
    await person.newGame("go", { Size: ["19", "19"], ...HUMANS });
    const seen = await inView(person, ["#board", "#navigation", ".player", '[data-action="pass"]']);
    assert.deepEqual(seen.hidden, []);
    await person.tab.close();
  });

  await test("the width and the folds of the panels are remembered", async () => {
    const person = await Person.visit(browser, server, { width: 1366, height: 680 });
    await person.newGame("go", { Size: ["9", "9"], ...HUMANS });
    const width = () => person.tab.call(() => document.querySelector(".study").clientWidth);
    const before = await width();
    await person.tab.call(() => document.getElementById("divider").focus());
    for (let press = 0; press < 3; press++) await person.tab.key("ArrowRight");
    const after = await width();
    assert.equal(after, before - 60);
    await person.tab.press("#graph summary");
    await person.tab.press("#fold-tabs");
    await person.tab.until(() => localStorage.getItem("kawari.folded") === '["graph","fold-tabs"]');
    await person.tab.reload();
    await person.ready();
    assert.equal(await width(), after);
    assert.deepEqual(await person.tab.call(() => ["graph", "talk"].map((id) => document.getElementById(id).open)), [false, true]);
    const panels = () => person.tab.call(() => [...document.querySelectorAll(".panel")].filter((panel) => panel.clientHeight > 0).map(({ id }) => id));
    assert.deepEqual(await panels(), []);
    await person.tab.press("#tab-analysis");
    assert.deepEqual(await panels(), ["panel-analysis"]);
    await person.tab.close();
  });

  await test("the graph has scales and reads the value under the pointer", async () => {
    const person = await Person.visit(browser, server, { width: 1366, height: 680 });
    await openFile(person, RECORD.replace(";B[pd]", ";B[pd]V[3]SBKV[60]").replace(";W[dp]", ";W[dp]V[-9]SBKV[30]"));
    await person.tab.until(() => document.querySelectorAll("#graph .scales .lead").length === 3);
    const place = await person.tab.call((length) => {
      const { left, top, width, height } = document.querySelector("#graph .plot").getBoundingClientRect();
      return { x: left + (width * (2 / length + 0.025)) / 1.05, y: top + height / 2 };
    }, MOVES.length);
    await person.tab.move(place);
    await person.tab.until(() => /^move 2: W\+9/.test(document.querySelector("#graph .value").textContent));
    await person.tab.close();
  });

  await test("the end on the clock has its panel", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    await person.tab.call(async () => {
      document.querySelector("dialog[open]")?.close();
      const { actions } = await import("/main.js");
      await actions.request({ new: { variant: "go", width: 9, height: 9, players: { black: "human", white: "human" }, clock: { fischer: { main: 0.6, increment: 0 } } } });
      await actions.request({ play: { turn: "C3" } });
    });
    await person.tab.until(() => /Black wins on time\.\s*White's clock ran out\./.test(document.getElementById("ending").textContent) && ["rematch", "review-game", "save-game", "undo-end"].every((id) => document.getElementById(id)));
    assert.equal(await person.tab.call(() => document.querySelector(".player.to-move")), null);
    await person.tab.close();
  });

  await test("Capture Go shows the captured stone", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("capture", { Size: ["5", "5"], ...HUMANS });
    await person.clickAll(["A2", "A1", "B1"]);
    await person.tab.until(() => /A1/.test(document.getElementById("ending").textContent) && document.querySelector("#board .captured"));
    await person.tab.close();
  });

  await test("against Teaching, played moves carry what they lost; elsewhere only if asked", { timeout: 300_000 }, async () => {
    const person = await Person.visit(browser, server);
    const dots = () => person.tab.call(() => document.querySelectorAll("#board .marks .candidate").length);
    for (const [teach, count] of [[true, 1], [false, 0]]) {
      await person.newGame("go", { Size: ["9", "9"], White: ["level 1"], teach });
      await person.clickAll(["E5"]);
      await person.until("({ model }) => model.state?.turn === 2 && model.thinking === null");
      assert.equal(await person.tab.call(() => document.getElementById("dots").checked), teach);
      assert.equal(await dots(), count);
    }
    await person.tab.close();
  });

  await test("the stone of a first touch goes with the position", async () => {
    const person = await Person.visit(browser, server, { width: 390, height: 844, touch: true });
    await person.newGame("go", { Size: ["19", "19"], ...HUMANS });
    const ghosts = () => person.tab.call(() => document.querySelectorAll("#board .ghost").length);
    await person.tab.call(async () => {
      const { table, actions } = await import("/main.js");
      const { left, top, width, height } = table.container.getBoundingClientRect();
      const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, pointerType: "touch" };
      table.container.dispatchEvent(new PointerEvent("click", at));
      await actions.request({ play: { turn: "D4" } });
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await ghosts(), 0);
    await person.tab.close();
  });
});
