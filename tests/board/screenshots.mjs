// Writes pictures of the board: node tests/board/screenshots.mjs DIRECTORY [NAME]…
// KAWARI and CHROMIUM as for tests/board/run.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Person, withBoard } from "./board.mjs";

const LARGEST = 60_000;
const HUMANS = { black: "human", white: "human" };

const go =
  "E5,F6,E6,E7,D7,G7,F5,G5,G4,E8,D8,D6,C6,F4,F3,E4,D5,E3,E2,G3,H4,F2,H5,G6,D2,D3,C3,C2,B2,H3,H2";
const layers =
  "layer 0 E5,layer 0 F5,layer 0 E4,layer 1 E5,layer 1 D3,layer 1 D4,layer 0 C3,layer 0 C5,layer 1 E4,layer 0 D3,layer 1 D5,layer 0 F4,layer 0 D4,layer 1 C4,layer 0 E3,layer 1 D6,layer 1 E6,layer 0 E6,layer 1 F5,layer 1 E7,layer 0 F6,layer 1 G6,layer 0 D6,layer 0 E7,layer 1 C5,layer 0 D2,layer 1 D7,layer 0 G6,layer 1 C6,layer 1 D8,layer 1 B8,layer 0 C6";
const stoical = "D5,G5,E6,F6,E4,F4,C3,G7,D7,G3,C6,H4,F3,E5,F5";
const sygo = "B12,M5,M6,C12,M2,M12,N12,B2,grow L6 B11 N11 L2,grow C11 L5 M11 C2,A2,M1";
const ended = "C1,D1,C2,D2,C3,D3,C4,D4,C5,D5,B3,A1,pass,pass";
const capture = "C7,E6,B6,H3,B2,J4,B4,G2,D5,H7,A3,H5,G4,G5,F5,F4,E4,F3,E5,G3,F6";
const tao = "F4,C4,G6,C6,E7,G8,H7,E3,F3,F2,G2,E2,C7,B7,B8,D7,C8,D8,tao F6,tao C5,D6";

/** What each picture shows; `then` are steps of a person on the page. */
const PICTURES = [
  { name: "board-go", game: { variant: "go", width: 9, height: 9 }, turns: go, then: analyse },
  { name: "board-no", game: { variant: "no", width: 9, height: 9 }, turns: "D6,F5,nuke D6,G4,C3,nuke F5,E3,G7", then: hover("E4") },
  { name: "board-go-san", game: { variant: "go-san", width: 9, height: 9 }, turns: "E6,E5,nuke E6,C4,H6,nuke E5,G3,H3,nuke H6,F3,C6", dark: true },
  { name: "board-tao", game: { variant: "tao", width: 9, height: 9, rules: { "tao-supply": "2" } }, turns: tao },
  { name: "board-sygo", game: { variant: "sygo", width: 13, height: 13 }, turns: sygo, then: grow },
  { name: "board-stoical", game: { variant: "stoical", width: 9, height: 9, blocks: ["B7", "B8", "H2", "C8"] }, turns: stoical, then: hover("E5") },
  { name: "board-capture", game: { variant: "capture", width: 9, height: 9 }, turns: capture, then: hover("H4") },
  { name: "board-2.5d", game: { variant: "2.5d" }, turns: layers, then: hover("D5") },
  { name: "board-2.5d-stacked", game: { variant: "2.5d" }, turns: layers, then: stacked },
  { name: "board-phone", game: { variant: "no", width: 9, height: 9 }, turns: "D6,F5,nuke D6,G4,C3,nuke F5,E3,G7", phone: true },
  { name: "board-new-game", game: { variant: "go", width: 9, height: 9 }, turns: "", then: newGame },
  { name: "board-end", game: { variant: "go", width: 5, height: 5 }, turns: ended, then: end },
  { name: "board-review", game: { variant: "go", width: 9, height: 9 }, turns: go, then: review },
  { name: "board-teaching", game: { variant: "go", width: 5, height: 5, komi: 0.5 }, turns: "C3,C2,B2,D3", then: teaching },
  { name: "board-mistakes", game: { variant: "go", width: 5, height: 5, komi: 0.5 }, turns: "C3,C2,B2,D3,A1,D4,E1,B3", then: mistakes },
  { name: "board-friend", game: { variant: "go", width: 9, height: 9 }, turns: "", then: friend },
  { name: "board-learn", game: { variant: "no", width: 9, height: 9 }, turns: "D6", then: learn },
];

async function analyse(person) {
  await person.tab.key("a");
  await person.tab.until(async () => ((await import("/main.js")).model.analysis?.rootInfo.visits ?? 0) > 6000);
}

function hover(point) {
  return async (person) => person.tab.move(await person.place(point));
}

async function grow(person) {
  const page = await person.turn();
  await person.click("B10");
  await person.changed(page);
}

async function newGame(person) {
  await person.tab.press("#new-game");
  await person.tab.press('dialog [data-variant="go"]');
}

async function end(person) {
  await person.tab.until(() => document.getElementById("agree"));
}

async function review(person) {
  await person.tab.press("#tab-review");
  await person.tab.press("#run-review");
  // The list grows while the review works.
  await person.until("({ model }) => model.thinking?.what === 'review'");
  while (await person.page("({ model }) => model.thinking !== null")) await new Promise((resolve) => setTimeout(resolve, 200));
  await person.tab.press(".mistakes button");
  await person.tab.until(() => document.querySelector("#board .played"));
}

const AGAINST = { black: "human", white: { level: 3 } };

async function teaching(person) {
  await person.tab.call(async (players) => {
    const { actions } = await import("/main.js");
    await actions.request({ players });
    await actions.request({ teach: { on: true } });
    await actions.request({ play: { turn: "A1" } });
  }, AGAINST);
  await person.tab.until(() => !document.getElementById("held").hidden && document.querySelector("#board .number"));
}

async function mistakes(person) {
  await person.tab.call(async (players) => (await import("/main.js")).actions.request({ players }), AGAINST);
  await person.tab.press("#tab-review");
  await person.tab.call(() => {
    document.querySelector("#panel-review select").value = "50";
  });
  await person.tab.press("#run-review");
  await person.tab.press("#learn-mistakes");
  await person.tab.until(() => document.querySelector('.exercise[aria-busy="false"] svg'));
  await person.tab.press("#mistake-hint");
}

async function friend(person) {
  await person.newGame("go", { Size: ["9", "9"], White: ["friend"], "Your name": "Ann" });
  await person.request({ play: { turn: "E5" } });
  await person.tab.until(() => document.getElementById("send-link"));
}

async function learn(person) {
  await person.tab.press("#show-rules");
  await person.tab.press('.dot[aria-label^="Lesson 5:"]');
  await person.tab.until(() => /^5/.test(document.querySelector(".lesson h3")?.textContent) && document.querySelector('.exercise[aria-busy="false"] svg'));
}

async function stacked(person) {
  await person.tab.key("v");
  await person.tab.key("v");
  await hover("E5")(person);
}

async function take(browser, server, directory, { name, game, turns, then, dark, phone }) {
  const shape = phone ? { width: 360, height: 720, scale: 1.5, touch: true } : { width: 1060, height: 720 };
  const person = await Person.visit(browser, server, { dark, ...shape });
  await person.tab.call(() => document.querySelector("dialog").close());
  await person.tab.call(
    async (settings, list) => {
      const { actions } = await import("/main.js");
      await actions.request({ new: settings });
      for (const turn of list) await actions.request({ play: turn === "pass" ? turn : { turn } });
    },
    { ...game, players: HUMANS },
    turns.split(",").filter(Boolean),
  );
  await person.turn();
  await then?.(person);
  // People with a mouse see no ring around the focus.
  await person.tab.call(() => document.activeElement?.blur());
  await new Promise((resolve) => setTimeout(resolve, 600));
  const picture = await person.tab.screenshot("webp", 74);
  if (picture.length > LARGEST) console.error(`${name}: ${picture.length} bytes are more than ${LARGEST}`);
  writeFileSync(join(directory, `${name}.webp`), picture);
  await person.tab.close();
}

const [directory, ...names] = process.argv.slice(2);
if (!directory) {
  console.error("usage: node tests/board/screenshots.mjs DIRECTORY [NAME]…");
  process.exit(2);
}
await withBoard(async (server, browser) => {
  const wanted = ({ name }) => names.length === 0 || names.includes(name);
  for (const picture of PICTURES.filter(wanted)) await take(browser, server, directory, picture);
});
