// The game tree, with variations and comments, and navigation in it.

import { button, byId, bytesOf, counted, h, keepFocus, oncePerFrame, s } from "./dom.js";
import { tell } from "./dialog.js";
import { lossClass, MARKED } from "./loss.js";

const STEP = 26;
const RADIUS = 9;

/** Places the nodes: a column for each turn, a row for each variation. */
export function layOut(nodes, root) {
  const places = new Map();
  const free = [];
  const stack = [{ id: root, depth: 0, row: 0 }];
  while (stack.length > 0) {
    const { id, depth, row } = stack.pop();
    const node = nodes.get(id);
    if (!node) continue;
    let own = row;
    const starts = places.get(node.parent)?.row !== row || nodes.get(node.parent)?.children[0] !== id;
    if (starts) {
      // A variation takes the first row that is free all along its first line.
      let end = depth;
      for (let at = node; at.children.length > 0 && nodes.has(at.children[0]); at = nodes.get(at.children[0])) end++;
      for (let column = depth; column <= end; column++) own = Math.max(own, free[column] ?? 0);
      for (let column = Math.max(depth - 1, 0); column <= end; column++) free[column] = Math.max(free[column] ?? 0, own + 1);
    }
    places.set(id, { column: depth, row: own });
    for (const child of [...node.children].reverse()) {
      const first = child === node.children[0];
      stack.push({ id: child, depth: depth + 1, row: first ? own : own + 1 });
    }
  }
  return places;
}

function nodePicture(node, { column, row }, here, lost, go) {
  const black = node.color === "black";
  const isRoot = node.parent === null;
  const cost = lost ? `, lost ${lost.loss.toFixed(1)} points` : "";
  const label = isRoot ? "Start" : `${column}: ${node.caption || node.turn || "note"}${node.comment ? ", with a comment" : ""}${cost}`;
  return s(
    "g",
    { class: "tree-node", transform: `translate(${column * STEP + STEP} ${row * STEP + STEP})`, onclick: go },
    s("title", {}, label),
    here && s("circle", { class: "here", r: RADIUS + 3 }),
    lost && s("path", { class: `lost ${lossClass(lost.loss)}`, d: `M${-RADIUS + 2} ${RADIUS + 3}H${RADIUS - 2}` }),
    isRoot || node.color
      ? s("circle", { class: isRoot ? "root" : node.color, r: isRoot ? RADIUS - 3 : RADIUS })
      : s("rect", { class: "set-up", x: -RADIUS + 1, y: -RADIUS + 1, width: 2 * RADIUS - 2, height: 2 * RADIUS - 2, rx: 3 }),
    !isRoot && s("text", { class: black ? "on-dark" : "on-light" }, String(column)),
    node.comment && s("circle", { class: "talks", cx: RADIUS - 1, cy: 1 - RADIUS, r: 3.5 }),
  );
}

class TreePicture {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.svg = s("svg", { role: "img", "aria-label": "Game tree" });
    this.element = h("div", { class: "tree-view", tabindex: "0", role: "group", "aria-label": "Game tree. Shift and arrow keys go through it." }, this.svg);
    this.places = new Map();
    /** The nodes of each column. */
    this.columns = [];
    // The event of a scroll by `reveal` comes when its part of the tree is drawn.
    const draw = oncePerFrame(() => this.drawn !== this.#part() && this.draw());
    this.element.addEventListener("scroll", draw);
    new ResizeObserver(draw).observe(this.element);
  }

  /** Lays out the record; a move through it needs only `reveal`. */
  update() {
    const { nodes, root } = this.model;
    this.places = root ? layOut(nodes, root.id) : new Map();
    this.columns = [];
    let rows = 0;
    for (const [id, { column, row }] of this.places) {
      this.columns[column] ??= [];
      this.columns[column].push(id);
      rows = Math.max(rows, row);
    }
    this.svg.setAttribute("width", (this.columns.length + 1) * STEP);
    this.svg.setAttribute("height", (rows + 2) * STEP);
  }

  reveal() {
    const place = this.places.get(this.model.position?.node);
    if (!place) return;
    const { element } = this;
    const keep = (size, at) => Math.max(0, (at + 1) * STEP - size / 2);
    element.scrollLeft = keep(element.clientWidth, place.column);
    element.scrollTop = keep(element.clientHeight, place.row);
    this.draw();
  }

  /** The visible part of the tree. */
  #part() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    return [scrollLeft, scrollTop, clientWidth, clientHeight].join();
  }

  draw() {
    const { element, model } = this;
    if (element.clientWidth === 0) return;
    this.drawn = this.#part();
    const left = Math.max(Math.floor(element.scrollLeft / STEP) - 3, 0);
    const right = (element.scrollLeft + element.clientWidth) / STEP + 2;
    const top = element.scrollTop / STEP - 3;
    const bottom = (element.scrollTop + element.clientHeight) / STEP + 2;
    let edges = "";
    const drawn = [];
    for (const id of this.columns.slice(left, right + 1).flat()) {
      const place = this.places.get(id);
      const node = model.nodes.get(id);
      if (!node) continue;
      const from = this.places.get(node.parent);
      // No child stands above its parent.
      if (from && from.row <= bottom && place.row >= top) edges += this.#edge(from, place);
      if (place.row < top || place.row > bottom) continue;
      const go = () => this.actions.go(id);
      const lost = model.losses.get(id);
      drawn.push(nodePicture(node, place, id === model.position?.node, lost?.loss >= MARKED ? lost : null, go));
    }
    this.svg.replaceChildren(s("path", { class: "edge", d: edges }), ...drawn);
  }

  #edge(from, to) {
    const [x1, y1, x2, y2] = [from.column, from.row, to.column, to.row].map((at) => (at + 1) * STEP);
    return y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - STEP}L${x2} ${y2}`;
  }
}

/**
 * Goes through the tree: `way` is one of `ALONG`, up or down. Quick presses start at the position
 * that was requested last.
 */
export function navigate(model, actions, way) {
  const node = model.nodes.get((model.going ?? model.position)?.node);
  if (!node) return;
  const to = target(model, node, way);
  if (to !== node.id) actions.go(to);
}

/** The turns that each way goes along the line. */
const ALONG = { first: -Infinity, back10: -10, back: -1, on: 1, on10: 10, last: Infinity };

function target(model, node, way, line = way in ALONG && model.lineThrough(node.id)) {
  const { nodes } = model;
  if (way in ALONG) {
    const here = line.findIndex(({ id }) => id === node.id);
    return line[Math.min(Math.max(here + ALONG[way], 0), line.length - 1)].id;
  }
  // The variation above or below, at this turn or the nearest before it.
  for (let at = node; at.parent !== null; at = nodes.get(at.parent)) {
    const siblings = nodes.get(at.parent)?.children ?? [];
    const other = siblings[siblings.indexOf(at.id) + (way === "down" ? 1 : -1)];
    if (other !== undefined) return other;
  }
  return node.id;
}

function navigationButtons(model, actions) {
  const go = (way, label, d, key) =>
    button(
      s("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true" }, s("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 2.4, "stroke-linecap": "round", "stroke-linejoin": "round" })),
      () => navigate(model, actions, way),
      { class: "square", "aria-label": label, title: `${label} (${key})`, "data-way": way },
    );
  const count = h("span", { class: "count" });
  byId("navigation").append(
    go("first", "First move", "M6 5v14M18 6l-7 6l7 6", "Home"),
    go("back", "Back", "M15 5l-7 7l7 7", "←"),
    count,
    go("on", "Forward", "M9 5l7 7l-7 7", "→"),
    go("last", "Last move", "M18 5v14M6 6l7 6l-7 6", "End"),
  );
  model.on("position tree", () => {
    const node = model.nodes.get(model.position?.node);
    if (!node) return;
    const { line } = model;
    count.textContent = `${model.turnName} ${line.indexOf(node)} of ${line.length - 1}`;
    keepFocus(byId("navigation"), () => {
      for (const button of byId("navigation").querySelectorAll("button")) {
        button.disabled = target(model, node, button.dataset.way, line) === node.id;
      }
    });
  });
}

/** Pixels of wheel movement for a step through the game. */
const WHEEL = 50;

/** Maximum pixels that a page may exceed its window by: the buttons are still visible. */
const ROUNDING = 40;

/** The wheel over the board steps through the game. */
export function listenToWheel(model, actions) {
  let turned = 0;
  let last = 0;
  byId("board").addEventListener(
    "wheel",
    (event) => {
      // The wheel scrolls a page that does not fit its window.
      const scrolls = document.documentElement.scrollHeight > innerHeight + ROUNDING;
      if (event.ctrlKey || !model.position || scrolls) return;
      event.preventDefault();
      if (event.timeStamp - last > 300) turned = 0;
      last = event.timeStamp;
      turned += event.deltaMode === 0 ? event.deltaY : Math.sign(event.deltaY) * WHEEL;
      if (Math.abs(turned) < WHEEL) return;
      navigate(model, actions, turned > 0 ? "on" : "back");
      turned = 0;
    },
    { passive: false },
  );
}

/** Milliseconds without a key after which a comment goes to the engine, and the longest wait. */
const PAUSE_OF_KEYS = 300;
const LONGEST_UNSENT = 1000;

function commentBox(model, actions) {
  const here = "Comment on this move";
  const box = h("textarea", { class: "comment", dir: "auto", "aria-label": here, placeholder: here });
  /** The position that the text of the box belongs to. */
  let node = null;
  let timer = null;
  // When the comment goes to the engine even while the person types on.
  let due = null;
  const send = async () => {
    clearTimeout(timer);
    [timer, due] = [null, null];
    const text = box.value;
    if (node === null || (model.nodes.get(node)?.comment ?? "") === text) return;
    const { comment: most } = model.hello.limits;
    const bytes = bytesOf(text);
    if (bytes > most) {
      tell(`The comment has ${bytes} bytes; the page keeps at most ${most}.`);
      return;
    }
    const sent = await actions.act({ comment: { node, text } });
    if (sent !== null && timer === null) actions.keepTyped(node, null);
  };
  box.addEventListener("input", () => {
    actions.keepTyped(node, box.value);
    clearTimeout(timer);
    due ??= Date.now() + LONGEST_UNSENT;
    timer = setTimeout(send, Math.min(PAUSE_OF_KEYS, Math.max(due - Date.now(), 0)));
  });
  const show = () => {
    const now = model.position?.node ?? null;
    const isNew = now !== node;
    const types = document.activeElement === box;
    // A move that the game makes by itself leaves a person who types where the text belongs.
    if (isNew && types && model.nodes.has(node) && model.position?.played) {
      box.setAttribute("aria-label", `Comment on ${model.turnName} ${model.lineTo(node).length - 1}`);
      return;
    }
    if (isNew && timer !== null) send();
    node = now;
    box.setAttribute("aria-label", here);
    const text = model.nodes.get(node)?.comment ?? "";
    if (isNew || !types) box.value = text;
  };
  box.addEventListener("blur", () => send().then(show));
  model.on("position tree", show);
  return box;
}

/** The message about the last deletion; the next edit removes it. */
let offer = null;

/** Deletes the position and everything after it. A message counts what went, and offers to undo. */
async function removeFrom(model, actions) {
  const { node } = model.position;
  const { parent, caption, turn } = model.nodes.get(node) ?? {};
  if (parent === undefined || parent === null) return;
  const before = new Map(model.nodes);
  const done = await actions.act({ remove: { node } });
  if (done === null) return;
  const comments = done.removed.filter((id) => before.get(id)?.comment).length;
  const talk = comments > 0 ? `, with ${counted(comments, "comment")}` : "";
  offer = tell(`Deleted from ${caption || turn || "the note"} on: ${counted(done.removed.length, model.turnName)}${talk}.`, [["Undo", () => actions.act("undo_edit")]]);
}

export function showTree(model, actions) {
  navigationButtons(model, actions);
  const tree = new TreePicture(model, actions);
  const promote = button("Make main line", () => actions.act({ promote: { node: model.position.node } }));
  const remove = button("Delete from here", () => removeFrom(model, actions));
  const edit = (name, words, key, sign) => button(sign, () => actions.act(name), { class: "square", id: name, title: `${words} (${key})`, "aria-label": words });
  const undo = edit("undo_edit", "Undo the edit", "Ctrl+Z", "↶");
  const redo = edit("redo_edit", "Redo the edit", "Ctrl+Shift+Z", "↷");
  byId("panel-tree").append(tree.element, h("div", { class: "row" }, promote, remove), h("div", { class: "row marking" }, undo, redo));
  byId("talk").append(commentBox(model, actions));
  model.on("edits", () => {
    offer?.remove();
    undo.disabled = model.edits.undo === 0;
    redo.disabled = model.edits.redo === 0;
  });
  model.emit("edits");
  let isLaidOut = false;
  const update = oncePerFrame(() => {
    if (!isLaidOut) tree.update();
    isLaidOut = true;
    tree.reveal();
    const atRoot = model.nodes.get(model.position?.node)?.parent === null;
    promote.disabled = atRoot;
    remove.disabled = atRoot;
  });
  model.on("tree", () => {
    isLaidOut = false;
    update();
  });
  model.on("position tab reviewed", update);
}
