// Buttons of the turn: kinds of turn, pass, end, hint, and who moves now.

import { byId, h, s } from "./dom.js";
import { cell, STONES } from "./cells.js";
import { ask } from "./dialog.js";
import { playerName } from "./players.js";
import { headerNames } from "./records.js";

const upright = { stoneHeight: () => 1, cellMatrix: () => [1, 0, 0, 1] };
const named = { black: "Black", white: "White" };

function modeIcon(mode, toMove) {
  const symbol = { void: "*", tao: "+" }[mode.ghost] ?? STONES[toMove];
  return s("svg", { viewBox: "-.6 -.6 1.2 1.2", "aria-hidden": "true" }, cell(symbol, upright, symbol === "*" ? "NE" : undefined));
}

function showModes(model) {
  const box = byId("modes");
  box.hidden = model.modes.length < 2;
  box.replaceChildren(
    ...model.modes.map((mode, index) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": String(index === model.mode),
          tabindex: index === model.mode ? "0" : "-1",
          onclick: () => chooseMode(model, index),
        },
        modeIcon(mode, model.state.to_move),
        mode.label,
        h("kbd", { "aria-hidden": "true" }, mode.key.toUpperCase()),
      ),
    ),
  );
}

/** Chooses what a click does. */
export function chooseMode(model, index) {
  if (index < 0 || index >= model.modes.length) return;
  model.mode = index;
  model.emit("mode");
}

/** Chooses whether a click makes the step that ends a turn of several steps. */
export function chooseClosing(model) {
  if (!model.personToMove || !model.view.closing?.possible) return;
  model.closing = !model.closing;
  model.mode = 0;
  model.emit("mode");
}

/** A button of the page with its key. */
function button(label, key, action, options = {}) {
  return h(
    "button",
    { class: `button ${options.class ?? ""}`, type: "button", disabled: options.disabled, "aria-pressed": options.pressed, title: options.title, onclick: action },
    label,
    key && h("kbd", { "aria-hidden": "true" }, key),
  );
}

/** Asks before resigning. */
export function resign(model, actions) {
  if (!model.personToMove) return;
  ask(`Resign for ${named[model.state.to_move]}?`, "Resign", () => actions.act({ play: "resign" }));
}

function ponderButton(model, actions) {
  const options = { pressed: String(model.pondering), title: "kawari thinks on while it is your turn" };
  return button("Ponder", "O", () => actions.ponder(!model.pondering), options);
}

function closingButton(model, { label, possible }) {
  const title = possible ? "the next click places it and ends the turn" : "first grow a group; then this ends the turn";
  const disabled = !model.personToMove || !possible;
  return button(label, "B", () => chooseClosing(model), { pressed: String(model.closing), disabled, title });
}

function enginesOnly({ players }) {
  return players.black !== "human" && players.white !== "human";
}

function showActions(model, actions) {
  const { view, game, state, thinking } = model;
  const mine = model.personToMove;
  const buttons = [];
  if (model.awaitsSearch) {
    buttons.push(button(thinking.what === "genmove" ? "Move now" : "Stop", "Esc", () => actions.act("stop"), { class: "primary" }));
  }
  if (enginesOnly(game)) {
    const text = game.paused ? "Go on" : "Pause";
    buttons.push(button(text, "Space", () => actions.act({ pause: { on: !game.paused } }), { class: game.paused ? "primary" : "" }));
  }
  if (view.mid_turn?.length > 0) {
    buttons.push(button("End of turn", "E", () => actions.act({ play: "end" }), { class: "primary", disabled: !mine || !view.can_end }));
    if (view.closing) buttons.push(closingButton(model, view.closing));
    buttons.push(button("Undo step", "U", () => actions.act("undo"), { disabled: !mine }));
  } else {
    buttons.push(button("Pass", "P", () => actions.act({ play: "pass" }), { disabled: !mine || !view.can_pass }));
    if (view.closing) buttons.push(closingButton(model, view.closing));
    buttons.push(button("Take back", "U", () => actions.act("take_back"), { disabled: state.turn === 0 }));
  }
  buttons.push(
    button("Hint", "H", () => actions.hint(), { disabled: !mine }),
    button("Let kawari move", "G", () => actions.act("genmove"), { disabled: !mine }),
    button("Swap sides", "", () => actions.act({ players: { black: game.players.white, white: game.players.black } })),
    ...(model.mayPonder ? [ponderButton(model, actions)] : []),
    button("Resign", "", () => resign(model, actions), { disabled: !mine }),
  );
  byId("actions").replaceChildren(...buttons);
}

function statusText(model) {
  const { state, view, game, thinking, connected } = model;
  if (!connected) return "The server is not running. The game is kept here and goes on when the server is back.";
  if (state.over) {
    const { sentence, how } = model.outcome ?? { sentence: "The game is over" };
    return `${sentence}${how === "agreed" ? ", as agreed" : ""}.`;
  }
  const mover = named[state.to_move];
  const player = playerName(model.mover);
  if (thinking?.what === "genmove") return `${player} thinks for ${mover}.`;
  if (thinking?.what === "hint") return `Looking for a hint for ${mover}.`;
  if (model.mover !== "human") return game.paused ? `${mover} is to move. Paused.` : `${mover} is to move.`;
  const again = view.mid_turn?.length > 0 ? "goes on or ends the turn" : "is to move";
  return `${mover} ${again}.${thinking?.what === "ponder" ? " kawari ponders." : ""}`;
}

function showStatus(model) {
  const { state, view } = model;
  const counts = state.over ? null : h("span", { class: "soft" }, ` Turn ${state.turn + 1}. As it stands: ${view.score}.`);
  byId("status").replaceChildren(statusText(model), ...(counts ? [counts] : []));
  const advice = view.advice && h("p", { class: "advice" }, view.advice);
  byId("warnings").replaceChildren(...[advice, ...view.warnings.map((text) => h("p", {}, text))].filter(Boolean));
}

function showTitle(model) {
  const { game, state, variant } = model;
  const size = game.layers > 1 ? `${game.width}×${game.height}, ${game.layers} layers` : `${state.width}×${state.height}`;
  const name = variant?.name ?? game.variant;
  const names = headerNames(game.header);
  byId("title").replaceChildren(h("strong", {}, name), ` ${size}, komi ${game.komi}${names ? ` · ${names}` : ""}`);
  document.title = `${name} ${size} · kawari`;
}

/** Keeps the controls up to date. */
export function showControls(model, actions) {
  const show = () => {
    if (!model.game || !model.state) return;
    showModes(model);
    showActions(model, actions);
    showStatus(model);
    showTitle(model);
  };
  model.on("position game thinking ended connection mode pondering", show);
  byId("modes").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    chooseMode(model, (model.mode + by + model.modes.length) % model.modes.length);
    byId("modes").querySelector('[aria-checked="true"]').focus();
  });
}
