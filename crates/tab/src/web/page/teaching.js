// The teacher: it puts a costly move on hold before the opponent replies.

import { button, byId, capital, h } from "./dom.js";
import { lossWords } from "./loss.js";
import { lineText } from "./turn.js";

/** The teaching against this player; null in a game without teaching. */
export function teachingAgainst(hello, player) {
  if (typeof player !== "object") return null;
  return hello.teaching[(player.level ?? hello.levels) - 1];
}

/** Sentences that explain which moves teaching puts on hold. */
export function teachingWords({ points, pause }, counted) {
  const often = pause === 0 ? "" : ` That happens at most once every ${pause + 1} moves.`;
  return `A move that costs ${lossWords(points, counted).replace(".0", "")} or more is held back. You see the answer and can take the move back.${often}`;
}

export function opponentOf(players) {
  const engines = Object.values(players).filter((player) => player !== "human");
  return engines.length === 1 ? engines[0] : undefined;
}

export function showHeld(model, actions) {
  const box = byId("held");
  const show = () => {
    const { held } = model;
    document.body.classList.toggle("held-up", held !== null);
    const isNew = box.hidden && held !== null;
    box.hidden = held === null;
    if (!held) {
      box.replaceChildren();
      return;
    }
    const { caption, loss, reason, answer } = held;
    const line = lineText(answer?.pv ?? []);
    box.replaceChildren(
      h("h2", {}, `${capital(caption)} costs ${lossWords(loss)}.`),
      h("p", {}, [reason && `${capital(reason)}. `, line && `The numbered stones show the answer: ${line}.`].filter(Boolean).join("")),
      h("div", { class: "row" }, button("Take back and try again", () => actions.act("take_back"), { class: "primary", id: "try-again" }), button("Leave it", () => actions.act("leave"), { id: "leave-it" })),
    );
    if (!isNew) return;
    // A person who plays with keys answers with keys.
    if ([document.body, byId("board")].includes(document.activeElement)) byId("try-again").focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  };
  model.on("held position game", show);
}
