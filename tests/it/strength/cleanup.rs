//! Dead stones are captured before anybody passes.

use crate::client::Client;
use crate::common::setup;
use crate::gtp::cleanup::{cleaned_up, with_dead_stones};

#[test]
fn dead_stones_are_captured_in_every_game() {
    let flat = "b B1 b B2 b B3 b B4 b B5 b C1 b C2 b C3 b C4 b C5 \
        w D1 w D2 w D3 w D4 w D5 w A3 b E3";
    let layered = "b B1 b B2 b B3 b B4 w C1 w C2 w C3 w C4 w A2 \
        b G1 b G2 b G3 b G4 w H1 w H2 w H3 w H4 b D2";
    // Where a stone may be nuked or change colour, or a tao stone be an eye, no group is sure to
    // live or die on so small a board.
    for (words, stones, is_sure) in [
        ("go 5", flat, true),
        ("no 5", flat, false),
        ("go-san 5", flat, false),
        ("tao 5", flat, false),
        ("sygo 5", flat, false),
        ("stoical 5", flat, true),
        ("2.5d 4", layered, true),
    ] {
        let mut client = with_dead_stones(Client::strong(setup(words), 60), stones);
        let dead = client.tell("final_status_list dead");
        let has_dead = !dead.is_empty();
        assert!(has_dead || !is_sure, "{words}: {dead}");
        let moves = cleaned_up(&mut client);
        let board = client.tell("showboard");
        assert!(moves.len() < 60, "{words}: {moves:?}");
        let captures = moves.iter().any(|played| !played.ends_with("pass"));
        assert_eq!(captures, has_dead, "{words}: {moves:?}");
        let left = client.tell("final_status_list dead");
        assert_eq!(left, "", "{words}: {moves:?}\n{board}");
    }
}

/// White's stone on A4 cannot live; to capture it gains four points, and the game is won anyway.
#[test]
fn a_won_game_is_not_passed_away_with_points_on_the_board() {
    let mut board = "b A2 b A6 w A4 w G2 w G6".to_owned();
    for row in 1..=7 {
        board += &format!(" b B{row} b D{row} w E{row}");
    }
    let score = |takes_points: bool| {
        let mut client = Client::strong(setup("go 7 komi=-30"), 100);
        client.tell(&format!("kata-set-param pass_for_points {takes_points}"));
        client.tell(&format!("gogui-setup {board}"));
        client.tell("play w pass");
        while client.tell("genmove b") != "pass" {
            client.tell("play w pass");
        }
        client.tell("final_score")
    };
    assert_eq!(score(true), "B+37");
    assert_eq!(score(false), "B+33");
}
