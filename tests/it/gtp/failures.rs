//! Commands that fail: the error, and that nothing changes.

use super::client;
use crate::client::Client;

/// Positions in which commands fail: a setup, then commands that `undo` takes back
/// one by one.
const POSITIONS: &[(&str, &[&str])] = &[
    ("go 5", &["play B C3", "play W C4", "play B pass"]),
    ("go 5 komi=-2.5 blocks=A1", &["play B C3", "play W pass", "play B pass"]),
    ("go 4 handicap=B2,C3", &["play W B3", "play W resign"]),
    ("no 5", &["play B C3", "play W B2", "nuke B C3", "play W pass", "play B E1"]),
    ("go-san 5x4", &["play B C3", "play W B2", "play W B2", "play B D1"]),
    ("tao 5", &["play W A1", "play B A2", "play B B1", "tao B E5"]),
    ("tao 4 tao-cost=points:2", &["tao W A1", "tao B A2"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "grow B E4 B3"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "play B A5", "play W A2", "play B pass"]),
    ("sygo 5", &["play W A1", "play B E5", "play W D1", "play W A2", "play B resign"]),
    ("stoical 4 stoical-rule=refined", &["play B A1", "play W A2", "play W B1"]),
    ("2.5d 3", &["play B A1", "layer W 1 B2", "play B G3"]),
    ("2.5d 2 layers=4", &["play B pass", "layer W 3 B2"]),
];

/// Commands that fail in all of [`POSITIONS`], with the beginning of the error.
fn bad_commands(text: &str) -> Vec<(&str, &str)> {
    let (mut bad, mut error) = (Vec::new(), "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(' ').expect("a mark") {
            ("?", text) => error = text,
            (_, command) => bad.push((command, error)),
        }
    }
    bad
}

/// Whether a command failed with this text. A reason after a colon must follow
/// `syntax error`.
fn is_failure(answer: &Result<String, String>, text: &str) -> bool {
    let Err(error) = answer else {
        return false;
    };
    match error.split_once(": ") {
        Some((start, reason)) if start == text => !reason.is_empty(),
        _ => error == text && text != "syntax error",
    }
}

/// An engine in one of [`POSITIONS`], with its clocks running.
fn engine_at((setup, opening): &(&str, &[&str])) -> Client {
    let mut engine = client(setup);
    opening.iter().for_each(|line| {
        engine.tell(line);
    });
    engine.tell("time_settings 600 30 5");
    engine
}

#[test]
fn a_failed_command_changes_nothing() {
    let text = std::fs::read_to_string("fixtures/gtp/refused.txt").expect("a fixture");
    let (bad, mut wrong) = (bad_commands(&text), Vec::new());
    assert!(bad.len() > 500, "{}", bad.len());
    for position in POSITIONS {
        let mut engine = engine_at(position);
        let (before, clocks) = (engine.sight(), engine.session.clocks.clone());
        for &(line, why) in &bad {
            let answers = [engine.ask(line), engine.ask(&format!("12 {line}"))];
            let refused = answers.iter().all(|answer| is_failure(answer, why));
            let untouched = engine.sight() == before && engine.session.clocks == clocks;
            if !refused || !untouched {
                wrong.push(format!("{}: {line}: {answers:?} instead of {why}", position.0));
                engine = engine_at(position);
            }
        }
        let turns = position.1.len();
        assert_eq!(engine.ask(&format!("gg-undo {turns}")), Ok(String::new()), "{position:?}");
        assert_eq!(engine.ask("undo"), Err("cannot undo".to_owned()), "{position:?}");
    }
    let shown: Vec<_> = wrong.iter().take(24).cloned().collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), shown.join("\n"));
}
