// The loss of a turn as a colour and in writing.

/**
 * Percent of win rate that count as a point in a game without points: there a lead is that
 * in win rate. The server has the same number.
 */
const PERCENT_A_POINT = 5;

/** Minimum loss of a turn that the graph and the tree mark, in points. */
export const MARKED = 1;

let counted = true;

export function showPoints(has) {
  counted = has;
}

/** Points lost up to which a turn has each colour, the best first. */
const STEPS = [0.5, 1.5, 3, 6, 12];

/** The class of the colour for points lost: `loss-0` is good, `loss-5` is a blunder. */
export function lossClass(loss) {
  const step = STEPS.findIndex((most) => loss < most);
  return `loss-${step < 0 ? STEPS.length : step}`;
}

/** Points lost in at most four letters. */
export function lossText(loss) {
  if (!counted) return `−${Math.round(PERCENT_A_POINT * loss)}%`;
  if (loss < 0.05) return "0";
  return loss < 9.95 ? `−${loss.toFixed(1)}` : `−${Math.round(loss)}`;
}

/** Points that a move of a report loses against the best one; never negative. */
export function lossOf(move, best) {
  const lost = best.scoreLead - move.scoreLead;
  return Math.max(0, move.move.color === "black" ? lost : -lost);
}

export function scoreText(lead) {
  if (!counted) return `${lead < 0 ? "W" : "B"} ${Math.round(50 + PERCENT_A_POINT * Math.abs(lead))}%`;
  const points = Math.abs(lead).toFixed(1);
  return points === "0.0" ? "even" : `${lead > 0 ? "B" : "W"}+${points}`;
}

export function lossWords(loss, has = counted) {
  return has ? `${loss.toFixed(1)} points` : `${Math.round(PERCENT_A_POINT * loss)}% of its chance to win`;
}
