//! Subcommands and options that write files.

use super::support::{Room, text};
use crate::common::TIMEOUT;
use assert_cmd::Command;
use std::fs;

const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");

/// The program with these words, run in the room.
fn kawari(room: &Room, args: &[&str]) -> Command {
    let mut command = Command::new(KAWARI);
    command.current_dir(room.folder()).args(args);
    command.timeout(TIMEOUT);
    command
}

/// The message with which it fails.
fn failure(room: &Room, args: &[&str]) -> String {
    let assert = kawari(room, args).write_stdin("").assert().code(1);
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// A match of two instant engines.
fn a_match(games: u32, more: &str) -> Vec<String> {
    let engine = format!("{KAWARI} --playouts 1");
    let games = games.to_string();
    let args =
        ["match", "--size", "5", "--games", &games, "--engine", &engine, "--engine", &engine];
    args.into_iter().chain(words(more)).map(str::to_owned).collect()
}

fn strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

#[test]
fn files_of_others_are_kept() {
    let room = Room::new();
    let notes = "my notes, without a line break";
    let path = room.file("notes", notes);
    let below_file = "notes/file";
    for file in ["notes", below_file] {
        for line in [
            format!("watch --size 2 --turns 1 --record {file}"),
            format!("balance --size 2 --games 1 --playouts 1 --plot {file}"),
            format!("balance --size 2 --games 1 --playouts 1 --out {file}"),
            format!("match report results --out {file}"),
            format!("match merge results --out {file}"),
        ] {
            let message = failure(&room, &words(&line));
            assert!(message.contains(file), "{line}: {message}");
            let reason = if file == "notes" { "exists" } else { "" };
            assert!(message.contains(reason), "{line}: {message}");
            assert_eq!(text(&path), notes, "{line}");
        }
        for option in [format!("--out {file}"), format!("--out o --report {file}")] {
            let args = a_match(2, &option);
            let message = failure(&room, &strs(&args));
            assert!(message.contains(file), "{option}: {message}");
            assert_eq!(text(&path), notes, "{option}");
        }
    }
    assert_eq!(room.names(), ["notes"], "nothing was begun");
    kawari(&room, &words("watch --size 2 --turns 1 --record notes --force")).assert().success();
    assert!(text(&path).starts_with("kawari-variant go\n"));
    // Its own record is replaced without a word.
    kawari(&room, &words("watch --size 2 --turns 2 --record notes")).assert().success();
    assert_eq!(text(&path).matches("play ").count(), 2);
}

#[test]
fn a_results_file_that_is_none_is_kept() {
    let room = Room::new();
    for content in ["notes", "\n\nnotes", "{\"game\":1}", "{\"kawari-match\":7", "notes\nnotes\n"] {
        let path = room.file("out", content);
        let message = failure(&room, &strs(&a_match(2, "--out out")));
        assert!(message.contains("out:"), "{content}: {message}");
        assert_eq!(text(&path), content);
    }
    fs::remove_file(room.path("out")).expect("a file");
    let args = a_match(2, "--out out");
    kawari(&room, &strs(&args)).assert().success();
    let whole = text(&room.path("out"));
    // The first line, cut off when its writer was killed, is ours.
    room.file("out", &whole[..40]);
    kawari(&room, &strs(&args)).assert().success();
    assert_eq!(text(&room.path("out")).lines().count(), 3);
    // A torn game is cut off only when the match goes on.
    let torn = whole.clone() + "{\"game\":3,";
    let path = room.file("out", &torn);
    kawari(&room, &strs(&a_match(2, "--out out --seed 2"))).assert().code(2);
    assert_eq!(text(&path), torn);
}

#[test]
fn sgf_files_of_other_matches_are_kept() {
    let room = Room::new();
    fs::create_dir(room.path("games")).expect("a folder");
    let foreign = "(;FF[4]GM[1]EV[a tournament])";
    for (file, option) in [("all.sgf", "all.sgf"), ("games/00001.sgf", "games")] {
        let path = room.file(file, foreign);
        let out = format!("--out {option}.jsonl --sgf {option}");
        let message = failure(&room, &strs(&a_match(2, &out)));
        assert!(message.contains(file), "{message}");
        assert_eq!(text(&path), foreign);
        let forced = a_match(2, &format!("{out} --force"));
        kawari(&room, &strs(&forced)).assert().success();
        // A match that goes on replaces its own.
        let written = text(&path);
        kawari(&room, &strs(&a_match(4, &out))).assert().success();
        assert!(text(&path).starts_with(&written), "{option}");
        // Without its results nothing says that the games are the same.
        fs::remove_file(room.path(&format!("{option}.jsonl"))).expect("a file");
        if option == "all.sgf" {
            assert_eq!(text(&path).matches("GM[1]").count(), 4);
            failure(&room, &strs(&a_match(2, &out)));
        }
    }
    assert_eq!(fs::read_dir(room.path("games")).expect("a folder").count(), 4);
}

#[test]
fn an_announced_match_costs_nothing() {
    let room = Room::new();
    kawari(&room, &strs(&a_match(2, "--out out"))).assert().success();
    let results = text(&room.path("out"));
    let huge = results.replacen("\"games\":2", "\"games\":18446744073709551615", 1);
    assert_ne!(huge, results);
    room.file("huge", &huge);
    let message = failure(&room, &["match", "merge", "huge"]);
    assert!(message.contains("games are missing: 3-"), "{message}");
    // A header that names very many engines.
    let names = vec!["{\"name\":\"x\"}"; 100_000].join(",");
    let (first, rest) = results.split_once('\n').expect("lines");
    let mut header: serde_json::Value = serde_json::from_str(first).expect("a header");
    header["settings"]["engines"] = serde_json::from_str(&format!("[{names}]")).expect("a list");
    room.file("many", &format!("{header}\n{rest}"));
    let message = failure(&room, &["match", "merge", "many"]);
    assert!(message.contains("more than 256 engines"), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn devices_end_commands_at_once() {
    let room = Room::new();
    for line in ["match merge /dev/zero", "match report /dev/zero"] {
        let message = failure(&room, &words(line));
        assert!(message.contains("/dev/zero"), "{line}: {message}");
    }
    for line in ["--net /dev/zero", "match --config /dev/zero"] {
        let assert = kawari(&room, &words(line)).write_stdin("").assert().code(2);
        let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(message.contains("larger than 64 MB"), "{line}: {message}");
    }
    let message = failure(&room, &strs(&a_match(2, "--out /dev/full")));
    assert!(message.contains("No space left"), "{message}");
    for device in ["/dev/null", "/dev/zero"] {
        kawari(&room, &strs(&a_match(2, &format!("--out {device}")))).assert().success();
    }
    assert_eq!(room.names(), [""; 0]);
}
