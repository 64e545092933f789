// Dialogs and messages.

import { button, byId, h } from "./dom.js";

/** Opens a dialog, which is removed when it closes. `foot` are its buttons. */
export function openDialog(title, body, foot = [], narrow = false) {
  const close = h("button", { class: "button quiet square", type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "✕");
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title", class: narrow ? "narrow" : null },
    h("div", { class: "dialog-head" }, heading, close),
    [body].flat().length > 0 && h("div", { class: "dialog-body", tabindex: "0" }, body),
    foot.length > 0 && h("div", { class: "dialog-foot" }, foot),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The keys go to the board then, and not to a button.
    if (!document.querySelector("dialog[open]")) byId("board").focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes the open dialogs, for a game takes their place. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

/** Asks a question; calls `yes` if the person agrees. */
export function ask(question, label, yes) {
  const dialog = openDialog(
    question,
    [],
    [
      button("Cancel", () => dialog.close()),
      button(label, () => {
            dialog.close();
            yes();
          }, { class: "button primary" }),
    ],
    true,
  );
  // The keyboard answers with Enter or Escape.
  dialog.querySelector(".primary").focus();
}

/** Buttons of a message; each closes it. `ways` are pairs of a label and an action. */
function waysOf(ways, close) {
  const press = (action) => () => {
    close();
    action();
  };
  return ways.map(([label, action]) => button(label, press(action)));
}

/** Shows why a command was refused, in place of the last refusal. */
export function tellRefusal(text) {
  forgive();
  tell(text).classList.add("refusal");
}

/** Removes a refusal whose cause is gone. */
export function forgive() {
  document.querySelector("#messages .refusal")?.remove();
}

/** Shows a message with buttons until it is closed; the same text appears only once. */
export function tell(text, ways = []) {
  const box = byId("messages");
  for (const shown of box.children) {
    if (shown.firstChild.textContent === text) shown.remove();
  }
  const close = () => message.remove();
  const message = h(
    "div",
    { class: "message" },
    h("span", {}, text),
    h("button", { class: "button quiet square", type: "button", "aria-label": "Close message", onclick: close }, "✕"),
    ways.length > 0 && h("div", { class: "row" }, waysOf(ways, close)),
  );
  box.append(message);
  while (box.children.length > 2) box.firstChild.remove();
  return message;
}
