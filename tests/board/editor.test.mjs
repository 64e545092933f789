// The position editor, problems of one's own, and how a new person finds a way in.

import assert from "node:assert/strict";
import test from "node:test";
import { findings, Person, withBoard } from "./board.mjs";
import { readFileSync } from "node:fs";
import { entry, GO, pressEntry } from "./mygames.mjs";

/** Opens the editor of the first screen on an empty board. */
async function edit(person, variant, size) {
  if (!(await person.tab.call(() => document.querySelector("dialog[open]") !== null))) await person.tab.press("#new-game");
  await person.tab.press(`dialog [data-variant="${variant}"]`);
  await person.tab.call((side) => {
    for (const name of ["Columns", "Rows"]) {
      const input = document.querySelector(`dialog [aria-label="${name}"]`);
      if (!input) continue;
      input.value = side;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, size);
  await person.tab.press("#edit-position");
  await person.until("({ model }, id) => model.editing === 'position' && model.marking && model.state.variant === id && !document.querySelector('dialog[open]')", variant);
}

/** Puts pieces of one tool on points. */
async function put(person, tool, ...points) {
  if ((await person.page("({ model }) => model.marking")) !== tool) await person.tab.press(`#editor [data-tool="${tool}"]`);
  for (const point of points) {
    const before = await person.read();
    await person.click(point);
    await person.changed(before);
  }
}

const rows = async (person) => (await person.read()).state.board;

/** The attributes of a choice in the dialog. */
const dialogFacts = (person) =>
  person.tab.call(() => ({
    chosen: document.querySelector('dialog .game-card[aria-checked="true"]').dataset.variant,
    suggested: [...document.querySelectorAll("dialog .game-card")].filter(({ textContent }) => textContent.includes("Start with this one")).map(({ dataset }) => dataset.variant),
    size: document.querySelector('dialog .pill[aria-checked="true"][data-value]').dataset.value,
    teaching: document.getElementById("teach").checked,
    lesson: document.getElementById("learn-it")?.textContent ?? null,
  }));

await withBoard(async (server, browser) => {
  await test("a position is set up on an empty board; nobody plays into it, and then kawari does", async () => {
    const person = await Person.visit(browser, server);
    await edit(person, "go", 5);
    await put(person, "AB", "B2", "B3", "C2");
    await put(person, "AW", "D2", "D3");
    await put(person, "AE", "C2");
    await person.tab.press("#set-up-mover");
    await person.until("({ model }) => model.state.to_move === 'white'");
    await person.tab.key("p");
    await person.tab.key("g");
    await person.tab.key("Escape");
    await person.fill("#editor .komi", "3.5");
    await person.until("({ model }) => model.game.komi === 3.5");
    const { state, view } = await person.checkPage();
    assert.deepEqual(state.board, [".....", ".....", ".X.O.", ".X.O.", "....."]);
    assert.deepEqual([state.turn, state.to_move], [0, "white"]);
    assert.deepEqual(view.mid_turn, []);
    await person.tab.reload();
    await person.ready();
    await person.until("({ model }) => model.editing === 'position' && model.marking === 'AB'");
    assert.deepEqual(await rows(person), state.board);
    await person.tab.press("#editor-play");
    await person.tab.call(() => {
      const [black, white] = document.querySelectorAll("dialog select");
      for (const [select, value] of [[black, "human"], [white, "level 1"]]) {
        select.value = value;
        select.dispatchEvent(new Event("change"));
      }
    });
    await person.tab.press("dialog .primary");
    await person.until("({ model }) => model.state.turn === 1 && model.personToMove && !model.editing");
    await person.tab.close();
  });

  await test("every game has its own pieces: voids with arrows, tao stones", async () => {
    const person = await Person.visit(browser, server);
    await edit(person, "no", 7);
    assert.deepEqual(await person.tab.call(() => [...document.querySelectorAll("#editor [data-tool]")].filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.tool)), ["AB", "AW", "void", "block", "AE"]);
    await put(person, "AB", "C3");
    await put(person, "void", "E5", "E5", "E5", "B6");
    const { state } = await person.checkPage();
    assert.deepEqual(state.voids.map(({ point, arrow }) => `${point} ${arrow}`), ["E5 E", "B6 N"]);
    const { sgf } = await person.request("save");
    assert.match(sgf, /KPIECE\[ec:\*E\]\[bb:\*N\]/);
    await person.request({ open: { sgf } });
    assert.deepEqual((await person.read()).state.voids, state.voids);
    await edit(person, "tao", 5);
    assert.deepEqual((await rows(person))[2], "..+..");
    await put(person, "tao", "B2");
    await put(person, "AE", "C3");
    const position = await rows(person);
    assert.deepEqual(position, [".....", ".....", ".....", ".+...", "....."]);
    await person.tab.key("z", 2);
    await person.until("({ model }) => model.state.board[2][2] === '+'");
    await person.tab.key("Z", 2 | 8);
    await person.until("({ model }) => model.state.board[2][2] === '.'");
    await person.tab.press("#editor-clear");
    await person.until("({ model }) => model.state.board.every((row) => row === '.....')");
    await person.tab.close();
  });

  await test("points are blocked and opened again, with and without stones on them", async () => {
    const person = await Person.visit(browser, server);
    await edit(person, "go", 7);
    await put(person, "AB", "A7", "E3");
    await put(person, "block", "C3", "B2", "B2", "A7");
    await person.until("({ model }) => model.marking === 'block'");
    await person.tab.press("#set-up-mover");
    const start = ["#......", ".......", ".......", ".......", "..#.X..", ".......", "......."];
    await person.until("({ model }, board) => JSON.stringify(model.state.board) === board && model.state.to_move === 'white'", JSON.stringify(start));
    await person.checkPage();
    await person.tab.close();
  });

  await test("the position of a game is edited, and analysed", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", GO);
    await person.clickAll(["C3", "G7", "C7"]);
    await person.tab.press("#new-game");
    await person.tab.press("#edit-game");
    await person.until("({ model }) => model.editing === 'position' && model.state.turn === 0");
    await put(person, "AW", "E5");
    const { state } = await person.checkPage();
    assert.equal(state.to_move, "white");
    assert.equal(state.board.join("").replaceAll(".", ""), "XOOX");
    await person.tab.press("#editor-analyse");
    await person.until("({ model }) => model.analysis?.moveInfos.length > 0 && !model.editing");
    await person.tab.key("a");
    // The game itself is among the kept ones, as it was.
    await person.tab.press("#my-games");
    await entry(person, "3 moves");
    await person.tab.close();
  });

  await test("a problem is made of a position, kept, and solved", async () => {
    const person = await Person.visit(browser, server);
    await edit(person, "go", 3);
    await person.tab.press("#editor-problem");
    await person.tab.press("#find-answer");
    await person.tab.until(() => /The right move: B2\..*proven/i.test(document.querySelector("#editor [role=status]").textContent) && !document.getElementById("keep-problem").disabled);
    assert.equal((await rows(person))[1], ".X.", "the proven move");
    await person.tab.press("#back-to-position");
    await person.until("({ model }) => model.editing === 'position' && model.nodes.size === 1");
    await put(person, "AW", "B3");
    await person.tab.press("#editor-problem");
    await person.click("B1");
    await person.tab.until(() => document.querySelector("#editor [role=status]").textContent === "The right move: B1.");
    await person.tab.press("#keep-problem");
    await person.until("({ model }) => !model.editing && model.state.turn === 0");
    await person.tab.press("#my-games");
    await pressEntry(person, await entry(person, "a problem"), "solve");
    await person.tab.until(() => document.querySelectorAll(".exercise-board .stone").length === 1);
    await person.tab.press("#show-answer");
    await person.tab.until(() => document.querySelectorAll(".exercise-board .stone.black").length === 1);
    await person.tab.close();
  });

  await test("a problem says what to reach, hints at a part of the board and plays its answer", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.call(() => document.querySelector("dialog").close());
    await person.tab.press("#show-rules");
    await person.tab.press('dialog [data-value="problems"]');
    const question = await person.tab.until(() => document.querySelector(".learn .lesson-text .stars") && document.querySelector(".learn .lesson-text").textContent);
    assert.match(question, /wins (with a lead of .* or more|unless the opponent leads)/);
    const drawn = () => person.tab.call(() => document.querySelector(".exercise-board svg")?.innerHTML ?? "");
    await person.tab.until(() => document.querySelectorAll(".exercise-board .stone").length > 0);
    await person.tab.press("#problem-hint");
    const marked = await person.tab.until(() => document.querySelectorAll(".exercise-board .region").length);
    assert.ok(marked > 1 && marked < 40, `${marked} points`);
    const before = await drawn();
    await person.tab.press("#show-answer");
    await person.tab.until(() => document.querySelector(".learn .feedback strong"));
    await person.tab.until((old) => document.querySelector(".exercise-board svg").innerHTML !== old && !document.querySelector(".exercise-board .region"), before);
    assert.deepEqual(person.tab.problems, []);
    await person.tab.close();
  });

  await test("a new person is shown where to begin, and lessons", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.call(() => {
      localStorage.clear();
      document.querySelector("dialog[open]").close();
    });
    await person.tab.press("#new-game");
    assert.deepEqual(await dialogFacts(person), { chosen: "go", suggested: ["go"], size: "9", teaching: true, lesson: "Learn Go in a few lessons" });
    await person.tab.press("#learn-it");
    await person.tab.until(() => document.querySelector("dialog.learning .lesson h3"));
    await person.tab.call(() => document.querySelector("dialog").close());
    await person.newGame("go", { ...GO, White: ["level 1"], teach: true });
    await person.tab.press("#new-game");
    const { chosen, suggested, lesson: known } = await dialogFacts(person);
    assert.deepEqual([chosen, suggested, known], ["go", ["capture"], null]);
    await person.tab.press('dialog [data-variant="capture"]');
    const { lesson, size, teaching } = await dialogFacts(person);
    assert.deepEqual([lesson, size, teaching], ["Learn Capture Go in a few lessons", "7", true]);
    await person.tab.close();
  });

  await test("typed text survives another size, and the picture has the handicap", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.press('dialog [data-variant="go"]');
    await person.tab.press("dialog .more summary");
    await person.fillLabelled("Komi", "4.5");
    await person.fillLabelled("Clock (people only)", "fischer");
    await person.fillLabelled("Your name", "Ann");
    await person.tab.press('dialog .pill[data-value="13"]');
    await person.tab.press('dialog .pill[data-value="19"]');
    assert.deepEqual(
      await person.tab.call(() => ["Komi", "Clock (people only)", "Your name"].map((label) => [...document.querySelectorAll("dialog .field")].find((field) => field.querySelector("label")?.textContent.trim() === label).querySelector("input, select").value)),
      ["4.5", "fischer", "Ann"],
    );
    await person.fillLabelled("Handicap stones", "9");
    await person.fill('dialog [aria-label="Columns"]', 9);
    await person.fill('dialog [aria-label="Rows"]', 14);
    await person.tab.until(() => document.querySelectorAll(".setup-board .stone.black").length === 9);
    const points = await person.tab.call(() => /Handicap: ([^.]*)/.exec(document.querySelector(".setup .note").textContent)[1].split(", "));
    const turned = points.map((point) => `${"JHGFEDCBA"["ABCDEFGHJ".indexOf(point[0])]}${15 - Number(point.slice(1))}`);
    const odd = points.filter((point) => !turned.includes(point));
    assert.ok(odd.length <= 1, `not symmetrical: ${points}`);
    await person.tab.close();
  });

  await test("results are counted by game and level", async () => {
    const person = await Person.visit(browser, server);
    await person.newGame("go", { ...GO, White: ["level 1"] });
    await person.clickAll(["C3"]);
    await person.tab.press("#rare summary");
    await person.tab.press('#rare [data-action="resign"]');
    await person.tab.press("dialog .primary");
    await person.until("({ model }) => model.ended !== null");
    await person.tab.press("#my-games");
    await person.tab.until(() => document.querySelector("#my-results:not([hidden])"));
    await person.tab.press("#my-results summary");
    const cells = await person.tab.call(() => [...document.querySelectorAll("#my-results :is(th, td)")].map(({ textContent }) => textContent));
    assert.deepEqual(cells, ["Game", "Level 1", "Go", "0–1"]);
    await person.tab.close();
  });

  await test("the editor and the dialog pass the checker of accessibility", { skip: process.env.AXE ? false : "AXE names no axe.min.js" }, async () => {
    const source = readFileSync(process.env.AXE, "utf8");
    const person = await Person.visit(browser, server);
    await person.tab.press("dialog .more summary");
    assert.deepEqual(await findings(person, source), []);
    await edit(person, "no", 7);
    await put(person, "void", "E5");
    assert.deepEqual(await findings(person, source), []);
    await person.tab.press("#editor-problem");
    assert.deepEqual(await findings(person, source), []);
    await person.tab.close();
  });
});
