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
fn a_save_replaces_the_files_of_its_session_and_no_others() {
    let (room, mut client) = (Room::new(), client());
    let game = client.tell("printsgf") + "\n";
    for (name, content) in [
        ("game of another program", "(;FF[4]GM[1]SZ[9];B[aa])"),
        ("the same game", &*game),
        ("collection", "(;GM[1])(;GM[1];B[aa])"),
        ("text", "nothing but text\n"),
    ] {
        let path = room.file(name, content);
        for command in ["printsgf", "gomill-savesgf"] {
            let reply = client.ask(&format!("{command} \"{}\"", path.display()));
            assert_eq!(reply.expect_err(name), format!("{NO_SAVE}: the file exists"), "{command}");
            assert_eq!(text(&path), content, "{command}: {name}");
        }
        client.tell(&format!("printsgf \"{}\" --force", path.display()));
        assert_eq!(text(&path), game, "{name}");
    }
    let (empty, new) = (room.file("empty", ""), room.path("new"));
    for path in [&empty, &new] {
        client.tell(&format!("printsgf {}", path.display()));
        assert_eq!(text(path), game);
    }
    // Both are this session's now, also for its next game.
    client.tell("clear_board");
    client.tell("play b C3");
    for path in [&new, &empty] {
        client.tell(&format!("gomill-savesgf {} PB=one", path.display()));
        assert!(text(path).contains("PB[one]"), "{}", text(path));
    }
    // Until somebody else writes to one.
    let drawn = text(&new).replace(";B[", ";TR[aa]B[");
    fs::write(&new, &drawn).expect("a file");
    let reply = client.ask(&format!("gomill-savesgf {} PB=two", new.display()));
    assert!(reply.expect_err("kept").starts_with(NO_SAVE));
    assert_eq!(text(&new), drawn);
    assert_eq!(room.names().len(), 6, "nothing is left beside them");
    let below_file = empty.join("new");
    for path in [below_file.as_path(), room.folder()] {
        let reply = client.ask(&format!("printsgf {}", path.display()));
        assert!(reply.expect_err("no file").starts_with(NO_SAVE));
    }
}

/// A game with variations, marks and comments.
const TREE: &str = "(;FF[4]GM[1]SZ[9]KM[6.5]PB[a]PW[b]RE[W+R]GC[my notes]TR[cc]LB[aa:1][bb:2]C[root]\
    ;B[ee]C[good move]TR[ee]SQ[cc][dd](;W[cc]C[main]BM[1];B[gc])(;W[gg]C[an hour];B[gc]))";

/// The nodes and properties of a game as text, without line breaks between them.
fn compact(text: &str) -> String {
    text.replace('\n', "")
}

#[test]
fn the_tree_of_a_loaded_game_is_kept() {
    let room = Room::new();
    let mut go = Client::new(setup("go 9"), 1);
    let path = room.file("tree.sgf", TREE);
    let line = |command: &str, path: &std::path::Path| format!("{command} {}", path.display());
    let path = path.as_path();
    // As it is.
    go.tell(&line("loadsgf", path));
    go.tell(&line("printsgf", path));
    assert_eq!(compact(&text(path)), TREE);
    // Another turn.
    go.tell("play w G3");
    go.tell(&line("printsgf", path));
    let longer = TREE.replace(";B[gc])(", ";B[gc];W[gg])(").replace("RE[W+R]", "");
    assert_eq!(compact(&text(path)), longer);
    go.tell(&line("loadsgf", path));
    assert_eq!(go.tell("kawari-history").lines().count(), 4);
    // A new variation becomes the main line.
    go.tell("gg-undo 2");
    go.tell("play b C3");
    go.tell(&line("printsgf", path));
    let varied = longer.replace(";B[gc];W[gg])(;W[gg]", "(;B[cg])(;B[gc];W[gg]))(;W[gg]");
    assert_eq!(compact(&text(path)), varied);
    go.tell(&line("loadsgf", path));
    assert!(go.tell("kawari-history").ends_with("B C3"));
    // Turns of another variation.
    go.tell("gg-undo 2");
    go.tell("play w G3");
    go.tell("komi 0.5");
    go.tell(&line("printsgf", path));
    let kept = text(path);
    assert!(compact(&kept).contains("SQ[cc][dd](;W[gg]C[an hour];B[gc])(;W[cc]"), "{kept}");
    assert!(kept.contains("KM[0.5]") && kept.contains("TR[cc]LB[aa:1][bb:2]"), "{kept}");
    // A part of the game changes nothing.
    go.tell(&format!("{} 2", line("loadsgf", path)));
    go.tell(&line("printsgf", path));
    assert_eq!(text(path), kept);
}

#[test]
fn texts_of_a_kept_tree_become_utf_8() {
    let room = Room::new();
    let path = room.path("shift-jis.sgf");
    let file = b"(;SZ[9]PB[\x97\x5c\x91\x7a]EV[\x8f\x5c\x92\x69\x90\xed]C[\x83\x5c](;B[ee])(;B[cc]C[\x83\x5c]))";
    fs::write(&path, file).expect("a file");
    let mut go = Client::new(setup("go 9"), 1);
    go.tell(&format!("loadsgf {}", path.display()));
    go.tell("play w G7");
    go.tell(&format!("printsgf {}", path.display()));
    let kept = compact(&text(&path));
    assert_eq!(kept, "(;SZ[9]PB[予想]EV[十段戦]C[ソ]CA[UTF-8](;B[ee];W[gc])(;B[cc]C[ソ]))");
}

/// Other games of a file are not in the record of the session.
#[test]
fn a_loaded_file_is_replaced_only_by_the_game_that_is_all_of_it() {
    let room = Room::new();
    let mut go = Client::new(setup("go 9"), 1);
    let refuse = |go: &mut Client, path: &std::path::Path, what: &str| {
        let old = text(path);
        for save in ["printsgf", "gomill-savesgf"] {
            let reply = go.ask(&format!("{save} {}", path.display()));
            assert!(reply.expect_err(what).starts_with(NO_SAVE), "{what}");
        }
        assert_eq!(text(path), old, "{what}");
    };
    for (name, content) in [
        ("collection", format!("{TREE}(;GM[1];B[aa])")),
        ("mail", format!("Dear Ann,\n{TREE}")),
        ("signed", format!("{TREE}\nBob")),
    ] {
        let path = room.file(name, &content);
        go.tell(&format!("loadsgf {}", path.display()));
        refuse(&mut go, &path, name);
    }
    // Another game, and a file that somebody else has changed meanwhile.
    let path = room.file("tree", TREE);
    for command in ["clear_board", "boardsize 9", "loadsgf fixtures/sgf/old.sgf"] {
        go.tell(&format!("loadsgf {}", path.display()));
        go.tell(command);
        refuse(&mut go, &path, command);
    }
    go.tell(&format!("loadsgf {}", path.display()));
    let path = room.file("tree", &TREE.replace("PB[a]", "PB[c]"));
    refuse(&mut go, &path, "changed");
    // Two files of one game.
    let path = room.file("tree", &format!("\u{feff}{TREE}\n"));
    go.tell(&format!("loadsgf {}", path.display()));
    let other = room.path("other");
    for path in [&other, &path, &other] {
        go.tell(&format!("printsgf {}", path.display()));
        assert_eq!(compact(text(path).trim_start_matches('\u{feff}')), TREE);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn endless_and_full_devices_are_errors_at_once() {
    let mut client = client();
    for device in ["/dev/zero", "/dev/full", "/dev/null"] {
        for command in ["printsgf", "gomill-savesgf"] {
            let reply = client.ask(&format!("{command} {device}"));
            assert!(reply.expect_err("refused").starts_with(NO_SAVE), "{command} {device}");
        }
        let reply = client.ask(&format!("loadsgf {device}"));
        let why = reply.expect_err("refused");
        assert!(why.starts_with("cannot load file: "), "{why}");
    }
}
