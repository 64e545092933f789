//! GTP commands that write files.

use super::support::{Room, text};
use crate::client::Client;
use crate::common::setup;
use std::fs;

/// A position after a few turns.
fn client() -> Client {
    let mut client = Client::new(setup("no 5"), 1);
    client.tell("play B A1");
    client.tell("play W B2");
    client
}

const NO_SAVE: &str = "cannot save file";

#[test]
fn games_replace_games_and_nothing_else() {
    let (room, mut client) = (Room::new(), client());
    let game = client.tell("printsgf") + "\n";
    for (name, content, replaced) in [
        ("empty", "", true),
        ("game of another program", "(;FF[4]GM[1]SZ[9];B[aa])", true),
        ("with a byte order mark", "\u{feff}(;GM[1]SZ[9])", true),
        ("collection", "(;GM[1])(;GM[1];B[aa])", false),
        ("broken game", "(;FF[4]GM[1];B[aa", false),
        ("letter", "Dear diary (;FF[4]GM[1])", false),
        ("lisp", "(; a comment\n(setq a 1))", false),
        ("text", "nothing but text\n", false),
    ] {
        for command in ["printsgf", "gomill-savesgf"] {
            let path = room.file(name, content);
            let reply = client.ask(&format!("{command} \"{}\"", path.display()));
            if replaced {
                assert_eq!(reply.as_deref(), Ok(""), "{command}: {name}");
                assert!(text(&path).starts_with("(;"), "{name}");
            } else {
                assert_eq!(reply.expect_err(name), NO_SAVE, "{command}: {name}");
                assert_eq!(text(&path), content, "{command}: {name}");
            }
        }
    }
    let new = room.path("new");
    client.tell(&format!("printsgf {}", new.display()));
    assert_eq!(text(&new).trim_end(), game.trim_end());
    assert_eq!(room.names().len(), 9, "nothing is left beside them");
    let nowhere = room.path("no folder").join("new");
    for path in [nowhere.as_path(), room.folder()] {
        let reply = client.ask(&format!("printsgf {}", path.display()));
        assert_eq!(reply.expect_err("no file"), NO_SAVE);
    }
}

#[test]
fn snapshots_replace_snapshots_and_nothing_else() {
    let (room, mut client) = (Room::new(), client());
    let mut ask =
        |path: &std::path::Path| client.ask(&format!("kawari-snapshot \"{}\"", path.display()));
    let path = room.path("snapshot.sgf");
    assert_eq!(ask(&path).as_deref(), Ok(""));
    let snapshot = text(&path);
    assert!(snapshot.contains("KGAME["), "{snapshot}");
    assert_eq!(ask(&path).as_deref(), Ok(""), "it is one of ours");
    // A game that goes on from a snapshot is a user's.
    let continued = snapshot.trim_end().trim_end_matches(')').to_owned() + ";B[cc])";
    for content in ["text", "(;FF[4]GM[1]SZ[9];B[aa])", &continued] {
        let path = room.file("other", content);
        assert_eq!(ask(&path).expect_err("refused"), NO_SAVE, "{content}");
        assert_eq!(text(&path), content);
    }
    assert_eq!(
        ask(&room.path("no folder/a")).expect_err("refused"),
        NO_SAVE
    );
    assert_eq!(room.names(), ["other", "snapshot.sgf"]);
    // After all refusals the first file is still the one that is written.
    assert_eq!(client.session.settings.snapshot.as_deref(), Some(&*path));
    client.tell("play B C3");
    client.session.notify();
    assert!(text(&path).contains("turn 3"), "{}", text(&path));
    // Another program has taken the name meanwhile.
    fs::write(&path, "notes").expect("a file");
    client.tell("play W D4");
    client.session.notify();
    assert_eq!(text(&path), "notes");
}

#[test]
#[cfg(target_os = "linux")]
fn endless_and_full_devices_are_errors_at_once() {
    let mut client = client();
    for device in ["/dev/zero", "/dev/full", "/dev/null"] {
        for command in ["kawari-snapshot", "printsgf", "gomill-savesgf"] {
            let reply = client.ask(&format!("{command} {device}"));
            assert_eq!(reply.expect_err("refused"), NO_SAVE, "{command} {device}");
        }
        let reply = client.ask(&format!("loadsgf {device}"));
        let why = reply.expect_err("refused");
        assert!(why.starts_with("cannot load file: "), "{why}");
    }
    assert_eq!(client.session.settings.snapshot, None);
}
