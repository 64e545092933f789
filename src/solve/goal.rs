//! The goal of a proof.

use crate::board::Color;
use crate::rules::{AnyPosition, Ending};

/// `side` ends the game with this result or a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Goal {
    /// The side that forces it.
    pub side: Color,
    /// Half points by which it is ahead at least; komi counts. A win by a rule is more than any
    /// lead.
    pub at_least: i32,
}

impl Goal {
    /// The other side prevents this.
    pub fn opposite(self) -> Goal {
        Goal { side: !self.side, at_least: 1 - self.at_least }
    }

    /// By how much a position, as if the game ended now, exceeds the goal.
    pub(super) fn excess(self, position: &dyn AnyPosition) -> i32 {
        for_side(self.side, half_points(position)) - self.at_least
    }

    pub(super) fn is_met_by_a_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// The number of a win by a rule: more than any margin in half points.
pub(super) const WON: i32 = 1 << 24;

/// The number of Black's result as if the game ended now. Numbers are in the order of
/// results: margins in half points, and beyond them wins by a rule.
pub(super) fn half_points(position: &dyn AnyPosition) -> i32 {
    match position.ending {
        Some(Ending::Draw) => 0,
        Some(Ending::Won(winner, _)) => for_side(winner, WON),
        // Komi and bonus are whole or half points.
        _ => (2.0 * position.margin()).round() as i32,
    }
}

/// Black's result as a side counts it.
pub(super) fn for_side(side: Color, margin: i32) -> i32 {
    match side {
        Color::Black => margin,
        Color::White => -margin,
    }
}
