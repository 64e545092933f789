//! Games on boards with joined sides, as clients play and record them.

use crate::check::support::verdict;
use crate::client::Client;
use kawari::rules::{RuleKey, Setup, VARIANTS};

/// kawari plays short games with itself; the records say what kind of board it was, and
/// `kawari check` replays them.
#[test]
fn short_games_with_itself_are_recorded_and_checked() {
    for info in VARIANTS {
        if !info.keys.contains(&RuleKey::Board) {
            continue;
        }
        for board in ["cylinder", "torus"] {
            let mut setup = Setup::new(info);
            (setup.size.width, setup.size.height) = (5, 4);
            let mut client = Client::new(setup, 12);
            client.tell(&format!("kawari-set-rule board {board}"));
            for turn in 0..24 {
                let state: serde_json::Value =
                    serde_json::from_str(&client.tell("kawari-state")).expect("JSON");
                assert_eq!(state["topology"], board, "{}", info.id);
                if state["over"] == true {
                    break;
                }
                let color = state["to_move"].as_str().expect("a colour");
                let command = if turn % 2 == 0 { "kawari-genturn" } else { "reg_genmove" };
                client.tell(&format!("{command} {color}"));
            }
            let record = client.tell("printsgf");
            assert!(record.contains(&format!("[board:{board}]")), "{record}");
            assert_eq!(verdict(&record), "good", "{record}");
        }
    }
}

/// The rules of rectangles read as they did before there were other boards.
#[test]
fn rectangles_say_nothing_of_their_sides() {
    let mut client = Client::new(Setup::new(VARIANTS[0]), 8);
    client.tell("kawari-set-rule board torus");
    assert!(client.tell("kawari-rules").contains(r#""board":"torus""#));
    assert_eq!(client.tell("gogui-rules_game_id"), "Go-shaped");
    assert!(client.tell("showboard").contains("all opposite sides are joined"));
    assert!(client.tell("kawari-state").contains(r#""joined":["columns","rows"]"#));
    client.tell("kawari-set-rule board rectangle");
    assert!(!client.tell("kawari-rules").contains("board"));
    let state = client.tell("kawari-state");
    assert!(!state.contains("topology") && !state.contains("joined"));
    assert!(!client.tell("showboard").contains("joined"));
    assert!(!client.tell("printsgf").contains("board:"));
    assert_eq!(client.tell("gogui-rules_game_id"), "Go");
    client.tell("kawari-set-rule board cylinder");
    assert!(!client.tell("gogui-param_rules").contains("board"), "not under stones");
    let refused = client.ask("kawari-set-rule board sphere");
    assert!(refused.is_err_and(|why| why.starts_with("bad value: board: expected rectangle")));
}
