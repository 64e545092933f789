// The teacher: moves that are held up, mistakes that are practised.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { findings, Person, withBoard } from "./board.mjs";

const SLOW = { timeout: 300_000 };
const GAME = { variant: "go", width: 5, height: 5, komi: 0.5 };
const AGAINST = { black: "human", white: { visits: 2 } };

/** Begins a game on the page, and plays the moves of both sides. */
const begin = (person, { players, ...game }, turns) => person.begin(game, turns, { players });

const held = (person) => person.tab.until(() => !document.getElementById("held").hidden && document.querySelectorAll("#board .number").length > 0);

await withBoard(async (server, browser) => {
  for (const shape of [{ width: 1280, height: 800 }, { width: 1024, height: 720 }, { width: 390, height: 844, touch: true }]) {
    await test(`a move that costs much is held up on ${shape.width}x${shape.height}`, SLOW, async () => {
      const person = await Person.visit(browser, server, shape);
      const press = (point) => (shape.touch ? person.place(point).then((place) => person.tab.tap(place)) : person.click(point));
      await begin(person, { ...GAME, players: AGAINST, teach: true }, ["C3", "C2", "B2", "D3"]);
      const before = await person.turn();
      // White takes two points of Black's at once if Black plays in its own corner.
      await press("A1");
      await held(person);
      const text = await person.tab.call(() => document.getElementById("held").textContent);
      assert.match(text, /^A1 costs [\d.]+ points\..*The numbered stones show the answer: /s);
      assert.ok(await person.tab.call(() => document.querySelector("#board .played") !== null), "the ring where it was played");
      const box = await person.tab.call(() => {
        const { top, bottom, left, right } = document.getElementById("try-again").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
      });
      assert.ok(box, "the way back is in sight");
      assert.equal((await person.read()).state.turn, before.state.turn + 1, "the opponent waits");
      await person.tab.press("#try-again");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn === turn && document.getElementById("held").hidden, before.state.turn);
      await person.turn();
      // A second attempt is judged, too; this time the move stays.
      await press("A1");
      await held(person);
      await person.tab.press("#leave-it");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn >= turn, before.state.turn + 2);
      assert.equal(await person.tab.call(() => document.getElementById("held").hidden), true);
      await person.checkPage();
      await person.tab.close();
    });
  }

  await test("by keyboard only a move that is on hold is taken back", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await begin(person, { ...GAME, players: AGAINST, teach: true }, ["C3", "C2", "B2", "D3"]);
    await person.turn();
    await person.tab.call(async () => {
      const { table } = await import("/main.js");
      table.cursor = "A1";
      document.getElementById("board").focus();
    });
    await person.tab.key("Enter");
    await person.tab.key("Enter");
    await held(person);
    await person.tab.until(() => document.activeElement?.id === "try-again");
    await person.tab.key("Enter");
    await person.tab.until(async () => (await import("/main.js")).model.state.turn === 4 && document.getElementById("held").hidden);
    await person.tab.close();
  });

  await test("the dialog offers a teacher for weak opponents, and a game has a switch for it", SLOW, async () => {
    const person = await Person.visit(browser, server);
    const choose = (value) => person.fill("dialog .part select", value);
    const checked = () => person.tab.call(() => document.getElementById("teach").checked);
    await choose("level 2");
    assert.equal(await checked(), true);
    // The first game has it on at every level.
    await choose("level 9");
    assert.equal(await checked(), true);
    assert.match(await person.tab.call(() => document.getElementById("teach").closest(".field").textContent), /costs 3 points or more is held back/);
    await choose("level 2");
    await person.tab.press("#begin");
    const pressed = (on) => person.tab.until((wanted) => document.querySelector('#rare [data-action="teach"]')?.getAttribute("aria-pressed") === wanted, String(on));
    await pressed(true);
    await person.tab.press("#rare summary");
    await person.tab.press('#rare [data-action="teach"]');
    await pressed(false);
    await person.tab.reload();
    await person.ready();
    await pressed(false);
    await person.tab.close();
  });

  const review = async (person) => {
    await person.tab.press("#tab-review");
    await person.tab.call(() => {
      document.querySelector("#panel-review select").value = "50";
    });
    await person.tab.press("#run-review");
    await person.tab.until(() => document.querySelector("[data-accuracy]"));
  };

  /** A game of a person against kawari, reviewed. Black's A1 costs a lot; so does White's E1. */
  async function reviewed(shape = {}) {
    const person = await Person.visit(browser, server, shape);
    await begin(person, { ...GAME, players: { black: "human", white: { visits: 2 } } }, ["C3", "C2", "B2", "D3", "A1", "D4", "E1", "B3"]);
    await person.tab.call(async () => (await import("/main.js")).actions.request({ play: "resign" }));
    await review(person);
    return person;
  }

  const feedback = (person, words) => person.tab.until((wanted) => new RegExp(wanted).test(document.querySelector(".feedback")?.textContent ?? ""), words);

  for (const shape of [{ width: 1280, height: 800 }, { width: 390, height: 844, touch: true }]) {
    await test(`mistakes are questions with hints, a refutation and a summary on ${shape.width}x${shape.height}`, SLOW, async () => {
      const person = await reviewed(shape);
      const questions = await person.tab.call(async () => {
        const { keeper } = await import("/main.js");
        return keeper.questions().map(({ mistake }) => ({ color: mistake.color, best: mistake.better.pv[0].at, loss: mistake.loss }));
      });
      assert.ok(questions.length >= 1 && questions.every(({ color }) => color === "black"), "only one's own");
      await person.tab.press("#learn-mistakes");
      for (const [index, question] of questions.entries()) {
        await person.tab.until((words) => document.querySelector(".lesson h3")?.textContent.startsWith(words), `Mistake ${index + 1} of ${questions.length}`);
        if (index === 0) {
          // The move of the game is refuted on the board.
          await person.tab.click(await person.onExercise("A1"));
          await feedback(person, "costs [\\d.]+ points\\.The numbered stones show the answer");
          await person.tab.until(() => document.querySelectorAll(".exercise-board .number").length > 0);
          await person.tab.press("#mistake-again");
          await person.exerciseStands();
          await person.tab.press("#mistake-hint");
          await feedback(person, "marked part|The cost");
        }
        await person.tab.click(await person.onExercise(question.best));
        await feedback(person, "^Right");
        await person.tab.press("#mistake-next");
      }
      await person.tab.until((count) => document.querySelector(".practice-sum h3")?.textContent === `${count - 1} of ${count} found without help`, questions.length);
      const [whole, part] = await person.tab.call(() => [".learn", ".practice-sum"].map((name) => document.querySelector(`dialog[open] ${name}`).clientWidth));
      assert.ok(part > whole - 2, `the sum has ${part} of ${whole} pixels`);
      await person.tab.press("#practice-close");
      // They come back, and My games has them too.
      const kept = await person.tab.call(async () => (await (await import("/main.js")).keeper.store.mistakes()).map(({ due, step }) => [Math.round((due - Date.now()) / 86_400_000), step]));
      assert.equal(kept.length, questions.length);
      assert.ok(kept.some(([days, step]) => days === 1 && step === 0));
      await person.tab.press("#my-games");
      await person.tab.press('[data-do="practise"]');
      await person.tab.until(() => /^Mistake 1 of/.test(document.querySelector(".lesson h3")?.textContent ?? ""));
      await person.exerciseStands();
      await person.tab.press("#mistake-answer");
      await feedback(person, "was better by");
      await person.tab.until(() => document.querySelectorAll(".exercise-board .number").length > 0);
      assert.deepEqual(person.tab.problems, []);
      await person.tab.close();
    });
  }

  const GO_SAN = ["D4", "D3", "B3", "C3", "nuke B3", "B2", "D2", "nuke B2", "nuke D2", "B4", "D3", "nuke B4", "C3", "D5"];
  const OTHER_GAMES = [
    // White's stone at E1 can be taken; Black's at C3 will be, if Black does not.
    { game: { variant: "capture", width: 5, height: 5 }, side: "black", turns: ["C3", "C2", "D1", "E1", "A5", "B3", "B5", "D3"], bad: "A1", cost: /^A1 costs \d+% of its chance to win\./, less: /less than 5% of its chance to win\.$/ },
    { game: { variant: "sygo", width: 5, height: 5, komi: 0.5 }, side: "white", turns: ["C3", "C2", "B2", "D3"], bad: "A1", cost: /^A1 costs [\d.]+ points\./, less: /less than a point\.$/ },
    { game: { variant: "2.5d", width: 5, height: 5, komi: 0.5 }, side: "black", turns: ["layer 0 B2", "layer 0 C2", "layer 0 B3", "layer 0 C3"], bad: "layer 0 A1", cost: /^Lower A1 costs [\d.]+ points\./, less: /less than a point\.$/ },
    // White nukes the stone in the corner, so the answer has a void.
    { game: { variant: "go-san", width: 5, height: 5, komi: 0.5 }, side: "black", turns: GO_SAN, bad: "A5", cost: /^A5 costs [\d.]+ points\./, less: /less than a point\.$/, drawn: ".void" },
  ];
  for (const { game, side, turns, bad, cost, less, drawn = ".stone" } of OTHER_GAMES) {
    await test(`a mistake in ${game.variant} is held up, and practised after the game`, SLOW, async () => {
      const person = await Person.visit(browser, server);
      const players = { black: { visits: 2 }, white: { visits: 2 }, [side]: "human" };
      await begin(person, { ...game, players, teach: true }, turns);
      const play = () => person.request({ play: { turn: bad } });
      await person.turn();
      await play();
      await held(person);
      assert.match(await person.tab.call(() => document.getElementById("held").textContent), cost);
      assert.ok(await person.tab.call((wanted) => document.querySelector(`#board .planned ${wanted}`) !== null, drawn), "the answer stands on the board");
      await person.tab.press("#try-again");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn === turn && document.getElementById("held").hidden, turns.length);
      await person.turn();
      await play();
      await held(person);
      await person.tab.press("#leave-it");
      await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn >= turn, turns.length + 2);
      await person.turn();
      if (!(await person.read()).state.over) await person.request({ play: "resign" });
      await review(person);
      await person.tab.press("#learn-mistakes");
      await person.tab.until(() => /^Mistake 1 of/.test(document.querySelector(".lesson h3")?.textContent ?? ""));
      await person.exerciseStands();
      await person.tab.until((words) => new RegExp(words).test(document.querySelector(".lesson p").textContent), less.source);
      await person.tab.press("#mistake-answer");
      await feedback(person, "was better by");
      await person.tab.until(() => document.querySelectorAll(".exercise-board .number").length > 0);
      assert.deepEqual(person.tab.problems, []);
      await person.tab.close();
    });
  }

  await test("questions come back after 1, 3, 7 and 21 days, and those that are due are in Learn", SLOW, async () => {
    const person = await reviewed();
    const days = await person.tab.call(async () => {
      const { answered } = await import("/mistakes.js");
      const list = [];
      let question = { step: 0 };
      for (const found of [true, true, false, true, true, true, true, true]) {
        question = answered(question, found, 0);
        list.push(question === null ? null : question.due / 86_400_000);
        if (question === null) break;
      }
      return list;
    });
    assert.deepEqual(days, [1, 3, 1, 1, 3, 7, 21, null]);
    await person.tab.call(async () => {
      const { keeper } = await import("/main.js");
      const { sgf: _, ...question } = keeper.questions()[0];
      await keeper.store.keepMistake({ ...question, due: Date.now() - 1 });
      await keeper.store.keepMistake({ ...question, id: "gone 3", game: "gone", due: Date.now() - 1 });
    });
    await person.tab.press("#show-rules");
    await person.tab.press('.pills [data-value="mistakes"]');
    await person.tab.press("#practise-due");
    await person.tab.until(() => /^Mistake 1 of 1/.test(document.querySelector(".lesson h3")?.textContent ?? ""));
    assert.deepEqual(await person.tab.call(async () => (await (await import("/main.js")).keeper.store.mistakes()).map(({ game }) => game === "gone")), [false], "those of deleted games go");
    await person.tab.close();
  });

  await test("an automatic level follows the results, and a person has a name", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await person.tab.press("dialog .more summary");
    await person.fill("dialog .part select", "automatic");
    await person.fill('dialog [autocomplete="nickname"]', "Ann");
    await person.tab.press("#begin");
    await person.tab.until(async () => (await import("/main.js")).model.game?.players.white.level === 3);
    assert.equal(await person.tab.call(() => document.querySelector('.player[data-color="black"] .who').textContent), "Ann");
    await person.turn();
    await person.tab.call(async () => (await import("/main.js")).actions.request({ play: "resign" }));
    await person.tab.until(() => /next opponent is level 2/.test(document.getElementById("messages").textContent));
    await person.tab.press("#rematch");
    await person.tab.until(async () => {
      const { model } = await import("/main.js");
      return model.game.players.black.level === 2 && model.game.header.white === "Ann";
    });
    await person.tab.press("#new-game");
    const kept = await person.tab.call(() => [document.querySelector("dialog .part select").value, document.querySelector('dialog [autocomplete="nickname"]').value]);
    assert.deepEqual(kept, ["automatic", "Ann"]);
    await person.tab.close();
  });

  await test("the count has a table, and the page objects to a group that is taken wrongly", SLOW, async () => {
    const person = await Person.visit(browser, server);
    await begin(person, { ...GAME, komi: 7.5, players: { black: "human", white: "human" } }, ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1", "pass", "pass"]);
    const rows = () => person.tab.call(() => [...document.querySelectorAll(".tally tbody tr, .tally tfoot tr")].map((row) => [...row.children].map(({ textContent }) => textContent).join(" ")));
    await person.tab.until(() => document.querySelector(".tally"));
    assert.deepEqual(await rows(), ["Stones 6 5", "Territory 9 5", "Komi 0 7½", "Points 15 17½"]);
    assert.equal(await person.tab.call(() => document.querySelector(".objection")), null);
    await person.click("A1");
    await person.tab.until(() => /takes the white stone at A1 for dead: \d+% sure/.test(document.querySelector(".objection")?.textContent ?? ""));
    await person.tab.press("#agree");
    await person.tab.until(() => /^Agree\? kawari takes/.test(document.querySelector("dialog h2")?.textContent ?? ""));
    assert.equal(await person.tab.call(() => document.querySelector("dialog .dialog-body")), null, "no empty strip");
    await person.tab.press("dialog[open] .primary");
    await person.tab.until(() => /as agreed/.test(document.querySelector("#ending h2").textContent));
    assert.equal((await rows()).at(-1), "Points 6 18½");
    await person.tab.close();
  });

  await test("a review has a report, and play goes on from a mistake", SLOW, async () => {
    const person = await reviewed();
    await person.tab.until(() => document.querySelector(".report tbody"));
    const heads = await person.tab.call(() => [...document.querySelectorAll(".report tbody th")].map(({ textContent }) => textContent));
    assert.deepEqual(heads, ["Opening", "Middle", "End", "Losses", "Best moves", "Worst", "Best"]);
    const losses = await person.tab.call(() => [...document.querySelectorAll(".losses")].map((bar) => [...bar.children].reduce((sum, { textContent }) => sum + Number(textContent), 0)));
    assert.deepEqual(losses, [4, 4], "each move has a place");
    await person.tab.press(".report .link");
    await person.tab.until(async () => (await import("/main.js")).model.trying);
    await person.tab.press(".mistakes button");
    await person.tab.press("#play-from-here");
    await person.tab.until(async () => {
      const { model } = await import("/main.js");
      return !model.trying && model.personToMove && model.game.players[model.state.to_move] === "human" && Object.values(model.game.players).some((player) => player.level === 3);
    });
    const page = await person.turn();
    await person.click("E5");
    await person.tab.until(async (turn) => (await import("/main.js")).model.state.turn >= turn + 2, page.state.turn);
    await person.tab.reload();
    await person.ready();
    await person.checkPage();
    await person.tab.close();
  });

  await test("a refusal stands on its own and goes with its cause", async () => {
    const person = await Person.visit(browser, server);
    await begin(person, { ...GAME, players: { black: "human", white: "human" } }, ["C3"]);
    await person.tab.call(async () => {
      const { actions } = await import("/main.js");
      await actions.act({ play: { turn: "C3" } });
      await actions.act({ go: { node: 99 } });
    });
    const messages = () => person.tab.call(() => [...document.querySelectorAll("#messages .message span")].map(({ textContent }) => textContent));
    assert.deepEqual(await messages(), ["there is no such position"]);
    await person.click("D3");
    await person.tab.until(() => document.querySelector("#messages .message") === null);
    await person.tab.close();
  });

  await test("the title has one line, players fit their cards, and a page that scrolls keeps the wheel", async () => {
    for (const shape of [{ width: 1280, height: 800 }, { width: 1024, height: 720 }]) {
      const person = await Person.visit(browser, server, shape);
      await person.newGame("tao", { Size: ["9", "9"], White: ["seconds", "1"] });
      const cut = await person.tab.call(() => [...document.querySelectorAll(".player dl")].filter((list) => list.scrollWidth > list.clientWidth).length);
      assert.equal(cut, 0, "cards");
      assert.equal(await person.tab.call(() => document.querySelector('.player[data-color="white"] .who').textContent), "kawari, full strength, 1 s a move");
      const { title, scrolls } = await person.tab.call(() => ({ title: document.getElementById("title").clientHeight, scrolls: document.documentElement.scrollHeight - innerHeight }));
      assert.ok(title < 30 && scrolls <= 0, `${title}, ${scrolls}`);
      await person.tab.close();
    }
  });

  const axe = process.env.AXE ?? "";
  const skip = existsSync(axe) ? false : "AXE is not a file axe.min.js of axe-core";
  await test("axe-core finds nothing in what the teacher shows", { skip, ...SLOW }, async () => {
    const source = readFileSync(axe, "utf8");
    for (const look of [{}, { dark: true }, { width: 390, height: 844, touch: true }]) {
      const person = await reviewed(look);
      const check = async (name) => assert.deepEqual(await findings(person, source), [], `${name}, ${JSON.stringify(look)}`);
      await person.tab.press(".mistakes button");
      await check("report");
      await person.tab.press("#learn-mistakes");
      await person.exerciseStands();
      await person.tab.press("#mistake-hint");
      await check("a question");
      await person.tab.click(await person.onExercise("A1"));
      await feedback(person, "costs");
      await check("a refutation");
      const summed = () => person.tab.call(() => document.querySelector(".practice-sum") !== null);
      while (!(await summed())) {
        await person.exerciseStands();
        await person.tab.press("#mistake-next");
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await check("the summary");
      await person.tab.press("#practice-close");
      await person.tab.press("#show-rules");
      await person.tab.press('.pills [data-value="mistakes"]');
      await person.tab.until(() => /are due|comes back/.test(document.querySelector(".lesson-text")?.textContent ?? ""));
      await check("my mistakes");
      await person.tab.call(() => document.querySelector("dialog[open]").close());
      await begin(person, { ...GAME, players: AGAINST, teach: true }, ["C3", "C2", "B2", "D3"]);
      await person.turn();
      await person.tab.call(async () => (await import("/main.js")).actions.request({ play: { turn: "A1" } }));
      await held(person);
      await check("a move that is on hold");
      await person.tab.close();
    }
  });
});
