// The cards of the two players.

import { button, byId, h } from "./dom.js";
import { COLORS, named, otherSide } from "./cells.js";
import { openDialog } from "./dialog.js";
import { choice, field } from "./fields.js";
import { isRecord, kept } from "./model.js";

/** The side of the board on which the ranks of levels were measured. */
export const RANKED = 9;

export function playerName(player) {
  if (player === "human") return "Person";
  if (player === "friend") return "Your friend";
  if (player.level !== undefined) return `kawari, level ${player.level}`;
  if (player.seconds !== undefined) return `kawari, full strength, ${player.seconds} s a move`;
  return `kawari, ${player.visits} positions per move`;
}

/** The name of a player: from the record, or `You` against an engine. */
export function nameIn({ players, header }, color) {
  const name = [header?.[color], header?.[`${color}_rank`]].filter(Boolean).join(" ");
  if (typeof players[color] === "string" && name) return name;
  if (players[color] !== "human") return playerName(players[color]);
  return players[otherSide(color)] === "human" ? "Person" : "You";
}

/** The highest level is full strength, for as many seconds per move as the person wants. */
function optionsOf(hello, { withPerson, withFriend, ranks, automatic }) {
  const levels = Array.from({ length: hello.levels - 1 }, (_, index) => index + 1);
  const name = (level) => hello.level_names[level - 1] + (ranks[level - 1] ? `, ${ranks[level - 1].replace("about ", "~")}` : "");
  return [
    ...(withPerson ? [["human", "A person"]] : []),
    ...(withFriend ? [["friend", hello.invitations ? "A friend elsewhere" : "A friend elsewhere, by link"]] : []),
    ...(automatic ? [["automatic", `Follows your results: now level ${automatic}`]] : []),
    ...levels.map((level) => [`level ${level}`, `${level}: ${name(level)}`]),
    ["seconds", `${hello.levels}: ${name(hello.levels)}, seconds per move`],
    ["visits", "kawari, positions searched per move"],
  ];
}

function kindOf(player, hello) {
  if (typeof player === "string") return player;
  const [[key, value]] = Object.entries(player);
  if (key === "level" && value === hello.levels) return "seconds";
  return key === "level" ? `level ${value}` : key;
}

export function playerField(hello, label, player, { withPerson = true, withFriend = false, ranks = [], automatic = null } = {}) {
  const select = choice(optionsOf(hello, { withPerson, withFriend, ranks, automatic }), automatic && player.automatic ? "automatic" : kindOf(player, hello));
  if (select.value === "") select.value = "level 3";
  const amount = h("input", { type: "number", min: 0.1, step: "any", "aria-label": `Amount for ${label}` });
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
    const [key, level] = select.value.split(" ");
    if (key === "human" || key === "friend") return key;
    if (key === "automatic") return { level: automatic };
    if (key === "level") return { level: Number(level) };
    return { [key]: key === "visits" ? Math.max(1, Math.round(Number(amount.value))) : Number(amount.value) };
  };
  return { element: field(label, [select, amount]).element, value, isAutomatic: () => select.value === "automatic" };
}

/** The players if a person has one side, and the engine that was chosen last the other. */
export function againstLast(own) {
  const last = kept.read("choices", isRecord)?.shared?.opponent;
  const opponent = typeof last === "object" ? last : { level: 3 };
  return { black: opponent, white: opponent, [own]: "human" };
}

/** Opens the dialog for the players. `begin(players)` starts a game, and returns why not, or null. */
export function choosePlayers(model, actions, { players = model.game.players, begin = null } = {}) {
  if (model.game.friend) return;
  const set = (chosen) => actions.request({ players: chosen }).then(() => null, ({ message }) => message);
  const { width, height } = model.state;
  const ranks = width === RANKED && height === RANKED ? model.variant?.level_ranks : [];
  const fields = COLORS.map((color) => playerField(model.hello, named[color], players[color], { ranks, withFriend: begin !== null }));
  const error = h("p", { class: "field-error grow", role: "alert" });
  const send = async () => {
    const refused = await (begin ?? set)({ black: fields[0].value(), white: fields[1].value() });
    error.textContent = refused ?? "";
    if (!refused) dialog.close();
  };
  const dialog = openDialog(
    "Who plays",
    fields.map(({ element }) => element),
    [
      error,
      button("Cancel", () => dialog.close()),
      button("Set players", send, { class: "primary" }),
    ],
    "narrow",
  );
}

function card(model, actions, color) {
  const { game, state, view } = model;
  const facts = model.variant?.captures_flip ? [] : [["captures", state.captures[color]]];
  if (view.hand) facts.push([view.hand, state.hand[color]]);
  const toMove = state.to_move === color && !model.outcome;
  return h(
    "button",
    {
      class: toMove ? "player to-move" : "player",
      "data-color": color,
      title: "Change who plays",
      onclick: () => choosePlayers(model, actions),
    },
    h("span", { class: `disc ${color}`, "aria-hidden": "true" }),
    h("span", { class: "who", dir: "auto" }, nameIn(game, color)),
    h("span", { class: "clock", hidden: true }),
    h("span", { class: "colour" }, named[color]),
    h("dl", {}, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
  );
}

export function showPlayers(model, actions) {
  const show = () => {
    if (!model.game || !model.view) return;
    byId("players").replaceChildren(...COLORS.map((color) => card(model, actions, color)));
  };
  model.on("position game ended", show);
}
