//! The seam between the tree and what judges positions.

use super::options::Weights;
use super::playout::playout;
use crate::board::{Color, Random};
use crate::rules::{Ending, Position, Step, Variant};

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
    /// the margin so that won games are won cleanly.
    #[inline]
    pub(super) fn value(self, weights: &Weights) -> f32 {
        // A quotient bends like a hyperbolic tangent and is exact everywhere.
        let bent = self.margin / (self.margin.abs() + weights.margin_scale);
        let share = weights.margin_share;
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

/// Judges positions and steps for the tree, which asks nothing else.
pub trait Evaluator<V: Variant> {
    /// Writes a weight for each of `steps`, all legal for the side to move,
    /// into the empty `priors`: not negative, of any sum.
    fn priors(&mut self, position: &Position<V>, steps: &[Step], priors: &mut Vec<f32>);

    /// The expected outcome of a position that is not over.
    fn value(&mut self, position: &Position<V>, random: &mut Random) -> Outcome;
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

    /// The end of a random playout from `position`.
    #[inline]
    pub(super) fn play_out(&mut self, position: &Position<V>, random: &mut Random) -> &Position<V> {
        self.scratch.copy_from(position);
        playout(&mut self.scratch, random);
        &self.scratch
    }
}

impl<V: Variant> Evaluator<V> for RandomPlayouts<V> {
    fn priors(&mut self, _: &Position<V>, steps: &[Step], priors: &mut Vec<f32>) {
        priors.resize(steps.len(), 1.0);
    }

    #[inline]
    fn value(&mut self, position: &Position<V>, random: &mut Random) -> Outcome {
        Outcome::of(self.play_out(position, random))
    }
}
