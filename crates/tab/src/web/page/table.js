// The board of the game: it shows the position, animates turns, and makes steps of clicks and
// keys.

import { s } from "./dom.js";
import { Board } from "./board.js";
import { cell, STONES } from "./cells.js";
import { cellsOf } from "./geometry.js";
import { changeMarks, drawLinks, drawMarks } from "./marks.js";
import { Playback } from "./playback.js";

// A finger covers cells of less than this number of pixels, so the first touch is a preview.
const FINGER = 34;

export class Table {
  #hovered = null;
  #looks = 0;
  #pending = null;
  #touched = null;
  /** Whether the latest press was a touch: its words differ. */
  #byTouch = false;
  #sent = false;
  #dragged = null;

  /** `actions`: `play(move)`, `look(move)`, `toggleDead(point)`, `say(text)`. */
  constructor(model, container, actions) {
    this.model = model;
    this.container = container;
    this.actions = actions;
    this.board = new Board(container, { label: "Position" });
    this.playback = new Playback(this.board, (index) => model.emit("step", index));
    this.cursor = null;
    this.cursorShown = false;
    this.future = null;
    this.#listen();
    model.on("position", () => this.#newPosition());
    model.on("game arrangement", () => this.refresh());
    model.on("counting tree reviewed", () => this.refresh());
    model.on("mode", () => this.#modeChanged());
  }

  #listen() {
    const { container } = this;
    container.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch" && (event.movementX || event.movementY)) this.hideCursor();
      if (event.pointerType !== "touch") this.hover(this.board.pointAt(event.clientX, event.clientY));
    });
    // A finger leaves the board whenever it is lifted.
    container.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && this.hover(null));
    container.addEventListener("pointerdown", (event) => {
      this.#dragged = this.board.pointAt(event.clientX, event.clientY);
    });
    container.addEventListener("click", (event) => {
      const point = this.board.pointAt(event.clientX, event.clientY);
      if (point === null) return;
      this.hideCursor();
      this.#byTouch = event.pointerType === "touch";
      if (this.#byTouch && this.#looksFirst(point)) return;
      this.press(point, this.#dragged);
    });
  }

  /** Whether a touch only previews a move. */
  #looksFirst(point) {
    const across = this.board.geometry.viewBox.width;
    const small = this.container.clientWidth / across < FINGER;
    if (!small || this.model.counting || this.model.marking || this.#touched === point || this.#pending) return false;
    this.#touched = point;
    this.hover(point);
    return this.model.personToMove;
  }

  #newPosition() {
    const { model } = this;
    const { position } = model;
    this.#forget();
    this.actions.say("");
    this.future = null;
    this.playback.load(model.scene, position);
    const steps = position.consequences?.filter(({ points }) => points.length > 0) ?? [];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (position.played && position.before && steps.length > 1 && !document.hidden && !still) this.replay();
    else this.refresh();
  }

  #forget() {
    this.#pending = null;
    // No pointer rests where a finger has touched. A preview that loads is of an earlier position.
    if (this.#touched) this.#hovered = null;
    this.#touched = null;
    this.#looks++;
    this.board.overlay("ghosts", []);
  }

  replay() {
    for (const layer of ["marks", "search", "ghosts", "shading", "links"]) this.board.draw(layer, []);
    this.playback.play(this.model.arrangement, () => this.refresh());
  }

  showStep(index) {
    this.board.draw("marks", []);
    this.playback.showStep(index, this.model.arrangement);
  }

  /** Shows a position some turns ahead, or the present one with null. */
  showFuture(future) {
    this.future = future;
    this.playback.stop();
    this.refresh();
  }

  refresh() {
    const { model, board } = this;
    if (!model.state || !model.game) return;
    if (this.playback.running) this.playback.stop();
    const { future } = this;
    const scene = future ? { ...model.scene, board: future.board, voids: future.voids } : model.scene;
    board.show(scene, model.arrangement);
    this.container.classList.toggle("future", future !== null);
    if (future) drawMarks(board, { spreads: future.spreads });
    else drawMarks(board, this.#markedView(), model.counting?.dead ?? [], model.nodes.get(model.position?.node)?.marks, this.#captured(), this.#losses());
    board.draw("links", []);
    this.#drawCursor();
    model.emit("drawn");
    if (this.#hovered) this.hover(this.#hovered, true);
  }

  /** The stones whose capture has ended the game: points and symbols. */
  #captured() {
    const { outcome, position } = this.model;
    if (outcome?.how !== "rules" || !position.before) return [];
    const cells = cellsOf(position.before);
    const removed = position.consequences.filter(({ kind }) => kind === "remove").flatMap(({ points }) => points);
    return removed.map((point) => [point, cells.get(point)]);
  }

  /** The stones of this line whose losses are known; with teaching only those of the last turn. */
  #losses() {
    const { model, board } = this;
    if (!(model.dots ?? model.game.teaching) || model.counting) return [];
    const judged = model.lineTo(model.position.node).filter(({ id }) => model.losses.has(id));
    const shown = model.dots ? judged : judged.slice(-1);
    const points = new Map([...board.geometry.points()].map((point) => [board.geometry.name(point), point]));
    return shown.flatMap(({ id, caption, color }) => {
      const names = caption.match(/(?:(?:lower|upper|layer \d+) )?\b[A-Z]+\d+/g) ?? [];
      const stones = names.map((name) => points.get(name)).filter((point) => point && board.symbol(point) === STONES[color]);
      // The loss is that of the whole turn: one stone has its number.
      return stones.map((point, index) => [point, model.losses.get(id).loss, index > 0]);
    });
  }

  #markedView() {
    const { model } = this;
    return model.counting || model.state.over ? { last: model.view.last } : model.view;
  }

  #modeChanged() {
    this.#forget();
    if (this.#hovered) this.hover(this.#hovered, true);
    else if (this.model.marking) this.actions.previewMark(this.board, null);
  }

  hover(point, again = false) {
    if (point === this.#hovered && !again) return;
    this.#hovered = point;
    const look = ++this.#looks;
    const { model, board } = this;
    if (this.playback.running) return;
    this.#drawLinks(point);
    if (this.#pending && this.#pending.point !== point) this.#pending = null;
    if (model.marking && !this.future) {
      this.actions.previewMark(board, point);
      return;
    }
    if (point === null || this.future || model.counting || !model.personToMove) {
      board.overlay("ghosts", []);
      if (!again) this.actions.say("");
      return;
    }
    const chosen = this.#chosen(point);
    this.#drawGhost(point, chosen, []);
    // A resting pointer sends no request.
    if (again) return;
    const kind = chosen.kind ?? chosen.mode.kinds[0];
    this.actions.look({ at: { kind, point } }).then((seen) => {
      if (look !== this.#looks) return;
      if (seen.legal) {
        this.#drawGhost(point, chosen, seen.steps);
        this.actions.say(this.#sentence(point, chosen, seen.steps));
      } else {
        if (this.#couldBeMeant(point, chosen)) this.#drawRefusal(point);
        this.actions.say(this.#why(point, seen.why));
      }
    }, () => {});
  }

  /** The mode and kind of step that a click on a point means. */
  #chosen(point) {
    const mode = this.model.modes[this.model.mode];
    return { mode, kind: this.model.kindAt(point, mode) };
  }

  #couldBeMeant(point, { mode }) {
    return mode.confirm || this.#cell(point).open;
  }

  #sentence(point, { mode }, steps) {
    const texts = steps.slice(1, 4).map(({ text }) => text);
    const more = steps.length > 4 ? ` And ${steps.length - 4} more.` : "";
    const again = mode.confirm ? " Touch the point twice more to play." : " Touch the point again to play.";
    const asks = this.#touched === point ? again : mode.confirm ? " Click twice to play." : "";
    return `${mode.label} on ${this.board.geometry.name(point)}. ${texts.join(" ")}${more}${asks}`;
  }

  #cell(point) {
    const held = this.board.symbol(point);
    return this.model.hello.cells.find(({ symbol }) => symbol === held);
  }

  #ghostSymbol(mode) {
    return mode.leaves ?? STONES[this.model.state.to_move];
  }

  #drawGhost(point, { mode, kind }, steps) {
    if (kind === null) {
      this.board.overlay("ghosts", []);
      return;
    }
    const symbol = this.#ghostSymbol(mode);
    const pressed = this.#pending?.point === point ? "ghost pending" : "ghost";
    const ghost = s("g", { class: pressed }, cell(symbol, this.board.geometry, symbol === "*" ? "N" : undefined));
    this.board.overlay("ghosts", [[point, ghost], ...changeMarks(this.board, steps.slice(1))]);
  }

  #drawRefusal(point) {
    const d = "M-.17 -.17L.17 .17M.17 -.17L-.17 .17";
    const cross = [s("path", { class: "cross-under", d }), s("path", { class: "cross", d })];
    this.board.overlay("ghosts", [[point, ...cross]]);
  }

  #drawLinks(point) {
    const { links } = this.model.game ?? {};
    if (!links?.length) return;
    if (point === null) this.board.draw("links", []);
    else drawLinks(this.board, point, links, this.model.view?.groups ?? []);
  }

  /** Handles a click on a point; the pointer was pressed at `dragged`. */
  press(point, dragged = point) {
    const { model } = this;
    if (this.playback.running) this.playback.skip();
    if (this.future) {
      this.actions.say("This position is in the future. Move the slider back to play.");
      return;
    }
    if (model.marking) {
      this.actions.mark(point, this.board.symbol(point), dragged);
      if (this.#hovered) this.actions.previewMark(this.board, this.#hovered);
      return;
    }
    if (model.counting) {
      this.actions.toggleDead(point);
      return;
    }
    if (!model.personToMove) return;
    const chosen = this.#chosen(point);
    const { mode, kind } = chosen;
    if (kind !== null && mode.confirm && this.#pending?.point !== point) {
      // A preview that loads would replace the question.
      this.#looks++;
      this.#pending = { point };
      this.#hovered = point;
      this.#drawGhost(point, chosen, []);
      const name = this.board.geometry.name(point);
      const how = this.#byTouch ? "Touch the point again to confirm, or another point to keep the stone." : "Press the point again to confirm, or Escape to keep the stone.";
      this.actions.say(`${mode.label} ${name}? ${how}`, true);
      return;
    }
    this.#pending = null;
    // A second click before the answer is not a move of the other side.
    if (this.#sent) return;
    this.#sent = true;
    if (kind !== null) this.#drawGhost(point, chosen, []);
    const played = this.actions.play({ at: { kind: kind ?? mode.kinds[0], point } });
    played.catch(({ message }) => this.#refused(point, message)).finally(() => (this.#sent = false));
  }

  /** Why a point takes no step. */
  #why(point, reason) {
    const what = reason.startsWith("occupied") ? `there is already a ${this.#cell(point).name} here` : reason;
    const why = `${this.board.geometry.name(point)}: ${what}`;
    const closing = this.model.closingAt(point);
    if (closing) return `${why}. To place a stone here, choose ${closing.label} first.`;
    // A step that destroys a stone needs its mode, so that no stray click makes it.
    const other = this.model.modes.find((mode) => mode.confirm && this.model.kindAt(point, mode) !== null);
    return other && other !== this.model.modes[this.model.mode] ? `${why}. To ${other.name} it, choose ${other.label} (${other.key.toUpperCase()}) first.` : why;
  }

  #refused(point, why) {
    // A preview that loads would replace the refusal.
    this.#looks++;
    this.#drawRefusal(point);
    this.actions.say(this.#why(point, why), true);
  }

  /** Cancels a step that waits for a confirmation, or the forecast. */
  cancel() {
    if (this.playback.running) this.playback.skip();
    this.#forget();
    this.actions.say("");
    if (this.model.closing) {
      this.model.closing = false;
      this.model.emit("mode");
    }
    if (this.future) this.model.emit("present");
  }

  enter() {
    this.#byTouch = false;
    if (this.cursorShown && this.cursor) {
      this.press(this.cursor);
      return;
    }
    const { geometry } = this.board;
    if (!geometry) return;
    this.cursorShown = true;
    if (!this.cursor || !geometry.at(this.cursor)) this.cursor = geometry.middle();
    this.container.focus();
    this.#drawCursor();
    this.hover(this.cursor);
    this.model.emit("cursor", `Cursor on ${this.describe(this.cursor)}. Enter plays there; Escape hides the cursor.`);
  }

  /** Hides the cursor; returns false if it is hidden, or if something else can be cancelled. */
  hideCursor() {
    if (!this.cursorShown || this.#pending || this.future) return false;
    this.cursorShown = false;
    this.board.overlay("cursor", []);
    return true;
  }

  moveCursor(across, up) {
    const { geometry } = this.board;
    if (!geometry || !this.cursorShown) return;
    if (!this.cursor || !geometry.at(this.cursor)) this.cursor = geometry.middle();
    else if (across === 0 && up === 0) this.cursor = geometry.throughSheets(this.cursor);
    else this.cursor = geometry.step(this.cursor, across, up);
    this.#drawCursor();
    this.hover(this.cursor);
    this.model.emit("cursor", this.describe(this.cursor));
  }

  describe(point) {
    const void_ = this.model.state.voids?.find((each) => each.point === point);
    const arrow = void_ ? `, arrow ${void_.arrow}` : "";
    return `${this.board.geometry.name(point)}, ${this.#cell(point).name}${arrow}`;
  }

  #drawCursor() {
    if (!this.cursorShown || !this.cursor || !this.board.geometry?.at(this.cursor)) return;
    const box = () => s("rect", { x: -0.5, y: -0.5, width: 1, height: 1, rx: 0.1 });
    this.board.overlay("cursor", [[this.cursor, box(), box()]]);
  }
}
