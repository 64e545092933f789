//! Signals, and processes whose parent disappears.

use super::support::{Room, text};
use crate::common::{TIMEOUT, pass_interrupts_on};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");

fn start(room: &Room, line: &str) -> Child {
    let mut command = Command::new(KAWARI);
    command.current_dir(room.folder()).args(line.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("a program that starts")
}

/// Waits until something holds.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal; returns exit status, standard output and standard error.
fn interrupted(mut child: Child, signal: Signal) -> (Option<i32>, String, String) {
    kill_process(Pid::from_child(&child), signal).expect("a process");
    ended(&mut child)
}

fn ended(child: &mut Child) -> (Option<i32>, String, String) {
    let (mut out, mut error) = (String::new(), String::new());
    let stdout = child.stdout.take();
    stdout.expect("a pipe").read_to_string(&mut out).expect("text");
    let stderr = child.stderr.take();
    stderr.expect("a pipe").read_to_string(&mut error).expect("text");
    (child.wait().expect("an end").code(), out, error)
}

/// Reads standard output up to this text.
fn read_up_to(child: &mut Child, text: &str) {
    let (out, mut found) = (child.stdout.as_mut().expect("a pipe"), Vec::new());
    let mut byte = [0];
    while !found.ends_with(text.as_bytes()) {
        out.read_exact(&mut byte).expect("more output");
        found.extend(byte);
    }
}

#[test]
fn a_watched_game_is_recorded_up_to_a_signal() {
    pass_interrupts_on();
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let room = Room::new();
        let line = "watch --size 9 --playouts 20 --seed 1 --record game.gtp";
        let mut child = start(&room, line);
        read_up_to(&mut child, "turn 3:");
        let (code, _, error) = interrupted(child, signal);
        assert_eq!(code, Some(status), "{error}");
        assert!(error.contains("interrupted"), "{error}");
        let record = text(&room.path("game.gtp"));
        assert!(record.matches("play ").count() >= 3, "{record}");
        assert!(record.ends_with('\n'), "{record}");
        assert_eq!(room.names(), ["game.gtp"]);
    }
    // Even while it thinks for long.
    let room = Room::new();
    let mut child = start(&room, "watch --size 9 --time 86400 --record game.gtp");
    read_up_to(&mut child, "no turn yet");
    let (code, _, _) = interrupted(child, Signal::TERM);
    assert_eq!(code, Some(143));
    assert!(text(&room.path("game.gtp")).starts_with("kawari-variant go\n"));
}

#[test]
fn a_study_of_komi_goes_on_after_a_signal() {
    let room = Room::new();
    let line = |out: &str| {
        format!("balance --size 4 --games 40 --playouts 400 --threads 2 --seed 3 --out {out}")
    };
    let (code, whole, _) = ended(&mut start(&room, &line("whole")));
    assert_eq!(code, Some(0));
    let games = || std::fs::read_to_string(room.path("part")).unwrap_or_default().lines().count();
    let child = start(&room, &line("part"));
    wait_for("no games", || games() > 4);
    let (code, out, error) = interrupted(child, Signal::TERM);
    assert_eq!(code, Some(143), "{error}");
    assert!(error.contains("continues from there"), "{error}");
    assert!(out.contains("fair komi"), "the games so far count: {out}");
    let before = text(&room.path("part"));
    assert!(before.lines().count() < 41, "{before}");
    let (code, out, error) = ended(&mut start(&room, &line("part")));
    assert_eq!((code, out), (Some(0), whole), "{error}");
    assert!(text(&room.path("part")).starts_with(&before));
    let mut sorted: Vec<_> = ["whole", "part"]
        .map(|name| text(&room.path(name)))
        .map(|text| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        })
        .into();
    assert_eq!(sorted.pop(), sorted.pop());
    // Another study, or a file with something else, is refused.
    let other = line("part").replace("--seed 3", "--seed 4");
    let (code, _, error) = ended(&mut start(&room, &other));
    assert_eq!(code, Some(1));
    assert!(error.contains("seed is 3, not 4"), "{error}");
}

#[test]
fn self_play_keeps_its_games_and_goes_on() {
    let room = Room::new();
    let line = |games| {
        format!("train selfplay --size 5 --playouts 20 --seed 1 --games {games} --out some.games")
    };
    let child = start(&room, &line(1_000_000));
    let file = room.path("some.games");
    let size = || std::fs::metadata(&file).map_or(0, |file| file.len());
    wait_for("no game", || size() > 1000);
    let (code, _, error) = interrupted(child, Signal::TERM);
    assert_eq!(code, Some(143), "{error}");
    assert!(error.contains("continues from the games of"), "{error}");
    let games = std::fs::read(&file).expect("games");
    let (code, _, error) = ended(&mut start(&room, &line(1)));
    assert_eq!(code, Some(0), "{error}");
    assert!(std::fs::read(&file).expect("games") == games, "they are whole");
    assert_eq!(room.names(), ["some.games"]);
}

#[test]
fn an_endless_match_begins_and_hears_signals() {
    let room = Room::new();
    let mut command = Command::new(KAWARI);
    let engine = format!("{KAWARI} --playouts 1");
    command.current_dir(room.folder()).args(["match", "--engine", &engine, "--engine", &engine]);
    command.args("--size 5 --games 1000000000000 --out out --sgf all.sgf".split(' '));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("a program that starts");
    let games = || std::fs::read_to_string(room.path("out")).unwrap_or_default().lines().count();
    wait_for("no games", || games() > 2);
    let (code, _, error) = interrupted(child, Signal::TERM);
    assert_eq!(code, Some(143), "{error}");
    assert!(error.contains("/1000000000000"), "{error}");
    assert!(error.contains("continues from there"), "{error}");
    let games = games() - 1;
    assert_eq!(text(&room.path("all.sgf")).matches("GM[1]").count(), games);
}

#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    let room = Room::new();
    let script =
        format!("trap '' HUP; exec {KAWARI} watch --size 9 --playouts 20 --record game.gtp");
    let mut command = Command::new("/bin/sh");
    command.current_dir(room.folder()).args(["-c", &script]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a program that starts");
    read_up_to(&mut child, "turn 1:");
    kill_process(Pid::from_child(&child), Signal::HUP).expect("a process");
    read_up_to(&mut child, "turn 9:");
    let (code, _, error) = interrupted(child, Signal::TERM);
    assert_eq!(code, Some(143), "{error}");
}
