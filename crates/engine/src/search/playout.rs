//! Uniformly random playouts.

use crate::board::{Color, Owners, Point, Random};
use crate::rules::{AnyPosition, Position, Step, Variant};

/// The length of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutLength {
    /// All steps, passes included.
    pub steps: u32,
    /// Steps on a point: stones, nukes, tao stones.
    pub stones: u32,
}

/// Plays random steps until the game ends, at most three for each point of the board, since
/// playouts ignore superko.
#[inline]
pub fn playout<V: Variant>(position: &mut Position<V>, random: &mut Random) -> PlayoutLength {
    recorded_playout(position, random, None)
}

/// A [`playout`] that appends its steps to `record`. Not inlined, because it is large and has many
/// callers.
pub(super) fn recorded_playout<V: Variant>(
    position: &mut Position<V>,
    random: &mut Random,
    mut record: Option<&mut Vec<Step>>,
) -> PlayoutLength {
    let grid = position.board.grid();
    let limit = 3 * u32::from(grid.width()) * u32::from(grid.height());
    let mut played = PlayoutLength::default();
    while played.steps < limit && !position.situation.is_over() {
        let step = match V::winning_step(position) {
            Some(step) => step,
            None => V::random_step(position, random, |_, _, _| true),
        };
        let color = position.situation.to_move;
        position.make(color, step);
        played.steps += 1;
        played.stones += u32::from(step.point().is_some());
        if let Some(steps) = &mut record {
            steps.push(step);
        }
    }
    played
}

/// A playout that a client can show.
#[derive(Clone, Debug)]
pub struct PlayoutPreview {
    /// The steps, from the side to move on.
    pub steps: Vec<Step>,
    /// The result at the end, as `B+3`.
    pub score: String,
    owners: Owners,
}

impl PlayoutPreview {
    pub(super) fn new(start: &dyn AnyPosition, steps: Vec<Step>) -> PlayoutPreview {
        let mut end = start.boxed();
        for &step in &steps {
            let color = end.situation().to_move;
            end.make(color, step);
        }
        PlayoutPreview { owners: end.board().owners(), score: end.score().to_string(), steps }
    }

    /// The owner of a point at the end.
    pub fn owner(&self, point: Point) -> Option<Color> {
        self.owners.of(point)
    }
}
