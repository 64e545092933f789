// The automatic level: a win raises it, a loss lowers it.

import { otherSide } from "./cells.js";
import { tell } from "./dialog.js";
import { isRecord, kept } from "./model.js";
import { opponentOf } from "./teaching.js";

const FIRST = 3;

/** Endings that both players have accepted. */
const FINAL = ["resigned", "time", "rules", "agreed"];

function nextLevel(level, won, levels) {
  return Math.min(levels, Math.max(1, level + (won ? 1 : -1)));
}

export class Automatic {
  constructor(model, actions, keeper) {
    Object.assign(this, { model, actions, keeper });
    model.on("ended", () => this.#ended());
  }

  /** The level of a game by its results so far. */
  level(variant) {
    const level = Number(this.#levels[variant]);
    return level >= 1 && level <= this.model.hello.levels ? Math.round(level) : FIRST;
  }

  get #levels() {
    return kept.read("automatic", isRecord) ?? {};
  }

  /** Notes that the level of the game that has just begun follows its result. */
  begin() {
    this.keeper.note({ automatic: true });
  }

  #ended() {
    const { model, keeper } = this;
    const { ended, game, hello } = model;
    const level = opponentOf(game.players)?.level;
    const winner = { B: "black", W: "white" }[ended?.result[0]];
    if (!keeper.item?.automatic || !level || !winner || !FINAL.includes(ended.how)) return;
    const next = nextLevel(level, game.players[winner] === "human", hello.levels);
    kept.write("automatic", { ...this.#levels, [game.variant]: next });
    // A result counts once, whatever is taken back.
    keeper.note({ automatic: false, wasAutomatic: true });
    tell(next === level ? `The level stays at ${level}.` : `The level follows your results: the next opponent is level ${next}.`);
  }

  /** The same game with colours swapped; the opponent is of the level that follows. */
  async rematch() {
    const { keeper, model, actions } = this;
    const follows = keeper.item?.automatic || keeper.item?.wasAutomatic;
    if ((await actions.act("rematch")) === null || !follows) return;
    this.begin();
    const { players, variant } = model.game;
    const own = players.black === "human" ? "black" : "white";
    await actions.act({ players: { ...players, [otherSide(own)]: { level: this.level(variant) } } });
  }
}
