// Steps of several tests of games: the list *My games*, and records to open.

import { HUMANS } from "./board.mjs";

export const GO = { Size: ["9", "9"], ...HUMANS };

export const turnIs = (person, turn) => person.until("({ model }, turn) => model.state?.turn === turn", turn);

/** The entries of the list, the dialog of which is opened and closed. */
export async function listed(person) {
  await person.tab.press("#my-games");
  const entries = await person.tab.until(() => {
    const note = document.querySelector("dialog[open] [role=status]")?.textContent;
    const texts = [...document.querySelectorAll("dialog[open] .my-games li")].map((item) => [...item.querySelectorAll(".about > *")].map(({ textContent }) => textContent));
    return note && texts;
  });
  await closeDialog(person);
  return entries;
}

export const closeDialog = (person) => person.tab.call(() => document.querySelector("dialog[open]").close());

/** Presses a button of an entry. */
export const pressEntry = (person, id, what) => person.tab.press(`dialog[open] .my-games [data-id="${id}"] [data-do="${what}"]`);

/** The id of the entry whose words contain these. */
export const entry = (person, words) =>
  person.tab.until((wanted) => [...document.querySelectorAll("dialog[open] .my-games li[data-id]")].find(({ textContent }) => textContent.includes(wanted))?.dataset.id, words);

/** Opens the game whose entry has these words. */
export async function openGame(person, words) {
  await person.tab.press("#my-games");
  await pressEntry(person, await entry(person, words), "open");
  await person.tab.until(() => !document.querySelector("dialog"));
}

export const GAME = "(;GM[1]SZ[9]KM[7]PB[Ann]BR[3d]PW[Bo]WR[2k]DT[2020-01-02]RE[B+R];B[ee]C[well];W[cc](;B[gg]TR[gg])(;B[gc]))";
export const OTHER = "(;GM[1]SZ[9]KM[7]PB[Cy]PW[Di]DT[2021-03-04]RE[W+2.5];B[cc];W[gg])";
