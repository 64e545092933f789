//! When to give up a game.

use crate::board::Color;

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resign {
    /// Whether ever.
    pub allowed: bool,
    /// A win rate below this is bad.
    pub threshold: f32,
    /// So many own turns in a row must be bad.
    pub turns: u32,
}

impl Default for Resign {
    /// Never; else below 3 wins in 100 for three turns.
    fn default() -> Resign {
        Resign {
            allowed: false,
            threshold: 0.03,
            turns: 3,
        }
    }
}

/// How each side's chances were seen lately.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    sides: [Streak; 2],
}

/// Bad turns in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Streak {
    /// Turns of the game when the latest one was thought about.
    at: usize,
    bad: u32,
}

/// Turns of the game after which an own turn is no longer the next one.
const NEXT: usize = 4;

impl Outlook {
    /// Notes that `color`, after so many turns of the game, saw a bad position
    /// or a better one; returns how many in a row were bad. A turn that is
    /// thought about again, after an undo too, counts once.
    pub fn note(&mut self, color: Color, turns: usize, is_bad: bool) -> u32 {
        let [black, white] = &mut self.sides;
        let streak = if color == Color::Black { black } else { white };
        let bad_before = match turns.checked_sub(streak.at) {
            Some(0) => streak.bad.saturating_sub(1),
            Some(1..=NEXT) => streak.bad,
            _ => 0,
        };
        *streak = Streak {
            at: turns,
            bad: if is_bad { bad_before + 1 } else { 0 },
        };
        streak.bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_turns_count_in_a_row_and_for_each_side() {
        let mut outlook = Outlook::default();
        let mut note = |color, turns, bad| outlook.note(color, turns, bad);
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
    fn other_games_and_turns_long_ago_do_not_count() {
        let mut outlook = Outlook::default();
        let mut note = |turns| outlook.note(Color::Black, turns, true);
        assert_eq!((note(30), note(32)), (1, 2));
        assert_eq!(note(12), 1, "taken back");
        assert_eq!(note(14), 2);
        assert_eq!(note(60), 1, "others played meanwhile");
    }
}
