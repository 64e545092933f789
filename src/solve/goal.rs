//! What a side is to force.

use crate::board::Color;
use crate::rules::{Ending, Position, Variant};

/// That `side` ends the game with this margin or a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Goal {
    /// The side that forces it.
    pub side: Color,
    /// Half points by which it is ahead at least; komi counts.
    pub at_least: i32,
}

impl Goal {
    /// That the other side prevents this.
    pub fn opposite(self) -> Goal {
        Goal { side: !self.side, at_least: 1 - self.at_least }
    }

    /// By how many half points a board, counted as it stands, exceeds the goal.
    pub(super) fn excess<V: Variant>(self, position: &Position<V>) -> i32 {
        for_side(self.side, half_points(position)) - self.at_least
    }

    /// Whether a draw by the rules is enough.
    pub(super) fn is_met_by_a_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// Black's margin, counting the board as it stands, in half points.
pub(super) fn half_points<V: Variant>(position: &Position<V>) -> i32 {
    match position.ending {
        Some(Ending::Draw) => 0,
        // Komi and bonus are whole or half points.
        _ => (2.0 * position.margin()).round() as i32,
    }
}

/// Black's margin as a side counts it.
pub(super) fn for_side(side: Color, margin: i32) -> i32 {
    match side {
        Color::Black => margin,
        Color::White => -margin,
    }
}
