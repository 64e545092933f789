// The keyboard: everything that the pointer can do.

import { byId, h } from "./dom.js";
import { chooseClosing, chooseMode, mayPause, pass, resign, swapSides, teach } from "./controls.js";
import { openDialog } from "./dialog.js";
import { ARROW_KEYS } from "./geometry.js";
import { guestKey } from "./link.js";
import { navigate } from "./tree.js";

const WAYS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down" };
const TABS = ["turn", "tree", "analysis", "review"];

function commands({ model, actions, table, forecast, tabs, openNewGame, openMyGames, openRules, review, changeArrangement, marking }) {
  const mine = (action) => () => model.personToMove && action();
  return [
    { keys: ["Home"], does: "first move", act: () => navigate(model, actions, "first") },
    { keys: ["End"], does: "last move", act: () => navigate(model, actions, "last") },
    { keys: ["PageUp"], does: "back ten moves", act: () => navigate(model, actions, "back10") },
    { keys: ["PageDown"], does: "forward ten moves", act: () => navigate(model, actions, "on10") },
    { keys: ["Enter"], does: "show a cursor, which the arrow keys move; with it: play there", act: () => table.enter() },
    { keys: ["L"], does: "with the cursor: the same point on the next layer", act: () => table.moveCursor(0, 0) },
    { keys: ["Escape"], does: "hide the cursor, stop the search, keep the stone, skip the steps, stop marking", act: () => (model.marking ? marking.choose(null) : stop(model, actions, table)) },
    { keys: ["P"], does: "pass; asks first while much of the board is open", act: () => pass(model, actions) },
    { keys: ["E"], does: "end of the turn, where a turn has several steps", act: mine(() => model.view.can_end && actions.act({ play: "end" })) },
    { keys: ["B"], does: "the step that ends a turn of several steps, where the game has one", act: () => chooseClosing(model) },
    { keys: ["U", "Backspace"], does: "take back; in the middle of a turn: one step", act: () => actions.act(model.view.mid_turn?.length > 0 ? "undo" : "take_back") },
    { keys: ["R"], does: "resign; asks first", act: () => resign(model, actions) },
    { keys: ["H"], does: "hint", act: mine(() => actions.hint()) },
    { keys: ["G"], does: "kawari moves for the side to play", act: mine(() => actions.act("genmove")) },
    { keys: ["I"], does: "teaching on and off", act: () => teach(model, actions) },
    { keys: ["W"], does: "swap sides", act: () => swapSides(model, actions) },
    { keys: ["A"], does: "analysis on and off", act: () => actions.analyse(!model.analysing) },
    { keys: ["O"], does: "kawari thinks ahead during your turns, on and off", act: () => model.mayPonder && actions.ponder(!model.pondering) },
    { keys: [" "], name: "Space", does: "pause and resume a game of two engines or against the clock; otherwise replay the last move", act: () => pauseOrReplay(model, actions, table) },
    { keys: ["M"], does: "next mistake of a review; with Shift the previous one", act: (isShifted) => review.stepTo(isShifted ? -1 : 1) },
    { keys: ["]"], does: "look one turn ahead, where the board changes by itself", act: () => forecast.further(1) },
    { keys: ["["], does: "look one turn less ahead", act: () => forecast.further(-1) },
    { keys: ["V"], does: "arrange the layers in another way", act: changeArrangement },
    { keys: ["1", "2", "3", "4"], does: "the tabs Move, Record, Analysis and Review", act: (key) => tabs.choose(TABS[Number(key) - 1]) },
    { keys: ["C"], does: "write a comment", act: () => tabs.comment() },
    { keys: ["Ctrl+Z"], does: "undo the last edit of the record", act: () => actions.act("undo_edit") },
    { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], does: "redo the edit", act: () => actions.act("redo_edit") },
    { keys: ["Ctrl+G"], does: "my games", act: openMyGames },
    { keys: ["Ctrl+O"], does: "open a file", act: () => byId("open-file").click() },
    { keys: ["Ctrl+S"], does: "save a file", act: () => byId("save-file").click() },
    { keys: ["Ctrl+Enter"], does: "new game", act: openNewGame },
    { keys: ["F1"], does: "learn: lessons, problems, rules", act: openRules },
  ];
}

function stop(model, actions, table) {
  if (table.hideCursor()) return;
  if (model.awaitsSearch) actions.act("stop");
  else table.cancel();
}

function pauseOrReplay(model, actions, table) {
  if (mayPause(model.game)) actions.act({ pause: { on: !model.game.paused } });
  else if (model.position.consequences?.length > 0) table.replay();
}

function help(model, list) {
  const key = (name) => h("kbd", {}, name);
  const row = (names, text) => [h("dt", {}, names.flatMap((name) => [key(name), " "])), h("dd", {}, text)];
  const modes = model.modes.map((mode) => row([mode.key.toUpperCase()], `a click plays a ${mode.name === "tao" ? "tao stone" : mode.name}`));
  openDialog(
    "Keys",
    [
      h("p", { class: "note" }, "Keys act on the board when nothing else has the focus; the Tab key goes through all buttons."),
      h(
        "dl",
        { class: "keys" },
        row(["←", "→"], "back and forward through the game; also the mouse wheel over the board"),
        row(["↑", "↓"], "other variations"),
        row(["Shift+Arrows"], "go through the game and variations while the cursor is shown"),
        modes,
        list.map(({ keys, name, does }) => row(name ? [name] : keys, does)),
        row(["?"], "these keys"),
      ),
    ],
    [],
    "narrow",
  );
}

/** Whether a key belongs to the element that has the keyboard: a text, or a row of choices. */
function isTaken({ target, key }) {
  if (target.closest?.("input:not([type=checkbox]), select, textarea, dialog")) return true;
  // A box to check takes only the space bar.
  if (target.matches?.("input")) return key === " ";
  const moves = ARROW_KEYS[key] !== undefined || ["Home", "End", "Enter", " "].includes(key);
  return moves && Boolean(target.closest?.("[role=tablist], [role=radiogroup]"));
}

/** The keys that act again while they are held. */
const REPEATED = new Set([...Object.keys(ARROW_KEYS), "PageUp", "PageDown", "[", "]"]);

/** The key of an event; on keyboards with other letters the Latin letter in its place. */
function keyOf({ key, code }) {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return letter && key.length === 1 && key > "~" ? letter : key;
}

/** The keys of what a friend may not do on somebody else's server. */
const OF_OWN_BOARD = ["H", "G", "A", "O", "M", "C", "F1"];

export function listenToKeys(parts) {
  const { model, table } = parts;
  const list = commands(parts).filter(({ keys: [key] }) => !guestKey || !(OF_OWN_BOARD.includes(key) || key.startsWith("Ctrl")));
  const byKey = new Map(list.flatMap((command) => command.keys.map((key) => [key.toLowerCase(), command])));
  byId("show-keys").addEventListener("click", () => help(model, list));
  document.addEventListener("keydown", (event) => {
    // AltGr makes characters of many keyboards; some systems report it as Ctrl and Alt.
    const isThird = event.getModifierState("AltGraph");
    if ((event.altKey && !isThird) || isTaken(event) || document.querySelector("dialog[open]")) return;
    const control = (event.ctrlKey && !isThird) || event.metaKey;
    const onButton = event.target.closest("button, a, summary, [tabindex='0']:not(#board)") !== null;
    if (!control && onButton && ["Enter", " "].includes(event.key)) return;
    const key = keyOf(event);
    // A key that is held goes on through the game, but does nothing else twice.
    const done = (event.repeat && !REPEATED.has(key)) || handle(event, key, control);
    if (done) event.preventDefault();
  });

  function handle(event, key, control) {
    if (!model.position) return false;
    if (ARROW_KEYS[key] && !control) {
      if (!event.shiftKey && event.target.closest(".panel:not(#panel-tree)")) return false;
      if (table.cursorShown && !event.shiftKey) table.moveCursor(...ARROW_KEYS[key]);
      else navigate(model, parts.actions, WAYS[key]);
      return true;
    }
    if (key === "?") {
      help(model, list);
      return true;
    }
    const mode = control ? -1 : model.modes.findIndex((each) => each.key.toLowerCase() === key.toLowerCase());
    if (mode >= 0) {
      chooseMode(model, mode);
      return true;
    }
    const held = control ? `ctrl+${event.shiftKey ? "shift+" : ""}` : "";
    const command = byKey.get(held + key.toLowerCase());
    command?.act(event.shiftKey);
    return command !== undefined;
  }
}
