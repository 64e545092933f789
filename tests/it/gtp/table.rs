//! The table of commands: list, dispatch, arguments, effects, reference.

use super::client;
use crate::client::Client;
use kawari::gtp::arguments::{Arg, ArgType, Arity};
use kawari::gtp::table::Effect;
use kawari::gtp::{document, table};
use kawari::rules::VARIANTS;
use std::collections::BTreeSet;

#[test]
fn the_table_the_list_and_the_dispatch_agree() {
    let mut engine = client("go 5");
    let listed = engine.tell("list_commands");
    let listed: Vec<&str> = listed.lines().collect();
    let table: Vec<&str> = table::all().map(|command| command.name).collect();
    assert_eq!(listed, table);
    let unique: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(unique.len(), listed.len(), "a name stands twice");
    for name in &listed {
        assert_eq!(engine.tell(&format!("known_command {name}")), "true", "{name}");
        assert_ne!(engine.ask(&format!("{name} \"")), Err("unknown command".to_owned()), "{name}");
        let other = name.to_uppercase();
        assert_eq!(engine.tell(&format!("known_command {other}")), "false", "{other}");
        assert_eq!(engine.ask(&other), Err("unknown command".to_owned()), "{other}");
    }
}

#[test]
fn the_command_reference_is_up_to_date() {
    let document = document::document();
    if std::env::var_os("KAWARI_BLESS").is_some_and(|value| value == "1") {
        std::fs::write("gtp-extensions.md", &document).expect("a writable file");
    }
    let written = std::fs::read_to_string("gtp-extensions.md").expect("gtp-extensions.md");
    assert!(
        written == document,
        "gtp-extensions.md is out of date: generate it with `kawari commands`"
    );
    for command in table::all() {
        let row = format!("\n| `{}` | ", command.usage());
        assert_eq!(written.matches(&row).count(), 1, "{row}");
        assert!(!command.summary.is_empty(), "{}", command.name);
    }
}

#[test]
fn variants_are_listed_with_their_sizes() {
    let mut engine = client("go 5");
    let list = engine.tell("kawari-variants");
    let heads: Vec<String> = list
        .lines()
        .map(|line| line.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let promised = ["go 19", "no 9", "go-san 9", "tao 19", "sygo 19", "stoical 19", "2.5d 9"];
    assert_eq!(heads.len(), VARIANTS.len());
    for head in promised {
        assert!(heads.iter().any(|other| other == head), "{head}");
    }
    assert!(list.lines().all(|line| line.split(' ').count() > 2), "a line without words");
    for info in VARIANTS {
        engine.tell(&format!("kawari-variant {}", info.id));
        assert_eq!(engine.tell("kawari-variant"), info.id);
    }
}

/// Words that an argument of this type accepts.
fn example(arg: &Arg) -> String {
    match arg.kind {
        ArgType::Color => "b".to_owned(),
        ArgType::Vertex | ArgType::Move => "C3".to_owned(),
        ArgType::Integer(low, high) => 2.clamp(low, high).to_string(),
        ArgType::Number | ArgType::Komi | ArgType::Size => "5".to_owned(),
        ArgType::OneOf(words) => words[0].to_owned(),
        ArgType::Matching(..) => "PB=x".to_owned(),
        ArgType::Word(_) | ArgType::Text(_) => "x".to_owned(),
        // A save makes missing folders, and none below a file.
        ArgType::File => "Cargo.toml/x".to_owned(),
        ArgType::Group(args) => args.iter().map(example).collect::<Vec<_>>().join(" "),
    }
}

/// Handlers take the types that their commands declare, and each argument is parsed as
/// declared: with one word too many, or another type, its name is in the error.
#[test]
fn handlers_take_the_declared_arguments() {
    for command in table::all().filter(|command| command.name != "quit") {
        let required = command.args.iter().filter(|arg| arg.arity == Arity::Once);
        let [all, required]: [Vec<_>; 2] =
            [command.args.iter().map(example).collect(), required.map(example).collect()];
        for words in [&all, &required] {
            let line = format!("{} {}", command.name, words.join(" "));
            let reply = client("go 5").ask(&line);
            let undeclared = matches!(&reply, Err(error) if error.starts_with("internal error"));
            assert!(!undeclared, "{line}: {reply:?}");
        }
        let name = command.args.first().map_or("unexpected argument", |arg| match arg.kind {
            ArgType::Group(args) => args[0].name,
            _ => arg.name,
        });
        let is_text = |arg: &Arg| match arg.kind {
            ArgType::Text(_) | ArgType::Word(_) => true,
            ArgType::Group(args) => matches!(args[0].kind, ArgType::Word(_)),
            _ => false,
        };
        if command.args.first().is_none_or(|arg| arg.arity != Arity::IfMatching && !is_text(arg)) {
            let file = command.args.iter().any(|arg| matches!(arg.kind, ArgType::File));
            let wrong = if file { "\"x" } else { "?" };
            let error = client("go 5").ask(&format!("{} {wrong}", command.name));
            let error = error.expect_err(command.name);
            assert!(
                error.contains(&format!("error: {name}"))
                    || error.contains(&format!("list: {name}")),
                "{}: {error}",
                command.name
            );
        }
    }
}

#[test]
fn help_answers_the_entry_of_a_command() {
    let mut engine = client("go 5");
    assert_eq!(engine.tell("kawari-help").lines().count(), table::all().count());
    for command in table::all() {
        let help = engine.tell(&format!("kawari-help {}", command.name));
        let lines: Vec<&str> = help.lines().collect();
        assert_eq!(lines[0], command.usage());
        assert_eq!(lines[1], command.summary);
        assert!(lines[lines.len() - 1].starts_with("effect: "), "{help}");
    }
    let play = engine.tell("kawari-help play");
    let arguments: Vec<&str> = play.lines().skip(2).collect();
    let expected = [
        "color: black or white",
        "move: a point such as D4, pass or resign",
        "vertex: a point such as D4",
        "effect: plays turns",
    ];
    assert_eq!(arguments, expected);
    let unknown = engine.ask("kawari-help x").expect_err("no such command");
    assert_eq!(unknown, "syntax error: command: unknown: \"x\"");
}

/// The effect that the table declares is the effect that a command has.
#[test]
fn commands_without_effect_change_no_game() {
    for command in table::all() {
        let words: Vec<_> = command.args.iter().map(example).collect();
        if command.effect_of(&words.join(" ")) != Effect::Queries {
            continue;
        }
        let mut engine = client("go 5");
        engine.tell("play b A1");
        let before = engine.session.game().state();
        let _ = engine.ask(&format!("{} {}", command.name, words.join(" ")));
        assert_eq!(engine.session.game().state(), before, "{}", command.name);
    }
}

/// The groups of a reply of `final_status_list`, as sets.
fn groups(text: &str) -> BTreeSet<BTreeSet<&str>> {
    text.lines().map(|line| line.split(' ').collect()).collect()
}

#[test]
fn every_group_has_one_status() {
    let mut engine = client("go 5x3");
    engine.tell("set_free_handicap B1 B2 B3 D1 D2 D3 A2 E2");
    let alive = engine.tell("final_status_list alive");
    assert_eq!(groups(&alive), groups("A2 B1 B2 B3\nD1 D2 D3 E2"));
    assert_eq!(engine.tell("final_status_list dead"), "");
    assert_eq!(engine.tell("final_status_list seki"), "");

    // A stone that cannot be saved, inside the territory of two-eyed groups.
    let mut engine = client("go 7");
    engine.tell("set_free_handicap A2 B2 C2 D2 D1 B1 E2 F2 F1 G2 A3 B3 C3 D3 E3 F3 G3 A6 B6 C6 D6 E6 F6 G6 B7 D7");
    engine.tell("play W D5");
    let status =
        |engine: &mut Client, word: &str| engine.tell(&format!("final_status_list {word}"));
    let (alive, dead) = (status(&mut engine, "alive"), status(&mut engine, "dead"));
    assert_eq!(dead, "D5");
    assert_eq!(alive.lines().count(), 2, "{alive}");
    assert_eq!(status(&mut engine, "ALIVE"), alive, "the same question, the same answer");
}

#[test]
fn a_cleanup_captures_dead_stones_before_it_passes() {
    // At a low level too, and with the same moves.
    let moves = ["10", "1"].map(|level| {
        let mut engine = client("go 7 playouts=100");
        engine.tell(&format!("kata-set-param level {level}"));
        engine.tell("set_free_handicap A2 B2 C2 D2 D1 B1 E2 F2 F1 G2 A3 B3 C3 D3 E3 F3 G3 A6 B6 C6 D6 E6 F6 G6 B7 D7");
        engine.tell("play W D5");
        engine.tell("play B pass");
        engine.tell("play W pass");
        engine.tell("undo");
        engine.tell("undo");
        engine.tell("play W pass");
        let played = engine.tell("kgs-genmove_cleanup B");
        assert_ne!(played, "pass");
        played
    });
    assert_eq!(moves[0], moves[1]);
}
