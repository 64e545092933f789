// Puts the page together: the connection, the model, and the parts that show it.

import { button, byId, keepFocus } from "./dom.js";
import { definitions, named } from "./cells.js";
import { Analysis } from "./analysis.js";
import { Automatic } from "./automatic.js";
import { ClockFaces } from "./clocks.js";
import { ARRANGEMENTS, roomiest } from "./geometry.js";
import { Connection } from "./connection.js";
import { Editor } from "./editor.js";
import { showControls } from "./controls.js";
import { closeMessages, forgive, tell, tellRefusal } from "./dialog.js";
import { GameEnd } from "./ending.js";
import { Graph } from "./graph.js";
import { listenToKeys } from "./keys.js";
import { openLearn } from "./learn.js";
import { guestKey } from "./link.js";
import { Keeper } from "./keeper.js";
import { showLayout } from "./layout.js";
import { Marking } from "./marking.js";
import { kept, Model } from "./model.js";
import { practise } from "./mistakes.js";
import { openMyGames } from "./mygames.js";
import { openNewGame } from "./newgame.js";
import { againstLast, showPlayers } from "./players.js";
import { Records } from "./records.js";
import { Review } from "./review.js";
import { Sounds } from "./sounds.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";
import { showHeld } from "./teaching.js";
import { followTheme } from "./theme.js";
import { listenToWheel, showTree } from "./tree.js";
import { Forecast, showTurns, turnText } from "./turn.js";

document.body.append(definitions());
followTheme(byId("theme"));
document.body.classList.toggle("guest", Boolean(guestKey));

export const model = new Model();
export const sounds = new Sounds(model, byId("sound"));
let connection = null;

function say(text, asks = false) {
  const box = byId("saying");
  box.textContent = text;
  box.classList.toggle("asks", asks);
  if (asks) byId("live").textContent = text;
}

export const actions = {
  request: (command) => connection.request(command),
  /** Sends a command; shows a refusal, and then returns null. */
  act: (command) =>
    connection.request(command).catch((refused) => {
      tellRefusal(refused.message);
      return null;
    }),
  play: (move) => connection.request({ play: move }),
  async go(node) {
    const going = { node };
    model.going = going;
    const reply = await this.act({ go: { node } });
    if (model.going === going) model.going = null;
    return reply;
  },
  look: (move) => connection.request({ look: move }),
  mark: (point, held, dragged) => marking.use(point, held, dragged),
  block: (point) => editor.block(point),
  previewMark: (board, point) => marking.preview(board, point),
  toggleDead: (point) => gameEnd.toggle(point),
  say,
  /** Keeps a comment while it is typed; null when the engine has it. */
  keepTyped: (node, text) => keeper.type(node, text),
  async analyse(on) {
    if ((await this.act({ analysis: { on } })) === null) return;
    model.analysing = on;
    model.hinted = null;
    if (!on) model.analysis = null;
    model.emit("analysing");
    model.emit("analysis");
    if (on) tabs.choose("analysis");
  },
  setPace(milliseconds) {
    model.pace = milliseconds;
    kept.write("pace", milliseconds);
    return sendPace();
  },
  ponder(on) {
    model.pondering = on;
    model.emit("pondering");
    return sendPondering();
  },
  /** Plays on from this position: the person has the side to move, kawari the other. */
  async playFromHere() {
    const players = againstLast(model.state.to_move);
    if ((await this.act("play_on")) === null) return;
    await this.act({ players });
    byId("board").scrollIntoView({ block: "nearest" });
  },
  async hint() {
    const { position } = model;
    // A hint is a whole turn: within the turn it goes on.
    const { mid_turn: made = [] } = model.view;
    const hinted = made.length > 0 ? model.hinted : null;
    const best = hinted ?? (await this.act("hint"))?.best;
    if (!best || position !== model.position) return;
    model.hinted = hinted ?? { ...best, made };
    model.emit("analysis");
    sayHint();
  },
};

/** Names the steps of the hint that are not made yet. */
function sayHint() {
  const steps = model.hintedSteps;
  const pv = steps.filter(({ text }) => text !== "end");
  const words = [pv.length > 0 && turnText({ pv }), pv.length < steps.length && "End of turn"].filter(Boolean).join(", then ");
  say(`Hint: ${words}`);
  byId("live").textContent = `Hint: ${words}`;
}

/** Minimum milliseconds of an engine's reply, so that a person can follow. */
const REPLY = 600;

function sendPace() {
  return actions.act({ pace: { reply: REPLY, engines: model.pace } });
}

/** The engine ponders only while the page is visible. */
function sendPondering() {
  return actions.act({ ponder: { on: model.pondering && !document.hidden } });
}

document.addEventListener("visibilitychange", () => {
  if (model.pondering && model.connected) sendPondering();
});

export const table = new Table(model, byId("board"), actions);
const tabs = new Tabs(model);
const review = new Review(model, actions);
const forecast = new Forecast(model, table, actions);
showPlayers(model, actions);
showControls(model, actions);
showTurns(model, table);
showHeld(model, actions);
showTree(model, actions);
const marking = new Marking(model, actions, byId("panel-tree"));
listenToWheel(model, actions);
const clocks = new ClockFaces(model, actions, sounds);
export const keeper = new Keeper(model, actions, { review, clocks, save: () => records.saveFile() });
const records = new Records(model, actions, tabs, keeper);
clocks.onThaw = () => keeper.resume();
new Graph(model, actions, byId("graph"));
showLayout(model);
const analysis = new Analysis(model, table, actions);
const automatic = new Automatic(model, actions, keeper);
const gameEnd = new GameEnd(model, actions, {
  review() {
    tabs.choose("review");
    byId("panel-review").scrollIntoView({ block: "nearest" });
    review.run();
  },
  rematch: () => automatic.rematch(),
  save: () => records.saveFile(),
  newGame: () => newGame(),
});

byId("board").addEventListener("pointermove", (event) => {
  if (model.analysis) analysis.hoverPoint(table.board.pointAt(event.clientX, event.clientY));
});
model.on("cursor", (words) => {
  byId("live").textContent = words;
});

function changeArrangement() {
  if ((model.game?.sheets?.length ?? 1) < 2) return;
  const next = (ARRANGEMENTS.indexOf(model.arrangement) + 1) % ARRANGEMENTS.length;
  chooseArrangement(ARRANGEMENTS[next]);
}

function chooseArrangement(arrangement) {
  kept.write("arrangement", arrangement);
  arrange();
}

/** Places the layers as the person chose, or so that they fill the room. */
function arrange() {
  const box = byId("sheets");
  const several = (model.game?.sheets?.length ?? 1) > 1;
  box.hidden = !several;
  const chosen = kept.read("arrangement");
  const stage = document.querySelector(".stage");
  const arrangement = !several ? "beside" : ARRANGEMENTS.includes(chosen) ? chosen : roomiest(model.game, stage.clientWidth, innerHeight - 170);
  const changed = arrangement !== model.arrangement;
  model.arrangement = arrangement;
  const words = { beside: "Side by side", below: "In a column", aslant: "Stacked" };
  const choices = ARRANGEMENTS.map((each) => button(words[each], () => chooseArrangement(each), { "aria-pressed": String(each === arrangement) }));
  keepFocus(box, () => box.replaceChildren(...choices));
  if (changed) model.emit("arrangement");
}

model.on("game", arrange);
addEventListener("resize", () => model.game && arrange());

model.on("practise", (questions = keeper.questions()) => practise(model, actions, keeper.store, questions));

const learn = (what) => model.hello && openLearn(model, actions, keeper.store, what);
const editor = new Editor(model, actions, { keeper, marking, save: () => records.saveFile(), solve: (problem) => learn({ problem }) });
const myGames = () => model.hello && openMyGames(model, keeper, records, (problem) => learn({ problem }));
const newGame = () => model.hello && openNewGame(model, actions, { keeper, automatic, editor, learn, openGames: myGames });
byId("new-game").addEventListener("click", newGame);
byId("my-games").addEventListener("click", myGames);
byId("show-rules").addEventListener("click", () => learn());
listenToKeys({ model, actions, table, forecast, tabs, openNewGame: newGame, openMyGames: myGames, openRules: () => learn(), review, changeArrangement, marking });

const receive = {
  kept(event) {
    keeper.take(event);
    if (!event.reset) return;
    closeMessages();
    editor.resume();
    receive.edits({ undo: 0, redo: 0 });
  },
  edits({ undo, redo }) {
    model.edits = { undo, redo };
    model.emit("edits");
  },
  game(event) {
    model.game = event;
    if (!event.clock) clocks.show(null);
    if (event.friend?.acts) model.analysis = null;
    if (!event.teaching) model.held = null;
    model.mode = Math.min(model.mode, Math.max(model.modes.length - 1, 0));
    model.emit("game");
  },
  tree(event) {
    model.updateTree(event);
    if (event.reset && event.nodes.length === 1) tabs.begin();
    model.emit("tree");
  },
  state(event) {
    const moved = event.node !== model.position?.node;
    model.position = event;
    model.checkHint(moved);
    model.counting = event.agreed && { ...event.agreed, closed: true };
    model.held = null;
    model.closing = false;
    if (moved) model.analysis = null;
    model.ended = null;
    const turnEnded = event.played && !event.view.mid_turn?.length;
    if (turnEnded || model.mode >= model.modes.length) model.mode = 0;
    model.emit("position");
    forgive();
    if (model.hinted) sayHint();
    if (event.played) {
      announce(event);
      sounds.ofTurn(event.consequences);
    } else if (moved) {
      const { caption, comment } = model.nodes.get(event.node) ?? {};
      byId("live").textContent = [caption || "Start", comment].filter(Boolean).join(". ");
    }
  },
  thinking(event) {
    if (event.on) model.thinking = event;
    else if (model.thinking?.what === event.what) model.thinking = null;
    model.emit("thinking");
  },
  analysis(event) {
    if (event.node !== model.position?.node || !model.analysing) return;
    model.analysis = event;
    model.noteValue({ node: event.node, ...event.rootInfo });
    model.emit("analysis");
  },
  review(event) {
    model.noteValue(event);
    model.emit("review", event);
  },
  lost({ node, ...turn }) {
    model.losses.set(node, turn);
    model.emit("reviewed");
  },
  held(event) {
    model.held = event;
    model.emit("held");
  },
  message({ text }) {
    tell(text);
  },
  clock(event) {
    clocks.show(event);
    model.emit("thinking");
  },
  ended(event) {
    model.ended = event;
    model.emit("ended");
    if (["resigned", "time"].includes(event.how)) sounds.play("end");
  },
};

function announce({ view, consequences }) {
  // Some texts are sentences.
  const texts = (consequences ?? []).slice(0, 6).map(({ text }) => text.replace(/\.$/, ""));
  const { last } = view;
  byId("live").textContent = [last && `${named[last.color]} ${last.caption}`, ...texts.slice(1)].filter(Boolean).join(". ");
}

async function start() {
  model.connected = true;
  model.hello = await connection.request("hello");
  connection.longest = model.hello.limits.message;
  sendPace();
  // Games against the same opponent differ.
  actions.act({ seed: crypto.getRandomValues(new Uint32Array(1))[0] });
  // A friend on somebody else's server has the game of the mailbox.
  if (guestKey) {
    model.emit("connection");
    return records.friend.live.start();
  }
  if ((await records.openLink()) || (await keeper.resume())) {
    if (model.analysing) actions.analyse(true);
    if (model.pondering) sendPondering();
  } else {
    const [{ id, sizes }] = model.hello.variants;
    await actions.act({ new: { variant: id, width: sizes.first, height: sizes.first } });
    newGame();
  }
  model.emit("connection");
  records.friend.live.start();
}

connection = new Connection({
  open: () => start().catch((refused) => tell(refused.message)),
  closed() {
    keeper.leave();
    model.connected = false;
    model.thinking = null;
    model.emit("connection");
  },
  event: (event) => receive[event.event]?.(event),
});
