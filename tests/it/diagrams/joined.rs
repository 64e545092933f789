//! Boards of which sides are joined: neighbours, captures and all else across the seam.

use crate::common::*;
use kawari::board::{Cell, Color};
use kawari::rules::{Game, Illegal, RuleKey, Setup, VARIANTS, free_handicap, parse_point, sygo};

fn group_size(game: &Game, vertex: &str) -> usize {
    let point = parse_point(game.grid(), vertex).expect("a point");
    game.group_stones(point).len()
}

#[test]
fn a_stone_at_the_seam_breathes_on_the_other_side() {
    let mut game = game_from_diagram(
        "go board=cylinder",
        "X . . . .
         O X . . .
         X . . . .",
    );
    play(&mut game, "B E2");
    assert_board(
        &game,
        "X . . . .
         . X . . X
         X . . . .",
    );
    assert_eq!(captures(&game), (1, 0));
    assert_eq!(refusal(&game, "W A2"), Illegal::Suicide);
}

#[test]
fn a_corner_of_a_torus_has_four_liberties() {
    let mut game = game_from_diagram(
        "go board=torus",
        ". . . .
         . . . .
         X . . .
         O X . X",
    );
    play(&mut game, "B A4");
    assert_eq!((captures(&game), cell(&game, "A1")), ((1, 0), Cell::Empty));
    // The rows of a cylinder end at the edges.
    let game = game_from_diagram("go board=cylinder", ". . .\n. X .\nX . X");
    assert_eq!(refusal(&game, "W B1"), Illegal::Suicide);
    let game = game_from_diagram("go board=torus", ". . .\n. X .\nX . X");
    assert!(is_legal(&game, "W B1"));
}

#[test]
fn neighbours_that_coincide_count_once() {
    let mut game = game_from_diagram("go board=torus", ". X\n. .\nO X");
    assert_eq!(group_size(&game, "B1"), 2);
    play(&mut game, "B A2");
    assert_eq!(captures(&game), (0, 0), "A3 is left");
    play(&mut game, "W pass, B A3");
    assert_eq!(captures(&game), (1, 0));
}

#[test]
fn groups_and_regions_go_round() {
    let game = game_from_diagram(
        "go board=cylinder komi=0",
        "X X O . X
         . . . . .
         X . . . X",
    );
    assert_eq!((group_size(&game, "A3"), group_size(&game, "A1")), (3, 2));
    let columns = ". X . O\n. X . O\n. X . O";
    for (board, result) in [("rectangle", "B+3"), ("cylinder", "0"), ("torus", "0")] {
        let game = game_from_diagram(&format!("go komi=0 board={board}"), columns);
        assert_eq!(counted(&game), result, "{board}");
    }
}

#[test]
fn a_ko_may_lie_across_the_seam() {
    let mut game = game_from_diagram(
        "go ko=simple board=cylinder",
        "O . . . X
         . O . X O
         O . . . X",
    );
    play(&mut game, "B A2");
    assert_eq!((captures(&game), cell(&game, "E2")), ((1, 0), Cell::Empty));
    assert_eq!(refusal(&game, "W E2"), Illegal::Ko);
    play(&mut game, "W C3, B C1");
    assert!(is_legal(&game, "W E2"));
}

#[test]
fn an_eye_in_a_corner_of_a_torus_has_four_diagonals() {
    let is_eye = |diagram: &str| {
        let game = game_from_diagram("go board=torus", diagram);
        let corner = game.grid().point(0, 0).expect("a point");
        game.position().board.is_eye(corner, Color::Black)
    };
    assert!(is_eye("X . . . .\n. . . . .\n. . . . .\nX O . . .\n. X . . X"));
    assert!(!is_eye("X . . . O\n. . . . .\n. . . . .\nX O . . .\n. X . . X"));
    assert!(!is_eye(". . . . .\n. . . . .\n. . . . .\nX X . . .\n. X . . X"));
}

#[test]
fn voids_spread_across_the_seam() {
    for id in ["no", "go-san"] {
        let mut game = new_game(&format!("{id} 5 board=torus"));
        play(&mut game, "B E5, W C3, B nuke E5, W C2");
        assert_eq!(cell(&game, "A1"), Cell::Void, "north-east");
        play(&mut game, "B C4");
        assert_eq!(cell(&game, "A5"), Cell::Void, "east");
        // The void on A1 looks to the north-east, one column too far for san.
        let spread = if id == "no" { Cell::Void } else { Cell::Empty };
        assert_eq!(cell(&game, "B2"), spread);
        play(&mut game, "W D3");
        assert_eq!(cell(&game, "A4"), Cell::Void, "south-east");
    }
}

#[test]
fn a_growth_reaches_across_the_seam() {
    let mut game = new_game("sygo 5 board=cylinder");
    play(&mut game, "W A3, B C1");
    assert_eq!(refusal(&game, "W E3"), sygo::TOUCHES_OWN);
    play(&mut game, "W grow E3");
    assert_eq!(group_size(&game, "A3"), 2);
}

#[test]
fn every_game_with_joined_sides_takes_handicap_as_on_a_rectangle() {
    let games = VARIANTS.iter().filter(|info| info.keys.contains(&RuleKey::Board));
    for info in games {
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (9, 9);
        for board in ["cylinder", "torus"] {
            setup.rules.set(RuleKey::Board, board).expect("a shape");
            setup.handicap = free_handicap(&setup, 4);
            let takes = info.handicap != kawari::rules::Handicap::None;
            assert_eq!(setup.handicap.len(), if takes { 4 } else { 0 }, "{}", info.id);
            let game = Game::new(&setup).expect("a game");
            assert_eq!(game.state().topology.as_deref(), Some(board));
        }
    }
}

#[test]
fn layers_have_edges() {
    let mut setup = Setup::new(kawari::rules::variant("2.5d").expect("layers"));
    assert!(setup.rule_key("board").is_err());
    // The option of another game changes nothing.
    setup.rules.set(RuleKey::Board, "torus").expect("a shape");
    let game = Game::new(&setup).expect("a game");
    assert!(!game.grid().topology().is_joined());
    assert_eq!(game.state().topology, None);
}
