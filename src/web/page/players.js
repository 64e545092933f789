// The two players: who they are, what they have captured and hold, whose turn it is.

import { byId, h } from "./dom.js";
import { COLORS } from "./cells.js";
import { openDialog } from "./dialog.js";

const named = { black: "Black", white: "White" };

/** A player in words. */
export function playerName(player) {
  if (player === "human") return "Person";
  if (player.level !== undefined) return `kawari level ${player.level}`;
  if (player.seconds !== undefined) return `kawari ${player.seconds} s a turn`;
  if (player.visits !== undefined) return `kawari ${player.visits} visits`;
  return player.engine;
}

/** The highest level is full strength, for as many seconds a turn as the person wants. */
function optionsOf(hello) {
  const levels = Array.from({ length: hello.levels - 1 }, (_, index) => index + 1);
  const hint = (level) => (level === 1 ? " (beginner)" : "");
  return [
    ["human", "Person"],
    ...levels.map((level) => [`level ${level}`, `kawari level ${level}${hint(level)}`]),
    ["seconds", `kawari level ${hello.levels} (full strength), seconds a turn`],
    ["visits", "kawari, visits a turn"],
    ...hello.engines.map((name) => [`engine ${name}`, name]),
  ];
}

function kindOf(player, hello) {
  if (player === "human") return "human";
  const [[key, value]] = Object.entries(player);
  if (key === "level" && value === hello.levels) return "seconds";
  return key === "level" || key === "engine" ? `${key} ${value}` : key;
}

/** A field to choose a player; `value()` reads it. */
export function playerField(hello, color, player) {
  const id = `player-${color}-${Math.random().toString(36).slice(2, 8)}`;
  const select = h("select", { id }, optionsOf(hello).map(([value, text]) => h("option", { value }, text)));
  select.value = kindOf(player, hello);
  const amount = h("input", { type: "number", min: 0.1, step: "any", "aria-label": `Amount for ${named[color]}` });
  amount.value = player.seconds ?? player.visits ?? hello.seconds;
  const show = () => {
    amount.hidden = select.value !== "seconds" && select.value !== "visits";
  };
  select.addEventListener("change", () => {
    amount.value = select.value === "visits" ? 1000 : hello.seconds;
    show();
  });
  show();
  const value = () => {
    const [key, ...rest] = select.value.split(" ");
    if (key === "human") return "human";
    if (key === "level") return { level: Number(rest[0]) };
    if (key === "engine") return { engine: rest.join(" ") };
    return { [key]: key === "visits" ? Math.max(1, Math.round(Number(amount.value))) : Number(amount.value) };
  };
  const element = h("div", { class: "field" }, h("label", { for: id }, named[color]), h("div", { class: "inputs" }, select, amount));
  return { element, value };
}

/** Asks who plays. */
function choosePlayers(model, actions) {
  const fields = COLORS.map((color) => playerField(model.hello, color, model.game.players[color]));
  const send = () => {
    actions.act({ players: { black: fields[0].value(), white: fields[1].value() } });
    dialog.close();
  };
  const dialog = openDialog(
    "Who plays",
    fields.map(({ element }) => element),
    [
      h("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { class: "button primary", type: "button", onclick: send }, "Set players"),
    ],
    true,
  );
}

function card(model, actions, color) {
  const { game, state, view } = model;
  const facts = [["captures", view.captures[color]]];
  if (view.hand) facts.push([view.hand.name, view.hand[color]]);
  const toMove = state.to_move === color && !state.over;
  return h(
    "button",
    {
      class: toMove ? "player to-move" : "player",
      type: "button",
      "data-color": color,
      title: "Change who plays",
      onclick: () => choosePlayers(model, actions),
    },
    h("span", { class: `disc ${color}`, "aria-hidden": "true" }),
    h("span", { class: "who" }, playerName(game.players[color])),
    h("span", { class: "colour" }, named[color]),
    h("dl", {}, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
  );
}

/** Keeps the cards of the players up to date. */
export function showPlayers(model, actions) {
  const show = () => {
    if (!model.game || !model.view) return;
    byId("players").replaceChildren(...COLORS.map((color) => card(model, actions, color)));
  };
  model.on("position game", show);
}
