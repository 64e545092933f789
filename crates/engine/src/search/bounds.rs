//! Proven bounds of a node: the interval of the final margin if both sides play their best.
//!
//! This is the MCTS-Solver (Winands, Björnsson and Saito, "Monte-Carlo Tree Search
//! Solver", 2008) with margins instead of wins (Cazenave and Saffidine, "Score
//! Bounded Monte-Carlo Tree Search", 2010).

use super::evaluator::Outcome;
use crate::board::Color;
use crate::rules::{Ending, Position};

/// Minimum and maximum final margin of Black in half points; [`WON`](Self::WON) is a win by a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i16,
    pub(super) high: i16,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds { low: -i16::MAX, high: i16::MAX };

    /// Black's win by a rule: more than any margin.
    const WON: i16 = i16::MAX - 1;

    pub(super) fn at_end(position: &Position) -> Bounds {
        match position.situation.ending {
            Some(Ending::Won(winner, _)) => {
                Bounds { low: Bounds::WON, high: Bounds::WON }.for_color(winner)
            }
            Some(Ending::Draw) => Bounds::exactly(0.0),
            _ => Bounds::exactly(position.margin()),
        }
    }

    /// The bounds of a known margin; [`UNKNOWN`](Self::UNKNOWN) unless it is a number of half
    /// points within range.
    pub(super) fn exactly(margin: f64) -> Bounds {
        let halves = margin * 2.0;
        if halves.fract() == 0.0 && halves.abs() < 32_000.0 {
            Bounds { low: halves as i16, high: halves as i16 }
        } else {
            Bounds::UNKNOWN
        }
    }

    #[inline]
    pub(super) fn packed(self) -> u32 {
        u32::from(self.low as u16) << 16 | u32::from(self.high as u16)
    }

    #[inline]
    pub(super) fn unpack(packed: u32) -> Bounds {
        Bounds { low: (packed >> 16) as u16 as i16, high: packed as u16 as i16 }
    }

    #[inline]
    pub(super) fn exact(self) -> Option<Outcome> {
        (self.low == self.high).then(|| Bounds::outcome(self.low))
    }

    #[inline]
    fn outcome(halves: i16) -> Outcome {
        match halves {
            Bounds::WON => Outcome::won(Color::Black),
            _ if halves == -Bounds::WON => Outcome::won(Color::White),
            _ => Outcome::counted(f64::from(halves) / 2.0),
        }
    }

    #[inline]
    pub(super) fn for_color(self, color: Color) -> Bounds {
        match color {
            Color::Black => self,
            Color::White => Bounds { low: -self.high, high: -self.low },
        }
    }

    pub(super) fn within(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Clamps the outcome of a simulation to the proven interval.
    #[inline]
    pub(super) fn clamp(self, outcome: Outcome) -> Outcome {
        if self == Bounds::UNKNOWN {
            return outcome;
        }
        if let Some(proven) = self.exact() {
            return proven;
        }
        let (low, high) = (f32::from(self.low) / 2.0, f32::from(self.high) / 2.0);
        let win = |margin: f32| Outcome::counted(f64::from(margin)).win;
        Outcome {
            win: outcome.win.clamp(win(low), win(high)),
            margin: outcome.margin.clamp(low, high),
        }
    }

    pub(super) fn wins(self, color: Color) -> bool {
        self.for_color(color).low > 0
    }

    /// Whether the outcome, or a win of `color`, is proven.
    pub(super) fn decides(self, color: Color) -> bool {
        self.low == self.high || self.wins(color)
    }

    pub(super) fn loses(self, color: Color) -> bool {
        self.for_color(color).high < 0
    }

    /// The bounds of a node where `color` chooses among children with these bounds.
    pub(super) fn best(color: Color, children: impl Iterator<Item = Bounds>) -> Bounds {
        let start = Bounds { low: -i16::MAX, high: -i16::MAX };
        let best = children
            .map(|bounds| bounds.for_color(color))
            .fold(start, |a, b| Bounds { low: a.low.max(b.low), high: a.high.max(b.high) });
        match best.high {
            high if high == -i16::MAX => Bounds::UNKNOWN, // no legal step is listed
            _ => best.for_color(color),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Outcome};
    use crate::board::Color::{Black, White};

    #[test]
    fn parent_bounds_follow_the_best_child() {
        let exactly = Bounds::exactly;
        let best = |color, children: &[Bounds]| Bounds::best(color, children.iter().copied());
        let both = [exactly(2.5), exactly(-1.0)];
        assert_eq!(best(Black, &both).exact(), Some(Outcome::counted(2.5)));
        assert_eq!(best(White, &both).exact(), Some(Outcome::counted(-1.0)));
        let open = best(Black, &[exactly(2.5), Bounds::UNKNOWN]);
        assert!(open.exact().is_none() && open.wins(Black) && open.loses(White));
        assert!(!best(White, &[exactly(2.5), Bounds::UNKNOWN]).wins(Black));
        assert_eq!(best(Black, &[]), Bounds::UNKNOWN);
        assert_eq!(exactly(0.25), Bounds::UNKNOWN);
        assert_eq!(Bounds::unpack(exactly(-7.5).packed()), exactly(-7.5));
    }
}
