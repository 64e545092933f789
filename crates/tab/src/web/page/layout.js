// The widths and folds of the panels, which the browser remembers.

import { byId } from "./dom.js";
import { kept } from "./model.js";

/** The least and greatest width of the panels, in pixels; the board keeps the rest of the window. */
const LEAST = 270;
const greatest = () => Math.max(LEAST, innerWidth - 560);

const KEY_STEP = 20;

export function showLayout(model) {
  const divider = byId("divider");
  const study = document.querySelector(".study");
  const set = (width) => {
    const chosen = width === null ? null : Math.round(Math.min(Math.max(width, LEAST), greatest()));
    document.documentElement.style.setProperty("--study", chosen === null ? "" : `${chosen}px`);
    divider.setAttribute("aria-valuenow", String(chosen ?? study.clientWidth));
    dispatchEvent(new Event("resize"));
    return chosen;
  };
  const keep = (width) => kept.write("study", set(width));
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
  const folded = new Set(kept.read("folded") ?? []);
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
  set(kept.read("study") ?? null);
}
