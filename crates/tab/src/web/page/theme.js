// Light and dark: the choice of the person, or the system's.

import { kept } from "./model.js";

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
