//! # `corners`: a game that only tests have
//!
//! Go, but from the third turn on a player places exactly two stones, the second on a point
//! that touches the first at a corner. A stone after which there is no such point is illegal.
//! A player may pass instead.

use super::go;
use super::illegal::Illegal;
use super::options::RuleKey;
use super::position::Position;
use super::step::{Step, StepKindInfo, TurnLength};
use super::variant::{Variant, VariantInfo};
use crate::board::{Color, Point};
use std::ops::RangeInclusive;

/// The record of `corners`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Corners,
    id: "corners",
    summary: "Corners: two stones per turn, corner to corner",
    introduction: "Go with two stones per turn. The second touches the first at a corner. \
        The first two turns have one stone each.",
    example: "E5, C3, D6 E7, F5 G6, C4 D5, G4 F3, C7 B6",
    source: include_str!("corners.rs"),
    default_side: 9,
    keys: &[RuleKey::Ko, RuleKey::Scoring],
    kinds: &[StepKindInfo {
        continuation: "add the second stone",
        length: TurnLength::Exact,
        ..StepKindInfo::STONE
    }],
    ..go::BASE
};

/// Two stones per turn, corner to corner.
#[derive(Debug)]
struct Corners;

/// The second stone does not touch the first at a corner.
pub const NO_CORNER: Illegal = Illegal::Rule("corners: it does not touch the first stone there");
/// The first stone leaves no point for the second.
pub const NO_ROOM: Illegal = Illegal::Rule("corners: no second stone could follow");

impl Variant for Corners {
    fn turn_length(&self, position: &Position, _: Color) -> RangeInclusive<u16> {
        if position.situation.turns < 2 { 1..=1 } else { 2..=2 }
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        let Some(point) = step.stone_point() else {
            return self.check_without_point(position, color, step);
        };
        position.check_stone(color, point)?;
        match position.situation.steps {
            _ if *self.turn_length(position, color).end() == 1 => Ok(()),
            0 if !has_room(position, color, point) => Err(NO_ROOM),
            0 => Ok(()),
            _ => {
                let first = position.previous_stone();
                let fits =
                    first.is_some_and(|first| corners(position, first).any(|at| at == point));
                if fits { Ok(()) } else { Err(NO_CORNER) }
            }
        }
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        note(position.situation.turns.min(2).into(), Point::NONE);
    }
}

/// The points that touch a point at a corner.
fn corners(position: &Position, point: Point) -> impl Iterator<Item = Point> + use<> {
    position.points_at_offsets(point, &[(-1, -1), (-1, 1), (1, -1), (1, 1)])
}

fn has_room(position: &Position, color: Color, point: Point) -> bool {
    let mut after = position.clone();
    after.make(color, Step::stone(point));
    corners(position, point).any(|at| after.check_stone(color, at).is_ok())
}

#[cfg(test)]
mod tests {
    use crate::board::Color::{Black, White};
    use crate::rules::{
        Action, Game, Illegal, Ko, Piece, Placement, Setup, Size, Step, Turn, parse_point, variant,
    };

    fn game(side: u8) -> Game {
        let setup = Setup { size: Size::square(side), ..Setup::new(variant("corners").unwrap()) };
        Game::new(&setup).expect("a game")
    }

    fn play(game: &mut Game, words: &str) -> Result<(), Illegal> {
        let words: Vec<_> = words.split(' ').collect();
        match game.parse_words(&words) {
            Ok(Action::Turn(turn)) => game.play(game.to_move(), &turn),
            other => panic!("{words:?}: {other:?}"),
        }
    }

    #[test]
    fn turns_have_exactly_the_points_that_the_position_asks_for() {
        let mut game = game(5);
        assert_eq!(play(&mut game, "C3 D4"), Err(Illegal::NoSuchTurn));
        assert_eq!(play(&mut game, "C3"), Ok(()));
        assert_eq!(play(&mut game, "C4"), Ok(()));
        assert_eq!(play(&mut game, "A1"), Err(Illegal::TooShort));
        assert_eq!(play(&mut game, "A1 A2"), Err(super::NO_CORNER));
        assert_eq!(play(&mut game, "A1 B2 C1"), Err(Illegal::NoSuchTurn));
        assert_eq!(play(&mut game, "A1 B2"), Ok(()));
        assert_eq!(game.turns().len(), 3);
        assert!(
            game.legal_turns_written(White).iter().all(|turn| turn == "pass" || turn.contains(' '))
        );
    }

    /// Two stones of White at C2 and D3 that one turn of Black captures, C3 and then B2; White
    /// could take both back in one turn. Black has more stones where it is said.
    fn two_kos(ko: Ko, more: &[&str]) -> Game {
        let mut setup =
            Setup { size: Size::square(5), ..Setup::new(variant("corners").expect("a variant")) };
        setup.rules.ko = ko;
        let mut game = Game::new(&setup).expect("a game");
        assert_eq!((play(&mut game, "D2"), play(&mut game, "C2")), (Ok(()), Ok(())));
        let grid = *game.grid();
        let stone = |color| {
            move |at: &&str| (parse_point(&grid, at).expect("a point"), Some(Piece::Stone(color)))
        };
        let black = ["C1", "E3", "D4"].iter().chain(more).map(stone(Black));
        let white = ["A2", "B1", "B3", "C4", "D3"].iter().map(stone(White));
        let cells = black.chain(white).collect();
        game.set_up(&Placement { cells, to_move: Some(Black) }).expect("a position");
        assert_eq!(play(&mut game, "C3 B2"), Ok(()));
        assert_eq!(game.state().board[2..4], [".OX.X", "OX.X."], "two captures");
        game
    }

    /// A turn made step by step may not end in a position that stood before, and a step after
    /// which it could end nowhere else is illegal.
    #[test]
    fn steps_may_not_end_in_an_earlier_position() {
        let mut game = two_kos(Ko::Positional, &[]);
        let point = |game: &Game, at: &str| parse_point(game.grid(), at).expect("a point");
        let [c2, d3, d1] = ["C2", "D3", "D1"].map(|at| point(&game, at));
        let superko = Err(Illegal::PositionalSuperko);
        let turn = |second| Turn::new(Step::stone(c2).kind(), [c2, second]);
        assert_eq!(game.check(White, &turn(d3)), superko);
        assert_eq!(game.check(White, &turn(d1)), Ok(()));
        assert!(!game.legal_turns_written(White).contains(&"C2 D3".to_owned()));
        assert_eq!(game.step(White, Step::stone(c2)), Ok(()));
        assert!(!game.legal_turns_written(White).contains(&"D3".to_owned()));
        let before = game.state();
        assert_eq!(game.step(White, Step::stone(d3)), superko);
        assert_eq!(game.state(), before);
        assert_eq!(game.step(White, Step::stone(d1)), Ok(()));
        assert_eq!(game.to_move(), Black);

        // Nothing but the repetition is left after C2.
        let mut game = two_kos(Ko::Positional, &["D1"]);
        assert_eq!(game.check(White, &turn(d3)), superko);
        assert_eq!(game.check_next_step(White, Step::stone(c2)), superko);
        assert_eq!(game.step(White, Step::stone(c2)), superko);
        assert!(!game.is_mid_turn());

        // Stones set up count for nobody under situational superko.
        let mut game = two_kos(Ko::Situational, &[]);
        assert_eq!(game.step(White, Step::stone(c2)), Ok(()));
        assert_eq!(game.step(White, Step::stone(d3)), Ok(()));
        assert_eq!(play(&mut game, "C3 B2"), Err(Illegal::SituationalSuperko));
    }

    /// The rules judge a turn alike whether it is made at once or step by step.
    #[test]
    fn a_turn_is_judged_alike_at_once_and_step_by_step() {
        let mut game = game(3);
        let mut random = crate::board::Random::new(1);
        let mut refused = 0;
        for _ in 0..1000 {
            if game.is_over() {
                game = self::game(3);
            }
            let color = game.to_move();
            let legal = game.legal_turns_written(color);
            let drawn = &legal[random.below(legal.len() as u32) as usize];
            let points: Vec<_> = drawn.split(' ').collect();
            let [first, second] = points[..] else {
                play(&mut game, drawn).expect("a legal turn");
                continue;
            };
            let [first, second] = [first, second].map(|at| parse_point(game.grid(), at));
            let (first, second) = (first.expect("a point"), second.expect("a point"));
            let before = game.clone();
            game.step(color, Step::stone(first)).expect("a legal step");
            for point in game.grid().points() {
                let at_once =
                    before.check(color, &Turn::new(Step::stone(first).kind(), [first, point]));
                let as_a_step = game.check_next_step(color, Step::stone(point));
                assert_eq!(as_a_step.is_ok(), at_once.is_ok(), "{first:?} {point:?}");
                refused += u32::from(at_once.is_err());
            }
            game.step(color, Step::stone(second)).expect("a legal step");
            assert_eq!(game.to_move(), !color);
        }
        assert!(refused > 10, "{refused}: no turn was refused");
    }
}
