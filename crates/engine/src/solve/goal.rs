//! The goal of a proof.

use crate::board::Color;
use crate::rules::{Ending, Position, Rules};

/// A result that `side` should reach or exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Goal {
    /// The side that forces it.
    pub side: Color,
    /// Its least lead in half points, komi included. A win by a rule exceeds any lead.
    pub at_least: i32,
}

impl Goal {
    /// The other side's goal to prevent this one.
    pub fn opposite(self) -> Goal {
        Goal { side: !self.side, at_least: 1 - self.at_least }
    }

    /// Half points by which the result of ending the game now exceeds the goal.
    pub(super) fn excess(self, position: &Position) -> i32 {
        i32::from(self.side.sign()) * half_points(position) - self.at_least
    }

    pub(super) fn is_met_by_a_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// The number of Black's win by a rule: more than any margin in half points.
pub(super) const WON: i32 = 1 << 24;

/// Black's result as a number, if the game ended now: the margin in half points, or [`WON`] or its
/// negative for a win by a rule.
pub(super) fn half_points(position: &Position) -> i32 {
    match position.situation.ending {
        Some(Ending::Draw) => 0,
        Some(Ending::Won(winner, _)) => i32::from(winner.sign()) * WON,
        _ if !position.info().is_counted() => 0,
        // Points and bonus are whole or half points.
        _ => {
            let rules = &position.situation.rules;
            (2.0 * (position.margin() + rules.komi)).round() as i32 - komi_in_half_points(rules)
        }
    }
}

/// Komi in half points. Between two half points it counts as the half between whole ones, which
/// leaves the order of all margins as it is, and a draw by a rule among whole ones.
pub(super) fn komi_in_half_points(rules: &Rules) -> i32 {
    let twice = 2.0 * rules.komi;
    if twice.fract() == 0.0 { twice as i32 } else { 2 * rules.komi.floor() as i32 + 1 }
}
