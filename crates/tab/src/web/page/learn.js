// Lessons on the rules, and problems: both on a live board.

import { named } from "./cells.js";
import { button, capital, h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { Exercise } from "./exercise.js";
import { choice, pills } from "./fields.js";
import { dueQuestions } from "./mistakes.js";
import { kept } from "./model.js";
import { markdown, openRules } from "./rules.js";

/** Names of finished lessons and problems; the browser keeps them. */
const done = {
  names: (kind) => kept.read(kind, Array.isArray) ?? [],
  has: (kind, name) => done.names(kind).includes(name),
  add(kind, name) {
    const names = new Set(done.names(kind));
    names.add(name);
    kept.write(kind, [...names]);
  },
};

/** Marks the chosen one of several pills; a phone shows a part of their row. */
function mark({ element, select }, value) {
  select(value);
  element.querySelector('[aria-checked="true"]').scrollIntoView({ block: "nearest", inline: "center" });
}

function dot(number, label, isDone, isCurrent, go) {
  return h("button", { class: isDone ? "dot done" : "dot", "aria-label": label, title: label, "aria-current": isCurrent ? "step" : null, onclick: go }, String(number));
}

class Lessons extends Exercise {
  #lessons = [];
  #number = 0;

  constructor(model, actions) {
    const dots = h("div", { class: "dots", role: "group", "aria-label": "Lessons" });
    const back = button("Back", () => this.#go(this.#number - 1));
    const next = button("Next", () => this.#go(this.#number + 1), { id: "next-lesson" });
    const link = h("button", { class: "link", onclick: () => openRules(model.hello, this.variant.id) }, "The full rules");
    super(model, actions, dots, h("div", { class: "row" }, back, next, h("span", { class: "grow" }), link));
    Object.assign(this, { dots, back, next });
  }

  async show(variant) {
    this.variant = variant;
    // Until the lessons come, the old ones of another game go.
    this.#lessons = [];
    this.#showDots();
    this.board.leave();
    const lessons = await this.actions.act({ lessons: { variant: variant.id } });
    if (this.variant !== variant || lessons === null) return;
    this.#lessons = lessons;
    this.board.element.hidden = lessons.length === 0;
    if (lessons.length === 0) {
      this.ask(variant.name, h("p", {}, "This game has no lessons yet. Its rules are short."));
      this.back.disabled = true;
      this.next.disabled = true;
      return;
    }
    const open = lessons.findIndex((_, number) => !done.has("lessons", this.#name(number)));
    await this.#go(Math.max(open, 0));
  }

  #name(number) {
    return `${this.variant.id} ${number}`;
  }

  async #go(number) {
    const lesson = this.#lessons[number];
    if (!lesson) return;
    this.#number = number;
    this.ask(`${number + 1}. ${lesson.title}`, ...markdown(lesson.text));
    this.back.disabled = number === 0;
    this.next.disabled = number === this.#lessons.length - 1;
    this.next.classList.remove("primary");
    this.#showDots();
    await this.board.open({ lesson: [this.variant.id, number] });
  }

  #showDots() {
    this.dots.replaceChildren(...this.#lessons.map(({ title }, at) => dot(at + 1, `Lesson ${at + 1}: ${title}`, done.has("lessons", this.#name(at)), at === this.#number, () => this.#go(at))));
  }

  judged({ verdict, after }) {
    if (verdict !== "right") {
      this.say("wrong", h("p", {}, "That move is legal, but this lesson asks for another one."), button("Try again", () => this.#go(this.#number)));
      return;
    }
    done.add("lessons", this.#name(this.#number));
    this.#showDots();
    this.next.classList.add("primary");
    const last = this.#number === this.#lessons.length - 1;
    const end = last ? [h("p", {}, h("strong", {}, `That was the last lesson. You can play ${this.variant.name} now.`))] : [];
    this.say("right", ...markdown(after), ...end);
  }
}

const starsOf = (count) => h("span", { class: "stars", role: "img", "aria-label": `${count} of 5 stars` }, "★".repeat(count) + "☆".repeat(5 - count));

/** The problems of all games, the easiest first. */
class Problems extends Exercise {
  #all = [];
  #shown = [];
  #at = 0;
  #game = "all";

  constructor(model, actions, store) {
    const games = [["all", "All games"], ...model.hello.variants.map(({ id, name }) => [id, name]), ["own", "My problems"]];
    const select = choice(games, "all", { "aria-label": "Game", onchange: () => this.#choose(select.value) });
    const list = h("div", { class: "problem-list", role: "group", "aria-label": "Problems" });
    const answer = button("Show the answer", () => this.#showAnswer(), { id: "show-answer" });
    const hint = button("Hint", () => this.board.hint(), { id: "problem-hint", title: "Marks the part of the board with the answer" });
    const next = button("Next", () => this.#go(this.#at + 1), { class: "primary" });
    const solved = h("span", { class: "note grow" });
    super(model, actions, h("div", { class: "row" }, select, solved), [h("div", { class: "row" }, hint, answer, next), list]);
    Object.assign(this, { store, select, list, next, solved });
  }

  /** Shows the problems, or one of the person's by the name of its game. */
  async show(wanted) {
    if (this.#all.length === 0) {
      this.ask("Problems", h("p", {}, "Loading …"));
      const games = await this.store.list().catch(() => []);
      const own = games.filter(({ problem }) => problem).map(({ id, problem, state }) => ({ own: id, variant: state.variant, number: id, color: problem, stars: 0 }));
      this.#all = [...((await this.actions.act("problems")) ?? []), ...own];
      const played = this.model.variant?.id;
      if (this.#all.some(({ variant, own: name }) => variant === played && !name)) this.#game = played;
      if (wanted) this.#game = "own";
      this.select.value = this.#game;
      this.select.lastChild.disabled = own.length === 0;
    }
    await this.#choose(this.#game, wanted);
  }

  async #choose(game, wanted) {
    this.#game = game;
    this.#shown = this.#all.filter(({ variant, own }) => (game === "own" ? own : !own && (game === "all" || variant === game)));
    const open = this.#shown.findIndex((problem) => (wanted ? problem.own === wanted : !done.has("solved", this.#name(problem))));
    await this.#go(Math.max(open, 0));
  }

  #name({ variant, number }) {
    return `${variant} ${number}`;
  }

  async #go(at) {
    const problem = this.#shown[at];
    if (!problem) return;
    this.#at = at;
    const { name, turn_name: turn, counted } = this.model.hello.variants.find(({ id }) => id === problem.variant);
    const { own, goal } = problem;
    const rules = problem.rules ? `${capital(problem.rules)}.` : "";
    this.ask(
      `${name}: ${named[problem.color]} to move`,
      ...(own
        ? [h("p", {}, `A problem of your own: find the right ${turn}.`)]
        : [
            h("p", {}, `Find the best ${turn}: it wins, or saves a draw. ${goal}`),
            h("p", { class: "note" }, starsOf(problem.stars), ` ${rules}${counted ? " All stones on the board count as alive at the end." : ""}`),
          ]),
    );
    this.next.disabled = at === this.#shown.length - 1;
    this.#showList();
    const sgf = own && (await this.store.read(own))?.game.saved.sgf;
    if (this.#shown[this.#at] !== problem) return;
    await this.board.open(own ? { own: sgf ?? "" } : { problem: [problem.variant, problem.number] });
  }

  #showList() {
    const solved = this.#shown.filter((problem) => done.has("solved", this.#name(problem))).length;
    this.solved.textContent = `${solved} of ${this.#shown.length} solved`;
    const grades = [...new Set(this.#shown.map((problem) => problem.stars))];
    this.list.replaceChildren(...grades.map((grade) => this.#grade(grade)));
  }

  #grade(grade) {
    const isSolved = (problem) => done.has("solved", this.#name(problem));
    const of = [...this.#shown.entries()].filter(([, problem]) => problem.stars === grade);
    const solved = of.filter(([, problem]) => isSolved(problem)).length;
    const dots = of.map(([at, problem]) => dot(at + 1, `Problem ${at + 1}${grade ? `, ${grade} of 5 stars` : ""}`, isSolved(problem), at === this.#at, () => this.#go(at)));
    const head = h("p", { class: "note" }, grade > 0 && starsOf(grade), ` ${solved} of ${of.length} solved`);
    return h("div", { class: "grade" }, head, h("div", { class: "dots" }, dots));
  }

  async #showAnswer() {
    const { answers, words = "" } = this.#shown[this.#at];
    this.say("", answers ? h("p", {}, h("strong", {}, `${answers.join(" or ")}.`)) : "", h("p", {}, words));
    await this.board.answer();
  }

  judged({ verdict, after }) {
    if (verdict !== "right") {
      this.say("wrong", h("p", {}, "That is not the answer."), button("Try again", () => this.#go(this.#at)));
      return;
    }
    done.add("solved", this.#name(this.#shown[this.#at]));
    this.#showList();
    this.say("right", h("p", {}, h("strong", {}, "Right.")), h("p", {}, after));
  }
}

async function fillMistakes(box, store, begin) {
  const all = await store.mistakes().catch(() => []);
  const due = await dueQuestions(store, Date.now()).catch(() => []);
  const next = all.length > 0 ? new Date(Math.min(...all.map((question) => question.due))).toLocaleDateString([], { dateStyle: "medium" }) : "";
  const state = due.length > 0 ? `${due.length} of ${all.length} are due.` : `The first of your ${all.length} mistakes comes back on ${next}.`;
  box.replaceChildren(
    h("p", {}, all.length > 0 ? state : "Review one of your games, then press Learn from mistakes. Each mistake comes back here until you find a better move every time."),
    ...(due.length > 0 ? [h("div", { class: "row" }, button("Practise", () => begin(due), { class: "primary", id: "practise-due" }))] : []),
  );
}

/** Opens the lessons of the present variant, or of `lessons`, or a `problem` of the person. */
export function openLearn(model, actions, store, { lessons: game, problem } = {}) {
  const { variants } = model.hello;
  const lessons = new Lessons(model, actions);
  const problems = new Problems(model, actions, store);
  const games = pills("Games", variants.map(({ id, name }) => [id, name]), null, (id) => show("lessons", id));
  const parts = pills("Kind of exercise", [["lessons", "Lessons"], ["problems", "Problems"], ["mistakes", "My mistakes"]], null, (part) => show(part));
  const body = h("div", {});
  let chosen = model.variant ?? variants[0];
  const practise = (questions) => {
    dialog.close();
    model.emit("practise", questions);
  };
  const show = (part, id = chosen.id) => {
    const mistakes = h("div", { class: "lesson-text" });
    chosen = variants.find((variant) => variant.id === id) ?? variants[0];
    mark(parts, part);
    games.element.hidden = part !== "lessons";
    body.replaceChildren({ lessons: lessons.element, problems: problems.element, mistakes }[part]);
    if (part === "problems") problems.show(problem);
    else if (part === "mistakes") fillMistakes(mistakes, store, practise);
    else {
      mark(games, chosen.id);
      lessons.show(chosen);
    }
  };
  const dialog = openDialog("Learn", [h("div", { class: "learn-head" }, parts.element, games.element), body], [], "learning");
  show(problem ? "problems" : "lessons", game);
}
