//! Tao Go.

use crate::common::*;
use kawari::board::Cell;
use kawari::rules::{Game, Illegal, tao};

fn hand(game: &Game) -> (u16, u16) {
    let hand = game.state().hand;
    (hand.black, hand.white)
}

#[test]
fn a_tao_stone_lies_on_tengen_or_in_blacks_hand() {
    for (words, on_board, expected) in [
        ("tao 5", true, (0, 0)),
        ("tao 5x7 tao-supply=2", true, (2, 2)),
        ("tao 4", false, (1, 0)),
        ("tao 5x4", false, (1, 0)),
        ("tao 4 tao-supply=2", false, (3, 2)),
        ("tao 5 blocks=C3", false, (1, 0)),
        ("tao 5 handicap=C3", false, (1, 0)),
        ("tao 5 handicap=A1,C3 blocks=B2 tao-supply=1", false, (2, 1)),
        ("tao 5 handicap=B2,D4", true, (0, 0)),
    ] {
        let game = new_game(words);
        let taos = game.state().board.concat().matches('+').count();
        assert_eq!((taos == 1, hand(&game)), (on_board, expected), "{words}");
    }
    assert_eq!(cell(&new_game("tao 19"), "K10"), Cell::Tao);
}

#[test]
fn a_tao_stone_is_a_liberty_of_both_colours() {
    // B2 and D2 have no other liberty.
    let game = game_from_diagram(
        "tao tao-supply=1",
        "O X + O X .
         . O X X . .",
    );
    assert_eq!(captures(&game), (0, 0));
    assert!(is_legal(&game, "W C2") && is_legal(&game, "B C2"));
    let game = game_from_diagram(
        "tao tao-supply=1",
        "+ . X .
         . X . .",
    );
    assert!(is_legal(&game, "W A1"), "no suicide: next to the tao stone");
}

#[test]
fn nobody_plays_on_a_tao_stone_without_capturing() {
    let game = new_game("tao 3");
    assert_eq!(refusal(&game, "B B2"), tao::CAPTURES_NOTHING);
    assert_eq!(refusal(&game, "W B2"), tao::CAPTURES_NOTHING);
    let game = game_from_diagram("tao", ". O .\nO + .\n. O .");
    assert_eq!(refusal(&game, "B B2"), tao::CAPTURES_NOTHING);
}

#[test]
fn a_stone_that_captures_takes_the_place_of_a_tao_stone() {
    let mut game = game_from_diagram(
        "tao",
        ". . .
         . + .
         O X O",
    );
    assert_eq!(refusal(&game, "B B2"), tao::CAPTURES_NOTHING);
    play(&mut game, "W B2");
    assert_board(
        &game,
        ". . .
         . O .
         O . O",
    );
    assert_eq!(captures(&game), (0, 1));
    assert_eq!(hand(&game), (0, 0)); // the tao stone is gone for good
}

/// The black stone on C1 has two tao stones and lives, until Black fills the
/// neutral point A1: a legal move, after which White captures on B1, and then
/// on D1.
#[test]
fn two_tao_stones_are_no_safe_life() {
    let mut game = game_from_diagram(
        "tao tao-supply=2",
        ". . . .
         O O O O
         . + X +",
    );
    assert_eq!(refusal(&game, "W B1"), tao::CAPTURES_NOTHING);
    assert_eq!(refusal(&game, "W D1"), tao::CAPTURES_NOTHING);
    play(&mut game, "B A1, W B1");
    assert_board(
        &game,
        ". . . .
         O O O O
         . O X +",
    );
    play(&mut game, "W D1");
    assert_board(
        &game,
        ". . . .
         O O O O
         . O . O",
    );
    assert_eq!(captures(&game), (0, 2));
}

#[test]
fn a_tao_stone_goes_on_any_empty_point_and_captures_nothing() {
    let mut game = game_from_diagram(
        "tao tao-supply=5",
        "O . #
         X . .",
    );
    play(&mut game, "B B1");
    for vertex in ["A2", "A1", "C2"] {
        assert_eq!(refusal(&game, &format!("B tao {vertex}")), Illegal::Occupied, "{vertex}");
    }
    play(&mut game, "B tao B2"); // the last liberty of A2
    assert_board(
        &game,
        "O + #
         X X .",
    );
    assert_eq!(refusal(&game, "B tao B2"), Illegal::Occupied);
    play(&mut game, "B B2");
    assert_eq!(captures(&game), (1, 0));
}

#[test]
fn a_tao_stone_is_paid_from_the_hand_first_then_with_prisoners() {
    let mut game = new_game("tao 4 tao-supply=1");
    play(&mut game, "W A1, B A2, B B1, W D1, B C1, B D2");
    assert_eq!((hand(&game), captures(&game)), ((2, 1), (2, 0)));
    for (turn, hand_left, prisoners) in
        [("B tao A4", 1, 2), ("B tao B4", 0, 2), ("B tao C4", 0, 1), ("B tao D4", 0, 0)]
    {
        play(&mut game, turn);
        assert_eq!((hand(&game), captures(&game)), ((hand_left, 1), (prisoners, 0)), "{turn}");
    }
    assert_eq!(refusal(&game, "B tao A1"), tao::NOTHING_TO_PAY);
    play(&mut game, "W tao A1");
    assert_eq!(refusal(&game, "W tao D1"), tao::NOTHING_TO_PAY);
}

#[test]
fn at_the_start_there_is_nothing_to_pay_with() {
    let game = new_game("tao 5");
    assert_eq!(refusal(&game, "B tao A1"), tao::NOTHING_TO_PAY);
    assert_eq!(refusal(&game, "W tao A1"), tao::NOTHING_TO_PAY);
    let game = new_game("tao 4");
    assert!(is_legal(&game, "B tao A1"));
    assert_eq!(refusal(&game, "W tao A1"), tao::NOTHING_TO_PAY);
}

/// Black has a tao stone in hand, then pays points.
#[test]
fn a_tao_stone_may_cost_points() {
    for (cost, result) in
        [("points:0", "0"), ("points:1", "W+2"), ("points:1.5", "W+3"), ("points:20", "W+40")]
    {
        let mut game = new_game(&format!("tao 4 komi=0 tao-cost={cost}"));
        play(&mut game, "B tao A1, B tao B1, B tao C1");
        assert_eq!(hand(&game), (0, 0));
        assert_eq!(counted(&game), result, "{cost}");
        play(&mut game, "W tao A4, W tao B4, W tao C4");
        let expected = match cost {
            "points:0" => "0",
            "points:1" => "B+1",
            "points:1.5" => "B+1.5",
            _ => "B+20",
        };
        assert_eq!(counted(&game), expected, "{cost}");
    }
}

#[test]
fn points_spare_the_prisoners() {
    let mut game = new_game("tao 4 tao-cost=points:2 scoring=territory komi=0");
    play(&mut game, "W A1, B A2, B B1, B tao D4, B tao D3");
    assert_eq!((hand(&game), captures(&game)), ((0, 0), (1, 0)));
    assert_eq!(game.score().to_string(), "B+11"); // twelve points and a prisoner less two
}

#[test]
fn territory_counts_captures_less_prisoners_spent() {
    let mut game = new_game("tao 4 scoring=territory komi=0");
    play(&mut game, "W A1, B A2, B B1, B tao D4");
    assert_eq!(game.score().to_string(), "B+14"); // thirteen points and a prisoner
    play(&mut game, "B tao D3");
    assert_eq!(game.score().to_string(), "B+12");
}

#[test]
fn a_tao_stone_taken_back_by_undo_returns_to_the_hand() {
    let mut game = new_game("tao 4");
    play(&mut game, "B tao A1");
    assert_eq!(hand(&game), (0, 0));
    game.undo(1).expect("a turn");
    assert_eq!(hand(&game), (1, 0));
    assert_eq!(cell(&game, "A1"), Cell::Empty);
}

/// White takes on the tao stone C2, Black takes back on B2; a tao stone on C2
/// would then make the position what it was, left by Black.
const CYCLE: &str = "
    . O X .
    O X + X
    . O X .";

#[test]
fn tao_stones_are_part_of_the_position() {
    for (ko, black, white) in [
        ("positional", Err(Illegal::PositionalSuperko), Err(Illegal::PositionalSuperko)),
        ("situational", Err(Illegal::SituationalSuperko), Ok(())),
        ("simple", Ok(()), Ok(())),
        ("none", Ok(()), Ok(())),
    ] {
        let mut game = game_from_diagram(&format!("tao tao-supply=1 ko={ko}"), CYCLE);
        play(&mut game, "W C2");
        if ko == "simple" {
            assert_eq!(refusal(&game, "B B2"), Illegal::Ko);
            play(&mut game, "W pass");
        }
        play(&mut game, "B B2"); // the tao stone is missing: a new position
        assert_eq!(captures(&game), (1, 1));
        assert_eq!(legality(&game, "B tao C2"), black, "{ko}");
        assert_eq!(legality(&game, "W tao C2"), white, "{ko}");
    }
}

#[test]
fn a_tao_stone_elsewhere_makes_a_ko_position_new() {
    let mut game = game_from_diagram("tao tao-supply=1", ". X O .\nX O . O\n. X O .");
    play(&mut game, "B C2");
    assert_eq!(refusal(&game, "W B2"), Illegal::PositionalSuperko);
    play(&mut game, "W tao D3, B pass");
    assert!(is_legal(&game, "W B2"));
}
