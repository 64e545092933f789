//! The solver of the library, as tests ask it.

use crate::laws::lead;
use kawari::board::Color;
use kawari::rules::{Game, Step};
use kawari::solve::{Goal, Solution, SolveSettings, forces, solve};

/// Positions that the solver looks at, for each question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub positions: u64,
}

impl Limits {
    fn settings(self, mover: Color) -> SolveSettings {
        SolveSettings {
            positions: self.positions,
            to_move: Some(mover),
            ..SolveSettings::default()
        }
    }
}

/// The bounds of a side in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It forces more than a draw.
    Win,
    /// Both sides force a draw.
    Draw,
    /// The other side forces more than a draw.
    Loss,
    /// Nothing was proven.
    Unknown,
}

/// What `side` makes of the position with `mover` to move, if a margin of
/// `line` were a draw; komi counts.
pub fn outcome(game: &Game, mover: Color, (side, line): (Color, f64), limits: Limits) -> Outcome {
    let ask = |side, half_points: f64| {
        let goal = Goal { side, at_least: half_points as i32 };
        forces(game, goal, limits.settings(mover), &|| false)
    };
    let more = |line: f64| (2.0 * line).floor() + 1.0;
    match ask(side, more(line)) {
        Some(true) => return Outcome::Win,
        None => return Outcome::Unknown,
        Some(false) => {}
    }
    match ask(!side, more(-line)) {
        Some(true) => return Outcome::Loss,
        None => return Outcome::Unknown,
        Some(false) => {}
    }
    let as_much = |side, line: f64| ask(side, (2.0 * line).ceil()) == Some(true);
    match as_much(side, line) && as_much(!side, -line) {
        true => Outcome::Draw,
        false => Outcome::Unknown,
    }
}

/// The exact value of a position for Black, komi included, if it has one.
pub fn value(game: &Game, mover: Color, limits: Limits) -> Option<f64> {
    let settings = limits.settings(mover);
    bounds(game, settings).value().map(lead)
}

/// The proven bounds of a position, without first turns.
pub fn bounds(game: &Game, settings: SolveSettings) -> Solution {
    let settings = SolveSettings { value_only: true, ..settings };
    solve(game, settings, &|| false)
}

/// The first steps `color` may take and what it makes of the game with each,
/// if a margin of `line` were a draw. A growth is named by its first stone,
/// with the best that can follow in the same turn.
pub fn outcomes(game: &Game, color: Color, line: f64, limits: Limits) -> Vec<(Step, Outcome)> {
    let judge = |step: Step| {
        let mut after = game.clone();
        after.step(color, step).ok()?;
        let mover = if after.is_mid_turn() { color } else { !color };
        Some((step, outcome(&after, mover, (color, line), limits)))
    };
    game.steps(color).into_iter().filter_map(judge).collect()
}

/// Black's margin once the game is over; more than any margin for a win by a rule.
pub fn margin(game: &Game) -> f64 {
    lead(game.score())
}
