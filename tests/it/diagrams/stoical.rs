//! Stoical Go: the basic rule, the draw, and both refinements.

use crate::common::*;
use kawari::rules::{Game, Illegal, stoical};

/// Black takes on C2, and White may want to take back on B2.
const KO: &str = "
    . X O .
    X O . O
    . X O .";

fn after(words: &str, diagram: &str, turns: &str) -> Game {
    let mut game = game_from_diagram(words, diagram);
    play(&mut game, turns);
    game
}

#[test]
fn a_capture_may_not_answer_a_capture() {
    let game = after("stoical", KO, "B C2");
    assert_eq!(refusal(&game, "W B2"), stoical::CAPTURE_AFTER_CAPTURE);
    assert!(is_legal(&game, "W D3"));
}

#[test]
fn nor_a_capture_elsewhere_however_large() {
    let mut game = game_from_diagram(
        "stoical",
        ". X O . O O O
         X O . O X X X
         . X O O X X .",
    );
    assert!(is_legal(&game, "W G1"));
    play(&mut game, "B C2");
    assert_eq!(refusal(&game, "W G1"), stoical::CAPTURE_AFTER_CAPTURE);
}

#[test]
fn only_the_turn_just_before_matters() {
    for between in ["W pass, B A3", "W D3, B A3", "W D3, B pass", "W pass", "B A3"] {
        let game = after("stoical", KO, &format!("B C2, {between}"));
        assert!(is_legal(&game, "W B2"), "{between}");
    }
}

#[test]
fn own_captures_may_follow_each_other() {
    let mut game = game_from_diagram(
        "stoical",
        "O . . . X O
         X . . . . .",
    );
    play(&mut game, "B B2, B F1");
    assert_eq!(captures(&game), (2, 0));
}

#[test]
fn snapbacks_do_not_work() {
    let game = after("stoical", SNAPBACK, "B A1");
    assert_eq!(refusal(&game, "W B1"), stoical::CAPTURE_AFTER_CAPTURE);
}

#[test]
fn a_placement_that_repeats_a_position_draws() {
    let mut game = after("stoical", KO, "B C2, W pass, B pass");
    let before = game.state();
    play(&mut game, "W B2");
    assert!(game.is_final());
    assert_eq!(result(&game).as_deref(), Some("0"));
    assert_eq!(refusal(&game, "B pass"), Illegal::GameOver);
    game.undo(1).expect("a turn");
    assert_eq!(game.state(), before);
}

#[test]
fn a_longer_cycle_draws_too() {
    let mut game = game_from_diagram(
        "stoical",
        ". . . .
         X X O .
         O O . O",
    );
    play(&mut game, "B C1, W pass, B pass, W B1, B pass");
    assert!(!game.is_final());
    play(&mut game, "W A1");
    assert_eq!(result(&game).as_deref(), Some("0"));
}

#[test]
fn the_starting_position_counts_for_the_draw() {
    let mut game = new_game("stoical 3 blocks=A2 handicap=A1,C1,B2");
    play(&mut game, "W B1");
    assert_eq!(refusal(&game, "B A1"), stoical::CAPTURE_AFTER_CAPTURE);
    play(&mut game, "B pass, W pass, B A1");
    assert!(game.is_final());
    assert_eq!(result(&game).as_deref(), Some("0"));
}

#[test]
fn passes_repeat_positions_without_a_draw() {
    let mut game = new_game("stoical 3");
    play(&mut game, "B A1, W pass, B pass, W pass");
    assert!(!game.is_final());
    assert_eq!(result(&game).as_deref(), Some("B+1.5"));
}

#[test]
fn a_superko_forbids_what_would_be_a_draw() {
    let cycle = "B C2, W pass, B pass";
    let game = after("stoical ko=positional", KO, cycle);
    assert_eq!(refusal(&game, "W B2"), Illegal::PositionalSuperko);
    let game = after("stoical ko=situational", KO, cycle);
    assert_eq!(refusal(&game, "W B2"), Illegal::SituationalSuperko);
    let game = after("stoical ko=simple", KO, cycle);
    assert!(is_legal(&game, "W B2"));
    // Situational superko says nothing of what only the other colour left, but
    // the position was there all the same.
    let mut game = after(
        "stoical ko=situational",
        ". X O . .
         X O . O .
         . X O . X",
        cycle,
    );
    play(&mut game, "W B2");
    assert!(game.is_final());
}

/// Black takes B1 by joining on A1, White snaps back three stones on B1 and
/// has two liberties then.
const SNAPBACK: &str = "
    O O . .
    X X O .
    . O # .";

#[test]
fn the_second_capture_of_a_snapback_can_be_allowed() {
    let mut game = after("stoical stoical-rule=snapback", SNAPBACK, "B A1");
    play(&mut game, "W B1");
    assert_eq!(captures(&game), (1, 3));
}

#[test]
fn a_snapback_begins_with_a_placement_that_joins() {
    let game = after("stoical stoical-rule=snapback", KO, "B C2");
    assert_eq!(refusal(&game, "W B2"), stoical::CAPTURE_AFTER_CAPTURE);
}

#[test]
fn a_snapback_begins_with_the_capture_of_one_stone() {
    let game = after(
        "stoical stoical-rule=snapback",
        ". . . .
         O O # .
         X X # .
         . O O #",
        "B A1",
    );
    assert_eq!(captures(&game), (2, 0));
    assert_eq!(refusal(&game, "W B1"), stoical::CAPTURE_AFTER_CAPTURE);
}

#[test]
fn a_snapback_ends_on_the_point_of_that_stone() {
    let game = after(
        "stoical stoical-rule=snapback",
        "O O . O X
         X X O . .
         . O # . .",
        "B A1",
    );
    assert_eq!(refusal(&game, "W E2"), stoical::CAPTURE_AFTER_CAPTURE);
    assert!(is_legal(&game, "W B1"));
}

/// White's stone would have one liberty and could be taken again.
#[test]
fn a_snapback_leaves_two_liberties() {
    let game = after(
        "stoical stoical-rule=snapback",
        ". X O O .
         X O . X O
         . X O O .",
        "B C2",
    );
    assert_eq!(refusal(&game, "W B2"), stoical::CAPTURE_AFTER_CAPTURE);
}

/// A position in two parts with a wall between; Black captures in the left
/// one, then White would like to capture in the right one under the refined
/// rule.
fn answer(left: &str, black: &str, right: &str, white: &str) -> Result<(), Illegal> {
    let rows = left.trim().lines().zip(right.trim().lines());
    let diagram: Vec<_> = rows.map(|(l, r)| format!("{l} # {r}")).collect();
    let mut game = game_from_diagram("stoical stoical-rule=refined", &diagram.join("\n"));
    play(&mut game, &format!("B {black}"));
    assert_ne!(captures(&game).0, 0, "a first capture");
    let verdict = legality(&game, &format!("W {white}"));
    play(&mut game, &format!("B pass, W {white}"));
    assert_ne!(captures(&game).1, 0, "a second capture");
    verdict
}

/// A strictly disturbing capture of one stone, on C2, without joining.
const STRICT: &str = KO;

/// A loosely disturbing capture of two stones, on C1: the only liberty of the
/// capturing stone, D1, touches no other black stone.
const LOOSE: &str = "
    . . # #
    X X # #
    O O . .";

/// A strictly disturbing capture of two stones, on C1.
const STRICT_LINE: &str = "
    . . # #
    X X # #
    O O . #";

const NO: Result<(), Illegal> = Err(stoical::CAPTURE_AFTER_CAPTURE);
const YES: Result<(), Illegal> = Ok(());

#[test]
fn refined_a_strict_capture_may_not_answer_a_strict_one() {
    let game = after("stoical stoical-rule=refined", KO, "B C2");
    assert_eq!(refusal(&game, "W B2"), stoical::CAPTURE_AFTER_CAPTURE);
    assert_eq!(answer(STRICT, "C2", &swapped(STRICT_LINE), "H1"), NO);
    assert_eq!(answer(STRICT_LINE, "C1", &swapped(STRICT), "H2"), NO);
}

#[test]
fn refined_a_loose_capture_may_answer_a_loose_one_only() {
    assert_eq!(answer(LOOSE, "C1", &swapped(LOOSE), "H1"), YES);
    assert_eq!(answer(STRICT, "C2", &swapped(LOOSE), "H1"), NO);
    assert_eq!(answer(LOOSE, "C1", &swapped(STRICT_LINE), "H1"), NO);
}

/// Colours exchanged.
fn swapped(diagram: &str) -> String {
    diagram.replace('X', "x").replace('O', "X").replace('x', "O")
}

#[test]
fn refined_five_stones_are_enough() {
    let four = ". . . . #
                O O O O #
                X X X X .";
    let five = ". . . . . #
                O O O O O #
                X X X X X .";
    assert_eq!(answer(STRICT, "C2", four, "K1"), NO);
    assert_eq!(answer(STRICT, "C2", five, "L1"), YES);
}

#[test]
fn refined_a_domain_of_five_points_is_enough() {
    let four = ". . # # # #
                O O # # # #
                X X . O O O";
    let five = ". . # # # # #
                O O # # # # #
                X X . O O O O";
    assert_eq!(answer(STRICT, "C2", four, "H1"), NO);
    assert_eq!(answer(STRICT, "C2", five, "H1"), YES);
    // Empty points count as well.
    let four = ". . # # # # #
                O O # # # # #
                X X . . . . #";
    let five = ". . # # # # # #
                O O # # # # # #
                X X . . . . . #";
    assert_eq!(answer(STRICT, "C2", four, "H1"), NO);
    assert_eq!(answer(STRICT, "C2", five, "H1"), YES);
}

#[test]
fn refined_a_captured_group_that_is_no_open_line_frees() {
    let square = "O O . #
                  X X # #
                  X X . #";
    let fork = "O O O . #
                O X O # #
                X X X . #";
    let line = "O O O . #
                O O O # #
                X X X . #";
    assert_eq!(answer(STRICT, "C2", square, "H1"), YES);
    assert_eq!(answer(STRICT, "C2", fork, "J1"), YES);
    assert_eq!(answer(STRICT, "C2", line, "J1"), NO);
}

#[test]
fn refined_a_domain_that_is_no_open_line_frees() {
    let square = ". # # # #
                  O # O O #
                  X X . O #";
    let bent = ". # # # #
                O # # O #
                X X . O #";
    assert_eq!(answer(STRICT, "C2", square, "H1"), YES);
    assert_eq!(answer(STRICT, "C2", bent, "H1"), NO);
}

/// It is enough that either of the two captures is of the kind.
#[test]
fn refined_the_first_capture_frees_as_well() {
    let square = "X X . #
                  O O # #
                  O O . #";
    let five = ". . . . . #
                X X X X X #
                O O O O O .";
    let domain = ". . # # # # #
                  X X # # # # #
                  O O . X X X X";
    let strict = swapped(STRICT_LINE);
    assert_eq!(answer(square, "C1", &strict, "H1"), YES);
    assert_eq!(answer(five, "F1", &strict, "K1"), YES);
    assert_eq!(answer(domain, "C1", &strict, "L1"), YES);
}

#[test]
fn refined_captures_of_two_groups_do_not_disturb() {
    let two = ". # . #
               O # O #
               X . X #";
    assert_eq!(answer(STRICT, "C2", two, "G1"), YES);
}

/// All of White around the vacated points is one group, which has no liberty
/// elsewhere; with a second group there it would be strictly disturbing.
#[test]
fn refined_a_capture_by_one_group_does_not_disturb() {
    let one = "# # # #
               O O O #
               X X . #";
    let two = ". # # #
               O # O #
               X X . #";
    let strict = swapped(STRICT_LINE);
    assert_eq!(answer(STRICT, "C2", one, "H1"), YES);
    assert_eq!(answer(STRICT, "C2", two, "H1"), NO);
    assert_eq!(answer(&swapped(one), "C1", &strict, "H1"), YES);
    assert_eq!(answer(&swapped(two), "C1", &strict, "H1"), NO);
}

#[test]
fn refined_other_liberties_make_a_capture_harmless() {
    // H1 has two liberties before the removal.
    let two_liberties = ". . . # #
                         O O . # #
                         X X . . #";
    // The empty region of its liberty touches another white stone.
    let not_alone = ". . # # # #
                     O O # # # #
                     X X . . O #";
    // The capturing group has two stones and a liberty outside.
    let joined = ". . # # #
                  O # . # #
                  X X . O #";
    assert_eq!(answer(STRICT, "C2", two_liberties, "H1"), YES);
    assert_eq!(answer(STRICT, "C2", not_alone, "H1"), YES);
    assert_eq!(answer(STRICT, "C2", joined, "H1"), YES);
}

/// The first capture took one stone by joining, as in a snapback: everything
/// may answer it. Had it taken two, it would be strictly disturbing.
#[test]
fn refined_a_capture_of_one_stone_by_joining_frees() {
    let one = ". . . . .
               X X O O .
               # O . X O";
    let two = ". . . . .
               X X O O .
               O O . X O";
    let strict = swapped(STRICT_LINE);
    assert_eq!(answer(one, "C1", &strict, "J1"), YES);
    assert_eq!(answer(two, "C1", &strict, "J1"), NO);
    let game = after("stoical stoical-rule=refined", one, "B C1");
    assert!(is_legal(&game, "W B1"));
}

#[test]
fn refined_snapbacks_work() {
    let game = after("stoical stoical-rule=refined", SNAPBACK, "B A1");
    assert!(is_legal(&game, "W B1"));
}
