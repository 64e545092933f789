//! Uniformly random playouts.

use super::evaluator::Outcome;
use crate::board::{Color, Owners, Point, Random};
use crate::rules::{Game, Position, Scoring, Step, StepKind};

/// The findings of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playout {
    /// Steps on a point: stones, nukes, tao stones.
    pub stones: u32,
    /// The outcome. Under territory scoring players stop when one side passes, but a playout fills
    /// all points: stones after the first pass cost nothing.
    pub outcome: Outcome,
}

/// Plays random steps until the game ends, at most three for each point of the board, since
/// playouts ignore superko.
pub fn playout(position: &mut Position, random: &mut Random) -> Playout {
    recorded_playout(position, random, None)
}

/// A [`playout`] that appends its steps to `record`.
fn recorded_playout(
    position: &mut Position,
    random: &mut Random,
    mut record: Option<&mut Vec<Step>>,
) -> Playout {
    let grid = position.board.grid();
    let limit = 3 * u32::from(grid.width()) * u32::from(grid.height());
    let (mut steps, mut stones) = (0, 0);
    let (mut has_passed, mut free_stones) = (false, 0);
    while steps < limit && !position.situation.is_over() {
        let winning = position.winning_step();
        let step = winning.unwrap_or_else(|| position.random_step(random, &|_, _| true));
        let color = position.situation.to_move;
        position.make(color, step);
        steps += 1;
        stones += u32::from(step.point().is_some());
        has_passed |= step == Step::PASS;
        if has_passed && step.kind() == StepKind::STONE {
            free_stones += i32::from(color.sign());
        }
        if let Some(steps) = &mut record {
            steps.push(step);
        }
    }
    let outcome = match (position.situation.rules.scoring, position.situation.ending) {
        (Scoring::Territory, None) => Outcome::counted(position.margin() + f64::from(free_stones)),
        _ => Outcome::at_end(position),
    };
    Playout { stones, outcome }
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
    /// A playout from the current position.
    pub fn new(game: &Game, seed: u64) -> PlayoutPreview {
        let (mut end, mut steps) = (game.position().boxed(), Vec::new());
        recorded_playout(&mut end, &mut Random::new(seed), Some(&mut steps));
        PlayoutPreview { owners: end.board.owners(), score: end.score().to_string(), steps }
    }

    /// The owner of a point at the end.
    pub fn owner(&self, point: Point) -> Option<Color> {
        self.owners.of(point)
    }
}
