// The person's mistakes as questions: find a better move. They come back after some days.

import { moveOf } from "./analysis.js";
import { COLORS, named } from "./cells.js";
import { button, h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { Exercise } from "./exercise.js";
import { lossWords } from "./loss.js";
import { firstTurn, lineText, turnText } from "./turn.js";

const DAY = 86_400_000;

/** Days until a question comes back, after each answer without help. */
const INTERVALS = [1, 3, 7, 21];

const MARKED_PART = "The better move is on the marked part of the board.";

/** The sides whose mistakes become questions: those of people, or both without people. */
export function ownSides(players = {}) {
  const own = COLORS.filter((color) => players[color] === "human");
  return own.length > 0 ? own : COLORS;
}

/** The questions of a kept game: about the mistakes of people, or of the `side` that the person chose. */
export function questionsOf(id, { game }) {
  const { review, saved } = game;
  const own = game.side ? [game.side] : ownSides(saved.players);
  return (review?.mistakes ?? [])
    .filter(([, { color }]) => own.includes(color))
    .sort(([one], [other]) => one - other)
    .map(([depth, mistake]) => ({ id: `${id} ${depth}`, game: id, sgf: saved.sgf, path: review.path.slice(0, depth - 1), mistake, isOwn: own.length === 1, step: 0 }));
}

/** The question to keep after an answer; null after the last interval. */
export function answered({ sgf: _, ...question }, found, now) {
  const step = found ? question.step + 1 : 0;
  if (step > INTERVALS.length) return null;
  return { ...question, step, due: now + DAY * INTERVALS[Math.max(step - 1, 0)] };
}

/** The questions that are due, with their records; removes those of deleted games. */
export async function dueQuestions(store, now) {
  const due = (await store.mistakes()).filter((question) => question.due <= now);
  const questions = [];
  for (const question of due.sort((one, other) => one.due - other.due)) {
    const entry = await store.read(question.game);
    if (entry) questions.push({ ...question, sgf: entry.game.saved.sgf });
    else await store.forgetMistake(question.id);
  }
  return questions;
}

function hintsOf({ reason, better }) {
  const what = reason ? [`The cost: ${reason}.`] : [];
  const at = better?.pv[0].at;
  if (!at) return [...what, "The better move is not on the board."];
  return [...what, MARKED_PART, `kawari would play in column ${at[0]}.`];
}

class Practice extends Exercise {
  #at = 0;
  #hints = 0;
  #results = [];

  constructor(model, actions, store, questions) {
    const hint = button("Hint", () => this.#hint(), { id: "mistake-hint" });
    const answer = button("Show the answer", () => this.#show(), { id: "mistake-answer" });
    const next = button("Next", () => this.#go(this.#at + 1), { id: "mistake-next" });
    super(model, actions, null, h("div", { class: "row" }, hint, answer, next));
    Object.assign(this, { store, questions, hint, answer, next });
    this.dialog = openDialog("Learn from your mistakes", this.element, [], "learning");
    this.dialog.addEventListener("close", () => this.board.leave());
    this.#go(0);
  }

  get #question() {
    return this.questions[this.#at];
  }

  async #go(at) {
    // A skipped question counts as shown.
    if (at > this.#at && !this.#results[this.#at]) await this.#settle("shown");
    this.#at = at;
    this.#hints = 0;
    const question = this.#question;
    if (!question) {
      this.#sum();
      return;
    }
    const { mistake, isOwn } = question;
    const did = mistake.caption === "pass" ? "passed" : `played ${mistake.caption}`;
    const task = h("p", {}, `${isOwn ? "You" : named[mistake.color]} ${did}. Find a better move.`);
    this.ask(`Mistake ${at + 1} of ${this.questions.length}: ${named[mistake.color]} to move`, task);
    this.hint.disabled = false;
    this.answer.disabled = false;
    this.next.classList.remove("primary");
    this.next.textContent = at === this.questions.length - 1 ? "Finish" : "Next";
    const { better, caption } = mistake;
    await this.board.open({ mistake: { sgf: question.sgf, path: question.path, better: firstTurn(better?.pv ?? []).map(moveOf), caption } });
    // The record says which game it is.
    const least = this.#isCounted ? "a point" : lossWords(1, false);
    task.textContent = task.textContent.replace(/\.$/, `: one that costs less than ${least}.`);
  }

  #tell(kind, words, ...rest) {
    this.say(kind, ...words.map((text, index) => h("p", {}, index === 0 && kind ? h("strong", {}, text) : text)), ...rest);
  }

  #hint() {
    const { mistake } = this.#question;
    const hints = hintsOf(mistake);
    this.#hints = Math.min(this.#hints + 1, hints.length);
    const shown = hints.slice(0, this.#hints);
    this.#tell("", shown);
    if (shown.includes(MARKED_PART)) this.board.markPart(mistake.better.pv[0].at);
    this.hint.disabled = this.#hints === hints.length;
  }

  async #show() {
    await this.#settle("shown");
    const { better, loss } = this.#question.mistake;
    await this.board.reset();
    this.board.leave();
    this.board.showLine(better?.pv ?? []);
    const line = lineText(better?.pv ?? []);
    this.#tell("", [better ? `${turnText(better)} was better by ${lossWords(loss, this.#isCounted)}. The line is ${line}.` : "The search found no better move."]);
    this.#close();
  }

  get #isCounted() {
    return this.board.model.variant?.counted;
  }

  #close() {
    this.hint.disabled = true;
    this.answer.disabled = true;
    this.next.classList.add("primary");
    this.next.focus();
  }

  async judged({ verdict, mistake: judged }) {
    const ofGame = this.#question.mistake;
    const { better } = ofGame;
    // No search has judged the turn of the game again.
    const mistake = verdict === "right" ? judged : (judged ?? ofGame);
    const lost = (cost) => lossWords(cost, this.#isCounted);
    if (verdict !== "right") {
      this.board.showLine(mistake.answer?.pv ?? []);
      const line = lineText(mistake.answer?.pv ?? []);
      const again = button("Try again", () => this.#again(), { class: "primary", id: "mistake-again" });
      this.#tell("wrong", [`That costs ${lost(mistake.loss)}.`, line ? `The numbered stones show the answer: ${line}.` : ""], again);
      again.focus();
      return;
    }
    await this.#settle(this.#hints > 0 ? "helped" : "found");
    this.#tell("right", [mistake ? `Right. That costs only ${lost(mistake.loss)}.` : "Right. The search sees no loss.", better ? `kawari's choice was ${turnText(better)}.` : ""]);
    this.#close();
  }

  async #again() {
    this.say("");
    await this.board.reset();
  }

  /** Notes the first result of a question, and the day when it comes back. */
  async #settle(result) {
    if (this.#results[this.#at]) return;
    this.#results[this.#at] = result;
    const next = answered(this.#question, result === "found", Date.now());
    await (next ? this.store.keepMistake(next) : this.store.forgetMistake(this.#question.id)).catch(() => {});
  }

  #sum() {
    const words = { found: "found", helped: "found with a hint", shown: "to be learned" };
    const found = this.#results.filter((result) => result === "found").length;
    const items = this.questions.map(({ mistake }, index) =>
      h("li", {}, h("span", { class: `disc ${mistake.color}`, role: "img", "aria-label": named[mistake.color] }), ` ${mistake.caption}, ${mistake.better ? `better ${turnText(mistake.better)}` : ""}: `, h("strong", {}, words[this.#results[index]])),
    );
    this.dialog.classList.replace("learning", "narrow");
    const again = button("Again", () => this.#restart());
    const close = button("Close", () => this.dialog.close(), { class: "primary", id: "practice-close" });
    this.element.replaceChildren(
      h(
        "div",
        { class: "practice-sum" },
        h("h3", {}, `${found} of ${this.questions.length} found without help`),
        h("ul", {}, items),
        h("p", { class: "note" }, "Solved mistakes come back after 1, 3, 7 and 21 days, the others tomorrow. Learn lists them under My mistakes."),
        h("div", { class: "row" }, again, close),
      ),
    );
    close.focus();
  }

  #restart() {
    this.dialog.classList.replace("narrow", "learning");
    this.#results = [];
    this.#at = 0;
    this.element.replaceChildren(this.board.element, this.words);
    this.#go(0);
  }
}

export function practise(model, actions, store, questions) {
  return new Practice(model, actions, store, questions);
}
