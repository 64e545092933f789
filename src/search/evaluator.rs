//! The seam between the tree and what judges positions.

use super::knobs::Knobs;
use super::playout::playout;
use crate::board::{Board, Cell, Color, Lattice, Point, PointMap, Random};
use crate::rules::{Ending, Position, Scoring, Step, Variant};
use std::fmt::Debug;

/// How a game ends, or is expected to end, seen by Black.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Chance that Black wins, 0 to 1; a draw counts half.
    pub win: f32,
    /// Black's points less White's.
    pub margin: f32,
}

impl Outcome {
    /// The outcome of a game that ended by count with this margin.
    #[inline]
    pub fn counted(margin: f64) -> Outcome {
        let win = match margin {
            _ if margin > 0.0 => 1.0,
            _ if margin < 0.0 => 0.0,
            _ => 0.5,
        };
        Outcome {
            win,
            margin: margin as f32,
        }
    }

    /// The outcome of a game that is over.
    #[inline]
    pub fn of<V: Variant>(position: &Position<V>) -> Outcome {
        match position.ending {
            Some(Ending::Draw) => Outcome::counted(0.0),
            Some(Ending::Resigned(loser)) => Outcome {
                win: f32::from(u8::from(loser == Color::White)),
                margin: 0.0,
            },
            Some(Ending::Full) | None => Outcome::counted(position.margin()),
        }
    }

    /// What the tree maximises for Black, 0 to 1: the win, and a little of
    /// the margin so that won games are won cleanly and lost ones fought.
    #[inline]
    pub(super) fn value(self, knobs: &Knobs) -> f32 {
        // A quotient bends like a hyperbolic tangent and is exact everywhere.
        let bent = self.margin / (self.margin.abs() + knobs.margin_scale);
        let share = knobs.margin_share;
        self.win * (1.0 - share) + (bent + 1.0) / 2.0 * share
    }

    /// The same outcome seen by `color`.
    #[inline]
    pub(super) fn seen_by(self, color: Color) -> Outcome {
        match color {
            Color::Black => self,
            Color::White => Outcome {
                win: 1.0 - self.win,
                margin: -self.margin,
            },
        }
    }
}

/// What happened on the way to an outcome: every step, from the root of the
/// search on, and over all searches whose the points became.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps and who made them, in order.
    pub steps: Vec<(Color, Step)>,
    /// What the points became.
    pub ends: Ends,
}

/// Whose the points became at the ends of games.
#[derive(Clone, Debug)]
pub struct Ends {
    /// How often each point ended as Black's, less how often as White's.
    owned: PointMap<i32>,
    /// The number of ends.
    count: u32,
}

impl Default for Ends {
    fn default() -> Self {
        Ends {
            owned: PointMap::filled(0),
            count: 0,
        }
    }
}

impl Ends {
    /// Notes whose the points are on a board that has been played to the end:
    /// nothing is empty but eyes.
    #[inline]
    pub fn note<L: Lattice>(&mut self, board: &Board<L>) {
        self.count += 1;
        for point in board.grid().span() {
            self.owned[point] += match board.cell(point) {
                Cell::Black => 1,
                Cell::White => -1,
                Cell::Empty => {
                    i32::from(board.touches(point, Color::Black))
                        - i32::from(board.touches(point, Color::White))
                }
                Cell::Tao | Cell::Void | Cell::Wall => 0,
            };
        }
    }

    /// Whose a point became on average: +1 always Black's, -1 always White's.
    pub fn mean_owner(&self, point: Point) -> f32 {
        self.owned[point] as f32 / self.count.max(1) as f32
    }

    /// Whether no end was noted.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds what was noted between two looks at the same ends.
    pub(super) fn add(&mut self, points: impl Iterator<Item = Point>, before: &Ends, after: &Ends) {
        self.count += after.count - before.count;
        for point in points {
            self.owned[point] += after.owned[point] - before.owned[point];
        }
    }
}

/// Judges positions and steps for the tree, which asks nothing else.
pub trait Evaluator<V: Variant>: Debug + Send {
    /// Whether priors know that an eye is rarely to be filled: then the tree
    /// looks at that too, for now and then it is the only way.
    fn knows_eyes(&self) -> bool;

    /// Writes a weight for each of `steps`, all legal for the side to move,
    /// into the empty `priors`: what the search's exploration is shared by.
    /// `before` is where the turn before the latest was placed.
    fn priors(
        &mut self,
        position: &Position<V>,
        before: Point,
        steps: &[Step],
        priors: &mut Vec<f32>,
    );

    /// The expected outcome of a position that is not over; `trace` ends with
    /// the step that led to it.
    fn value(&mut self, position: &Position<V>, random: &mut Random, trace: &mut Trace) -> Outcome;
}

/// Knows nothing: all steps are alike, and a position is worth what one
/// random playout makes of it.
#[derive(Clone, Debug)]
pub struct RandomPlayouts<V: Variant> {
    scratch: Position<V>,
}

impl<V: Variant> RandomPlayouts<V> {
    /// An evaluator for positions of the game of `position`.
    pub fn new(position: &Position<V>) -> Self {
        RandomPlayouts {
            scratch: position.clone(),
        }
    }
}

impl<V: Variant> Evaluator<V> for RandomPlayouts<V> {
    fn knows_eyes(&self) -> bool {
        false
    }

    fn priors(&mut self, _: &Position<V>, _: Point, steps: &[Step], priors: &mut Vec<f32>) {
        // Between a sum of one, which never looks at most steps of a large
        // board, and a mean of one, which hardly looks twice at any.
        priors.resize(steps.len(), 1.0 / (steps.len() as f32).sqrt());
    }

    #[inline]
    fn value(&mut self, position: &Position<V>, random: &mut Random, trace: &mut Trace) -> Outcome {
        self.scratch.copy_from(position);
        playout(&mut self.scratch, random);
        trace.ends.note(&self.scratch.board);
        Outcome::of(&self.scratch)
    }
}

/// Counts what a playout that fills every point gives away once one side has
/// nothing left to do: where empty points count, the other would stop too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filling {
    passed: bool,
    surplus: i32,
}

impl Filling {
    /// Notes a step of a playout.
    #[inline]
    pub(super) fn note(&mut self, color: Color, step: Step) {
        match step {
            Step::Pass => self.passed = true,
            Step::Stone(_) if self.passed => {
                self.surplus += match color {
                    Color::Black => 1,
                    Color::White => -1,
                };
            }
            _ => {}
        }
    }

    /// The outcome at the end of the playout.
    #[inline]
    pub(super) fn outcome<V: Variant>(self, end: &Position<V>) -> Outcome {
        match (end.rules.scoring, end.ending) {
            (Scoring::Territory, None) => Outcome::counted(end.margin() + f64::from(self.surplus)),
            _ => Outcome::of(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;
    use crate::search::Knobs;

    #[test]
    fn a_value_is_mostly_the_win() {
        let weights = Knobs::default();
        let value = |margin| Outcome::counted(margin).value(&weights);
        assert_eq!(value(0.0), 0.5);
        assert!(value(0.5) > 0.5 + 0.4 && value(100.0) > value(0.5) && value(100.0) < 1.0);
        assert!((value(7.0) + value(-7.0) - 1.0).abs() < 1e-6);
    }
}
