// Fields of a dialog: inputs with labels, and buttons of which one is chosen.

import { h, rove } from "./dom.js";

let lastId = 0;

export function field(label, inputs, about) {
  inputs[0].id ||= `field-${++lastId}`;
  const { id } = inputs[0];
  const error = h("p", { class: "field-error", id: `${id}-error` });
  for (const input of inputs) input.setAttribute("aria-describedby", error.id);
  const element = h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "inputs" }, inputs), about && h("p", { class: "about" }, about), error);
  return { element, error, inputs };
}

const selectAll = ({ target }) => target.select();

/** An input for a number, which a touch selects and no wheel changes. */
export const number = (value, attributes = {}) => h("input", { type: "number", value, onfocus: selectAll, onwheel: ({ target }) => target.blur(), ...attributes });

/** An input for komi, which people write in several ways. */
export const komiInput = (value) => h("input", { type: "text", inputmode: "decimal", class: "komi", value, onfocus: selectAll, autocomplete: "off", "aria-label": "Komi" });

const FRACTIONS = { "½": 0.5, "¼": 0.25, "¾": 0.75 };

/** The komi of a text such as `6.5`, `6,5`, `7½` or `−3`; not a number if it is another text. */
export function komiOf(text) {
  const [, sign, whole, fraction] = /^([-−+]?)(\d*(?:[.,]\d+)?)\s*([½¼¾]?)$/u.exec(text.trim()) ?? [];
  if (!whole && !fraction) return Number.NaN;
  const size = Number((whole || "0").replace(",", ".")) + (FRACTIONS[fraction] ?? 0);
  return sign === "-" || sign === "−" ? -size : size;
}

/** A list to choose from; `options` are pairs of a value and its words. */
export function choice(options, chosen, attributes = {}) {
  const select = h("select", attributes, options.map(([value, text]) => h("option", { value }, text)));
  if (chosen !== null) select.value = chosen;
  return select;
}

/** A rule option of a game; `change()` is called when another value is chosen. */
export function ruleField({ key, default: standard, label, about, choices }, chosen, change) {
  const select = choice(choices.map(({ value, label: text }) => [value, value === standard ? `${text} (usual)` : text]), chosen ?? standard, { onchange: change });
  if (!select.value) select.value = standard;
  return { key, standard, select, field: field(label, [select], about) };
}

export function pills(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    h("button", { role: "radio", class: "pill", "data-value": String(value), onclick: () => select(value, true) }, text),
  );
  const select = (value, tell) => {
    for (const button of buttons) {
      const is = button.dataset.value === String(value);
      button.setAttribute("aria-checked", String(is));
      button.tabIndex = is ? 0 : -1;
    }
    if (!buttons.some(({ tabIndex }) => tabIndex === 0)) buttons[0].tabIndex = 0;
    if (tell) choose(value);
  };
  const element = h("div", { class: "pills", role: "radiogroup", "aria-label": label }, buttons);
  rove(element);
  select(chosen, false);
  return { element, select: (value) => select(value, false) };
}
