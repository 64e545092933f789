// The state of the page: the latest events of the server, and the choices of the person.

import { firstTurn } from "./turn.js";

/** `on(topic, action)` adds a listener, `emit(topic)` calls the listeners. */
export class Model {
  #listeners = new Map();

  constructor() {
    this.hello = null;
    /** The latest `game` event: variant, size, sheets, links, players. */
    this.game = null;
    /** The latest `state` event: node, state, view, consequences. */
    this.position = null;
    /** The requested position that is not shown yet, `{node}`, or null. */
    this.going = null;
    this.nodes = new Map();
    this.analysis = null;
    this.analysing = false;
    /** Whether the engine searches on the time of the person. */
    this.pondering = false;
    this.thinking = null;
    this.ended = null;
    /** The count with the stones that are marked as dead, or null. */
    this.counting = null;
    /** The mark or stone that a click puts on the board instead of a move, or null. */
    this.marking = null;
    /** What the position editor waits for: a `position`, an `answer` to a problem, or null. */
    this.editing = null;
    /** Numbers of edits of the record that can be undone and redone. */
    this.edits = { undo: 0, redo: 0 };
    /** Number of games so far; each has its own nodes. */
    this.games = 0;
    /** Losses of turns by a review, by their nodes. */
    this.losses = new Map();
    /** The mistake of a review that the board shows with a better turn, or null. */
    this.mistake = null;
    /** The move that a teacher puts on hold, or null. */
    this.held = null;
    /** The turn of a hint, with its line of play and the points `made` before it, or null. */
    this.hinted = null;
    this.mode = 0;
    /** Whether a click makes the step that ends a turn of several steps. */
    this.closing = false;
    this.lostOnTime = null;
    /** Minimum time of a move of two engines, in milliseconds. */
    this.pace = kept.read("pace", (pace) => pace >= 0 && pace <= 5000) ?? 1000;
    /** Whether played stones show the points that they lost; null in games with teaching only. */
    this.dots = kept.read("dots", (dots) => typeof dots === "boolean");
    this.arrangement = "beside";
    this.connected = false;
  }

  on(topic, action) {
    for (const each of topic.split(" ")) {
      if (!this.#listeners.has(each)) this.#listeners.set(each, []);
      this.#listeners.get(each).push(action);
    }
  }

  emit(topic, detail) {
    for (const action of this.#listeners.get(topic) ?? []) action(detail);
  }

  get variant() {
    return this.hello?.variants.find(({ id }) => id === this.game?.variant) ?? null;
  }

  /**
   * The choices for a click. The step that ends a turn of several steps needs its button first.
   */
  get modes() {
    const modes = this.variant?.modes ?? [];
    const closing = this.view?.mid_turn?.length > 0 ? this.view.closing : null;
    if (!closing) return modes;
    const clicked = (mode) => mode.kinds.filter((kind) => (kind === closing.kind) === this.closing);
    return modes
      .map((mode) => ({ ...mode, label: this.closing ? closing.label : mode.label, kinds: clicked(mode) }))
      .filter(({ kinds }) => kinds.length > 0);
  }

  /** The step that would end the turn on a point if its button were pressed, or null. */
  closingAt(point) {
    const { closing } = this.view ?? {};
    if (!closing?.possible || this.closing) return null;
    return (this.#mask(point) >> closing.kind) & 1 ? closing : null;
  }

  get state() {
    return this.position?.state ?? null;
  }

  /** The steps of the hint that the unfinished turn does not have yet. */
  get hintedSteps() {
    const made = this.view?.mid_turn ?? [];
    return firstTurn(this.hinted?.pv ?? []).filter(({ at }) => !made.includes(at));
  }

  /** Forgets the hint, unless the unfinished turn has the steps before it, and others that it names. */
  checkHint(moved) {
    if (!this.hinted) return;
    const { pv, made } = this.hinted;
    const now = this.view.mid_turn ?? [];
    const named = [...made, ...firstTurn(pv).map(({ at }) => at)];
    if (moved || !now.every((at) => named.includes(at)) || !made.every((at) => now.includes(at))) this.hinted = null;
  }

  /** `move` or `turn`. */
  get turnName() {
    return this.variant?.turn_name ?? "move";
  }

  /** The end of the game at this position, by the rules, on the clock or in the record, or null. */
  get outcome() {
    return this.ended ?? this.position?.outcome ?? null;
  }

  get view() {
    return this.position?.view ?? null;
  }

  /** The state with the sheets of the game, as a board draws it. */
  get scene() {
    return this.state && { ...this.state, sheets: this.game?.sheets };
  }

  get mover() {
    return this.game?.players[this.state?.to_move];
  }

  get trying() {
    return this.position !== null && this.position.node !== this.position.live;
  }

  /** Whether a person is to move and may: in a variation, for both sides. */
  get personToMove() {
    const may = this.editing ? this.editing === "answer" : this.trying || (this.mover === "human" && !this.lostOnTime);
    return this.connected && may && !this.state?.over && this.thinking?.what !== "genmove";
  }

  get awaitsSearch() {
    return this.thinking !== null && !["analysis", "ponder"].includes(this.thinking.what);
  }

  get mayPonder() {
    const players = Object.values(this.game?.players ?? {});
    const couldPonder = (player) => player.seconds !== undefined || player.visits !== undefined || player.level === this.hello?.levels;
    return players.includes("human") && players.some(couldPonder);
  }

  /** The first kind of step of a mode that is legal on a point, or null. */
  kindAt(point, mode = this.modes[this.mode]) {
    const mask = this.#mask(point);
    const kind = mode?.kinds.find((each) => (mask >> each) & 1);
    return kind ?? null;
  }

  #mask(point) {
    const rows = this.view?.legal ?? [];
    const letter = point.charCodeAt(0) - 65;
    const row = rows[rows.length - Number(point.slice(1))] ?? "";
    return Number.parseInt(row[letter > 8 ? letter - 1 : letter] ?? "0", 32) || 0;
  }

  lineTo(id) {
    const line = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) line.push(node);
    return line.reverse();
  }

  get root() {
    // The first node of a game is its root.
    return this.nodes.values().next().value;
  }

  /** The way to a node that another session finds, too: which child is next, from the root on. */
  pathTo(id) {
    const line = this.lineTo(id);
    return line.slice(1).map((node, index) => line[index].children.indexOf(node.id));
  }

  /** The node at the end of a path; undefined if there is no such node. */
  along(path) {
    return path.reduce((node, index) => this.nodes.get(node?.children[index]), this.root);
  }

  /** The line through the current node: to it, and on to the end of the game or variation. */
  get line() {
    return this.lineThrough(this.position?.node);
  }

  /** The line through a node: from there towards the head of the game, or along first children. */
  lineThrough(id) {
    const line = this.lineTo(id);
    const towards = new Set(this.lineTo(this.position?.live).map((node) => node.id));
    for (let last = line.at(-1); last?.children.length > 0; line.push(last)) {
      last = this.nodes.get(last.children.find((id) => towards.has(id)) ?? last.children[0]);
      if (!last) break;
    }
    return line;
  }

  /** Notes the value of a node, unless a longer search has given one. */
  noteValue({ node, winrate, scoreLead, visits }) {
    const entry = this.nodes.get(node);
    if (entry && !(entry.value?.visits > visits)) entry.value = { winrate, scoreLead, visits };
  }

  updateTree({ reset, nodes, removed }) {
    if (reset) this.nodes.clear();
    for (const id of removed ?? []) this.nodes.delete(id);
    if (reset) this.games++;
    for (const node of nodes) this.nodes.set(node.id, node);
  }
}

/** The result of `action`, or `otherwise` where it fails, as with a full storage. */
export function tried(action, otherwise) {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Whether a value that is kept is a record of named values. */
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const PREFIX = "kawari.";

export const kept = {
  /** The value, or null unless it `fits`: others may have written it. */
  read(key, fits = () => true) {
    const value = tried(() => JSON.parse(localStorage.getItem(PREFIX + key)), null);
    return value !== null && tried(() => fits(value), false) ? value : null;
  },
  /** Returns whether the value is kept. */
  write: (key, value) => tried(() => localStorage.setItem(PREFIX + key, JSON.stringify(value)) ?? true, false),
  remove: (key) => tried(() => localStorage.removeItem(PREFIX + key)),
  keys: (prefix) => tried(() => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(PREFIX.length)), []),
};
