//! 2.5D Go.

use crate::common::*;
use kawari::board::Color;
use kawari::rules::{Game, Illegal, SetupError, TurnError};
use std::collections::BTreeSet;

/// Number of liberties of the group on a vertex of the flat form.
fn liberties(game: &Game, vertex: &str) -> usize {
    let board = &game.position().board;
    let point = kawari::rules::parse_point(board.grid(), vertex).expect("a point");
    let near = board.group_stones(point).flat_map(|stone| board.neighbours(stone));
    near.filter(|&n| board.cell(n).is_open()).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_stone_has_up_to_five_liberties() {
    let mut game = game_from_diagram(
        "2.5d",
        ". . . # . O .
         . . . # O X O
         . . . # . O .",
    );
    assert_eq!(liberties(&game, "F2"), 1);
    play(&mut game, "W layer 0 B2");
    assert_board(
        &game,
        ". . . # . O .
         . O . # O . O
         . . . # . O .",
    );
    assert_eq!(captures(&game), (0, 1));
    let mut game = new_game("2.5d 3");
    play(&mut game, "B B2, B layer 1 A1");
    assert_eq!((liberties(&game, "B2"), liberties(&game, "E1")), (5, 3));
}

/// Stones above each other are one group. Nine liberties on boards of three,
/// ten along an edge, twelve in the middle.
#[test]
fn groups_reach_through_the_layers() {
    let game = game_from_diagram(
        "2.5d",
        ". . . # . O O
         . O . # . O .
         . . . # . . .",
    );
    assert_eq!(liberties(&game, "B2"), 9);
    let mut edge = new_game("2.5d 9");
    play(&mut edge, "W layer 1 E9, W layer 1 F9, W layer 1 E8, W layer 0 E8");
    assert_eq!(liberties(&edge, "E8"), 10);
    let mut middle = new_game("2.5d 9");
    play(&mut middle, "W layer 1 E6, W layer 1 F6, W layer 1 E5, W layer 0 E5");
    assert_eq!(liberties(&middle, "E5"), 12);
}

#[test]
fn a_group_on_both_layers_is_captured_whole() {
    let mut game = game_from_diagram(
        "2.5d",
        ". X . # . X .
         X O X # X O .
         . X . # . X .",
    );
    play(&mut game, "B layer 1 C2");
    assert_eq!(captures(&game), (2, 0));
    assert_eq!(game.state().board[1], "X.X#X.X");
}

/// The point above still is a liberty; only without it a stone is suicide.
#[test]
fn suicide_needs_the_point_above_to_be_taken() {
    let picture = ". O . # . O .
                   O . O # O . O
                   . O . # . O .";
    let mut game = game_from_diagram("2.5d", picture);
    assert!(is_legal(&game, "B layer 0 B2"));
    play(&mut game, "W layer 1 B2");
    assert_eq!(refusal(&game, "B layer 0 B2"), Illegal::Suicide);
}

const KO: &str = "
    . X O . # . . . .
    X O . O # . X O .
    . X O . # . . . .
    . . . . # . . . .";

#[test]
fn superko_looks_at_all_layers_together() {
    let mut game = game_from_diagram("2.5d", KO);
    play(&mut game, "B layer 0 C3");
    assert_eq!(captures(&game), (1, 0));
    assert_eq!(refusal(&game, "W layer 0 B3"), Illegal::PositionalSuperko);
    play(&mut game, "W pass, B pass");
    assert_eq!(refusal(&game, "W layer 0 B3"), Illegal::PositionalSuperko);
    play(&mut game, "W layer 1 A1, B layer 1 D1");
    assert!(is_legal(&game, "W layer 0 B3"));
}

#[test]
fn ko_options_hold_on_layers() {
    for (ko, verdict) in [
        ("simple", Err(Illegal::Ko)),
        ("situational", Err(Illegal::SituationalSuperko)),
        ("none", Ok(())),
    ] {
        let mut game = game_from_diagram(&format!("2.5d ko={ko}"), KO);
        play(&mut game, "W pass, B layer 0 C3");
        assert_eq!(legality(&game, "W layer 0 B3"), verdict, "{ko}");
    }
}

#[test]
fn a_layer_ends_at_its_edges() {
    let mut game = new_game("2.5d 2");
    play(&mut game, "B B1, B layer 1 A1"); // side by side in the flat form
    assert_eq!((liberties(&game, "B1"), liberties(&game, "D1")), (3, 3));
    let first = game.grid().point(1, 0).expect("a point");
    assert_eq!(game.group_stones(first).len(), 1);
}

#[test]
fn each_layer_touches_the_next_only() {
    let mut game = new_game("2.5d 3 layers=3");
    play(&mut game, "B layer 1 B2");
    assert_eq!(liberties(&game, "F2"), 6);
    play(&mut game, "W layer 0 B2, W layer 2 B2");
    assert_eq!(liberties(&game, "F2"), 4);
    assert_eq!(liberties(&game, "B2"), 4);
    assert_eq!(liberties(&game, "K2"), 4);
    let mut game = new_game("2.5d 2 layers=4");
    play(&mut game, "B layer 0 A1, B layer 3 A1, B layer 1 B2");
    assert_eq!(["A1", "K1", "E2"].map(|vertex| liberties(&game, vertex)), [3, 3, 4]);
}

#[test]
fn one_layer_is_plain_go() {
    let mut game = new_game("2.5d 3 layers=1");
    play(&mut game, "B B2");
    assert_eq!(liberties(&game, "B2"), 4);
    play(&mut game, "W A2, W C2, W B1, W B3");
    assert_eq!(captures(&game), (0, 1));
    assert_eq!((game.state().width, game.state().layers), (3, 1));
}

#[test]
fn sizes_fit_the_flat_form_in_25_columns() {
    for (layers, largest) in [(1, 25), (2, 12), (3, 7), (4, 5)] {
        for (side, accepted) in [(1, false), (2, true), (largest, true), (largest + 1, false)] {
            let game = Game::new(&setup(&format!("2.5d {side} layers={layers}")));
            assert_eq!(game.is_ok(), accepted, "{layers} layers of {side}");
            if let Ok(game) = game {
                assert_eq!(game.state().width, layers * (side + 1) - 1);
                assert_eq!(game.empty_points(), usize::from(layers) * usize::from(side).pow(2));
            }
        }
    }
}

#[test]
fn layers_are_written_and_plain_vertices_are_the_flat_form() {
    let mut game = new_game("2.5d 9");
    play(&mut game, "B L1, W A1, B layer 1 J9, W J9");
    let written: Vec<_> = game.turns().iter().map(|(_, turn)| game.write(turn)).collect();
    assert_eq!(written, ["layer 1 A1", "layer 0 A1", "layer 1 J9", "layer 0 J9"]);
    assert_eq!(game.state().board[0], "........O#........X");
    assert_eq!(game.state().board[8], "O........#X........");
    assert_eq!(game.state().width, 19);
    let legal = game.legal_turns_written(Color::White);
    assert!(legal.contains(&"layer 1 A9".to_owned()) && !legal.contains(&"layer 1 A1".to_owned()));
}

#[test]
fn separators_and_missing_layers_are_off_the_board() {
    let game = new_game("2.5d 9");
    for words in
        [["K1"].as_slice(), &["U1"], &["layer", "2", "A1"], &["layer", "0", "K1"], &["A10"]]
    {
        assert_eq!(game.parse_words(words), Err(TurnError::OffBoard), "{words:?}");
    }
    let refused = |words: &str| Game::new(&setup(words)).err();
    assert_eq!(refused("2.5d 9 blocks=K5"), Some(SetupError::OffBoard));
    assert_eq!(refused("2.5d 9 handicap=K5"), Some(SetupError::OffBoard));
    assert_eq!(refused("2.5d 9 blocks=J5,L5"), None);
}

/// Black's wall on layer 0 holds only together with the one above it.
#[test]
fn regions_reach_through_the_layers() {
    let closed = ". X O . # . X O .
                  . X O . # . X O .
                  . X O . # . X O .
                  . X O . # . X O .";
    assert_eq!(counted(&game_from_diagram("2.5d komi=0", closed)), "0");
    let open = ". X O . # . . O .
                . X O . # . X O .
                . X O . # . X O .
                . X O . # . X O .";
    assert_eq!(counted(&game_from_diagram("2.5d komi=0", open)), "W+9");
}
