// Lessons on the rules, and problems: both on a live board.

import { named } from "./cells.js";
import { button, h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { ExerciseBoard } from "./exercise.js";
import { pills } from "./fields.js";
import { dueQuestions } from "./mistakes.js";
import { kept } from "./model.js";
import { markdown, openRules } from "./rules.js";

/** Names of finished lessons and problems; the browser keeps them. */
const done = {
  has: (kind, name) => (kept.read(kind) ?? []).includes(name),
  add(kind, name) {
    const names = new Set(kept.read(kind) ?? []);
    names.add(name);
    kept.write(kind, [...names]);
  },
};

/** Marks the chosen one of several pills; a phone shows a part of their row. */
function mark({ element, select }, value) {
  select(value);
  element.querySelector('[aria-checked="true"]').scrollIntoView({ block: "nearest", inline: "center" });
}

/** The lessons of one variant. */
class Lessons {
  #lessons = [];
  #number = 0;

  constructor(model, actions) {
    this.actions = actions;
    this.hello = model.hello;
    this.board = new ExerciseBoard(model.hello, actions.request, (attempt) => this.#judged(attempt));
    this.dots = h("div", { class: "dots", role: "group", "aria-label": "Lessons" });
    this.text = h("div", { class: "lesson-text" });
    this.feedback = h("div", { class: "feedback", role: "status" });
    this.back = button("Back", () => this.#go(this.#number - 1));
    this.next = button("Next", () => this.#go(this.#number + 1), { class: "button primary", id: "next-lesson" });
    this.link = h("button", { class: "link", type: "button", onclick: () => openRules(this.hello, this.variant.id) }, "The full rules");
    this.words = h("div", { class: "lesson" }, this.dots, this.text, this.feedback, h("div", { class: "row" }, this.back, this.next, h("span", { class: "grow" }), this.link));
    this.element = h("div", { class: "learn" }, this.board.element, this.words);
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
      this.text.replaceChildren(h("p", {}, `${variant.name} has no lessons yet. Its rules are short.`));
      this.feedback.replaceChildren();
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
    this.feedback.className = "feedback";
    this.feedback.replaceChildren();
    this.text.replaceChildren(h("h3", {}, `${number + 1}. ${lesson.title}`), ...markdown(lesson.text));
    this.back.disabled = number === 0;
    this.next.disabled = number === this.#lessons.length - 1;
    this.next.classList.remove("primary");
    this.#showDots();
    await this.board.open({ lesson: [this.variant.id, number] });
  }

  #showDots() {
    this.dots.replaceChildren(
      ...this.#lessons.map(({ title }, number) =>
        h(
          "button",
          {
            class: done.has("lessons", this.#name(number)) ? "dot done" : "dot",
            type: "button",
            "aria-label": `Lesson ${number + 1}: ${title}`,
            title,
            "aria-current": number === this.#number ? "step" : null,
            onclick: () => this.#go(number),
          },
          String(number + 1),
        ),
      ),
    );
  }

  #judged({ verdict, after }) {
    const right = verdict === "right";
    this.feedback.className = right ? "feedback right" : "feedback wrong";
    if (!right) {
      const again = button("Try again", () => this.#go(this.#number));
      this.feedback.replaceChildren(h("p", {}, "That move is legal, but this lesson asks for another one."), again);
      return;
    }
    done.add("lessons", this.#name(this.#number));
    this.#showDots();
    this.next.classList.add("primary");
    const last = this.#number === this.#lessons.length - 1;
    const end = last ? [h("p", {}, h("strong", {}, `That was the last lesson. You can play ${this.variant.name} now.`))] : [];
    this.feedback.replaceChildren(...markdown(after), ...end);
  }
}

const starsOf = (count) => h("span", { class: "stars", role: "img", "aria-label": `${count} of 5 stars` }, "★".repeat(count) + "☆".repeat(5 - count));

/** The problems of all games, the easiest first. */
class Problems {
  #all = [];
  #shown = [];
  #at = 0;
  #game = "all";

  constructor(model, actions, store) {
    Object.assign(this, { model, actions, store });
    this.board = new ExerciseBoard(model.hello, actions.request, (attempt) => this.#judged(attempt));
    const games = [["all", "All games"], ...model.hello.variants.map(({ id, name }) => [id, name]), ["own", "My problems"]];
    this.select = h("select", { "aria-label": "Game" }, games.map(([value, text]) => h("option", { value }, text)));
    this.select.addEventListener("change", () => this.#choose(this.select.value));
    this.list = h("div", { class: "problem-list", role: "group", "aria-label": "Problems" });
    this.text = h("div", { class: "lesson-text" });
    this.feedback = h("div", { class: "feedback", role: "status" });
    this.answer = button("Show the answer", () => this.#showAnswer(), { id: "show-answer" });
    this.hint = button("Hint", () => this.board.hint(), { id: "problem-hint", title: "Marks the part of the board with the answer" });
    this.next = button("Next", () => this.#go(this.#at + 1), { class: "button primary" });
    this.solved = h("span", { class: "note grow" });
    this.words = h("div", { class: "lesson" }, h("div", { class: "row" }, this.select, this.solved), this.text, this.feedback, h("div", { class: "row" }, this.hint, this.answer, this.next), this.list);
    this.element = h("div", { class: "learn" }, this.board.element, this.words);
  }

  /** Shows the problems, or one of the person's by the name of its game. */
  async show(wanted) {
    if (this.#all.length === 0) {
      const kept = await this.store.list().catch(() => []);
      const own = kept.filter(({ problem }) => problem).map(({ id, problem, state }) => ({ own: id, variant: state.variant, number: id, color: problem, stars: 0 }));
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
    const rules = problem.rules ? `${problem.rules[0].toUpperCase()}${problem.rules.slice(1)}.` : "";
    this.feedback.className = "feedback";
    this.feedback.replaceChildren();
    this.text.replaceChildren(
      h("h3", {}, `${name}: ${named[problem.color]} to move`),
      ...(own
        ? [h("p", {}, `A problem of your own: find the right ${turn}.`)]
        : [
            h("p", {}, `Find the ${turn} that wins${goal ? "" : ` ${name}`}, or draws if no ${turn} wins. ${goal}`),
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

  /** The problems of a grade, and how many of them are solved. */
  #grade(grade) {
    const of = [...this.#shown.entries()].filter(([, problem]) => problem.stars === grade);
    const solved = of.filter(([, problem]) => done.has("solved", this.#name(problem))).length;
    const dot = ([at, problem]) =>
      h(
        "button",
        {
          class: done.has("solved", this.#name(problem)) ? "dot done" : "dot",
          type: "button",
          "aria-label": `Problem ${at + 1}${grade ? `, ${grade} of 5 stars` : ""}`,
          "aria-current": at === this.#at ? "step" : null,
          onclick: () => this.#go(at),
        },
        String(at + 1),
      );
    const head = h("p", { class: "note" }, grade > 0 && starsOf(grade), ` ${solved} of ${of.length} solved`);
    return h("div", { class: "grade" }, head, h("div", { class: "dots" }, of.map(dot)));
  }

  async #showAnswer() {
    const { answers, words = "" } = this.#shown[this.#at];
    this.feedback.className = "feedback";
    this.feedback.replaceChildren(answers ? h("p", {}, h("strong", {}, `${answers.join(" or ")}.`)) : "", h("p", {}, words));
    await this.board.answer();
  }

  #judged({ verdict, after }) {
    const right = verdict === "right";
    this.feedback.className = right ? "feedback right" : "feedback wrong";
    if (!right) {
      const again = button("Try again", () => this.#go(this.#at));
      this.feedback.replaceChildren(h("p", {}, "That is not the answer."), again);
      return;
    }
    done.add("solved", this.#name(this.#shown[this.#at]));
    this.#showList();
    this.feedback.replaceChildren(h("p", {}, h("strong", {}, "Right.")), h("p", {}, after));
  }
}

/** The person's mistakes that come back. */
async function fillMistakes(box, store, begin) {
  const all = await store.mistakes().catch(() => []);
  const due = await dueQuestions(store, Date.now()).catch(() => []);
  const next = all.length > 0 ? new Date(Math.min(...all.map((question) => question.due))).toLocaleDateString([], { dateStyle: "medium" }) : "";
  const state = due.length > 0 ? `${due.length} of ${all.length} are due.` : `The first of your ${all.length} mistakes comes back on ${next}.`;
  box.replaceChildren(
    h("p", {}, all.length > 0 ? state : "Review one of your games, then press Learn from mistakes. Each mistake comes back here after 1, 3, 7 and 21 days, until you find a better move every time."),
    ...(due.length > 0 ? [h("div", { class: "row" }, button("Practise", () => begin(due), { class: "button primary", id: "practise-due" }))] : []),
  );
}

/** Opens the lessons of the present variant, or of `lessons`, or a `problem` of the person. */
export function openLearn(model, actions, store, { lessons: game, problem } = {}) {
  const { variants } = model.hello;
  const lessons = new Lessons(model, actions);
  const problems = new Problems(model, actions, store);
  const games = pills("Games", variants.map(({ id, name }) => [id, name]), null, (id) => showLessons(id));
  const parts = pills("Kind of exercise", [["lessons", "Lessons"], ["problems", "Problems"], ["mistakes", "My mistakes"]], null, (part) => ({ lessons: () => showLessons(), problems: showProblems, mistakes: showMistakes })[part]());
  const body = h("div", {});
  let chosen = model.variant ?? variants[0];
  const showLessons = (id = chosen.id) => {
    chosen = variants.find((variant) => variant.id === id) ?? variants[0];
    mark(parts, "lessons");
    games.element.hidden = false;
    mark(games, chosen.id);
    body.replaceChildren(lessons.element);
    lessons.show(chosen);
  };
  const showProblems = () => {
    mark(parts, "problems");
    games.element.hidden = true;
    body.replaceChildren(problems.element);
    problems.show(problem);
  };
  const showMistakes = () => {
    mark(parts, "mistakes");
    games.element.hidden = true;
    const box = h("div", { class: "lesson-text" });
    body.replaceChildren(box);
    fillMistakes(box, store, (questions) => {
      dialog.close();
      model.emit("practise", questions);
    });
  };
  const dialog = openDialog("Learn", [h("div", { class: "learn-head" }, parts.element, games.element), body]);
  dialog.classList.add("learning");
  if (problem) showProblems();
  else showLessons(game);
}
