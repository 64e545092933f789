//! The utility that the tree maximises: win rate and points.
//!
//! Points count in two ways (Wu, "Accelerating Self-Play Learning in Go", 2019, score
//! maximisation). The *static* score utility is that of the whole margin, so that the engine wins
//! cleanly and resists in lost games. The *dynamic* one saturates around the expected margin, so
//! that each point counts in decided games; it has no weight in others. Their factors bound both.

use super::evaluator::Outcome;
use super::node::value_for_color;
use super::params::SearchParams;
use crate::board::Color;

/// Margin in points whose static utility is half of the maximum. No match has compared other values.
const STATIC_SCALE: f32 = 10.0;

/// Win rate of either side from which the dynamic factor is positive. Below, the search plays to
/// win.
const MIN_WIN_RATE: f32 = 0.9;

/// Share of the expected margin by which the centre moves towards zero, as in KataGo.
const CENTER_ZERO_WEIGHT: f32 = 0.2;

/// Distance from the centre, in square roots of the board's points, at which the dynamic utility is
/// half of the maximum, as in KataGo.
const CENTER_SCALE: f32 = 0.75;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Utility {
    static_factor: f32,
    /// The dynamic factor in a decided game, and in this search.
    full_factor: f32,
    dynamic_factor: f32,
    /// Black's margin at the centre of the dynamic utility.
    center: f32,
    /// Points from there at which the dynamic utility is half of the maximum.
    dynamic_scale: f32,
}

impl Utility {
    /// The utility of searches on a board with this many points; its centre is 0.
    pub(super) fn new(params: &SearchParams, points: usize) -> Utility {
        Utility {
            static_factor: params.score_utility_factor,
            full_factor: params.dynamic_score_utility_factor,
            dynamic_factor: 0.0,
            center: 0.0,
            dynamic_scale: CENTER_SCALE * (points.max(1) as f32).sqrt(),
        }
    }

    /// Whether the expected outcome of a search changes the utility.
    #[inline]
    pub(super) fn is_dynamic(&self) -> bool {
        self.full_factor > 0.0
    }

    /// The same utility for a search that expects this outcome.
    pub(super) fn centered(self, expected: Outcome) -> Utility {
        let Outcome { win, margin } = expected;
        let toward_zero = margin * (1.0 - CENTER_ZERO_WEIGHT);
        // The centre moves towards zero, but stays within reach of the expected margin.
        let reach = self.dynamic_scale;
        let sure = (win.max(1.0 - win) - MIN_WIN_RATE) / (1.0 - MIN_WIN_RATE);
        Utility {
            dynamic_factor: self.full_factor * sure.clamp(0.0, 1.0),
            center: toward_zero.clamp(margin - reach, margin + reach),
            ..self
        }
    }

    #[inline]
    pub(super) fn value(&self, outcome: Outcome) -> f32 {
        let share = self.static_factor;
        let whole = (bent(outcome.margin, STATIC_SCALE) + 1.0) / 2.0 * share;
        if self.dynamic_factor == 0.0 {
            return outcome.win * (1.0 - share) + whole;
        }
        let win_share = (1.0 - share - self.dynamic_factor).max(0.0);
        let around = bent(outcome.margin - self.center, self.dynamic_scale);
        outcome.win * win_share + whole + (around + 1.0) / 2.0 * self.dynamic_factor
    }

    /// The utility for `color` of an outcome from its point of view.
    pub(super) fn value_for(&self, outcome: Outcome, color: Color) -> f32 {
        // Without a centre the utility is symmetric to the last bit.
        if self.dynamic_factor == 0.0 {
            return self.value(outcome);
        }
        value_for_color(self.value(outcome.for_color(color)), color)
    }
}

/// Maps a margin to −1 to 1. The quotient saturates like tanh, but IEEE 754 fixes its result.
#[inline]
fn bent(margin: f32, scale: f32) -> f32 {
    margin / (margin.abs() + scale)
}

#[cfg(test)]
mod tests {
    use super::Utility;
    use crate::board::Color;
    use crate::search::SearchParams;
    use crate::search::evaluator::Outcome;

    #[test]
    fn utility_is_mostly_the_win() {
        let utility = Utility::new(&SearchParams::default(), 81);
        let value = |margin| utility.value(Outcome::counted(margin));
        assert_eq!(value(0.0), 0.5);
        assert!(value(0.5) > 0.5 + 0.4 && value(100.0) > value(0.5) && value(100.0) < 1.0);
        assert!((value(7.0) + value(-7.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn both_sides_see_one_utility() {
        let params = SearchParams::default();
        let utility = Utility::new(&params, 81).centered(Outcome { win: 0.97, margin: 12.0 });
        let outcome = Outcome { win: 0.8, margin: 9.0 };
        let black = utility.value_for(outcome, Color::Black);
        let white = utility.value_for(outcome.for_color(Color::White), Color::White);
        assert_eq!(black, utility.value(outcome));
        assert!((black + white - 1.0).abs() < 1e-6);
    }

    /// A point counts about as much in a decided game as in an even one, and never as much as
    /// the share of win rate that the factors leave to points.
    #[test]
    fn points_count_in_decided_games_and_never_outweigh_their_share() {
        let params = SearchParams::default();
        let even = Utility::new(&params, 361);
        let point = |utility: Utility, margin: f32| {
            let value = |margin| utility.value(Outcome { win: 1.0, margin });
            value(margin + 1.0) - value(margin)
        };
        let expecting = |win, margin| even.centered(Outcome { win, margin });
        let decided = expecting(1.0, 80.0);
        assert!(point(decided, 80.0) > 3.0 * point(even, 80.0));
        assert_eq!(point(expecting(0.89, 5.0), 5.0), point(even, 5.0), "not decided");
        let points = params.score_utility_factor + params.dynamic_score_utility_factor;
        let sure = decided.value(Outcome { win: 1.0, margin: -400.0 });
        let rich = decided.value(Outcome { win: 1.0 - points / (1.0 - points), margin: 400.0 });
        assert!(sure > rich, "{sure} {rich}");
    }
}
