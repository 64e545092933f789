// The widths and folds of the panels, which the browser remembers.

import { byId } from "./dom.js";
import { kept } from "./model.js";

/** The least width of the panels, in pixels. */
const LEAST = 270;

/** Pixels beside the board that are not its own: the divider and the margins. */
const MARGINS = 64;

/** The greatest width of the panels: the board keeps half of the window's shorter side. */
function greatest() {
  const [play, board] = [document.querySelector(".play"), byId("board")].map((part) => part.getBoundingClientRect());
  const beside = play.left < board.left ? play.width : 0;
  return Math.max(LEAST, innerWidth - beside - MARGINS - Math.max(320, 0.6 * Math.min(innerWidth, innerHeight)));
}

const KEY_STEP = 20;

export function showLayout(model) {
  const divider = byId("divider");
  const study = document.querySelector(".study");
  /** The share of the window that the panels have, or null for the usual one. */
  let share = kept.read("panels", (value) => value > 0 && value < 1);
  const fit = () => {
    const width = share === null ? null : Math.round(Math.min(Math.max(share * innerWidth, LEAST), greatest()));
    document.documentElement.style.setProperty("--study", width === null ? "" : `${width}px`);
    divider.setAttribute("aria-valuenow", String(width ?? study.clientWidth));
  };
  const set = (width) => {
    share = width === null ? null : Math.min(Math.max(width, LEAST), greatest()) / innerWidth;
    // The parts of the page that depend on its room follow, these widths first.
    dispatchEvent(new Event("resize"));
  };
  const keep = (width) => {
    set(width);
    kept.write("panels", share);
  };
  addEventListener("resize", fit);
  divider.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    divider.setPointerCapture(event.pointerId);
    const from = study.clientWidth + event.clientX;
    const move = ({ clientX }) => set(from - clientX);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("lostpointercapture", () => {
      divider.removeEventListener("pointermove", move);
      keep(study.clientWidth);
    }, { once: true });
  });
  divider.addEventListener("dblclick", () => keep(null));
  divider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: KEY_STEP, ArrowRight: -KEY_STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    keep(study.clientWidth + by);
  });
  const folded = new Set(kept.read("folded", Array.isArray) ?? []);
  const keepFold = (id, isOpen) => {
    if (isOpen) folded.delete(id);
    else folded.add(id);
    kept.write("folded", [...folded]);
  };
  for (const fold of document.querySelectorAll("details.fold")) {
    fold.open = !folded.has(fold.id);
    fold.addEventListener("toggle", () => keepFold(fold.id, fold.open));
  }
  const tabs = byId("fold-tabs");
  const openTabs = (isOpen) => {
    tabs.setAttribute("aria-expanded", String(isOpen));
    if (folded.has(tabs.id) === isOpen) keepFold(tabs.id, isOpen);
  };
  openTabs(!folded.has(tabs.id));
  tabs.addEventListener("click", () => openTabs(folded.has(tabs.id)));
  model.on("tab", (isChosen) => isChosen && openTabs(true));
  fit();
}
