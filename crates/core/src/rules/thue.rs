//! # `thue`: a game that only tests have
//!
//! Go, but the sides move in the order of Thue and Morse: Black, White, White, Black, White, Black,
//! Black, White, and again from the start. With handicap, White is the first side and the order has
//! the colours exchanged. A pass is a turn of this order. The game ends once both sides have passed
//! since the last stone.

use super::go;
use super::options::RuleKey;
use super::position::Position;
use super::variant::{Variant, VariantInfo};
use crate::board::{Color, Point};

/// The record of `thue`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Thue,
    id: "thue",
    summary: "Thue: Go in which a side sometimes moves twice",
    introduction: "Go with another order of turns. Black moves, White moves twice, Black once, \
        White once, Black twice, White once, and so on. Two passes of one side do not end the \
        game.",
    example: "E5, C3, G7, C7, G3, F6, D4, E3, C5",
    source: include_str!("thue.rs"),
    default_side: 9,
    usual_sides: &[5, 7, 9],
    keys: &[RuleKey::Ko, RuleKey::Scoring],
    alternates: false,
    ..go::BASE
};

/// The order of turns; the state is the side of the first turn.
#[derive(Debug)]
struct Thue;

/// Turns after which the order begins again.
const PERIOD: u32 = 8;

impl Variant for Thue {
    fn start(&self, position: &mut Position) {
        position.set_state(position.situation.to_move);
    }

    // part: order
    fn next_to_move(&self, position: &Position, _: Color) -> Color {
        let is_others = (position.situation.turns % PERIOD).count_ones() % 2 == 1;
        let first = *position.state::<Color>();
        if is_others { !first } else { first }
    }

    fn pass_ends_game(&self, position: &Position, color: Color) -> bool {
        position.situation.passed[!color as usize]
    }
    // end: order

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        let [black, white] = position.situation.passed.map(u64::from);
        let place = u64::from(position.situation.turns % PERIOD);
        let first = *position.state::<Color>();
        note(place << 3 | (first as u64) << 2 | black << 1 | white, Point::NONE);
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Color::{self, Black, White};
    use crate::board::Random;
    use crate::rules::{Game, Illegal, Piece, Placement, Setup, Size, Turn, parse_point, variant};
    use crate::sgf::{GameRecord, parse, remarks_on_play};

    fn start(handicap: &[(u8, u8)]) -> Game {
        let mut setup = Setup::new(variant("thue").expect("a variant"));
        (setup.size, setup.handicap) = (Size::square(5), handicap.to_vec());
        Game::new(&setup).expect("a game")
    }

    /// Plays at a vertex, or passes.
    fn play(game: &mut Game, color: Color, at: &str) -> Result<(), Illegal> {
        let turn = match at {
            "pass" => Turn::pass(),
            at => Turn::stone(parse_point(game.grid(), at).expect("a point")),
        };
        game.play(color, &turn)
    }

    #[test]
    fn the_order_holds_with_passes_handicap_set_ups_and_undo() {
        for (handicap, first) in [(vec![], Black), (vec![(2, 2), (0, 4)], White)] {
            let mut game = start(&handicap);
            let order = [first, !first, !first, first, !first, first, first, !first, first, !first];
            for (number, color) in order.into_iter().enumerate() {
                assert_eq!(game.to_move(), color, "turn {number}");
                let turn = if number % 3 == 2 {
                    "pass"
                } else {
                    ["A1", "E1", "B3", "D3", "A3", "E3", "D5"][number - number / 3]
                };
                assert_eq!(play(&mut game, !color, turn), Err(Illegal::OutOfTurn(color)));
                assert_eq!(play(&mut game, !color, "pass"), Err(Illegal::OutOfTurn(color)));
                assert!(
                    game.legal_turns_written(!color).is_empty() && game.steps(!color).is_empty()
                );
                assert_eq!(play(&mut game, color, turn), Ok(()));
            }
            for color in order.into_iter().rev() {
                game.undo(1).expect("a turn to undo");
                assert_eq!(game.to_move(), color);
            }
            // A set-up without a side keeps the order, and one with a side names it.
            assert_eq!(play(&mut game, first, "B1"), Ok(()));
            let point = parse_point(game.grid(), "E4").expect("a point");
            let mut set_up =
                Placement { cells: vec![(point, Some(Piece::Stone(White)))], to_move: None };
            game.set_up(&set_up).expect("a position");
            assert_eq!(play(&mut game, !first, "C1"), Ok(()));
            set_up.cells[0].1 = Some(Piece::Stone(Black));
            game.set_up(&set_up).expect("a position");
            assert_eq!(game.to_move(), !first);
            set_up.to_move = Some(first);
            game.set_up(&set_up).expect("a position");
            assert_eq!(game.to_move(), first);
        }
    }

    #[test]
    fn the_passes_of_both_sides_end_the_game() {
        let mut game = start(&[]);
        for (color, at, over) in [
            (Black, "C3", false),
            (White, "pass", false),
            (White, "pass", false),
            (Black, "pass", true),
            // A third pass is a turn, and any other turn resumes the game.
            (White, "pass", true),
            (Black, "C4", false),
            (Black, "pass", false),
            (White, "pass", true),
        ] {
            assert_eq!(play(&mut game, color, at), Ok(()), "{color:?} {at}");
            assert_eq!(game.is_over(), over, "{color:?} {at}");
        }
        game.undo(1).expect("a turn to undo");
        assert!(!game.is_over());
    }

    /// Viewers with square boards show some captures in another way; their nodes have no `B` or `W`.
    #[test]
    fn a_record_names_the_mover_where_a_reader_would_take_the_other_side() {
        let mut setup = Setup::new(variant("thue").expect("a variant"));
        setup.size = Size { width: 5, height: 2 };
        let (mut random, mut named) = (Random::new(1), 0);
        for _ in 0..40 {
            let mut game = Game::new(&setup).expect("a game");
            while game.turns().len() < 30 && !game.is_over() {
                let turns = game.legal_turns(game.to_move());
                let turn = &turns[random.below(turns.len() as u32) as usize];
                assert_eq!(game.play(game.to_move(), turn), Ok(()));
            }
            let record = GameRecord::from_game(&setup, &game).expect("a record");
            let text = record.write_text();
            named += text.matches("KTURN[B ").count() + text.matches("KTURN[W ").count();
            let trees = parse(text.as_bytes()).expect("SGF");
            let back = GameRecord::read(&trees[0], &setup).expect("a game");
            let read = back.game().expect("legal turns");
            assert_eq!((read.turns(), read.state()), (game.turns(), game.state()), "{text}");
            assert_eq!(remarks_on_play(&back, Some(&read)), [], "{text}");
        }
        assert!(named > 0, "no turn named its side");
    }
}
