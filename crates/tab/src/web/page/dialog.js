// Dialogs and messages.

import { button, byId, h } from "./dom.js";

const closeButton = (label, close) => button("✕", close, { class: "quiet square", "aria-label": label });

/** Opens a dialog of a `kind`, which is removed when it closes. `foot` are its buttons. */
export function openDialog(title, body, foot = [], kind = null) {
  const close = closeButton("Close", () => dialog.close());
  const heading = h("h2", { id: "dialog-title" }, title);
  const middle = [body].flat().length > 0 && h("div", { class: "dialog-body", tabindex: "0" }, body);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title", class: kind },
    h("div", { class: "dialog-head" }, heading, close),
    middle,
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
  if (middle) showRest(middle);
  return dialog;
}

/** Marks an element while there is more of it below. */
function showRest(element) {
  const show = () => element.classList.toggle("goes-on", element.scrollHeight - element.scrollTop > element.clientHeight + 4);
  const sizes = new ResizeObserver(show);
  for (const part of [element, ...element.children]) sizes.observe(part);
  element.addEventListener("scroll", show);
}

/** Closes the open dialogs, for a game takes their place. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

export function ask(question, label, yes) {
  const close = () => dialog.close();
  const dialog = openDialog(question, [], [button("Cancel", close), closing(label, close, yes, { class: "primary" })], "narrow");
  // The keyboard answers with Enter or Escape.
  dialog.querySelector(".primary").focus();
}

/** A button that closes what it belongs to, and then acts. */
export function closing(label, close, act, attributes) {
  const press = () => {
    close();
    act();
  };
  return button(label, press, attributes);
}

/** Shows why a command was refused, instead of the last refusal. */
export function tellRefusal(text) {
  forgive();
  tell(text).classList.add("refusal");
}

/** Removes a refusal whose cause is gone. */
export function forgive() {
  document.querySelector("#messages .refusal")?.remove();
}

/** Milliseconds that a message stays, and those that each letter and buttons add. */
const SHOWN = 6000;
const LETTER = 60;
const WITH_BUTTONS = 30_000;

/** Closes a message after a while, unless a pointer or the keyboard is in it. */
function closeLater(message, close, wait) {
  setTimeout(() => {
    if (!message.isConnected) return;
    if (message.matches(":hover, :focus-within")) closeLater(message, close, SHOWN);
    else close();
  }, wait);
}

/** Closes the messages about a game that another one replaces. */
export function closeMessages() {
  byId("messages").replaceChildren();
}

/** Shows a message for a while, the same text only once. `ways` are labels and actions of buttons. */
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
    closeButton("Close message", close),
    ways.length > 0 && h("div", { class: "row" }, ways.map(([label, act]) => closing(label, close, act))),
  );
  box.append(message);
  closeLater(message, close, SHOWN + LETTER * text.length + (ways.length > 0 ? WITH_BUTTONS : 0));
  while (box.children.length > 2) box.firstChild.remove();
  return message;
}
