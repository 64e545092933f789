//! When to resign.

use crate::board::Color;

/// The settings of resignation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResignSettings {
    /// Whether the engine may resign.
    pub allowed: bool,
    /// Win rate, 0 to 1, below which a turn is bad.
    pub threshold: f32,
    /// Number of consecutive own turns that must be bad.
    pub turns: u32,
}

impl Default for ResignSettings {
    /// Not allowed; if allowed, below a win rate of 3% for three turns.
    fn default() -> ResignSettings {
        ResignSettings { allowed: false, threshold: 0.03, turns: 3 }
    }
}

/// Points behind, in square roots of the board's points, from which a beginner sees that a game
/// is lost: 18 on 9x9, 38 on 19x19.
const PLAINLY_BEHIND: f32 = 2.0;

/// Whether a side with this margin is so far behind that a person sees it, too.
pub fn is_plainly_behind(margin: f32, points: usize) -> bool {
    margin < -PLAINLY_BEHIND * (points as f32).sqrt()
}

/// Counts each side's consecutive bad turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResignPolicy {
    sides: [LosingStreak; 2],
}

/// Consecutive bad turns of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LosingStreak {
    /// Turn number of the latest search.
    at: usize,
    bad: u32,
}

/// A search up to this many turns later still continues the streak.
const NEXT: usize = 4;

impl ResignPolicy {
    /// Records whether the position of `color` at this turn number is bad; returns
    /// the number of consecutive bad turns. A turn that is searched again, also
    /// after undo, counts once.
    pub fn note(&mut self, color: Color, turns: usize, is_bad: bool) -> u32 {
        let [black, white] = &mut self.sides;
        let streak = if color == Color::Black { black } else { white };
        let bad_before = match turns.checked_sub(streak.at) {
            Some(0) => streak.bad.saturating_sub(1),
            Some(1..=NEXT) => streak.bad,
            _ => 0,
        };
        *streak = LosingStreak { at: turns, bad: if is_bad { bad_before + 1 } else { 0 } };
        streak.bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_bad_turns_count_per_side() {
        let mut resign_policy = ResignPolicy::default();
        let mut note = |color, turns, bad| resign_policy.note(color, turns, bad);
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(note(black, 20, true), 1);
        assert_eq!(note(white, 21, true), 1);
        assert_eq!(note(black, 22, true), 2);
        assert_eq!(note(black, 22, true), 2, "the same turn again");
        assert_eq!(note(black, 24, true), 3);
        assert_eq!(note(white, 23, false), 0);
        assert_eq!(note(black, 26, false), 0);
        assert_eq!(note(black, 28, true), 1);
    }

    #[test]
    fn nine_points_behind_are_not_plain() {
        let sides = [(-9.0, 81), (-18.5, 81), (-30.0, 361), (-40.0, 361), (25.0, 81)];
        let plain = sides.map(|(margin, points)| is_plainly_behind(margin, points));
        assert_eq!(plain, [false, true, false, true, false]);
    }

    #[test]
    fn undo_and_long_gaps_reset_the_streak() {
        let mut resign_policy = ResignPolicy::default();
        let mut note = |turns| resign_policy.note(Color::Black, turns, true);
        assert_eq!((note(30), note(32)), (1, 2));
        assert_eq!(note(12), 1, "taken back");
        assert_eq!(note(14), 2);
        assert_eq!(note(60), 1, "others played meanwhile");
    }
}
