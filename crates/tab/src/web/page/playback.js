// The effects of a turn, played on the board as small steps.

/** How what a consequence does to a point is animated. */
const EFFECTS = { place: "drop", flip: "turn-over", solid: "open" };

const STEP = 260;
const LONGEST = 2600;

function applyConsequence(board, { kind, points, symbol }, animated = true) {
  for (const point of points) board.set(point, symbol, symbol === "*" ? "N" : undefined, animated ? EFFECTS[kind] : undefined);
}

/** Plays the consequences of a position on a board, from the board before it. */
export class Playback {
  #timer = null;

  /** Calls `onStep(index)` for every step that it shows, and with null at the end. */
  constructor(board, onStep) {
    this.board = board;
    this.onStep = onStep;
    this.scene = null;
    this.consequences = [];
  }

  get running() {
    return this.#timer !== null;
  }

  load(scene, position) {
    this.stop();
    this.scene = scene;
    this.position = position;
    this.consequences = position.consequences ?? [];
  }

  play(arrangement, done) {
    this.stop();
    this.done = done;
    this.arrangement = arrangement;
    const shown = this.consequences.filter(({ points }) => points.length > 0).length;
    const pace = Math.min(STEP, LONGEST / Math.max(shown, 1));
    this.#showBefore();
    const next = (index) => {
      if (index >= this.consequences.length) {
        this.skip();
        return;
      }
      const consequence = this.consequences[index];
      applyConsequence(this.board, consequence);
      this.onStep(index);
      this.#timer = setTimeout(() => next(index + 1), consequence.points.length > 0 ? pace : 0);
    };
    next(0);
  }

  #showBefore() {
    const { before } = this.position;
    if (!before) return;
    // The voids that were there keep the arrows that they have on the board.
    const arrows = [...this.board.shown].flatMap(([point, { symbol, direction }]) =>
      symbol === "*" && direction ? [{ point, arrow: direction }] : [],
    );
    this.board.show({ ...this.scene, board: before, voids: arrows }, this.arrangement);
  }

  showStep(index, arrangement) {
    this.stop();
    this.arrangement = arrangement;
    this.#showBefore();
    for (const consequence of this.consequences.slice(0, index + 1)) applyConsequence(this.board, consequence, false);
    this.onStep(index);
  }

  skip() {
    this.stop();
    const done = this.done;
    this.done = null;
    this.onStep(null);
    done?.();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
