// The effects of the last turn, step by step, and the forecast of the coming turns.

import { button, byId, capital, h } from "./dom.js";

const AHEAD = 8;

/** The turns of a line of play, each as its steps; the last one may go on. */
function turnsOf(line) {
  const turns = [];
  for (const step of line) {
    const last = turns.at(-1)?.at(-1);
    if (last && !step.starts && last.color === step.color) turns.at(-1).push(step);
    else turns.push([step]);
  }
  return turns;
}

/** The steps of the turn with which a line of play begins. */
export const firstTurn = (line) => turnsOf(line)[0] ?? [];

/** A turn: its first step in words, and the points of the others. */
const wordsOf = ([first, ...others]) => [first.text, ...others.flatMap(({ at, kind, text }) => (at && kind !== first.kind ? text : (at ?? [])))].join(" ");

/** The first turn of a reported move. */
export const turnText = ({ pv }) => wordsOf(firstTurn(pv));

/** More numbered stones hide the position. */
const LONGEST_LINE = 10;

/** The part of a line of play that the board shows: some steps, and at least the first turn. */
export const shownOf = (line) => line.slice(0, Math.max(LONGEST_LINE, firstTurn(line).length));

/** That part in words, turn by turn. */
export const lineText = (line) => turnsOf(shownOf(line)).map(wordsOf).join(", ");

function stepList(model, table) {
  const list = h("ol", { class: "steps" });
  (model.position.consequences ?? []).forEach(({ text }, index) => {
    list.append(h("li", {}, h("button", { onclick: () => table.showStep(index) }, h("span", {}, text))));
  });
  return list;
}

function showTurn(model, table) {
  const { position, view } = model;
  const panel = byId("panel-turn");
  const { last } = view;
  const { turnName: name } = model;
  const Name = capital(name);
  const ends = model.position.consequences?.[0]?.kind === "end" ? "The end of the game" : null;
  const finished = ends ?? (last ? `${Name} ${model.state.turn}: ${last.caption}` : `No ${name} yet`);
  const heading = view.mid_turn.length > 0 ? `${Name} ${model.state.turn + 1}, not finished` : finished;
  const many = (position.consequences?.length ?? 0) > 1;
  const buttons = h(
    "div",
    { class: "row" },
    button("Replay", () => table.replay()),
    button("Skip to the end", () => table.cancel()),
  );
  panel.replaceChildren(
    h("h2", {}, heading),
    ...(many ? [buttons] : []),
    stepList(model, table),
    ...(last || view.mid_turn.length > 0 ? [] : [h("p", { class: "note" }, `This list shows each ${name} step by step.`)]),
  );
}

function markStep(index) {
  const panel = byId("panel-turn");
  const items = panel.querySelectorAll(".steps li");
  items.forEach((item, at) => {
    if (at === index) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const item = index === null ? null : items[index];
  if (!item) return;
  // Only the panel scrolls: the board stays where it is.
  const [top, bottom] = [item.offsetTop - panel.offsetTop, item.offsetTop - panel.offsetTop + item.offsetHeight];
  if (top < panel.scrollTop) panel.scrollTop = top;
  else if (bottom > panel.scrollTop + panel.clientHeight) panel.scrollTop = bottom - panel.clientHeight;
}

export function showTurns(model, table) {
  model.on("position", () => showTurn(model, table));
  model.on("step", markStep);
}

/** The slider that looks at the coming turns, shown where voids move. */
export class Forecast {
  #turns = null;

  constructor(model, table, actions) {
    this.model = model;
    this.table = table;
    this.actions = actions;
    this.slider = h("input", { type: "range", min: 0, max: AHEAD, value: 0, step: 1, id: "ahead" });
    this.output = h("output", { for: "ahead" }, "now");
    byId("forecast").append(h("label", { for: "ahead" }, "Look ahead"), this.slider, this.output);
    this.slider.addEventListener("input", () => this.#show());
    model.on("position", () => this.#reset());
    model.on("present", () => this.look(0));
  }

  #reset() {
    this.#turns = null;
    this.slider.value = 0;
    this.output.textContent = "now";
    byId("forecast").hidden = !(this.model.state.voids?.length > 0) || this.model.state.over;
  }

  look(turns) {
    if (byId("forecast").hidden) return;
    this.slider.value = Math.min(Math.max(turns, 0), AHEAD);
    this.#show();
  }

  further(by) {
    this.look(Number(this.slider.value) + by);
  }

  async #show() {
    const ahead = Number(this.slider.value);
    if (ahead === 0) {
      this.output.textContent = "now";
      this.table.showFuture(null);
      return;
    }
    const node = this.model.position;
    this.#turns ??= this.actions.request({ forecast: { turns: AHEAD } });
    const { turns } = await this.#turns.catch(() => ({ turns: [] }));
    if (node !== this.model.position || Number(this.slider.value) !== ahead) return;
    const future = turns[Math.min(ahead, turns.length) - 1];
    if (!future) return;
    this.output.textContent = `after ${ahead} ${ahead === 1 ? "pass" : "passes"}: ${future.score}`;
    this.table.showFuture(future);
  }
}
