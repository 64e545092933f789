//! Illegal moves are answered with the reason, except to Gomill.

use crate::client::Client;
use crate::common::setup;

/// A position in words, and a command that it refuses, as a turn for `kawari-explain`.
const CASES: &[(&str, &[&str], &str, &str)] = &[
    ("go 5", &["play b C3"], "play w C3", "w C3"),
    ("go 5", &[], "play w F9", "w F9"),
    ("go 5", &["play b A2", "play b B1"], "play w A1", "w A1"),
    ("no 5", &["play b C3"], "nuke w C3", "w nuke C3"),
    ("tao 5", &[], "tao b A1", "b tao A1"),
    ("sygo 5", &["play w C3"], "grow w E5", "w grow E5"),
    ("2.5d 3", &["layer b 1 C3"], "layer w 1 C3", "w layer 1 C3"),
];

#[test]
fn the_reason_is_that_of_kawari_explain() {
    for (words, before, refused, turn) in CASES {
        let mut client = Client::new(setup(words), 1);
        before.iter().for_each(|line| drop(client.tell(line)));
        let reason = client.tell(&format!("kawari-explain {turn}"));
        assert_ne!(reason, "legal", "{words} {refused}");
        let expected = format!("illegal move: {reason}");
        // `play` names the point.
        let named = match reason.starts_with("off the board: ") {
            true => "illegal move: F9 is off this 5x5 board".to_owned(),
            false => expected.clone(),
        };
        assert_eq!(client.ask(refused), Err(named), "{words}");
        if let Some(played) = refused.strip_prefix("play ") {
            let sequence = format!("gogui-play_sequence {played}");
            assert_eq!(client.ask(&sequence), Err(expected));
        }
    }
}

#[test]
fn rules_that_the_game_breaks_and_turns_out_of_turn_have_reasons_too() {
    let mut client = Client::new(setup("go 5 ko=none"), 1);
    for (color, point) in [
        ("b", "B3"),
        ("w", "D4"),
        ("b", "C4"),
        ("w", "D2"),
        ("b", "C2"),
        ("w", "E3"),
        ("b", "pass"),
        ("w", "C3"),
        ("b", "D3"),
        ("w", "C3"),
    ] {
        client.tell(&format!("play {color} {point}"));
    }
    let refused = client.ask("kata-set-rule ko SIMPLE").expect_err("a ko");
    assert!(
        refused.starts_with("illegal move: the game so far breaks the new rules: ko: "),
        "{refused}"
    );
    client.tell("gogui-rules_side_to_move");
    assert_eq!(client.ask("play w A1"), Err("illegal move: out of turn".to_owned()));
}

#[test]
fn gomill_gets_the_bare_text() {
    let bare = Err("illegal move".to_owned());
    for hint in ["known_command gomill-explain_last_move", "gomill-cpu_time"] {
        let mut client = Client::new(setup("go 5"), 1);
        client.tell("play b C3");
        assert_ne!(client.ask("play w C3"), bare);
        client.tell(hint);
        assert_eq!(client.ask("play w C3"), bare, "{hint}");
        assert!(client.tell("kawari-explain w F9").starts_with("off the board"));
    }
}

/// Other turns than stones are commands of their own, which the refusal spells out.
#[test]
fn a_turn_that_is_a_command_is_spelled_out() {
    for (words, refused, command) in [
        ("no 5", "play w nuke D4", "`nuke w D4`"),
        ("no 5", "play w nuke", "`nuke w …`"),
        ("sygo 5", "play b grow C3 D3", "`grow b C3 D3`"),
        ("2.5d 3", "play b layer 1 C3", "`layer b 1 C3`"),
    ] {
        let why = Client::new(setup(words), 1).ask(refused).expect_err(refused);
        assert!(why.ends_with(&format!("use {command}")), "{why}");
    }
}
