//! Repetition: simple ko, positional and situational superko, none.

use crate::common::*;
use kawari::rules::{Game, Illegal, stoical};

/// Black takes at C2, White would take back at B2. White left this position.
const WHITES: &str = "
    . X O . .
    X O . O .
    . X O . .";

/// The same; Black left it.
const BLACKS: &str = "
    . X O . .
    X O . O .
    . X O . X";

/// White has sent two stones, A1 and B1, into atari.
const SENT_TWO: &str = "
    . . . .
    X X O .
    O O . O";

fn after(words: &str, diagram: &str, turns: &str) -> Game {
    let mut game = game_from_diagram(words, diagram);
    play(&mut game, turns);
    game
}

#[test]
fn simple_ko_forbids_retaking_at_once() {
    let game = after("go ko=simple", WHITES, "B C2");
    assert_eq!(refusal(&game, "W B2"), Illegal::Ko);
    let game = after("go ko=simple", BLACKS, "B C2");
    assert_eq!(refusal(&game, "W B2"), Illegal::Ko);
}

#[test]
fn simple_ko_looks_at_the_turn_just_before_only() {
    for between in ["W pass, B pass", "W E2, B A3", "W pass", "B A3", "W E3", "B pass"] {
        let game = after("go ko=simple", WHITES, &format!("B C2, {between}"));
        assert!(is_legal(&game, "W B2"), "{between}");
    }
}

#[test]
fn simple_ko_starts_again_with_every_capture() {
    let game = after("go ko=simple", WHITES, "B C2, W E2, B A3, W B2");
    assert_eq!(refusal(&game, "B C2"), Illegal::Ko);
}

#[test]
fn simple_ko_needs_that_one_stone_was_taken() {
    let mut game = after(
        "go ko=simple",
        ". . . .
         X X O .
         O O . O
         X X O .
         . . . .",
        "B C3",
    );
    assert_eq!(captures(&game), (2, 0));
    play(&mut game, "W B3");
    assert_eq!(captures(&game), (2, 1));
}

#[test]
fn simple_ko_needs_that_one_stone_would_be_taken() {
    let mut game = after(
        "go ko=simple",
        ". X O O .
         X O . X O
         . X O O .",
        "B C2",
    );
    assert_eq!(captures(&game), (1, 0));
    play(&mut game, "W B2");
    assert_eq!(captures(&game), (1, 2));
}

#[test]
fn simple_ko_forgets_after_undo_and_remembers_after_replay() {
    let mut game = after("go ko=simple", WHITES, "B C2, W E2, B A3");
    assert!(is_legal(&game, "W B2"));
    game.undo(2).expect("two turns");
    assert_eq!(refusal(&game, "W B2"), Illegal::Ko);
}

#[test]
fn positional_superko_forbids_every_earlier_position() {
    for between in ["", ", W pass, B pass", ", W pass", ", B pass"] {
        for diagram in [WHITES, BLACKS] {
            let game = after("go ko=positional", diagram, &format!("B C2{between}"));
            assert_eq!(refusal(&game, "W B2"), Illegal::PositionalSuperko, "{between}");
        }
    }
    let game = after("go ko=positional", WHITES, "B C2, W E2, B A3");
    assert!(is_legal(&game, "W B2"));
}

#[test]
fn situational_superko_forbids_what_the_same_colour_left() {
    let game = after("go ko=situational", WHITES, "B C2, W pass, B pass");
    assert_eq!(refusal(&game, "W B2"), Illegal::SituationalSuperko);
    let game = after("go ko=situational", BLACKS, "B C2");
    assert!(is_legal(&game, "W B2"));
}

/// A pass ends a turn too, and leaves the position to whoever made it.
#[test]
fn situational_superko_counts_passes() {
    let game = after("go ko=situational", BLACKS, "W pass, B C2");
    assert_eq!(refusal(&game, "W B2"), Illegal::SituationalSuperko);
    let game = after("go ko=situational", BLACKS, "B pass, B C2");
    assert!(is_legal(&game, "W B2"));
}

#[test]
fn sending_two_to_return_one_is_a_superko_only() {
    let cycle = "B C1, W B1, B pass";
    assert!(is_legal(&after("go ko=simple", SENT_TWO, cycle), "W A1"));
    assert!(is_legal(&after("go ko=none", SENT_TWO, cycle), "W A1"));
    let game = after("go ko=positional", SENT_TWO, cycle);
    assert_eq!(refusal(&game, "W A1"), Illegal::PositionalSuperko);
    let game = after("go ko=situational", SENT_TWO, cycle);
    assert_eq!(refusal(&game, "W A1"), Illegal::SituationalSuperko);
}

/// Now the position with two white stones is one that only Black has left.
#[test]
fn sending_two_to_return_one_depends_on_who_left_it() {
    let cycle = "B D3, B C1, W B1, B pass";
    let game = after("go ko=positional", SENT_TWO, cycle);
    assert_eq!(refusal(&game, "W A1"), Illegal::PositionalSuperko);
    assert!(is_legal(&after("go ko=situational", SENT_TWO, cycle), "W A1"));
}

/// A handicap stone on A1 is taken and retaken: the board is again as the game
/// began.
#[test]
fn the_starting_position_counts_for_positional_superko_only() {
    let verdict = |ko: &str| {
        let mut game = new_game(&format!("go 3 blocks=A2 handicap=A1,C1,B2 ko={ko}"));
        play(&mut game, "W B1");
        assert_eq!(captures(&game), (0, 1));
        legality(&game, "B A1")
    };
    assert_eq!(verdict("positional"), Err(Illegal::PositionalSuperko));
    assert_eq!(verdict("situational"), Ok(()));
    assert_eq!(verdict("simple"), Err(Illegal::Ko));
    assert_eq!(verdict("none"), Ok(()));
}

#[test]
fn positions_taken_back_may_come_again() {
    let mut game = after("go ko=positional", WHITES, "B A3, B pass");
    game.undo(2).expect("two turns");
    assert!(is_legal(&game, "B A3"));
}

#[test]
fn without_a_ko_rule_stones_are_retaken_for_ever() {
    let mut game = game_from_diagram("go ko=none", WHITES);
    for turn in 0..6 {
        play(&mut game, ["B C2", "W B2"][turn % 2]);
    }
    assert_eq!(captures(&game), (3, 3));
}

#[test]
fn passing_is_never_a_repetition() {
    for ko in ["simple", "positional", "situational", "none"] {
        let mut game = game_from_diagram(&format!("go ko={ko}"), WHITES);
        play(&mut game, "B pass, W pass, B C2, W pass, W pass, B pass");
        assert!(is_legal(&game, "B pass"));
    }
}

#[test]
fn defaults_are_superko_for_some_and_simple_ko_for_others() {
    for (id, why) in [
        ("go", Illegal::PositionalSuperko),
        ("tao", Illegal::PositionalSuperko),
        ("no", Illegal::Ko),
        ("go-san", Illegal::Ko),
        ("stoical", stoical::CAPTURE_AFTER_CAPTURE),
    ] {
        let diagram = ". X O .\n X O . O\n . X O .";
        assert_eq!(refusal(&after(id, diagram, "B C2"), "W B2"), why, "{id}");
    }
}
