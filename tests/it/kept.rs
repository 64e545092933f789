//! Files of earlier programs are still read: `fixtures/kept`.

use crate::common::TIMEOUT;
use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kept").join(name)
}

/// A folder with copies of kept files.
fn room(names: &[&str]) -> tempfile::TempDir {
    let room = tempfile::tempdir().expect("a folder");
    for name in names {
        let path = room.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::copy(kept(name), path).expect("a copy");
    }
    room
}

/// The output of a command.
fn printed(args: &str, room: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_kawari"));
    let mut command = Command::new(program);
    command.args(shlex::split(args).expect("words")).current_dir(room).timeout(TIMEOUT);
    command.env("PATH", program.parent().expect("a folder"));
    let done = command.write_stdin("genmove b\nquit\n").assert().success();
    String::from_utf8_lossy(&done.get_output().stdout).into_owned()
}

#[test]
fn training_games_are_packed() {
    let room = room(&["d208.games", "fc84.games"]);
    for (args, positions) in [("d208.games", 45), ("fc84.games --variant sygo", 31)] {
        let printed = printed(&format!("train pack {args} --out {positions}.bin"), room.path());
        assert!(printed.starts_with(&format!("{positions} positions, ")), "{args}: {printed}");
    }
}

#[test]
fn a_net_plays() {
    let room = room(&["d208.net"]);
    let printed = printed("gtp --size 5 --net d208.net --playouts 5", room.path());
    assert!(printed.starts_with("= ") && printed.len() > 4, "{printed}");
}

#[test]
fn a_match_goes_on_and_is_reported_and_checked() {
    let files = ["match.jsonl", "games/00001.sgf", "games/00002.sgf", "logs/00001.log"];
    let names = files.map(|name| format!("match/{name}"));
    let room = room(&names.each_ref().map(String::as_str));
    let folder = room.path().join("match");
    let played = "match --engine 'a=kawari --playouts 2' --engine 'b=kawari --playouts 3' --size 5 \
                  --seed 1 --max-turns 8 --sgf games --log-dir logs --games";
    let results = std::fs::read_to_string(folder.join("match.jsonl")).expect("results");
    assert!(printed(&format!("{played} 2"), &folder).contains("2 games of 8 to 8 turns"));
    let same = std::fs::read_to_string(folder.join("match.jsonl")).expect("results");
    assert_eq!(same, results);
    assert!(printed(&format!("{played} 4"), &folder).contains("4 games of 8 to 8 turns"));
    printed("match report match.jsonl", &folder);
    let merged = printed("match merge match.jsonl --out merged.jsonl", &folder);
    assert!(merged.contains("4 games"), "{merged}");
    let checked = printed("check games match.jsonl", &folder);
    assert!(checked.contains('8'), "{checked}");
}
