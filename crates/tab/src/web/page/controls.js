// The buttons of a turn, and the status of the game.

import { PARTNER } from "./channel.js";
import { button, byId, h, keepFocus, rove, s } from "./dom.js";
import { cell, named, STONES, UPRIGHT } from "./cells.js";
import { ask } from "./dialog.js";
import { resultWords } from "./ending.js";
import { guestKey } from "./link.js";
import { playerName } from "./players.js";
import { scoreText, showPoints } from "./loss.js";
import { headerNames } from "./records.js";
import { opponentOf, teachingAgainst, teachingWords } from "./teaching.js";

function modeIcon(mode, toMove) {
  const symbol = mode.leaves ?? STONES[toMove];
  return s("svg", { viewBox: "-.6 -.6 1.2 1.2", "aria-hidden": "true" }, cell(symbol, UPRIGHT, symbol === "*" ? "NE" : undefined));
}

function showModes(model) {
  const box = byId("modes");
  box.hidden = model.modes.length < 2;
  box.replaceChildren(
    ...model.modes.map((mode, index) =>
      h(
        "button",
        {
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

/** Keeps the place of a missing button, so that no other comes under the pointer. */
const slot = () => h("span", { class: "slot", "aria-hidden": "true" });

export function resign(model, actions) {
  if (!model.personToMove) return;
  ask(`Resign for ${named[model.state.to_move]}?`, "Resign", () => actions.act({ play: "resign" }));
}

export function pass(model, actions) {
  if (!model.personToMove || !model.view.can_pass) return;
  const send = () => actions.act({ play: "pass" });
  const { pass_warning: warning } = model.view;
  if (warning) ask(`Pass? ${warning}`, "Pass", send);
  else send();
}

const taughtIn = ({ hello, game }) => teachingAgainst(hello, opponentOf(game.players));

export function teach(model, actions) {
  if (taughtIn(model)) actions.act({ teach: { on: !model.game.teaching } });
}

export function swapSides({ game: { friend, players } }, actions) {
  if (!friend) actions.act({ players: { black: players.white, white: players.black } });
}

function teachButton(model, actions) {
  const taught = taughtIn(model);
  if (!taught) return null;
  const attributes = { key: "I", "aria-pressed": String(Boolean(model.game.teaching)), title: teachingWords(taught, model.variant?.counted), "data-action": "teach" };
  return button("Teaching", () => teach(model, actions), attributes);
}

function closingButton(model, { label, possible, advice }) {
  const title = possible ? "the next click places a stone and ends the turn" : advice;
  const disabled = !model.personToMove || !possible;
  return button(label, () => chooseClosing(model), { key: "B", "aria-pressed": String(model.closing), disabled, title });
}

export const mayPause = (game) => game.clock || enginesOnly(game);

function enginesOnly({ players }) {
  return [players.black, players.white].every((player) => typeof player === "object");
}

/** The buttons of a game; each has its place from the first move to the last. */
function actionButtons(model, actions) {
  const { view, game, state, thinking } = model;
  const mine = model.personToMove;
  const underWay = view.mid_turn?.length > 0;
  const buttons = [button("Pass", () => pass(model, actions), { key: "P", "data-action": "pass", disabled: !mine || underWay || !view.can_pass })];
  if (game.steps) {
    buttons.push(
      button("End of turn", () => actions.act({ play: "end" }), { key: "E", class: underWay ? "primary" : "", disabled: !mine || !underWay || !view.can_end }),
      view.closing ? closingButton(model, view.closing) : slot(),
    );
  }
  buttons.push(
    button(underWay ? "Undo step" : "Take back", () => actions.act(underWay ? "undo" : "take_back"), { key: "U", disabled: underWay ? !mine : (state.turn === 0 && !model.lostOnTime) || game.friend?.own === null }),
    button("Hint", () => actions.hint(), { key: "H", disabled: !mine || Boolean(game.friend?.acts || guestKey) }),
    model.awaitsSearch ? button(["genmove", "judge"].includes(thinking.what) ? "Move now" : "Stop", () => actions.act("stop"), { key: "Esc", "data-action": "stop" }) : slot(),
  );
  if (mayPause(game)) {
    const text = game.paused ? "Resume" : "Pause";
    buttons.push(button(text, () => actions.act({ pause: { on: !game.paused } }), { key: "Space", class: game.paused ? "primary" : "" }));
  }
  return buttons;
}

function rareButtons(model, actions) {
  const { game } = model;
  const mine = model.personToMove;
  return [
    !game.friend && button("Let kawari move", () => actions.act("genmove"), { key: "G", disabled: !mine }),
    !game.friend && button("Swap sides", () => swapSides(model, actions), { key: "W" }),
    teachButton(model, actions),
    model.mayPonder && button("Think ahead", () => actions.ponder(!model.pondering), { key: "O", "aria-pressed": String(model.pondering), title: "kawari keeps thinking during your turn" }),
    button("Resign", () => resign(model, actions), { "data-action": "resign", disabled: !mine }),
  ].filter(Boolean);
}

function showActions(model, actions) {
  const rare = byId("rare");
  for (const [box, buttons] of [[byId("actions"), actionButtons], [rare.querySelector(".actions"), rareButtons]]) {
    keepFocus(box, () => box.replaceChildren(...buttons(model, actions)));
  }
}

function paceSlider(model, actions) {
  const slider = h("input", { type: "range", id: "pace-slider", min: 0, max: 5, step: 0.25, value: model.pace / 1000 });
  const output = h("output", { for: "pace-slider" });
  const words = () => {
    output.textContent = model.pace === 0 ? "as fast as possible" : `${model.pace / 1000} s per move`;
  };
  slider.addEventListener("input", () => {
    actions.setPace(1000 * Number(slider.value));
    words();
  });
  words();
  byId("pace").append(h("label", { for: "pace-slider" }, "Pace"), slider, output);
}

function showLooking(model, actions) {
  const box = byId("looking");
  const away = model.trying;
  box.classList.toggle("away", away);
  const buttons = [
    button("Back to the game", () => actions.go(model.position.live), { disabled: !away, class: "primary", "data-action": "back-to-game" }),
    button("Play on from here", () => actions.act("play_on"), { disabled: !away || Boolean(model.game.friend), "data-action": "play-on" }),
  ];
  keepFocus(box, () => box.replaceChildren(...buttons));
}

function statusText(model) {
  const { state, view, game, thinking, connected } = model;
  if (!connected) return `The ${PARTNER} is not running. This page keeps the game and continues it when the ${PARTNER} is back.`;
  if (model.outcome) return [resultWords(model), model.outcome.reason].filter(Boolean).join(" ");
  const mover = named[state.to_move];
  if (model.editing === "position") return `${mover} moves first. Nobody plays into this position.`;
  if (model.held && !model.trying) return `${named[model.held.color]}'s move is on hold.`;
  if (thinking?.what === "judge") return `kawari is checking ${named[mover === "White" ? "black" : "white"]}'s move.`;
  if (thinking?.what === "genmove") return `${mover} (${playerName(model.mover)}) is thinking.`;
  if (thinking?.what === "hint") return `Looking for a hint for ${mover}.`;
  if (model.trying) return `${mover} to play. You can try moves for both sides here.`;
  if (game.paused && mayPause(game)) return `${mover} to play. Paused${model.mover === "human" ? ": the clock starts with your move, or when you resume" : ""}.`;
  if (model.mover === "friend" && !model.game.friend?.own) return `${mover} to play.`;
  if (model.mover !== "human") return `${mover} to play${model.mover === "friend" ? ": your friend's turn" : ""}.`;
  const again = view.mid_turn?.length > 0 ? "continues or ends the turn" : "to play";
  return `${mover} ${again}.${thinking?.what === "ponder" ? " kawari thinks ahead." : ""}`;
}

/** The estimate of an analysis; the count of an unfinished game means nothing. */
function estimate(model) {
  const { analysis, state } = model;
  if (!analysis || state.over || model.outcome) return "";
  return ` kawari's estimate: ${scoreText(analysis.rootInfo.scoreLead)}.`;
}

function showStatus(model) {
  const { view } = model;
  const guess = estimate(model);
  byId("status").replaceChildren(statusText(model), ...(guess ? [h("span", { class: "soft" }, guess)] : []));
  const advice = view.advice && h("p", { class: "advice" }, view.advice);
  byId("warnings").replaceChildren(...[advice, ...view.warnings.map((text) => h("p", {}, text))].filter(Boolean));
}

function showTitle(model) {
  const { game, state, variant } = model;
  const size = game.layers > 1 ? `${game.width}×${game.height}, ${game.layers} layers` : `${state.width}×${state.height}`;
  const name = variant?.name ?? game.variant;
  const names = headerNames(game.header);
  const shape = game.rules?.board && game.rules.board !== "plane" ? `, ${game.rules.board}` : "";
  const handicap = game.handicap?.length > 0 ? `, ${game.handicap.length} handicap` : "";
  byId("title").replaceChildren(h("strong", {}, name), ` ${size}${variant?.counted === false ? "" : `, komi ${game.komi}`}${shape}${handicap}`, ...(names ? [" · ", h("bdi", {}, names)] : []));
  document.title = `${name} ${size} · kawari`;
}

export function showControls(model, actions) {
  const show = () => {
    if (!model.game || !model.state) return;
    showPoints(model.variant?.counted !== false);
    showModes(model);
    showActions(model, actions);
    showLooking(model, actions);
    showStatus(model);
    showTitle(model);
    byId("pace").hidden = !enginesOnly(model.game);
    byId("warnings").hidden = !(model.game.forecast || model.game.steps) || model.state.over;
    document.querySelector(".stage").classList.toggle("foresees", model.game.forecast);
  };
  paceSlider(model, actions);
  model.on("position game thinking ended counting connection mode pondering held editing", show);
  model.on("analysis", () => model.view && showStatus(model));
  rove(byId("modes"));
}
