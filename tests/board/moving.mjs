// Writes the moving picture of README, a nuclear turn: node tests/board/moving.mjs nuclear-turn.webp
// KAWARI and CHROMIUM as for tests/board/run; img2webp of Debian's package webp joins the frames.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, withBoard } from "./board.mjs";

const LARGEST = 300_000;
/** Pictures take long, so time on the page passes slower by this factor. */
const SLOWER = 6;
const HUMANS = { black: "human", white: "human" };
const BEFORE = "C5,E5,D3,F3";
/** What two people do: the kind of turn, and the point. */
const TURNS = [
  ["nuke", "C5"],
  ["stone", "F5"],
  ["nuke", "D3"],
  ["stone", "E3"],
  ["stone", "G4"],
];

/** The page with slow timers. */
const slow = `(() => {
  const timer = window.setTimeout;
  window.setTimeout = (action, delay = 0, ...given) => timer(action, delay * ${SLOWER}, ...given);
})()`;

class Film {
  frames = [];

  constructor(person, clip) {
    this.person = person;
    this.clip = clip;
  }

  async picture() {
    const { data } = await this.person.tab.send("Page.captureScreenshot", { format: "png", clip: { ...this.clip, scale: 1 } });
    return data;
  }

  /** A frame that stays for `duration` milliseconds. */
  async still(duration) {
    this.#add(await this.picture(), duration);
  }

  /** Frames while the page animates, each with the time that passed on the page. */
  async follow() {
    for (let moving = true; moving; ) {
      const start = performance.now();
      moving = await this.person.page("({ table }) => table.playback.running || document.getAnimations().length > 0");
      const data = await this.picture();
      this.#add(data, (performance.now() - start) / SLOWER);
    }
  }

  #add(data, duration) {
    const last = this.frames.at(-1);
    if (last?.data === data) last.duration += duration;
    else this.frames.push({ data, duration });
  }

  write(file) {
    const folder = mkdtempSync(join(tmpdir(), "kawari-film-"));
    const words = this.frames.flatMap(({ data, duration }, index) => {
      const path = join(folder, `${index}.png`);
      writeFileSync(path, Buffer.from(data, "base64"));
      return ["-d", String(Math.max(20, Math.round(duration))), path];
    });
    execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "70", "-m", "6", ...words, "-o", file], { stdio: "ignore" });
    rmSync(folder, { recursive: true });
  }
}

const [file] = process.argv.slice(2);
if (!file) {
  console.error("usage: node tests/board/moving.mjs FILE.webp");
  process.exit(2);
}
await withBoard(async (server, browser) => {
  const person = await Person.visit(browser, server, { width: 980, height: 640 });
  await person.tab.preload(slow);
  await person.tab.reload();
  await person.ready();
  await person.tab.send("Animation.enable");
  await person.tab.send("Animation.setPlaybackRate", { playbackRate: 1 / SLOWER });
  await person.tab.call(() => document.querySelector("dialog")?.close());
  await person.tab.call(
    async (settings, turns) => {
      const { actions } = await import("/main.js");
      await actions.request({ new: settings });
      for (const turn of turns) await actions.request({ play: { turn } });
    },
    { variant: "no", width: 7, height: 7, players: HUMANS },
    BEFORE.split(","),
  );
  await person.turn();
  const clip = await person.tab.call(() => {
    const { x, y, width, height } = document.querySelector("#board svg").getBoundingClientRect();
    return { x: Math.floor(x), y: Math.floor(y), width: Math.ceil(width), height: Math.ceil(height) };
  });
  const film = new Film(person, clip);
  await film.still(900);
  for (const [kind, point] of TURNS) {
    const page = await person.turn();
    await person.tab.key(kind === "nuke" ? "n" : "s");
    await person.tab.move(await person.place(point));
    await film.still(700);
    await person.click(point);
    if (kind === "nuke") {
      await film.still(500);
      await person.click(point);
    }
    await person.changed(page);
    await film.follow();
    await film.still(700);
  }
  await film.still(1500);
  film.write(file);
  console.log(`${file}: ${film.frames.length} frames, ${clip.width}x${clip.height}`);
});
const { size } = statSync(file);
console.log(`${size} bytes`);
if (size > LARGEST) process.exit(1);
