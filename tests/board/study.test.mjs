// The end of a game and the time after it: the count, the review, analysis, records, lessons,
// problems.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { OF_SERVER, Person, Server, withBoard } from "./board.mjs";

const HUMANS = { black: "human", white: "human" };
const SLOW = { timeout: 300_000 };

/** A tab with a game in which these turns have been made. */
async function position(browser, server, settings, turns, options = {}) {
  const person = await Person.visit(browser, server, options);
  await person.begin(settings, turns);
  await person.turn();
  return person;
}

const text = (person, selector) => person.tab.call((wanted) => document.querySelector(wanted)?.textContent ?? "", selector);

/** Black has the left half with a dead white stone, White the right one. */
const HALVES = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1", "pass", "pass"];

await withBoard(async (server, browser) => {
  await test("two passes show the count at once, a click corrects a group, and both agree", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 5, height: 5 }, HALVES);
    await person.tab.until(() => document.getElementById("agree") !== null);
    for (const part of ["#ending h2", "#status"]) assert.equal(await text(person, part), "White wins by 2½ points.");
    assert.match(await text(person, "#ending"), /Counted as dead: 1 white stone/);
    assert.match(await text(person, "#ending"), /left on the board, White wins by 12½ points/);
    assert.equal(await person.tab.call(() => document.querySelectorAll("#board .dead").length), 1);
    assert.ok((await person.tab.call(() => document.querySelectorAll("#board .owned").length)) > 10);
    // Buttons without a meaning are gone.
    const seen = await person.tab.call(() => [...document.querySelectorAll("#actions button, #modes button")].filter((each) => each.offsetParent !== null).length);
    assert.equal(seen, 0);
    await person.click("D3");
    await person.tab.until(() => /living group/.test(document.getElementById("saying").textContent));
    assert.match(await text(person, "#ending h2"), /2½/, "a living side stays");
    await person.click("A1");
    await person.tab.until(() => /12½/.test(document.querySelector("#ending h2").textContent));
    assert.match(await text(person, "#ending"), /the result is the same/);
    await person.click("A1");
    await person.tab.until(() => /2½ points\.$/.test(document.querySelector("#ending h2").textContent));
    await person.tab.press("#agree");
    await person.tab.until(() => /as agreed/.test(document.querySelector("#ending h2").textContent));
    await person.click("A1");
    assert.match(await text(person, "#ending h2"), /2½ points, as agreed/);
    // The guides say that this one button starts the review.
    await person.tab.press("#review-game");
    await person.until("({ model }) => model.thinking?.what === 'review'");
    await person.tab.press("#run-review");
    await person.until("({ model }) => model.thinking === null");
    await person.checkPage();
    await person.tab.press("#rematch");
    await person.tab.until(async () => (await import("/main.js")).model.state.turn === 0);
    assert.equal(await person.tab.call(() => document.getElementById("ending").hidden), true);
    await person.tab.close();
  });

  await test("a small board has an exact value, a large one does not offer it", { ...SLOW, ...OF_SERVER }, async () => {
    const person = await position(browser, server, { variant: "go", width: 3, height: 3, komi: 0 }, ["B2"]);
    await person.tab.press("#tab-analysis");
    await person.tab.press("#solve");
    await person.tab.until(() => /^Proven/.test(document.getElementById("proof").textContent));
    assert.match(await text(person, "#proof"), /^Proven: Black wins by 9 points with best play\./);
    await person.tab.call(async (game) => (await import("/main.js")).actions.request({ new: game }), { variant: "go", width: 9, height: 9, players: HUMANS });
    await person.turn();
    await person.tab.until(() => document.getElementById("solve").hidden && document.getElementById("proof").textContent === "");
    await person.tab.close();
  });

  await test("without agreement the game goes on", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 5, height: 5 }, HALVES);
    await person.tab.press("#play-on");
    await person.tab.until(async () => !(await import("/main.js")).model.state.over);
    assert.equal(await person.tab.call(() => document.getElementById("ending").hidden), true);
    await person.tab.close();
  });

  await test("a review shows a mistake, who made it, and a better turn on the board", SLOW, async () => {
    const turns = ["C3", "C2", "B2", "D3", "A1", "D4", "E1", "B3"];
    const person = await position(browser, server, { variant: "go", width: 5, height: 5, komi: 0.5 }, turns);
    await person.tab.press("#tab-review");
    await person.tab.call(() => {
      document.querySelector("#panel-review select").value = "50";
    });
    await person.tab.press("#run-review");
    await person.tab.until(() => document.querySelector("[data-accuracy]"));
    for (const color of ["black", "white"]) assert.match(await text(person, `[data-accuracy="${color}"]`), /^\d+%$/);
    assert.ok((await person.tab.call(() => document.querySelectorAll("#graph .spot").length)) > 0);
    const first = await text(person, ".mistakes li");
    assert.match(first, /^−[\d.]+\d+\. (Black|White) .+; better /);
    await person.tab.press(".mistakes button");
    await person.tab.until(() => document.querySelectorAll("#board .number").length > 0 && document.querySelector("#board .played"));
    assert.match(await text(person, ".better"), /lost [\d.]+ points.*Better/s);
    // By keys from mistake to mistake, in the order of the game.
    const shown = () => person.tab.call(async () => (await import("/main.js")).model.mistake?.node ?? null);
    const mistakes = await person.tab.call(() => document.querySelectorAll(".mistakes li").length);
    const before = await shown();
    await person.tab.key("m");
    if (mistakes > 1) await person.tab.until(async (old) => ![old, undefined].includes((await import("/main.js")).model.mistake?.node), before);
    await person.tab.key("M", 8);
    await person.tab.until(async () => (await import("/main.js")).model.mistake !== null);
    await person.tab.press("#tab-tree");
    await person.tab.until(() => document.querySelector("#panel-tree .tree-node .lost"));
    await person.tab.press('#navigation [data-way="last"]');
    await person.tab.until(() => document.querySelectorAll("#board .number").length === 0);
    await person.checkPage();
    // The curve of the scores and the mistakes are still there after a reload.
    const findings = () => person.tab.call(() => [...document.querySelectorAll("#panel-review .mistakes li, #panel-review .accuracy, #graph .spot")].map((each) => each.textContent + each.getAttribute("class")));
    const found = await findings();
    const known = () => person.tab.call(async () => [...(await import("/main.js")).model.nodes.values()].filter(({ value }) => value).length);
    const reviewed = await known();
    assert.ok(reviewed > turns.length, `${reviewed} values`);
    await person.tab.reload();
    await person.ready();
    assert.equal(await known(), reviewed);
    await person.tab.until(() => document.querySelectorAll(".mistakes li").length > 0);
    assert.deepEqual(await findings(), found);
    await person.tab.press("#tab-tree");
    await person.tab.until(() => document.querySelector("#panel-tree .tree-node .lost"));
    await person.tab.close();
  });

  await test("the status line, the panel and the graph have one score, and few visits are shown as few", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 9, height: 9 }, ["C3"]);
    await person.page(`({ model }) => {
      const move = (at, visits, scoreLead) => {
        const step = { at, kind: 0, text: at, color: "white" };
        return { move: step, visits, scoreLead, winrate: 0.4, prior: 0.1, pv: [step] };
      };
      model.analysing = true;
      model.analysis = { node: model.position.node, rootInfo: { winrate: 0.4, scoreLead: -1.25, visits: 1000 }, moveInfos: [move("G7", 900, -1.25), move("C7", 96, 0.5), move("A1", 4, 20)], ownership: [] };
      model.emit("analysis");
    }`);
    const score = "W+1.3";
    for (const part of ["#status", "#panel-analysis .summary", "#graph .value"]) assert.ok((await text(person, part)).includes(score), `${part}: ${await text(person, part)}`);
    const rows = await person.tab.call(() => [...document.querySelectorAll("#panel-analysis tbody tr")].map((row) => [row.className, row.cells[2].textContent]));
    assert.deepEqual(rows.map(([name]) => name), ["", "", "unsure"]);
    assert.deepEqual([rows[2][1], rows[0][1]], ["?", "0"]);
    assert.equal(await person.tab.call(() => document.querySelectorAll("#board .candidate.spot").length), 1);
    // An even score is even everywhere.
    await person.page(`({ model }) => {
      model.analysis.rootInfo.scoreLead = 0.01;
      model.emit("analysis");
    }`);
    for (const part of ["#status", "#panel-analysis .summary", "#graph .value"]) assert.match(await text(person, part), /even/);
    // A board without a net says that its numbers are rough.
    assert.doesNotMatch(await text(person, "#panel-analysis .summary"), /rough/);
    await person.page(`({ model }) => {
      model.game.rough = true;
      model.emit("analysis");
    }`);
    assert.match(await text(person, "#panel-analysis .summary"), /, rough: no net for this board/);
    await person.tab.close();
  });

  await test("a review has one total, and its list and its progress are in view while it works", SLOW, async () => {
    const person = await position(browser, server, { variant: "stoical", width: 9, height: 9, komi: 0.5 }, ["E5", "A1", "E3", "B1", "C5", "A2", "G5"], { width: 1366, height: 680 });
    await person.tab.press("#tab-review");
    await person.page(`({ model }) => {
      window.events = [];
      model.on("review", ({ done, total }) => {
        const { bottom, height } = document.querySelector(".review-progress").getBoundingClientRect();
        window.events.push([done, total, document.querySelectorAll(".mistakes li").length, height > 0 && bottom <= innerHeight]);
      });
    }`);
    await person.tab.call(() => (document.querySelector("#panel-review select").value = "50"));
    await person.tab.press("#run-review");
    await person.tab.until(() => document.querySelector("[data-accuracy]"));
    const events = await person.tab.call(() => window.events);
    assert.equal(new Set(events.map(([, total]) => total)).size, 1, JSON.stringify(events));
    assert.ok(events.every(([, , , isInView]) => isInView), JSON.stringify(events));
    // The first mistakes are listed before half of the searches are done.
    assert.ok(events.some(([done, total, listed]) => listed > 0 && done < total / 2), JSON.stringify(events));
    await person.tab.close();
  });

  for (const options of [{ width: 1280, height: 720 }, { width: 390, height: 844, touch: true }]) {
    await test(`candidates on 19x19 can be read at ${options.width}x${options.height}`, SLOW, async () => {
      const person = await position(browser, server, { variant: "go", width: 19, height: 19 }, ["Q16", "D4", "C16", "Q4"], options);
      await person.tab.key("a");
      await person.tab.until(() => document.querySelectorAll("#board .candidate text").length > 1);
      const look = () =>
        person.tab.call(() => {
          const discs = [...document.querySelectorAll("#board .candidate circle")].map((each) => each.getBoundingClientRect());
          const labels = [...document.querySelectorAll("#board .candidate text")].map((each) => each.getBoundingClientRect());
          const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          const pairs = discs.flatMap((a, i) => discs.slice(i + 1).filter((b) => overlap(a, b)));
          return { overlaps: pairs.length, wide: labels.filter(({ width }) => width > discs[0].width + 1).length, size: Math.min(...labels.map(({ height }) => height)) };
        });
      const { overlaps, wide, size } = await look();
      assert.deepEqual([overlaps, wide], [0, 0]);
      assert.ok(size >= 9, `labels of ${size} pixels`);
      assert.match(await person.tab.call(() => document.querySelector("#board .candidate.best").getAttribute("class")), /loss-0/);
      await person.tab.press("#rates");
      await person.tab.until(() => document.querySelector("#board .candidate.best text")?.textContent.match(/^\d\d?$/) || innerWidth < 500);
      assert.equal((await look()).overlaps, 0);
      await person.tab.close();
    });
  }

  await test("a record opens at its beginning with its header in sight", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 5, height: 5 }, []);
    const sgf = "(;GM[1]FF[4]SZ[9]PB[Ann]BR[3k]PW[Bob]WR[2d]EV[Club evening]DT[2020-02-03]RE[W+R];B[dd];W[ff];B[dg])";
    await person.drop([["club.sgf", sgf]]);
    await person.tab.until(async () => (await import("/main.js")).model.nodes.size === 4);
    // The game stands at its end: an earlier move is a variation with a way back.
    assert.equal((await person.read()).state.turn, 0);
    assert.match(await text(person, "#status"), /You can try moves for both sides/);
    await person.click("E5");
    await person.tab.until(async () => (await import("/main.js")).model.nodes.size === 5);
    await person.tab.press('[data-action="back-to-game"]');
    await person.tab.until(async () => (await import("/main.js")).model.state.turn === 3);
    await person.tab.key("Home");
    await person.tab.until(() => {
      const box = document.querySelector(".record-header").getBoundingClientRect();
      return box.height > 0 && box.bottom < innerHeight;
    });
    const header = await text(person, ".record-header");
    for (const words of ["Ann 3k – Bob 2d", "Club evening", "2020-02-03", "White wins by resignation"]) assert.ok(header.includes(words), header);
    assert.match(await text(person, "#title"), /Ann 3k – Bob 2d/);
    await person.tab.press(".record-header .button");
    await person.tab.call(() => {
      document.getElementById("header-white").value = "Eve";
    });
    await person.tab.press("dialog .primary");
    await person.tab.until(() => /Ann 3k – Eve 2d/.test(document.querySelector(".record-header").textContent));
    await person.drop([["lost.sgf", "<!doctype html><p>Not found</p>"]]);
    await person.tab.until(() => /lost\.sgf: this is not a Go record; it begins with/.test(document.getElementById("messages").textContent));
    assert.equal((await person.read()).state.width, 9, "the game stays");
    await person.tab.close();
  });

  await test("a game is saved while the server does not run", { ...SLOW, ...OF_SERVER }, async () => {
    const own = await Server.start();
    const person = await position(browser, own, { variant: "go", width: 5, height: 5 }, ["C3", "B2"]);
    await own.stop();
    await person.tab.until(() => /server is not running/.test(document.getElementById("status").textContent));
    const folder = mkdtempSync(join(tmpdir(), "kawari-save-"));
    await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: person.tab.target.browserContextId });
    await person.tab.press("#save-file");
    let names = [];
    for (let tries = 0; tries < 200 && !names.some((name) => name.endsWith(".sgf")); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      names = readdirSync(folder);
    }
    const saved = readFileSync(join(folder, names.find((name) => name.endsWith(".sgf"))), "utf8");
    rmSync(folder, { recursive: true });
    assert.match(saved, /;B\[cc\].*;W\[bd\]/s);
    await person.tab.close();
  });

  await test("a lesson is done on its board, and a link leads to the rules", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 5, height: 5 }, ["C3"]);
    await person.tab.press("#show-rules");
    await person.tab.press('.dot[aria-label^="Lesson 2:"]');
    await person.tab.until(() => /Liberties/.test(document.querySelector(".lesson h3")?.textContent ?? "") && document.querySelectorAll(".exercise-board .stone.white").length === 1);
    await person.tab.click(await person.onExercise("A1"));
    await person.tab.until(() => document.querySelector(".feedback.wrong"));
    await person.tab.press(".feedback button");
    await person.tab.until(() => document.querySelectorAll(".exercise-board .stone.black").length === 3 && !document.querySelector(".feedback p"));
    await person.tab.click(await person.onExercise("C4"));
    await person.tab.until(() => document.querySelector(".feedback.right"));
    await person.tab.until(() => document.querySelectorAll(".exercise-board .stone.white").length === 0);
    assert.equal(await person.tab.call(() => document.querySelectorAll(".dot.done").length), 1);
    await person.tab.press("#next-lesson");
    await person.tab.until(() => /Groups/.test(document.querySelector(".lesson h3").textContent));
    // Nuclear Go: a kind of turn is chosen, and its effects are visible.
    await person.tab.press('.pills [data-value="no"]');
    await person.tab.until(() => document.querySelector('.pills [data-value="no"][aria-checked="true"]') && document.querySelector('.dot[aria-label^="Lesson 5:"]'));
    // A key before the board of a lesson is there means nothing.
    const pressed = await person.tab.call(() => {
      document.querySelector('.dot[aria-label^="Lesson 5:"]').click();
      return [...document.querySelectorAll(".exercise-controls button")].filter(({ textContent, disabled }) => textContent !== "Start again" && !disabled).length;
    });
    assert.equal(pressed, 0);
    await person.tab.until(() => /Voids kill/.test(document.querySelector(".lesson h3").textContent));
    await person.exerciseStands();
    await person.tab.call(() => [...document.querySelectorAll(".exercise-controls button")].find(({ textContent }) => textContent === "Nuke").click());
    const place = await person.onExercise("B2");
    await person.tab.click(place);
    await person.tab.click(place);
    await person.tab.until(() => document.querySelector(".feedback.right"));
    await person.tab.until(() => document.querySelectorAll(".exercise-board .void").length === 2);
    await person.tab.press(".lesson .link");
    await person.tab.until(() => /nuke/.test(document.querySelector(".rules-text")?.textContent ?? ""));
    // The game of the tab is as it was.
    assert.equal((await person.read()).state.turn, 1);
    assert.deepEqual(person.tab.problems, []);
    await person.tab.close();
  });

  await test("lessons and problems begin with the game that is played, on a phone too", SLOW, async () => {
    const person = await position(browser, server, { variant: "capture", width: 5, height: 5 }, [], { width: 390, height: 844, scale: 2, touch: true });
    await person.tab.press("#show-rules");
    await person.tab.until(() => {
      const chosen = document.querySelector('.learn-head [aria-label="Games"] [aria-checked="true"]');
      const { left, right } = chosen.getBoundingClientRect();
      return chosen.textContent === "Capture Go" && left >= 0 && right <= innerWidth;
    });
    await person.tab.press('.pills [data-value="problems"]');
    await person.tab.until(() => /^Capture Go: /.test(document.querySelector(".lesson h3")?.textContent ?? ""));
    assert.doesNotMatch(await text(person, ".lesson-text"), /counted/);
    const shapes = await person.tab.call(() => [...document.querySelectorAll(".problem-list .dot")].slice(0, 12).map((dot) => [dot.offsetWidth, dot.offsetHeight]));
    assert.deepEqual(shapes.filter(([width, height]) => width !== height), [], "round");
    // A tap does not light up the whole board.
    const highlights = await person.tab.call(() => ["#board", ".exercise-board"].map((name) => getComputedStyle(document.querySelector(name)).webkitTapHighlightColor));
    assert.deepEqual(highlights, ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
    assert.deepEqual(person.tab.problems, []);
    await person.tab.close();
  });

  await test("a problem is tried: a wrong answer, the right one, and the next", SLOW, async () => {
    const person = await position(browser, server, { variant: "go", width: 5, height: 5 }, []);
    await person.tab.press("#show-rules");
    await person.tab.press('.pills [data-value="problems"]');
    await person.fill(".lesson select", "go");
    await person.tab.until(() => /^Go: /.test(document.querySelector(".lesson h3")?.textContent ?? "") && document.querySelector(".exercise-board svg"));
    const problems = await person.tab.call(async () => (await import("/main.js")).actions.request("problems"));
    const [problem] = problems.filter(({ variant }) => variant === "go");
    assert.ok(problems.length >= 100);
    const step = { exercise: { problem: [problem.variant, problem.number] }, steps: [] };
    const { legal, height } = await person.tab.call(async (attempt) => {
      const { positions } = await (await import("/main.js")).actions.request({ try: attempt });
      return { legal: positions[0].view.legal, height: positions[0].state.height };
    }, step);
    const points = legal.flatMap((row, top) => [...row].flatMap((mask, column) => (mask === "0" ? [] : [String.fromCharCode(65 + column) + (height - top)])));
    const wrong = points.find((point) => !problem.answers.includes(point));
    await person.tab.click(await person.onExercise(wrong));
    await person.tab.until(() => document.querySelector(".feedback.wrong"));
    await person.tab.press(".feedback button");
    await person.tab.until(() => !document.querySelector(".feedback p"));
    await person.tab.click(await person.onExercise(problem.answers[0]));
    await person.tab.until(() => /Right/.test(document.querySelector(".feedback.right")?.textContent ?? ""));
    assert.match(await text(person, ".lesson .note"), /^1 of \d+ solved/);
    assert.deepEqual(person.tab.problems, []);
    await person.tab.close();
  });
});
