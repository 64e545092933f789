//! What is proven about a node: between which margins the game ends if both
//! play their best.
//!
//! Winands' MCTS-Solver ("Monte-Carlo Tree Search Solver", 2008) with margins
//! in place of wins: Cazenave and Saffidine, "Score Bounded Monte-Carlo Tree
//! Search", 2010.

use super::evaluator::Outcome;
use crate::board::Color;

/// Least and greatest margin of Black, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i16,
    pub(super) high: i16,
}

impl Bounds {
    /// Nothing is proven.
    pub(super) const UNKNOWN: Bounds = Bounds {
        low: -i16::MAX,
        high: i16::MAX,
    };

    /// Exactly this margin, if it is a number of half points of usual size.
    pub(super) fn exactly(margin: f64) -> Bounds {
        let halves = margin * 2.0;
        match halves.fract() == 0.0 && halves.abs() < 32_000.0 {
            true => Bounds {
                low: halves as i16,
                high: halves as i16,
            },
            false => Bounds::UNKNOWN,
        }
    }

    #[inline]
    pub(super) fn packed(self) -> u32 {
        u32::from(self.low as u16) << 16 | u32::from(self.high as u16)
    }

    #[inline]
    pub(super) fn unpack(packed: u32) -> Bounds {
        Bounds {
            low: (packed >> 16) as u16 as i16,
            high: packed as u16 as i16,
        }
    }

    /// The margin in points, if it is proven.
    #[inline]
    pub(super) fn exact(self) -> Option<f64> {
        (self.low == self.high).then(|| f64::from(self.low) / 2.0)
    }

    /// The same as `color` sees it.
    #[inline]
    pub(super) fn seen_by(self, color: Color) -> Bounds {
        match color {
            Color::Black => self,
            Color::White => Bounds {
                low: -self.high,
                high: -self.low,
            },
        }
    }

    /// Both at once: what either has proven.
    pub(super) fn within(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// An outcome as far as it is possible: what a playout found, or the
    /// nearest that is not yet disproved.
    #[inline]
    pub(super) fn clamp(self, outcome: Outcome) -> Outcome {
        if self == Bounds::UNKNOWN {
            return outcome;
        }
        let (low, high) = (f32::from(self.low) / 2.0, f32::from(self.high) / 2.0);
        let win = |margin: f32| Outcome::counted(f64::from(margin)).win;
        Outcome {
            win: outcome.win.clamp(win(low), win(high)),
            margin: outcome.margin.clamp(low, high),
        }
    }

    /// Whether `color` surely wins.
    pub(super) fn wins(self, color: Color) -> bool {
        self.seen_by(color).low > 0
    }

    /// Whether `color` surely does not win, and does not draw.
    pub(super) fn loses(self, color: Color) -> bool {
        self.seen_by(color).high < 0
    }

    /// What a choice of `color` among steps with these bounds is worth.
    pub(super) fn best(color: Color, children: impl Iterator<Item = Bounds>) -> Bounds {
        let start = Bounds {
            low: -i16::MAX,
            high: -i16::MAX,
        };
        let best = children
            .map(|bounds| bounds.seen_by(color))
            .fold(start, |a, b| Bounds {
                low: a.low.max(b.low),
                high: a.high.max(b.high),
            });
        match best.high {
            high if high == -i16::MAX => Bounds::UNKNOWN, // no legal step is listed
            _ => best.seen_by(color),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;
    use crate::board::Color::{Black, White};

    #[test]
    fn bounds_are_those_of_the_best_choice() {
        let exactly = Bounds::exactly;
        let best = |color, children: &[Bounds]| Bounds::best(color, children.iter().copied());
        let both = [exactly(2.5), exactly(-1.0)];
        assert_eq!(best(Black, &both).exact(), Some(2.5));
        assert_eq!(best(White, &both).exact(), Some(-1.0));
        let open = best(Black, &[exactly(2.5), Bounds::UNKNOWN]);
        assert!(open.exact().is_none() && open.wins(Black) && open.loses(White));
        assert!(!best(White, &[exactly(2.5), Bounds::UNKNOWN]).wins(Black));
        assert_eq!(best(Black, &[]), Bounds::UNKNOWN);
        assert_eq!(exactly(0.25), Bounds::UNKNOWN);
        assert_eq!(Bounds::unpack(exactly(-7.5).packed()), exactly(-7.5));
    }
}
