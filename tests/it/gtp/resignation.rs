//! The engine's resignation, for which clients have no move.

use crate::client::Client;
use crate::common::setup;
use kawari::gtp::table::{self, Effect};
use kawari_core::encoding::Encoding;

/// The turns of a game that White has lost, and the settings with which it resigns.
const GAME: [&str; 12] = [
    "play b C3",
    "play w A1",
    "play b C2",
    "play w A2",
    "play b C4",
    "play w A3",
    "play b D3",
    "play w A4",
    "play b B3",
    "kata-set-param allow_resign true",
    "kata-set-param resign_turns 1",
    "kata-set-param resign_threshold 1",
];

fn lost_game(encoding: Encoding) -> Client {
    let mut client = Client::new(setup("go 5 komi=0"), 10);
    client.session.set_encoding(encoding);
    for line in GAME {
        client.tell(line);
    }
    client
}

/// All commands with which the engine makes a move.
fn move_commands() -> impl Iterator<Item = String> {
    let generates = |spec: &&table::CommandSpec| spec.effect == Effect::GeneratesMove;
    table::all().filter(generates).map(|spec| format!("{} w", spec.name))
}

/// The engine resigns, whatever else the command answers.
fn resigns(client: &mut Client, command: &str) {
    let answered = client.tell(command);
    let last = answered.lines().last().unwrap_or_default();
    assert!(last.ends_with("resign"), "{command}: {answered}");
    assert_eq!(client.tell("final_score"), "B+R", "{command}");
}

fn turns(client: &mut Client) -> usize {
    client.tell("kawari-history").lines().count()
}

#[test]
fn undo_takes_back_the_last_move_of_the_client() {
    for encoding in Encoding::ALL {
        for command in move_commands() {
            let mut client = lost_game(encoding);
            resigns(&mut client, &command);
            client.tell("undo");
            assert_eq!(turns(&mut client), 8, "{encoding:?}: {command}");
            assert_eq!(client.ask("kawari-explain b B3"), Ok("legal".to_owned()));
            // The engine knows the board of its client, and resigns again.
            client.tell("play b B3");
            resigns(&mut client, &command);
            client.tell("gg-undo 2");
            assert_eq!(turns(&mut client), 7, "{encoding:?}: {command}");
        }
    }
}

#[test]
fn a_client_may_play_on() {
    for encoding in Encoding::ALL {
        let mut client = lost_game(encoding);
        for line in ["play w A5", "play w pass", "gogui-play_sequence w A5 b pass"] {
            resigns(&mut client, "genmove w");
            assert_eq!(client.tell("kawari-explain w A5"), "legal");
            assert!(client.tell("kawari-legal w").contains("A5"));
            client.tell(line);
            assert_ne!(client.tell("final_score"), "B+R", "{encoding:?}: {line}");
            assert!(turns(&mut client) > 9, "{encoding:?}: {line}");
            while turns(&mut client) > 9 {
                client.tell("undo");
            }
        }
        // Asked again it searches again; an analysis shows the board.
        resigns(&mut client, "genmove w");
        resigns(&mut client, "kgs-genmove_cleanup w");
        assert_ne!(client.tell("reg_genmove w"), "");
        assert_eq!(turns(&mut client), 9);
        client.tell("komi 3");
        client.tell("undo");
        assert_eq!(client.tell("get_komi"), "3", "{encoding:?}");
        assert_eq!(turns(&mut client), 8, "{encoding:?}");
    }
}

#[test]
fn refused_commands_leave_the_resignation() {
    for encoding in Encoding::ALL {
        let mut client = lost_game(encoding);
        resigns(&mut client, "genmove w");
        let before = client.sight();
        for line in
            ["play w C3", "gogui-play_sequence w A5 b A5", "gg-undo 10", "kawari-undo-typed"]
        {
            assert!(client.ask(line).is_err(), "{encoding:?}: {line}");
            assert_eq!(client.sight(), before, "{encoding:?}: {line}");
        }
        for line in ["gg-undo 0", "gogui-play_sequence", "final_score", "showboard"] {
            client.tell(line);
            assert_eq!(client.sight(), before, "{encoding:?}: {line}");
        }
        assert_eq!(client.tell("final_score"), "B+R");
    }
}

/// The client's own resignation is a move of its list.
#[test]
fn a_resignation_by_play_ends_the_game() {
    for encoding in Encoding::ALL {
        let mut client = lost_game(encoding);
        client.tell("play w resign");
        assert_eq!(client.tell("final_score"), "B+R");
        assert!(client.ask("play w A5").is_err(), "{encoding:?}");
        assert_eq!(client.tell("genmove b"), "pass");
        while client.tell("final_score") == "B+R" {
            client.tell("undo");
        }
        assert_eq!(turns(&mut client), 9, "{encoding:?}");
        // One after the engine's is one of a client that plays on.
        resigns(&mut client, "genmove w");
        client.tell("play b resign");
        assert_eq!(client.tell("final_score"), "W+R");
        client.tell("undo");
        assert_eq!(turns(&mut client), 9, "{encoding:?}");
        assert_ne!(client.tell("final_score"), "W+R");
    }
}

#[test]
fn a_new_game_knows_nothing_of_it() {
    let mut client = lost_game(Encoding::Native);
    resigns(&mut client, "genmove w");
    client.tell("clear_board");
    assert!(client.ask("undo").is_err());
    assert_eq!(client.tell("final_score"), "0");
    client.tell("play b C3");
    assert_eq!(turns(&mut client), 1);
}
