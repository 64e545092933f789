//! # `capture`: Capture Go (atari go, ponnuki)
//!
//! The game that teachers of Go begin with. Stones are placed and captured as
//! in Go, Black first, and whoever first captures a stone wins at once; with
//! the option `captures` the stones that a player captures are added up, and
//! that many win. Nothing is counted: there is no territory, and komi has no
//! effect.
//!
//! Suicide is illegal, and a single stone that has just captured a single
//! stone may not be taken back at once. A player must place a stone, and a
//! player who cannot place one loses as soon as it is their turn. So a pass is
//! never legal before the game is over.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `captures` | **1**, 1 to 1000 | the captured stones that win |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 9, any rectangle of sides 2 to 25; fixed and free handicap; any points
//! may be blocked before the first turn. The result is `B+` or `W+`.

// part: game
use super::go;
use super::options::{Ko, RuleKey, Rules};
use super::position::{Ending, Position};
use super::step::Step;
use super::variant::{Decision, Variant, VariantInfo};
use crate::board::{Board, Cell, Color, Point};

/// The record of `capture`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Capture,
    id: "capture",
    summary: "Capture Go: the first player to capture a stone wins",
    introduction: "The game that teachers of Go begin with: the first player to capture a stone wins at once. \
        Nothing is counted, and a player who can place no stone has lost. \
        With more captures to make, stones may be given up to take others.",
    example: "E5, F5, F6, E6, D6, E7, D7, G6, F7, E4, D5, G7, G8",
    source: include_str!("capture.rs"),
    default_side: 9,
    usual_sides: &[5, 7, 9],
    rules: Rules { ko: Ko::Simple, komi: 0.0, ..Rules::GO },
    keys: &[RuleKey::Captures, RuleKey::Board],
    decided_by: Decision::Win,
    globals: &["own-urgency", "enemy-urgency"],
    passes_are_free: false,
    experimental: false,
    ..go::BASE
};

/// The rules of Capture Go.
#[derive(Debug)]
struct Capture;

impl Variant for Capture {
    /// Blocked points may leave no turn at the start.
    fn start(&self, position: &mut Position) {
        end_if_no_stone_fits(position);
    }

    fn turn_ended(&self, position: &mut Position) {
        let mover = !position.situation.to_move;
        if missing(position, mover) <= 0 {
            position.situation.ending = Some(Ending::Won(mover, "has captured enough stones"));
        } else {
            end_if_no_stone_fits(position);
        }
    }

    /// Captures the missing stones, if one step captures them.
    fn winning_step(&self, position: &Position) -> Option<Step> {
        let (board, color) = (&position.board, position.situation.to_move);
        let enemy = Cell::stone(!color);
        let is_group = |&at: &Point| board.cell(at) == enemy && board.head(at) == at;
        board.grid().span().filter(is_group).find_map(|point| {
            let last_liberty = board.group(point)?.liberties.only_liberty()?;
            let wins = taken(board, color, last_liberty) >= missing(position, color)
                && position.check_liberties(color, last_liberty).is_ok();
            wins.then(|| Step::stone(last_liberty))
        })
    }

    /// One divided by the number of stones that a side must still capture.
    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        let urgency = |color| 1.0 / missing(position, color).max(1) as f32;
        note(0, urgency(position.situation.to_move));
        note(1, urgency(!position.situation.to_move));
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        for color in Color::BOTH {
            note(missing(position, color) as u64, Point::NONE);
        }
    }
}

/// Number of stones that `color` must still capture.
fn missing(position: &Position, color: Color) -> i32 {
    i32::from(position.situation.rules.captures) - position.situation.captures[color as usize]
}

fn end_if_no_stone_fits(position: &mut Position) {
    let color = position.situation.to_move;
    if !position.may_place(color) {
        let why = "leaves the opponent no point for a stone";
        position.situation.ending = Some(Ending::Won(!color, why));
    }
}

/// Number of stones that a stone of `color` on an empty point would capture.
fn taken(board: &Board, color: Color, point: Point) -> i32 {
    let groups = board.captures(point, color).filter_map(|stone| board.group(stone));
    groups.map(|group| i32::from(group.size)).sum()
}
// end: game

#[cfg(test)]
mod tests {
    use crate::board::Color::{self, Black, White};
    use crate::rules::{Game, GameResult, Illegal, Ko, Setup, Size, Turn, parse_point, variant};

    fn setup(side: u8) -> Setup {
        let info = variant("capture").expect("a variant");
        Setup { size: Size::square(side), ..Setup::new(info) }
    }

    fn play(game: &mut Game, turns: &str) {
        for (number, vertex) in turns.split(' ').enumerate() {
            let point = parse_point(game.grid(), vertex).expect("a point");
            let color = if number % 2 == 0 { Black } else { White };
            game.play(color, &Turn::stone(point)).expect("a legal stone");
        }
    }

    #[test]
    fn the_first_capture_wins_at_once() {
        let mut game = Game::new(&setup(5)).expect("a game");
        play(&mut game, "B3 C3 C4 E1 D3 E5");
        assert_eq!((game.is_over(), game.score()), (false, GameResult::DRAW));
        play(&mut game, "C2");
        assert!(game.is_final());
        assert_eq!(game.score().to_string(), "B+");
        assert_eq!(game.state().ending.as_deref(), Some("Black has captured enough stones."));
        assert_eq!(game.check(White, &Turn::pass()), Err(Illegal::GameOver));
        game.undo(1).expect("a turn");
        assert!(!game.is_over());
    }

    #[test]
    fn captures_are_added_up() {
        let mut setup = setup(5);
        setup.rules.captures = 3;
        let mut game = Game::new(&setup).expect("a game");
        play(&mut game, "B3 C3 C4 E1 D3 E5 C2 A1");
        assert!(!game.is_over(), "one of three");
        // Two more, at once.
        play(&mut game, "B1 A2 E2 B5 A3 C5 B2");
        assert!(game.is_over(), "{:?}", game.state().board);
        assert_eq!(game.score(), GameResult::Win(Black));
    }

    #[test]
    fn a_player_must_play_and_loses_without_a_point() {
        let game = Game::new(&setup(5)).expect("a game");
        assert_eq!(game.check(Black, &Turn::pass()), Err(Illegal::MustPlay));
        assert!(!game.legal_turns_written(Black).contains(&"pass".to_owned()));
        // One point is left, and whoever begins can place no stone: there is no liberty.
        let mut blocked = setup(2);
        blocked.blocked_points = vec![(0, 0), (0, 1), (1, 0)];
        let game = Game::new(&blocked).expect("a game");
        assert_eq!((game.is_final(), game.score()), (true, GameResult::Win(White)));
        // White fills its own eye or has lost.
        let mut full = setup(2);
        full.blocked_points = vec![(0, 0), (1, 1)];
        let mut game = Game::new(&full).expect("a game");
        assert!(game.legal_turns_written(Color::Black).is_empty(), "no point has a liberty");
        assert!(game.is_final());
        game.resign(Black).expect_err("it is over");
    }

    /// Where superko forbids all stones, a pass is the only turn.
    #[test]
    fn a_player_passes_whom_superko_leaves_nothing_else() {
        let mut setup = setup(2);
        (setup.rules.ko, setup.rules.captures) = (Ko::Positional, 1000);
        let mut game = Game::new(&setup).expect("a game");
        play(&mut game, "A1 B2 A2 B1");
        let mut forced = 0;
        let mut random = crate::board::Random::new(1);
        for _ in 0..200 {
            if game.is_over() {
                game = Game::new(&setup).expect("a game");
            }
            let color = game.to_move();
            let turns = game.legal_turns(color);
            assert!(turns.iter().all(|turn| game.check(color, turn).is_ok()), "{turns:?}");
            assert_eq!(game.perft(1), turns.len() as u64);
            if turns == [Turn::pass()] {
                let refused = game.position().check(color, crate::rules::Step::PASS);
                forced += u32::from(refused == Err(Illegal::MustPlay));
                assert!(game.steps(color).contains(&crate::rules::Step::PASS));
            }
            let turn = &turns[random.below(turns.len() as u32) as usize];
            game.play(color, turn).expect("a legal turn");
        }
        assert!(forced > 5, "{forced}");
    }

    #[test]
    fn komi_has_no_effect() {
        let mut setup = setup(5);
        setup.rules.komi = 6.5;
        let mut game = Game::new(&setup).expect("a game");
        game.set_komi(3.5);
        assert_eq!(game.state().komi, 0.into());
        assert_eq!(game.score(), GameResult::DRAW);
    }
}
