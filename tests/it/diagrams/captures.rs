//! Liberties, captures, suicide.

use crate::common::*;
use kawari::rules::Illegal;

#[test]
fn a_group_without_liberties_is_captured_whole() {
    let mut game = game_from_diagram(
        "go",
        ". X X .
         X O O .
         . X X .",
    );
    play(&mut game, "B D2");
    assert_board(
        &game,
        ". X X .
         X . . X
         . X X .",
    );
    assert_eq!(captures(&game), (2, 0));
}

#[test]
fn several_groups_are_captured_at_once() {
    let mut game = game_from_diagram(
        "go",
        ". X O X .
         X O . O X
         . X O X .
         . . X . .",
    );
    play(&mut game, "B C3");
    assert_board(
        &game,
        ". X . X .
         X . X . X
         . X . X .
         . . X . .",
    );
    assert_eq!(captures(&game), (4, 0));
}

#[test]
fn a_group_met_on_two_sides_is_captured_once() {
    let mut game = game_from_diagram(
        "go",
        "X O O X
         X O . .
         X X X .",
    );
    play(&mut game, "B C2");
    assert_eq!(captures(&game), (3, 0));
    let mut game = game_from_diagram(
        "go",
        "O O O X
         O . O X
         O O O X
         X X X .",
    );
    play(&mut game, "B B3");
    assert_eq!(captures(&game), (8, 0));
}

/// Two groups, one last liberty: the owner may not fill it, the enemy may.
#[test]
fn a_shared_last_liberty_is_suicide_for_its_owner() {
    let mut game = game_from_diagram(
        "go",
        "X X O .
         . O O .
         X X O .",
    );
    assert_eq!(refusal(&game, "B A2"), Illegal::Suicide);
    play(&mut game, "W A2");
    assert_eq!(captures(&game), (0, 4));
}

#[test]
fn suicide_of_one_stone_is_illegal() {
    let game = game_from_diagram(
        "go",
        ". X .
         X . .
         . . .",
    );
    assert_eq!(refusal(&game, "W A3"), Illegal::Suicide);
    assert!(is_legal(&game, "B A3"));
}

#[test]
fn suicide_of_a_group_is_illegal() {
    let game = game_from_diagram(
        "go",
        ". X .
         O X .
         X . .",
    );
    assert_eq!(refusal(&game, "W A3"), Illegal::Suicide);
}

/// Where the option allows it, the group is taken off at once, as captures of the opponent.
#[test]
fn the_option_allows_the_suicide_of_a_group() {
    let mut game = game_from_diagram(
        "go suicide=true",
        ". X .
         O X .
         X . .",
    );
    play(&mut game, "W A3");
    assert_board(
        &game,
        ". X .
         . X .
         X . .",
    );
    assert_eq!(captures(&game), (2, 0));
    play(&mut game, "B A2");
    assert_eq!(refusal(&game, "W A3"), Illegal::PositionalSuperko, "a single stone");
    for ko in ["situational", "simple", "none"] {
        let diagram = ". X .\nX X .\nX . .";
        let other = game_from_diagram(&format!("go suicide=true ko={ko}"), diagram);
        assert_eq!(refusal(&other, "W A3"), Illegal::Suicide, "{ko}: nothing was repeated");
    }
    game.undo(2).expect("two turns");
    assert_eq!(captures(&game), (0, 0));
    assert!(is_legal(&game, "B A3"), "the stone is back, and can be captured");
}

/// Superko compares the position after the removal.
#[test]
fn superko_forbids_a_suicide_that_brings_a_position_back() {
    for (ko, is_free) in [("positional", false), ("situational", false), ("none", true)] {
        let mut game = game_from_diagram(
            &format!("go suicide=true ko={ko}"),
            ". X .
             . X .
             X . .",
        );
        play(&mut game, "W pass, B pass, W A2, B pass");
        assert_eq!(is_legal(&game, "W A3"), is_free, "{ko}");
    }
}

#[test]
fn a_stone_that_captures_is_no_suicide() {
    let mut game = game_from_diagram(
        "go",
        ". X O
         X O .
         O . .",
    );
    play(&mut game, "W A3");
    assert_board(
        &game,
        "O . O
         . O .
         O . .",
    );
    assert_eq!(captures(&game), (0, 2));
}

#[test]
fn a_stone_may_take_its_groups_last_liberty_but_one() {
    let game = game_from_diagram(
        "go",
        ". . X
         O X .
         X . .",
    );
    assert!(is_legal(&game, "W A3"));
}

#[test]
fn stones_need_an_empty_point() {
    let game = game_from_diagram("go", "X # .\n . O .");
    assert_eq!(refusal(&game, "W A2"), Illegal::Occupied);
    assert_eq!(refusal(&game, "B A2"), Illegal::Occupied);
    assert_eq!(refusal(&game, "B B1"), Illegal::Occupied);
    assert_eq!(refusal(&game, "B B2"), Illegal::Occupied);
}

/// In every variant whose only steps are stones.
#[test]
fn walls_are_no_liberties() {
    for id in ["go", "no", "go-san", "tao", "stoical"] {
        let mut game = game_from_diagram(
            id,
            "# # . .
             # O . .
             . # X .",
        );
        assert_eq!(refusal(&game, "W A1"), Illegal::Suicide, "{id}");
        play(&mut game, "B C2");
        assert_eq!(captures(&game), (1, 0), "{id}");
    }
}

#[test]
fn walls_can_be_anywhere_but_not_twice() {
    use kawari::rules::{Game, SetupError};
    let refused = |words: &str| Game::new(&setup(words)).err();
    assert_eq!(refused("go 3 blocks=A1,C3,B2"), None);
    assert_eq!(refused("go 3 blocks=A1,A1"), Some(SetupError::Taken));
    assert_eq!(refused("go 3 blocks=D1"), Some(SetupError::OffBoard));
    assert_eq!(refused("go 3 blocks=A1 handicap=A1"), Some(SetupError::Taken));
}
