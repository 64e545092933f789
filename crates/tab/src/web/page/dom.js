// Building elements of HTML and SVG.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    // The page's policy of content forbids the attribute.
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML: attributes, listeners as `onclick`, children. */
export function h(tag, attributes = {}, ...children) {
  const usual = tag === "button" ? { type: "button" } : {};
  return fill(document.createElement(tag), { ...usual, ...attributes }, children);
}

/** A button, perhaps with further classes and the key that does the same. */
export function button(words, onclick, { class: more, key, ...attributes } = {}) {
  const names = more ? `button ${more}` : "button";
  return h("button", { class: names, onclick, ...attributes }, words, key && h("kbd", { "aria-hidden": "true" }, key));
}

/** A box to check with its words; `change(on)` is called after a click. */
export function checkbox(words, id, on, change, attributes = {}) {
  const box = h("input", { type: "checkbox", id, checked: on, onchange: () => change(box.checked) });
  return { box, element: h("label", attributes, box, ` ${words}`) };
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The heads of the columns of a table; `unseen` names a column without visible words. */
export function heads(words, unseen) {
  return h("tr", {}, words.map((text) => h("th", { scope: "col" }, text || h("span", { class: "unseen" }, unseen))));
}

/** Arrow keys choose among the buttons of a group, which a choice may replace. */
export function rove(group) {
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = () => [...group.children].filter(({ hidden }) => !hidden);
    const all = buttons();
    const to = (all.indexOf(document.activeElement) + by + all.length) % all.length;
    all[to].click();
    buttons()[to].focus();
  });
}

/** The element of the page with this id, which index.html is known to have. */
export function byId(id) {
  return document.getElementById(id);
}

/** Makes a change within an element; a focus in it stays there, or goes to the board. */
export function keepFocus(element, change) {
  const at = [...element.children].indexOf(document.activeElement);
  change();
  if (at < 0) return;
  const now = element.children[at];
  (now?.matches("button:enabled") ? now : byId("board")).focus({ preventScroll: true });
}

/** Calls `action` at most once a frame, with the arguments of the latest call. */
export function oncePerFrame(action) {
  let latest = null;
  return (...given) => {
    const waiting = latest !== null;
    latest = given;
    if (waiting) return;
    requestAnimationFrame(() => {
      const now = latest;
      latest = null;
      action(...now);
    });
  };
}

/** The parts of a vertex: column and row from 0, counted from the lower left. */
export function parseVertex(vertex) {
  const letter = vertex.charCodeAt(0) - 65;
  return { column: letter > 8 ? letter - 1 : letter, row: Number(vertex.slice(1)) - 1 };
}

/** The vertex of a column and row; the letter I is left out. */
export function vertex(column, row) {
  return columnLetter(column) + (row + 1);
}

export function columnLetter(column) {
  return String.fromCharCode(65 + (column >= 8 ? column + 1 : column));
}

/** A number of things, such as "2 moves". */
export const counted = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export function bytesOf(text) {
  return new TextEncoder().encode(text).length;
}
