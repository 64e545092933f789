// Tests of the static files: they run from a subfolder, without a network, under a content
// security policy, and begin again when the engine dies or hangs.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import test from "node:test";
import { Person, Server } from "../board/board.mjs";
import { Chromium } from "../board/chromium.mjs";
import { begin, board, join, passOn, play as playTurn, playAll, send } from "../board/friend.mjs";
import { serve } from "./serve.mjs";

const PHONE = { width: 360, height: 740, scale: 2, touch: true };
const SLOW = { timeout: 240_000 };

const browser = await Chromium.start(process.env.CHROMIUM);
const site = await serve(process.env.SITE, 0, "/some/folder/");

/** Opens the site; the first visit shows the dialog for a new game. */
async function visit(options = {}) {
  const person = new Person(await browser.open(site.address, options));
  await person.until("({ model }) => Boolean(model.connected && model.state && model.game)");
  return person;
}

async function play(person, variant, turns) {
  await person.page(
    `async ({ actions }) => {
      document.querySelector("dialog[open]")?.close();
      await actions.request({ new: { variant: ${JSON.stringify(variant)}, width: 9, height: 9, players: { black: "human", white: { level: 10 } } } });
      await actions.request({ pace: { reply: 0, engines: 0 } });
    }`,
  );
  for (const turn of turns) {
    await person.until("({ model }) => model.personToMove");
    await person.page(`({ actions }) => actions.request({ play: { turn: ${JSON.stringify(turn)} } })`);
  }
  await person.until("({ model }) => model.personToMove");
}

await test("a subfolder serves the page, which answers while it analyses", SLOW, async (t) => {
  const person = await visit();
  const shown = await person.tab.call(() => performance.now());
  t.diagnostic(`a position ${shown.toFixed(0)} ms after the address was opened, measured by polling`);
  await play(person, "go", ["E5"]);
  const replies = `async ({ actions }) => {
      const times = [];
      for (let number = 0; number < 12; number++) {
        await new Promise((resolve) => setTimeout(resolve, 130));
        const before = performance.now();
        await actions.request({ forecast: { turns: 1 } });
        times.push(performance.now() - before);
      }
      return times.sort((one, other) => one - other);
    }`;
  const median = (times) => times[times.length / 2];
  const idle = await person.page(replies);
  await person.page("({ actions }) => actions.analyse(true)");
  await person.until("({ model }) => model.analysis?.rootInfo.visits > 50");
  const busy = await person.page(replies);
  const list = (times) => times.map((time) => time.toFixed(0)).join(", ");
  t.diagnostic(`replies during an analysis: ${list(busy)} ms, without one: ${list(idle)} ms`);
  // A search in one piece takes a second or more; a busy machine delays a slice.
  assert.ok(median(busy) < 400 + 4 * median(idle), `${busy} against ${idle}`);
  assert.deepEqual(person.tab.problems, []);
  await person.tab.close();
});

/** A person in the middle of a game of Tao, whose page notes its workers. */
async function inGame() {
  const person = await visit();
  const source = `window.workers = []; window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      window.workers.push(this);
    }
  };`;
  await person.tab.send("Page.addScriptToEvaluateOnNewDocument", { source });
  await person.tab.reload();
  await person.until("({ model }) => Boolean(model.connected && model.state && model.game)");
  await play(person, "tao", ["C3"]);
  return person;
}

/** The board after the engine was lost is that before, and another engine is there. */
async function goesOn(person, lose) {
  const board = () => person.page("({ model }) => JSON.stringify(model.state.board)");
  const [before, engines] = [await board(), await numberOfEngines(person)];
  await lose();
  await person.until("({ model }) => !model.connected");
  await person.until("({ model }) => model.connected && model.personToMove");
  assert.equal(await board(), before);
  assert.equal(await numberOfEngines(person), engines + 1);
  // It is refused while the game is being restored.
  await person.until('({ actions }) => actions.request("hint").catch(() => null)');
}

const numberOfEngines = (person) => person.tab.call(() => window.workers.length);

await test("the game outlives an engine that dies", SLOW, async () => {
  const person = await inGame();
  // The event of the browser.
  await goesOn(person, () => person.tab.call(() => window.workers.at(-1).dispatchEvent(new ErrorEvent("error"))));
  await person.tab.close();
});

await test("the game outlives an engine that hangs, and a slow one is waited for", SLOW, async () => {
  const person = await inGame();
  await person.tab.sendToWorker(() => {
    for (const end = performance.now() + 7000; performance.now() < end; );
  });
  const reply = person.page("({ actions }) => actions.request({ forecast: { turns: 1 } })");
  assert.ok(await reply);
  assert.equal(await numberOfEngines(person), 1);
  await goesOn(person, () =>
    person.tab.sendToWorker(() => {
      for (;;);
    }),
  );
  await person.tab.close();
});

const OF_BOARD = { ...SLOW, skip: process.env.KAWARI ? false : "KAWARI names no engine" };
await test("a board and the site play one game by link", OF_BOARD, async () => {
  const local = await Server.start(0, ["--site", site.address]);
  try {
    const ann = await begin(browser, local);
    await playTurn(ann, "C3");
    const link = await send(ann);
    assert.equal(link.split("#")[0], site.address);
    const bo = await join(browser, link);
    await playTurn(bo, "B3");
    await passOn(bo, ann);
    await playAll("D3 B2", ann, bo);
    assert.equal(await board(ann), await board(bo));
    await bo.tab.close();
    await ann.tab.close();
  } finally {
    await local.stop();
  }
});

/** An analysis on a machine with four cores and a battery, whose page counts the leaves of each worker. */
async function withPool() {
  const person = await visit();
  const source = `window.battery = Object.assign(new EventTarget(), { charging: true });
    window.leaves = [];
    window.pool = new BroadcastChannel("pool");
    pool.onmessage = ({ data }) => data === "ready" ? (window.isCounting = true) : (leaves[data] = (leaves[data] ?? 0) + 1);
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 4 });
    Navigator.prototype.getBattery = async () => battery;`;
  await person.tab.send("Page.addScriptToEvaluateOnNewDocument", { source });
  await person.tab.reload();
  await person.until("({ model }) => Boolean(model.connected && model.state && model.game)");
  await person.tab.sendToWorker(() => {
    const { postMessage } = Worker.prototype;
    const [channel, workers] = [new BroadcastChannel("pool"), []];
    Worker.prototype.postMessage = function (data) {
      if (!workers.includes(this)) workers.push(this);
      if (data instanceof Uint8Array) channel.postMessage(workers.indexOf(this));
      postMessage.call(this, data);
    };
    // A message that is not a request ends a worker.
    channel.onmessage = ({ data }) => postMessage.call(workers[data.lost], new Uint8Array(3));
    channel.postMessage("ready");
  });
  await person.tab.until(() => window.isCounting);
  await play(person, "go", ["C4"]); // not symmetric, so that each move has visits of its own
  await person.page("({ actions }) => actions.analyse(true)");
  return person;
}

const bothWork = (person) => person.tab.until(() => leaves.filter((count) => count > 20).length === 2);

const leaves = async (person) => [...(await person.tab.call(() => leaves))].map((count) => count ?? 0);

/** Waits until the analysis has `more` further visits; returns their number, and the leaves of each worker meanwhile. */
async function analyseOn(person, more) {
  // The first report may have visits of the opponent's search.
  await person.until("({ model }) => model.analysis !== null");
  const visits = () => person.page("({ model }) => model.analysis.rootInfo.visits");
  const [first, before] = [await visits(), await leaves(person)];
  await person.until(`({ model }) => model.analysis.rootInfo.visits > ${first + more}`);
  const after = await leaves(person);
  return { visits: (await visits()) - first, shares: after.map((count, at) => count - (before[at] ?? 0)).filter((count) => count > 0) };
}

await test("two workers share the leaves of a search", SLOW, async () => {
  const person = await withPool();
  await bothWork(person);
  const { visits, shares } = await analyseOn(person, 300);
  const [few, many] = shares.sort((one, other) => one - other);
  assert.ok(few > many / 2, `${shares}`);
  // Few leaves are the end of a game or known, and at most eight wait.
  assert.ok(few + many > 0.7 * visits, `${shares} of ${visits}`);
  const analysis = await person.page("({ model }) => model.analysis");
  const sum = analysis.moveInfos.reduce((sum, move) => sum + move.visits, 0);
  assert.ok(sum <= analysis.rootInfo.visits && sum > analysis.rootInfo.visits / 2, `${sum} of ${analysis.rootInfo.visits}`);
  await person.tab.close();
});

await test("a hidden page, or one on a battery, has one worker", SLOW, async () => {
  const person = await withPool();
  const set = (hidden, charging) =>
    person.tab.call(
      (hidden, charging) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
        battery.charging = charging;
        battery.dispatchEvent(new Event("chargingchange"));
      },
      hidden,
      charging,
    );
  await bothWork(person);
  for (const [hidden, charging] of [[true, true], [false, false]]) {
    await set(hidden, charging);
    // The engine reads the message after a slice of its search.
    await analyseOn(person, 20);
    assert.deepEqual((await analyseOn(person, 60)).shares, []);
    await person.tab.call(() => {
      window.leaves = [];
    });
    await set(false, true);
    await bothWork(person);
  }
  await person.tab.close();
});

await test("a search goes on when its workers die", SLOW, async () => {
  const person = await withPool();
  await bothWork(person);
  for (const left of [1, 0]) {
    await person.tab.call((lost) => pool.postMessage({ lost }), left);
    await analyseOn(person, 20);
    assert.equal((await analyseOn(person, 100)).shares.length, left);
  }
  assert.deepEqual(person.tab.problems, []);
  await person.tab.close();
});

await test("a phone plays without a network", SLOW, async () => {
  const person = await visit(PHONE);
  await person.tab.until(async () => (await navigator.serviceWorker.ready).active?.state === "activated");
  await site.stop();
  await person.tab.reload();
  await person.until("({ model }) => Boolean(model.connected && model.state && model.game)");
  // A net that was not used before.
  await play(person, "stoical", ["E5"]);
  assert.ok((await person.tab.call(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  if (process.env.SITE_PICTURE) writeFileSync(process.env.SITE_PICTURE, await person.tab.screenshot());
  await person.tab.close();
});

await browser.close();
