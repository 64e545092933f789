//! Resignation.

use crate::board::Color;
use crate::rules::Game;
use crate::search::Choice;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResignSettings {
    pub allowed: bool,
    /// Win rate, 0 to 1, below which a turn is bad.
    pub threshold: f32,
    /// Number of consecutive bad turns before a resignation.
    pub turns: u32,
}

impl Default for ResignSettings {
    /// Not allowed; if allowed, below a win rate of 3% for three turns.
    fn default() -> ResignSettings {
        ResignSettings { allowed: false, threshold: 0.03, turns: 3 }
    }
}

impl ResignSettings {
    /// Whether the player may resign now: between turns, and not near the start.
    pub fn allow(&self, game: &Game) -> bool {
        /// One turn per this many points of the board is played before.
        const POINTS_PER_TURN: usize = 4;
        let late = game.turns().len() * POINTS_PER_TURN >= game.grid().points().count();
        self.allowed && late && !game.is_mid_turn()
    }
}

/// The value of a game for a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// 0 to 1.
    pub win_rate: f32,
    /// In points; negative if the player is losing.
    pub margin: f32,
    /// A weak player resigns only if a person sees the reason.
    pub is_weak: bool,
}

impl Standing {
    pub fn new(choice: &Choice, is_weak: bool) -> Standing {
        Standing { win_rate: choice.win_rate, margin: choice.margin, is_weak }
    }

    fn is_lost(&self, threshold: f32, points: usize) -> bool {
        self.win_rate < threshold && (!self.is_weak || is_plainly_behind(self.margin, points))
    }
}

/// Whether a beginner sees that a side with this margin is losing.
fn is_plainly_behind(margin: f32, points: usize) -> bool {
    /// In square roots of the board's points: 18 points on 9x9, 38 on 19x19.
    const PLAINLY_BEHIND: f32 = 2.0;
    margin < -PLAINLY_BEHIND * (points as f32).sqrt()
}

/// Counts each side's consecutive bad turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResignPolicy {
    sides: [LosingStreak; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LosingStreak {
    /// Turn number of the latest search.
    at: usize,
    bad: u32,
}

/// A search up to this many turns later continues the streak.
const NEXT: usize = 4;

impl ResignPolicy {
    /// Whether `color` resigns before its turn: it was lost for several turns, and does not win the
    /// count as the position stands. Without a standing the player knows of no loss.
    pub fn resigns(
        &mut self,
        settings: &ResignSettings,
        game: &Game,
        color: Color,
        standing: Option<Standing>,
    ) -> bool {
        let points = game.grid().points().count();
        let is_lost = standing.is_some_and(|now| now.is_lost(settings.threshold, points));
        let bad = self.count_turn(color, game.turns().len(), is_lost);
        bad >= settings.turns && settings.allow(game) && game.score().winner() != Some(color)
    }

    /// Records whether this turn of `color` is bad; returns the number of consecutive bad turns. A
    /// turn that is searched again, also after undo, counts once.
    fn count_turn(&mut self, color: Color, turns: usize, is_bad: bool) -> u32 {
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
    use crate::rules::{Setup, Size, VARIANTS};

    #[test]
    fn consecutive_bad_turns_count_per_side() {
        let mut resign_policy = ResignPolicy::default();
        let mut count = |color, turns, bad| resign_policy.count_turn(color, turns, bad);
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(count(black, 20, true), 1);
        assert_eq!(count(white, 21, true), 1);
        assert_eq!(count(black, 22, true), 2);
        assert_eq!(count(black, 22, true), 2, "the same turn again");
        assert_eq!(count(black, 24, true), 3);
        assert_eq!(count(white, 23, false), 0);
        assert_eq!(count(black, 26, false), 0);
        assert_eq!(count(black, 28, true), 1);
    }

    #[test]
    fn nine_points_behind_are_not_plain() {
        let sides = [(-9.0, 81), (-18.5, 81), (-30.0, 361), (-40.0, 361), (25.0, 81)];
        let plain = sides.map(|(margin, points)| is_plainly_behind(margin, points));
        assert_eq!(plain, [false, true, false, true, false]);
    }

    /// A game on 3x3 after this number of turns.
    fn game_after(turns: usize) -> Game {
        let mut setup = Setup::new(VARIANTS.first().expect("a variant"));
        setup.size = Size::square(3);
        setup.rules.komi = 0.0;
        let mut game = Game::new(&setup).expect("a game");
        for line in ["B2", "A1", "C3"].iter().take(turns) {
            let (color, turn) = (game.to_move(), game.parse(line).expect("a turn"));
            game.apply(color, &turn).expect("a legal turn");
        }
        game
    }

    #[test]
    fn a_lost_game_is_resigned_unless_it_is_young_or_won_as_it_stands() {
        let settings = ResignSettings { allowed: true, turns: 1, ..ResignSettings::default() };
        let lost = Standing { win_rate: 0.01, margin: -4.0, is_weak: false };
        let resigns = |settings: &ResignSettings, turns, color, standing| {
            let mut policy = ResignPolicy::default();
            policy.resigns(settings, &game_after(turns), color, standing)
        };
        let (black, white) = (Color::Black, Color::White);
        assert!(resigns(&settings, 3, white, Some(lost)));
        assert!(!resigns(&settings, 2, white, Some(lost)), "young");
        assert!(!resigns(&settings, 3, black, Some(lost)), "black has two stones, white has one");
        assert!(!resigns(&settings, 3, white, None), "no search");
        assert!(!resigns(&settings, 3, white, Some(Standing { win_rate: 0.5, ..lost })));
        assert!(!resigns(&ResignSettings { turns: 2, ..settings }, 3, white, Some(lost)));
        assert!(!resigns(&ResignSettings::default(), 3, white, Some(lost)), "not allowed");
        // More than six points behind are plain on 3x3.
        let weak = Standing { is_weak: true, ..lost };
        assert!(!resigns(&settings, 3, white, Some(weak)));
        assert!(resigns(&settings, 3, white, Some(Standing { margin: -7.0, ..weak })));
    }

    #[test]
    fn undo_and_long_gaps_reset_the_streak() {
        let mut resign_policy = ResignPolicy::default();
        let mut count = |turns| resign_policy.count_turn(Color::Black, turns, true);
        assert_eq!((count(30), count(32)), (1, 2));
        assert_eq!(count(12), 1, "taken back");
        assert_eq!(count(14), 2);
        assert_eq!(count(60), 1, "others played meanwhile");
    }
}
