//! Liberties of a group in one number.

use super::point::Point;

/// The pseudo-liberties of a group: their count in 11 bits, the sum of their points in 20 bits, and
/// the sum of squares in the rest, so that one addition adds a liberty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Liberties(u64);

impl Liberties {
    const COUNT: u64 = (1 << 11) - 1;
    const SUM: u64 = (1 << 20) - 1;

    /// The liberty `point`, counted once.
    #[inline]
    pub(super) fn one(point: Point) -> Liberties {
        let at = u64::from(point.slot());
        Liberties(1 | at << 11 | (at * at) << 31)
    }

    #[inline]
    pub(super) fn plus(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_add(other.0))
    }

    #[inline]
    pub(super) fn minus(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_sub(other.0))
    }

    /// Whether there is no liberty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of (stone, adjacent liberty) pairs.
    #[inline]
    pub fn pseudo_count(self) -> u64 {
        self.0 & Self::COUNT
    }

    /// Whether all pairs have this liberty: only then the points have no variance.
    #[inline]
    pub(super) fn is_only(self, one: Liberties) -> bool {
        self.0 == one.0.wrapping_mul(self.pseudo_count())
    }

    /// The only liberty. Only with one point the inequality of Cauchy and Schwarz is an equality,
    /// which needs no division.
    #[inline]
    pub fn only_liberty(self) -> Option<Point> {
        let (pairs, sum, squares) = (self.pseudo_count(), self.0 >> 11 & Self::SUM, self.0 >> 31);
        if pairs * squares != sum * sum {
            return None;
        }
        sum.checked_div(pairs).map(|slot| Point::at(slot as u16))
    }
}
