// Fields of a dialog: inputs with labels, and buttons of which one is chosen.

import { h, rove } from "./dom.js";

let lastId = 0;

/** A field with a label, and a place for an error. */
export function field(label, inputs, about) {
  const id = `field-${++lastId}`;
  inputs[0].id = id;
  const error = h("p", { class: "field-error", id: `${id}-error` });
  for (const input of inputs) input.setAttribute("aria-describedby", error.id);
  const element = h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "inputs" }, inputs), about && h("p", { class: "about" }, about), error);
  return { element, error, inputs };
}

/** An input for a number, which a touch selects. */
export const number = (value, attributes = {}) => h("input", { type: "number", value, onfocus: ({ target }) => target.select(), ...attributes });

/** A rule option of a game; `change()` is called when another value is chosen. */
export function ruleField({ key, default: standard, label, about, choices }, chosen, change) {
  const select = h("select", { onchange: change }, choices.map(({ value, label: text }) => h("option", { value }, value === standard ? `${text} (usual)` : text)));
  select.value = chosen ?? standard;
  if (!select.value) select.value = standard;
  return { key, standard, select, field: field(label, [select], about) };
}

/** Buttons of which one is chosen. */
export function pills(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    h("button", { type: "button", role: "radio", class: "pill", "data-value": String(value), onclick: () => select(value, true) }, text),
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
