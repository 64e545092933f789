//! # `pairs`: a game that only tests have
//!
//! Go, but a player places one or two stones per turn, and whoever has captured four stones in all
//! wins at once. A player may pass instead.

// part: game
use super::go;
use super::options::{Ko, RuleKey};
use super::position::{Ending, Position};
use super::step::{Step, StepKindInfo, TurnLength};
use super::variant::{Decision, Variant, VariantInfo};
use crate::board::{Color, Point};
use std::ops::RangeInclusive;

/// The record of `pairs`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Pairs,
    id: "pairs",
    summary: "Pairs: one or two stones per turn; four captured stones win",
    introduction: "Go with one or two stones per turn, as the player likes. The first player to \
        have captured four stones wins. Otherwise the board is counted.",
    example: "E5, C3 G7, C7 G3, F6 F6, D4 E3, C5, F5 G5",
    source: include_str!("pairs.rs"),
    default_side: 9,
    usual_sides: &[5, 7, 9],
    keys: &[RuleKey::Ko, RuleKey::Scoring],
    kinds: &[StepKindInfo {
        continuation: "add a second stone",
        length: TurnLength::Several,
        ..StepKindInfo::STONE
    }],
    decided_by: Decision::WinOrPoints,
    ..go::BASE
};

/// Captured stones that win.
const ENOUGH: i32 = 4;

/// One or two stones per turn.
#[derive(Debug)]
struct Pairs;

impl Variant for Pairs {
    fn turn_length(&self, _: &Position, _: Color) -> RangeInclusive<u16> {
        1..=2
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        let Some(point) = step.stone_point() else {
            return true;
        };
        let is_second = position.is_mid_turn();
        position.place_and_capture(color, point);
        is_second || missing(position, color) <= 0
    }

    fn turn_ended(&self, position: &mut Position) {
        for color in Color::BOTH {
            if missing(position, color) <= 0 {
                let why = "has captured four stones";
                position.situation.ending = Some(Ending::Won(color, why));
            }
        }
    }

    /// A stone that captures enough, unless superko might forbid it.
    fn winning_step(&self, position: &Position) -> Option<Step> {
        let (board, color) = (&position.board, position.situation.to_move);
        let is_free = matches!(position.situation.rules.ko, Ko::None | Ko::Simple);
        let mut open = board.empties().iter().filter(|_| is_free);
        let wins = |point: &Point| {
            let groups = board.captures(*point, color).filter_map(|stone| board.group(stone));
            let taken: i32 = groups.map(|group| i32::from(group.size)).sum();
            taken >= missing(position, color) && position.check_liberties(color, *point).is_ok()
        };
        open.find(wins).map(Step::stone)
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        for color in Color::BOTH {
            note(missing(position, color) as u64, Point::NONE);
        }
    }
}

/// Number of stones that `color` must still capture to win.
fn missing(position: &Position, color: Color) -> i32 {
    ENOUGH - position.situation.captures[color as usize]
}
// end: game

#[cfg(test)]
mod tests {
    use crate::board::Color::{Black, White};
    use crate::rules::{
        Action, Game, Illegal, Ko, Piece, Placement, Setup, Size, Step, StepKind, Turn,
        parse_point, variant,
    };

    fn setup() -> Setup {
        Setup { size: Size::square(5), ..Setup::new(variant("pairs").expect("a variant")) }
    }

    fn game() -> Game {
        Game::new(&setup()).expect("a game")
    }

    /// A single vertex is a step for clients, so a short turn says its end.
    #[test]
    fn a_whole_turn_is_written_with_its_end() {
        let mut game = game();
        let point = |at: &str| parse_point(game.grid(), at).expect("a point");
        let [a1, b2] = ["A1", "B2"].map(point);
        let (short, long) = (Turn::stone(a1), Turn::new(Step::stone(a1).kind(), [a1, b2]));
        for (turn, words) in [(&short, "A1 A1"), (&long, "A1 B2"), (&Turn::pass(), "pass")] {
            assert_eq!(game.write(turn), words);
            assert_eq!(game.parse(words), Ok(Action::Turn(turn.clone())));
        }
        assert_eq!(
            (game.write_steps(&short), game.parse("A1")),
            ("A1".to_owned(), Ok(Action::Turn(short)))
        );
        assert_eq!(game.parse("A1 B2 B2"), Ok(Action::Turn(long)));
        let all = |game: &Game| game.legal_turns_written(game.to_move());
        assert!(
            all(&game).iter().all(|turn| turn == "pass" || turn.len() == 5),
            "{:?}",
            all(&game)
        );
        // In the middle of a turn the list has the vertices of a client.
        game.step(Black, Step::stone(a1)).expect("a legal step");
        assert_eq!(all(&game).len(), 25);
        assert!(all(&game).iter().all(|vertex| vertex.len() == 2), "{:?}", all(&game));
        assert_eq!(game.step(Black, Step::END), Ok(()));
        assert_eq!((game.to_move(), game.turns().len()), (White, 1));
    }

    #[test]
    fn the_first_stone_may_win() {
        let mut game = game();
        let point = |at: &str| parse_point(game.grid(), at).expect("a point");
        let of = |color, places: [&str; 4]| places.map(|at| (point(at), Some(Piece::Stone(color))));
        let black = of(Black, ["A2", "B2", "C2", "D2"]);
        let cells = black.into_iter().chain(of(White, ["A1", "B1", "C1", "D1"])).collect();
        let [e1, a5] = ["E1", "A5"].map(point);
        game.set_up(&Placement { cells, to_move: Some(Black) }).expect("a position");
        // Superko might forbid it.
        assert_eq!(game.position().winning_step(), None);
        let mut setup = setup();
        setup.rules.ko = Ko::Simple;
        game.replay_from(&setup).expect("the same game");
        assert_eq!(game.position().winning_step(), Some(Step::stone(e1)));
        let longer = Turn::new(StepKind::STONE, [e1, a5]);
        assert_eq!(game.check(Black, &longer), Err(Illegal::NoSuchTurn));
        game.step(Black, Step::stone(e1)).expect("a legal step");
        assert_eq!((game.is_final(), game.score().to_string()), (true, "B+".to_owned()));
    }
}
