//! Sygo.

use crate::common::*;
use kawari::board::Color;
use kawari::rules::{Illegal, Turn, sygo};

#[test]
fn a_placement_touches_no_own_stone() {
    let game = game_from_diagram("sygo", ". . .\n. X .\n. . .");
    for vertex in ["A2", "B1", "B3", "C2"] {
        assert_eq!(refusal(&game, &format!("B {vertex}")), sygo::TOUCHES_OWN, "{vertex}");
        assert!(is_legal(&game, &format!("W {vertex}")), "{vertex}");
    }
    assert!(is_legal(&game, "B A1"));
    assert_eq!(refusal(&game, "W B2"), Illegal::Occupied);
}

#[test]
fn a_growth_touches_an_own_group() {
    let game = game_from_diagram("sygo", ". . . #\n. X . O\n. . . .");
    assert!(is_legal(&game, "B grow B3"));
    assert_eq!(refusal(&game, "B grow A1"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "W grow B3"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "B grow B2"), Illegal::Occupied);
    assert_eq!(refusal(&game, "W grow D3"), Illegal::Occupied);
    let empty = Turn::new(sygo::GROW, []);
    assert_eq!(game.check(Color::Black, &empty), Err(Illegal::TooShort));
    assert!(game.parse("grow").is_err());
}

#[test]
fn all_groups_may_grow_in_one_turn() {
    let mut game = game_from_diagram("sygo", "X . . . X\n. . . . .\n. . X . .");
    play(&mut game, "B grow A2 E2 D1");
    assert_board(&game, "X . . . X\nX . . . X\n. . X X .");
    assert_eq!((game.state().turn, game.state().to_move), (4, "white"));
}

#[test]
fn a_group_grows_by_one_stone_a_turn() {
    let game = game_from_diagram("sygo", "X X . . X\n. . . . .\n. . . . .");
    assert_eq!(refusal(&game, "B grow A2 C3"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow A2 B2"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow A2 E2 D3"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow A2 A2"), Illegal::Occupied);
}

#[test]
fn a_stone_between_two_groups_grows_both() {
    let game = game_from_diagram("sygo", ". X . X .\n. . . . .");
    assert!(is_legal(&game, "B grow C2"));
    assert_eq!(refusal(&game, "B grow C2 A2"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow C2 E2"), sygo::HAS_GROWN);
    // The left group has grown, so that the stone between may not be added.
    assert_eq!(refusal(&game, "B grow A2 C2"), sygo::HAS_GROWN);
    assert!(is_legal(&game, "B grow A2 E2"));
}

/// No group gets two new neighbours, though the new stones touch.
#[test]
fn touching_stones_of_this_turn_is_allowed_and_is_no_growth() {
    let mut game = game_from_diagram("sygo", ". X . . X .\n. . . . . .");
    assert!(is_legal(&game, "B grow D2 C2"));
    play(&mut game, "B grow C2 D2");
    assert_board(&game, ". X X X X .\n. . . . . .");
    let game = game_from_diagram("sygo", ". X . . . .\n. . . . . .");
    assert_eq!(refusal(&game, "B grow C2 D2"), sygo::NO_ORIGINAL_GROUP);
}

#[test]
fn captured_groups_change_colour_and_join_their_captors() {
    let mut game = game_from_diagram("sygo", "X O . .\n. X . .\n. . . .");
    play(&mut game, "B C3");
    assert_board(&game, "X X X .\n. X . .\n. . . .");
    assert_eq!(captures(&game), (0, 0));
    let all = game.group_stones(game.grid().point(1, 1).expect("B2"));
    assert_eq!(all.len(), 4);
}

/// The placement has no liberty of its own; two groups flip at once and unite
/// it with all around.
#[test]
fn several_groups_flip_at_once() {
    let mut game = game_from_diagram("sygo", "O . . .\nX O . .\n. X O .");
    play(&mut game, "W A1");
    assert_board(&game, "O . . .\nO O . .\nO O O .");
    assert_eq!(game.group_stones(game.grid().point(0, 0).expect("A1")).len(), 6);
}

#[test]
fn there_is_no_ko() {
    let mut game = game_from_diagram("sygo", ". X O .\nX O . O\n. X O .");
    play(&mut game, "B C2");
    assert_board(&game, ". X O .\nX X X O\n. X O .");
    assert_eq!(refusal(&game, "W B2"), Illegal::Occupied);
}

#[test]
fn territory_counts_no_flipped_stones() {
    let mut game = game_from_diagram("sygo scoring=territory", "X O . .\n. X . .\n. . . .");
    play(&mut game, "B C3");
    assert_eq!(counted(&game), "B+8");
}

#[test]
fn suicide_is_illegal_by_placement_and_by_growth() {
    let game = game_from_diagram("sygo", ". X . X O .\nX . . . X X\n. . . . . .");
    assert_eq!(refusal(&game, "W A3"), Illegal::Suicide);
    assert_eq!(refusal(&game, "W grow F3"), Illegal::Suicide);
    assert!(is_legal(&game, "B grow A3"));
}

/// The stone flips C1, but even together they have no liberty.
#[test]
fn a_capture_that_leaves_no_liberty_is_suicide() {
    let game = game_from_diagram("sygo", ". . . .\nX X # .\nO . X #");
    assert_eq!(refusal(&game, "W grow B1"), Illegal::Suicide);
    let game = game_from_diagram("sygo", ". . . .\nX X # .\n# . X #");
    assert_eq!(refusal(&game, "W B1"), Illegal::Suicide);
    // With a liberty further on the same capture lives.
    let mut game = game_from_diagram("sygo", ". . . .\nX X # .\nO . X O");
    play(&mut game, "W grow B1");
    assert_board(&game, ". . . .\nX X # .\nO O O O");
}

/// A stone on C1 grows the group of B1 and flips D1, which touches E1.
#[test]
fn groups_next_to_a_flipped_one_count_as_grown() {
    let diagram = ". . . # . . .\n. X . O X . .";
    let mut game = game_from_diagram("sygo", diagram);
    assert_eq!(refusal(&game, "B grow C1 F1"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow C1 E2"), sygo::HAS_GROWN);
    assert!(is_legal(&game, "B grow C1"));
    play(&mut game, "B grow F1 C1");
    assert_board(&game, ". . . # . . .\n. X X X X X .");
}

/// C1 takes a liberty of B1, so that A1, suicide before, can flip it.
#[test]
fn a_growth_is_judged_stone_by_stone_in_its_order() {
    let diagram = "# . . . .\nX # . . .\n. O . X .";
    let mut game = game_from_diagram("sygo", diagram);
    assert_eq!(refusal(&game, "B grow A1"), Illegal::Suicide);
    assert_eq!(refusal(&game, "B grow A1 C1"), Illegal::Suicide);
    play(&mut game, "B grow C1 A1");
    assert_board(&game, "# . . . .\nX # . . .\nX X X X .");
}

/// White's two stones have two liberties. One black group around cannot take
/// both in a turn, two groups can.
#[test]
fn two_liberties_are_taken_in_one_turn_by_two_groups_only() {
    let one_group = ". . . . .
                     X X X X .
                     . O O . .
                     # # # # .";
    let two_groups = ". . . . .
                      X # # X .
                      . O O . .
                      # # # # .";
    assert_eq!(refusal(&game_from_diagram("sygo", one_group), "B grow A2 D2"), sygo::HAS_GROWN);
    let mut game = game_from_diagram("sygo", two_groups);
    play(&mut game, "B grow A2 D2");
    assert_board(
        &game,
        ". . . . .
         X # # X .
         X X X X .
         # # # # .",
    );
}

/// The side that may follow a growth with a placement.
fn may_balance(words: &str, turns: &str, turn: &str) -> bool {
    let mut game = new_game(words);
    play(&mut game, turns);
    match legality(&game, turn) {
        Ok(()) => true,
        Err(sygo::NO_BALANCE) => false,
        Err(why) => panic!("{turns}, {turn}: {why}"),
    }
}

#[test]
fn a_balance_turn_is_a_growth_and_a_placement() {
    let mut game = new_game("sygo 5");
    play(&mut game, "W A1, B C3, B A5");
    assert!(!game.state().grown);
    assert_eq!(refusal(&game, "B grow E1"), sygo::NO_ORIGINAL_GROUP);
    play(&mut game, "B grow C4 B5 E1");
    assert_board(&game, "X X . . .\n. . X . .\n. . X . .\n. . . . .\nO . . . X");
    assert!(game.state().grown);
    assert_eq!((game.state().turn, game.state().to_move), (4, "white"));
}

#[test]
fn the_placement_of_a_balance_turn_comes_last_and_touches_nothing_own() {
    let mut game = new_game("sygo 5");
    play(&mut game, "W A1, B C3, B A5");
    assert_eq!(refusal(&game, "B grow E1 C4"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "B grow C4 E1 B5"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "B grow C4 C5"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "B grow C4 D3"), sygo::HAS_GROWN);
    assert_eq!(refusal(&game, "B grow C4 E1 E3"), sygo::NO_ORIGINAL_GROUP);
    assert_eq!(refusal(&game, "B grow C4 A1"), Illegal::Occupied);
}

#[test]
fn only_the_colour_that_did_not_begin_may_balance() {
    assert!(may_balance("sygo 5", "W A1, B C3", "B grow C4 E1"));
    assert!(!may_balance("sygo 5", "W A1, B C3", "W grow A2 E5"));
    assert!(may_balance("sygo 5", "B C3, W A1", "W grow A2 E5"));
    assert!(!may_balance("sygo 5", "B C3, W A1", "B grow C4 E1"));
}

#[test]
fn a_pass_begins_a_game_too() {
    assert!(may_balance("sygo 5", "W pass, B C3", "B grow C4 E1"));
    assert!(!may_balance("sygo 5", "B pass, B C3", "B grow C4 E1"));
    assert!(may_balance("sygo 5", "B pass, W A1", "W grow A2 E5"));
}

#[test]
fn the_first_turn_counts_instead_of_the_option() {
    assert!(may_balance("sygo 5 first=black", "B C3, W A1", "W grow A2 E5"));
    assert!(may_balance("sygo 5 first=black", "W A1, B C3", "B grow C4 E1"));
    assert!(!may_balance("sygo 5 first=black", "B C3, W A1", "B grow C4 E1"));
}

#[test]
fn any_growth_ends_the_balance_right() {
    for turns in
        ["W A1, B C3, W grow A2", "W A1, B C3, B grow D3", "W A1, B C3, B grow D3 E5, W pass"]
    {
        assert!(!may_balance("sygo 5", turns, "B grow C4 E1"), "{turns}");
    }
    // A growth that was refused, or taken back, does not.
    let mut game = new_game("sygo 5");
    play(&mut game, "W A1, B C3, W grow A2");
    game.undo(1).expect("a turn");
    assert!(!game.state().grown && is_legal(&game, "B grow C4 E1"));
}

#[test]
fn a_balance_turn_captures_and_obeys_suicide() {
    let mut game = new_game("sygo 3");
    play(&mut game, "W A1, B A3, B grow A2 B1");
    assert_board(&game, "X . .\nX . .\nX X .");
    let mut game = new_game("sygo 3");
    play(&mut game, "W A2, W B1, B C3");
    assert_eq!(refusal(&game, "B grow B3 A1"), Illegal::Suicide);
}

#[test]
fn ko_options_change_nothing() {
    for ko in ["simple", "positional", "situational"] {
        let mut game = new_game(&format!("sygo 3 ko={ko}"));
        play(&mut game, "W B2, B A1, W pass, B pass, W grow B3");
        assert!(is_legal(&game, "B C1"));
    }
}

#[test]
fn draws_are_possible() {
    let game = game_from_diagram("sygo", ". X O .\n. X O .");
    assert_eq!(counted(&game), "0");
}
