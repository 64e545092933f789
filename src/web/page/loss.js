// How much a turn loses, as a colour and in writing.

/** Points lost up to which a turn has each colour, the best first. */
const STEPS = [0.5, 1.5, 3, 6, 12];

/** The class of the colour for points lost: `loss-0` is good, `loss-5` is a blunder. */
export function lossClass(loss) {
  const step = STEPS.findIndex((most) => loss < most);
  return `loss-${step < 0 ? STEPS.length : step}`;
}

/** Points lost in at most four letters. */
export function lossText(loss) {
  if (loss < 0.05) return "0";
  return loss < 9.95 ? `−${loss.toFixed(1)}` : `−${Math.round(loss)}`;
}

/** A score as players write it. */
export function scoreText(margin) {
  const points = Math.abs(margin).toFixed(1);
  return points === "0.0" ? "even" : `${margin > 0 ? "B" : "W"}+${points}`;
}
