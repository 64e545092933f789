// The pages of rules: the text of the engine with pictures of its positions.

import { button, h, heads } from "./dom.js";
import { picture } from "./board.js";
import { openDialog } from "./dialog.js";
import { pills } from "./fields.js";

function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*(?:[^*]|\*[^*]+\*)+\*\*|\*[^*]+\*)/);
  return parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, inline(part.slice(2, -2)));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

function tableOf(lines) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((text) => text.trim());
  const [head, , ...rows] = lines;
  return h(
    "table",
    {},
    h("thead", {}, heads(cells(head).map((text) => (text ? inline(text) : "meaning")))),
    h("tbody", {}, rows.map((row) => h("tr", {}, cells(row).map((text) => h("td", {}, inline(text)))))),
  );
}

function block(lines) {
  const heading = /^(#+) +(.*)/.exec(lines[0]);
  if (heading) {
    const level = Math.min(heading[1].length + 1, 4);
    return [h(`h${level}`, {}, inline(heading[2])), ...(lines.length > 1 ? [block(lines.slice(1))] : [])];
  }
  if (lines[0].startsWith("|")) return tableOf(lines);
  if (lines[0].startsWith("```")) return h("pre", {}, lines.slice(1, -1).join("\n"));
  if (/^[-*] /.test(lines[0])) {
    const items = lines.join("\n").split(/^[-*] /m).slice(1);
    return h("ul", {}, items.map((item) => h("li", {}, inline(item.replaceAll("\n", " ")))));
  }
  return h("p", {}, inline(lines.join(" ")));
}

export function markdown(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .flatMap((part) => block(part.split("\n")));
}

/** A short game to step through, with the effects of each turn. */
function exampleGame({ name, example }) {
  let at = 0;
  const { board, element } = picture(example[0].state, `Example of ${name}`);
  const text = h("div", { class: "example-text", "aria-live": "polite" });
  const step = (by, label, words) =>
    button(words, () => show(at + by), { "aria-label": label });
  const back = step(-1, "Back a turn", "Back");
  const on = step(1, "Next turn", "Next");
  const count = h("span", { class: "note grow" });
  function show(turn) {
    at = Math.min(Math.max(turn, 0), example.length - 1);
    board.show(example[at].state);
    count.textContent = `Turn ${at + 1} of ${example.length}`;
    back.disabled = at === 0;
    on.disabled = at === example.length - 1;
    text.replaceChildren(...example[at].text.map((sentence) => h("p", {}, sentence)));
  }
  show(example.length - 1);
  return h("div", { class: "example" }, element, h("div", { class: "row" }, count, back, on), text);
}

function goodPlay({ good_play: passages }) {
  if (passages.length === 0) return [];
  const parts = passages.flatMap(({ text, turns, state }) => {
    return [...markdown(text), ...(state ? [picture(state, turns).element] : [])];
  });
  return [h("h3", {}, "Good play"), ...parts];
}

export function openRules(hello, id) {
  const page = h("div", { class: "rules" });
  const show = (variant) => {
    const example = variant.example.length > 0 ? [exampleGame(variant)] : [];
    page.replaceChildren(h("div", { class: "rules-text" }, markdown(variant.rules), goodPlay(variant)), ...example);
  };
  const find = (wanted) => hello.variants.find((variant) => variant.id === wanted) ?? hello.variants[0];
  const games = pills("Games", hello.variants.map((variant) => [variant.id, variant.name]), id, (wanted) => show(find(wanted)));
  openDialog("The full rules", [games.element, page]);
  show(find(id));
}
