// Light and dark: as the system has it, until the person chooses.

import { kept } from "./model.js";

/** Applies the chosen theme and lets a button change it. */
export function followTheme(button) {
  const root = document.documentElement;
  const chosen = kept.read("theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  button.addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    root.dataset.theme = next;
    kept.write("theme", next);
  });
}
