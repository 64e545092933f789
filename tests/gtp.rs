//! The protocol from a client's side: transcripts, the table of commands, and
//! commands that fail.
//!
//! A transcript is a file `fixtures/gtp/*.gtp`:
//!
//! - `@ go 9x9 komi=5 playouts=8 seed=3` starts an engine (a file begins with
//!   one);
//! - `> boardsize 9` is sent, with `\t`, `\r`, `\\` and `\xHH` for odd bytes;
//! - the lines after it, except blank ones, are the expected reply, without the
//!   empty line that ends it and without blanks at the ends of lines;
//! - `#` begins a comment.
//!
//! With `KAWARI_BLESS=1` in the environment the test writes the actual replies into
//! the files instead of comparing them.

mod client;
mod common;

use client::{Client, split_replies};
use kawari::gtp::arguments::{Arg, ArgType, Occurs};
use kawari::gtp::table::Effect;
use kawari::gtp::{document, table};
use kawari::rules::VARIANTS;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One command of a transcript with its line number and the expected reply.
struct Exchange {
    line: usize,
    sent: String,
    expected: Vec<String>,
}

/// A part of a transcript.
enum Part {
    Start(String),
    Exchange(Exchange),
    /// Comments and blank lines.
    Other(String),
}

fn parse_transcript(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(words) = line.strip_prefix("@ ") {
            parts.push(Part::Start(words.to_owned()));
        } else if let Some(sent) = line.strip_prefix("> ") {
            parts.push(Part::Exchange(Exchange {
                line: number + 1,
                sent: sent.to_owned(),
                expected: Vec::new(),
            }));
        } else if line.starts_with('#') || line.trim().is_empty() {
            parts.push(Part::Other(line.to_owned()));
        } else if let Some(Part::Exchange(exchange)) = parts.last_mut() {
            exchange.expected.push(line.trim_end().to_owned());
        } else {
            panic!("line {}: an answer to nothing: {line}", number + 1);
        }
    }
    parts
}

/// Replaces escapes in a line by the bytes that they stand for.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend(plain.as_bytes());
        let (byte, length) = match escape.as_bytes()[0] {
            b't' => (b'\t', 1),
            b'r' => (b'\r', 1),
            b'x' => (
                u8::from_str_radix(&escape[1..3], 16).expect("two digits"),
                3,
            ),
            other => (other, 1),
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}

fn client(words: &str) -> Client {
    let (mut playouts, mut seed) = (16, 1);
    let mut setup = Vec::new();
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("playouts", n)) => playouts = n.parse().expect("a number"),
            Some(("seed", n)) => seed = n.parse().expect("a number"),
            _ => setup.push(word),
        }
    }
    let mut client = Client::new(common::setup(&setup.join(" ")), playouts);
    client.session.settings.seed = kawari::gtp::Seed::Fixed(seed);
    client
}

/// Sends a line and returns the lines of the reply.
fn reply(client: &mut Client, sent: &str) -> Result<Vec<String>, String> {
    let mut bytes = unescape(sent);
    bytes.push(b'\n');
    let output = String::from_utf8(client.send(&bytes)).map_err(|error| error.to_string())?;
    split_replies(&output)?;
    let lines = output.lines().map(str::trim_end);
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Runs a transcript; returns the differences, and the text with the actual replies.
fn run_transcript(path: &Path, text: &str) -> (Vec<String>, String) {
    let (mut wrong, mut blessed) = (Vec::new(), String::new());
    let mut engine = None;
    for part in parse_transcript(text) {
        match part {
            Part::Other(line) => blessed += &(line + "\n"),
            Part::Start(words) => {
                engine = Some(client(&words));
                let _ = writeln!(blessed, "@ {words}");
            }
            Part::Exchange(exchange) => {
                let engine = engine.as_mut().expect("a start");
                let place = format!("{}:{}", path.display(), exchange.line);
                let got =
                    reply(engine, &exchange.sent).unwrap_or_else(|why| panic!("{place}: {why}"));
                let _ = writeln!(blessed, "> {}", exchange.sent);
                got.iter().for_each(|line| blessed += &format!("{line}\n"));
                if got != exchange.expected {
                    let (expected, got) = (exchange.expected.join("\n  "), got.join("\n  "));
                    let sent = exchange.sent;
                    wrong.push(format!(
                        "{place}: {sent}\n expected\n  {expected}\n got\n  {got}"
                    ));
                }
            }
        }
    }
    (wrong, blessed)
}

#[test]
fn transcripts_are_answered_as_written() {
    let entries = std::fs::read_dir("fixtures/gtp").expect("a directory");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "gtp"));
    paths.sort();
    let bless = std::env::var_os("KAWARI_BLESS").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a file");
        let (differences, blessed) = run_transcript(path, &text);
        if bless && !differences.is_empty() {
            std::fs::write(path, blessed).expect("a writable file");
        } else {
            wrong.extend(differences);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(paths.len() > 10, "only {} transcripts found", paths.len());
}

/// Every command that the interface promises, independent of the table.
const PROMISED: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "kawari-help",
    "quit",
    "boardsize",
    "rectangular_boardsize",
    "clear_board",
    "komi",
    "get_komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "gg-undo",
    "showboard",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "time_settings",
    "time_left",
    "kgs-time_settings",
    "kata-time_settings",
    "kata-list_time_settings",
    "final_score",
    "final_status_list",
    "nuke",
    "tao",
    "grow",
    "layer",
    "kawari-variant",
    "kawari-variants",
    "kawari-rules",
    "kawari-set-rule",
    "kawari-block",
    "kawari-state",
    "kawari-legal",
    "kawari-explain",
    "kawari-genturn",
    "kawari-history",
    "kawari-perft",
    "loadsgf",
    "printsgf",
    "gomill-savesgf",
    "lz-analyze",
    "kata-analyze",
    "analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "genmove_analyze",
    "kata-search",
    "kata-search_cancellable",
    "kata-search_analyze",
    "kata-search_analyze_cancellable",
    "stop",
    "gogui-interrupt",
    "clear_cache",
    "kata-get-rules",
    "kata-set-rules",
    "kata-set-rule",
    "kgs-rules",
    "kata-list-params",
    "kata-get-param",
    "kata-get-params",
    "kata-set-param",
    "cgos-genmove_analyze",
    "cgos-opponent_name",
    "cgos-opponent_rating",
    "cgos-gameover",
    "kgs-genmove_cleanup",
    "kgs-game_over",
    "gomill-describe_engine",
    "gomill-explain_last_move",
    "gomill-genmove_ex",
    "gomill-cpu_time",
    "cputime",
];

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
        assert_eq!(
            engine.tell(&format!("known_command {name}")),
            "true",
            "{name}"
        );
        assert_ne!(
            engine.ask(&format!("{name} \"")),
            Err("unknown command".to_owned()),
            "{name}"
        );
        let other = name.to_uppercase();
        assert_eq!(
            engine.tell(&format!("known_command {other}")),
            "false",
            "{other}"
        );
        assert_eq!(
            engine.ask(&other),
            Err("unknown command".to_owned()),
            "{other}"
        );
    }
    for name in PROMISED {
        assert!(unique.contains(name), "{name} is missing");
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
    let promised = [
        "go 19",
        "no 9",
        "go-san 9",
        "tao 19",
        "sygo 19",
        "stoical 19",
        "2.5d 9",
    ];
    assert_eq!(heads, promised);
    assert!(
        list.lines().all(|line| line.split(' ').count() > 2),
        "a line without words"
    );
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
        ArgType::Number | ArgType::Size => "5".to_owned(),
        ArgType::OneOf(words) => words[0].to_owned(),
        ArgType::Matching(..) => "PB=x".to_owned(),
        ArgType::Word(_) | ArgType::Text(_) => "x".to_owned(),
        ArgType::File => "no/such/directory/x".to_owned(),
        ArgType::Group(args) => args.iter().map(example).collect::<Vec<_>>().join(" "),
    }
}

/// Handlers take the types that their commands declare, and each argument is parsed as
/// declared: with one word too many, or another type, its name is in the error.
#[test]
fn handlers_take_the_declared_arguments() {
    for command in table::all().filter(|command| command.name != "quit") {
        let required = command.args.iter().filter(|arg| arg.occurs == Occurs::Once);
        let [all, required]: [Vec<_>; 2] = [
            command.args.iter().map(example).collect(),
            required.map(example).collect(),
        ];
        for words in [&all, &required] {
            let line = format!("{} {}", command.name, words.join(" "));
            let reply = client("go 5").ask(&line);
            let undeclared = matches!(&reply, Err(error) if error.starts_with("internal error"));
            assert!(!undeclared, "{line}: {reply:?}");
        }
        let name = command
            .args
            .first()
            .map_or("unexpected argument", |arg| match arg.kind {
                ArgType::Group(args) => args[0].name,
                _ => arg.name,
            });
        let is_text = |arg: &Arg| match arg.kind {
            ArgType::Text(_) | ArgType::Word(_) => true,
            ArgType::Group(args) => matches!(args[0].kind, ArgType::Word(_)),
            _ => false,
        };
        if command
            .args
            .first()
            .is_none_or(|arg| arg.occurs != Occurs::IfMatching && !is_text(arg))
        {
            let file = command
                .args
                .iter()
                .any(|arg| matches!(arg.kind, ArgType::File));
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
fn syntax_errors_name_the_argument_and_what_was_expected() {
    let mut engine = client("go 5");
    for (line, error) in [
        (
            "play b zz",
            "syntax error: move: expected a point such as D4, pass or resign, found \"zz\"",
        ),
        (
            "play",
            "syntax error: color: expected black or white, found nothing",
        ),
        ("genmove b 7", "syntax error: unexpected argument \"7\""),
        (
            "kawari-perft 100",
            "syntax error: depth: expected a whole number from 0 to 99, found \"100\"",
        ),
        (
            "final_status_list x",
            "syntax error: status: expected alive, seki or dead, found \"x\"",
        ),
        (
            "set_free_handicap A1 I1",
            "bad vertex list: vertex: expected a point such as D4, found \"I1\"",
        ),
        (
            "gogui-play_sequence b",
            "syntax error: move: expected a point such as D4, pass or resign, found nothing",
        ),
        (
            "lz-analyze maxmoves 0",
            "syntax error: moves: expected a whole number from 1 on, found \"0\"",
        ),
        ("7", "syntax error: expected a command after the id"),
    ] {
        assert_eq!(engine.ask(line), Err(error.to_owned()), "{line}");
    }
}

#[test]
fn help_answers_the_entry_of_a_command() {
    let mut engine = client("go 5");
    assert_eq!(
        engine.tell("kawari-help").lines().count(),
        table::all().count()
    );
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
    assert_eq!(
        status(&mut engine, "ALIVE"),
        alive,
        "the same question, the same answer"
    );
}

#[test]
fn a_cleanup_captures_dead_stones_before_it_passes() {
    let mut engine = client("go 7 playouts=100");
    engine.tell("set_free_handicap A2 B2 C2 D2 D1 B1 E2 F2 F1 G2 A3 B3 C3 D3 E3 F3 G3 A6 B6 C6 D6 E6 F6 G6 B7 D7");
    engine.tell("play W D5");
    engine.tell("play B pass");
    engine.tell("play W pass");
    engine.tell("undo");
    engine.tell("undo");
    engine.tell("play W pass");
    assert_eq!(engine.tell("reg_genmove B"), "pass");
    assert_ne!(engine.tell("kgs-genmove_cleanup B"), "pass");
}

/// Positions in which commands fail: a setup, then commands that `undo` takes back
/// one by one.
const POSITIONS: &[(&str, &[&str])] = &[
    ("go 5", &["play B C3", "play W C4", "play B pass"]),
    (
        "go 5 komi=-2.5 blocks=A1",
        &["play B C3", "play W pass", "play B pass"],
    ),
    ("go 4 handicap=B2,C3", &["play W B3", "play W resign"]),
    (
        "no 5",
        &[
            "play B C3",
            "play W B2",
            "nuke B C3",
            "play W pass",
            "play B E1",
        ],
    ),
    (
        "go-san 5x4",
        &["play B C3", "play W B2", "play W B2", "play B D1"],
    ),
    (
        "tao 5",
        &["play W A1", "play B A2", "play B B1", "tao B E5"],
    ),
    ("tao 4 tao-cost=points:2", &["tao W A1", "tao B A2"]),
    (
        "sygo 5",
        &["play W A1", "play B E5", "play W D1", "grow B E4 B3"],
    ),
    (
        "sygo 5",
        &[
            "play W A1",
            "play B E5",
            "play W D1",
            "play B A5",
            "play W A2",
            "play B pass",
        ],
    ),
    (
        "sygo 5",
        &[
            "play W A1",
            "play B E5",
            "play W D1",
            "play W A2",
            "play B resign",
        ],
    ),
    (
        "stoical 4 stoical-rule=refined",
        &["play B A1", "play W A2", "play W B1"],
    ),
    ("2.5d 3", &["play B A1", "layer W 1 B2", "play B G3"]),
    ("2.5d 2 layers=4", &["play B pass", "layer W 3 B2"]),
];

/// Commands that fail in all of [`POSITIONS`], with the error text.
fn bad_commands() -> Vec<(String, &'static str)> {
    let mut bad: Vec<(String, &'static str)> = Vec::new();
    let mut refuse = |why: &'static str, name: &str, args: &[&str]| {
        bad.extend(args.iter().map(|args| (format!("{name} {args}"), why)));
    };
    let (syntax, illegal) = ("syntax error", "illegal move");
    for name in [
        "Play",
        "play-b",
        "kawari",
        "kawari-State",
        "1.5",
        "-1",
        "9999999999",
        "?",
        "=",
        "\u{fffd}",
    ] {
        refuse("unknown command", name, &["", "B A1", "x"]);
    }
    // Colours.
    for name in ["play", "nuke", "tao", "grow", "layer", "kawari-explain"] {
        refuse(
            syntax,
            name,
            &[
                "",
                "x A1",
                "A1 B",
                "blackish A1",
                "1 A1",
                "- A1",
                "B",
                "white",
            ],
        );
    }
    for name in ["genmove", "reg_genmove", "kawari-genturn"] {
        refuse(
            syntax,
            name,
            &["", "x", "bw", "both", "0", "B W", "w 1", "B pass"],
        );
    }
    refuse(syntax, "kawari-legal", &["x", "0", "B W", "w 1"]);
    // Files.
    refuse(
        syntax,
        "loadsgf",
        &["", "\"\"", "\"fixtures/sgf/old.sgf", "\"x\" y"],
    );
    refuse(
        "cannot load file",
        "loadsgf",
        &[
            "no such file",
            "no such file 3",
            "fixtures/sgf",
            "fixtures/sgf/hex.sgf",
            "src/lib.rs",
        ],
    );
    refuse(syntax, "printsgf", &["\"", "\"x\" y"]);
    refuse(syntax, "gomill-savesgf", &["", "\"x", "\"\" PB=x", "PB=x"]);
    refuse("cannot save file", "printsgf", &["fixtures/sgf/"]);
    refuse(
        "cannot save file",
        "gomill-savesgf",
        &["fixtures/sgf/ PB=x"],
    );
    // Vertices that are none, and those off the board.
    let none = [
        "B I1",
        "b i9",
        "W 0",
        "W A",
        "W A0",
        "W A00",
        "B A-1",
        "B A+1",
        "B A1.5",
        "B AAA1",
        "B A1234",
        "B 1A",
        "B é1",
        "B A1,",
        "B A1 A1",
        "B A 1",
        "B pass A1",
        "B resign now",
        "B passs",
        "B nuke A1",
        "B null",
    ];
    refuse(syntax, "play", &none);
    let beyond = [
        "B Z25", "W A26", "B A999", "B AA1", "B zz999", "W Z1", "B A25",
    ];
    refuse(illegal, "play", &beyond);
    refuse(illegal, "nuke", &beyond);
    refuse(illegal, "tao", &beyond);
    refuse(illegal, "grow", &beyond);
    refuse(
        illegal,
        "layer",
        &["B 0 Z25", "W 9 A1", "B 65535 A1", "w 4 A1", "B 0 AA1"],
    );
    refuse(
        syntax,
        "layer",
        &[
            "B 0",
            "B A1 0",
            "B -1 A1",
            "B 99999999 A1",
            "B 0 A1 A2",
            "B 0 pass",
            "B x A1",
            "B 0 I1",
        ],
    );
    refuse(
        syntax,
        "nuke",
        &["B pass", "B A1 A2", "B I1", "W A0", "B resign"],
    );
    refuse(
        syntax,
        "tao",
        &["B pass", "B A1 A2", "B I1", "W A0", "B resign"],
    );
    refuse(
        syntax,
        "grow",
        &[
            "B pass",
            "B A1 pass",
            "B I1",
            "W A1 A0",
            "B resign",
            "B A1 x A2",
        ],
    );
    // Sizes and komi.
    for name in ["boardsize", "rectangular_boardsize"] {
        refuse(
            syntax,
            name,
            &[
                "", "x", "nine", "5.5", "+5", "5 x", "5 5 5", "1e1", "5x", "x5", "5:", ":", "inf",
                "nan", "-",
            ],
        );
        refuse(
            "unacceptable size",
            name,
            &[
                "0x9",
                "5:0",
                "1 1",
                "0 5",
                "5 0",
                "-5 -5",
                "26 26",
                "5 26",
                "26 5",
                "5 -1",
                "255 255",
                "256 5",
                "5 99999999999999999999999999",
            ],
        );
    }
    refuse(
        "unacceptable size",
        "boardsize",
        &[
            "0",
            "1",
            "-1",
            "-0",
            "26",
            "256",
            "65541",
            "4294967301",
            "99999999999999999999999999",
        ],
    );
    refuse(
        syntax,
        "komi",
        &[
            "", "nan", "NaN", "inf", "-inf", "infinity", "1e999", "-1e999", "x", "6,5", "0x10",
            "6.5 6.5", "--1", "6.5.5",
        ],
    );
    // Undo.
    refuse(
        "cannot undo",
        "gg-undo",
        &["99", "18446744073709551615", "18446744073709551616"],
    );
    refuse(syntax, "gg-undo", &["-1", "x", "1.0", "1 1"]);
    // Handicap, when the game has begun.
    for name in ["fixed_handicap", "place_free_handicap"] {
        refuse(syntax, name, &["", "x", "2.5", "2 2", "nan"]);
        refuse("board not empty", name, &["0", "1", "2", "9", "9999999"]);
    }
    refuse("board not empty", "set_free_handicap", &["A1 B1", "D4 Q16"]);
    // Time.
    for name in ["time_settings", "kgs-time_settings", "kata-time_settings"] {
        refuse(
            syntax,
            name,
            &[
                "",
                "x",
                "1",
                "1 2",
                "x 2 3",
                "-1 0 0",
                "0 -1 0",
                "nan 0 0",
                "inf 0 0",
                "1e300 0 0",
                "1 2 3 4 5 6",
            ],
        );
    }
    for name in ["kgs-time_settings", "kata-time_settings"] {
        refuse(
            syntax,
            name,
            &[
                "none 0",
                "absolute",
                "absolute x",
                "absolute -1",
                "absolute inf",
                "canadian 1 2",
                "byoyomi 1 2 x",
                "byoyomi 1 2 3 4",
                "hourglass 5",
            ],
        );
    }
    refuse(
        syntax,
        "kgs-time_settings",
        &["fischer 1 2", "fischer-capped 1 2 3 4"],
    );
    refuse(
        syntax,
        "kata-time_settings",
        &["fischer 1", "fischer-capped 60 5 10 -1", "fischer x 2"],
    );
    refuse(
        syntax,
        "time_left",
        &[
            "", "B", "B 1", "1 1 1", "x 1 1", "B x 1", "B 1 x", "B 1 1 1", "B nan 1", "B inf 1",
        ],
    );
    // Rules and variants.
    refuse(
        "unknown variant",
        "kawari-variant",
        &["x", "chess", "19", "2.5", "go_san"],
    );
    refuse(syntax, "kawari-variant", &["go go", "no 9", "x y"]);
    refuse(
        syntax,
        "kawari-set-rule",
        &["", "ko", "ko none now", "komi 1 2"],
    );
    refuse(
        "unknown rule",
        "kawari-set-rule",
        &["x y", "komi 5", "size 9", "variant no", "KO none"],
    );
    refuse(
        "bad value",
        "kawari-set-rule",
        &[
            "ko x",
            "ko 1",
            "scoring none",
            "scoring 0",
            "ko positional,simple",
        ],
    );
    refuse(syntax, "kawari-block", &[""]);
    refuse("board not empty", "kawari-block", &["A1", "D2", "B2 B3"]);
    // The rest.
    refuse(
        syntax,
        "kawari-perft",
        &["", "-1", "x", "1.5", "100", "4294967296", "1 1"],
    );
    refuse(syntax, "known_command", &[""]);
    refuse(
        syntax,
        "final_status_list",
        &["", "x", "alive dead", "dead 1"],
    );
    bad.extend(bad_commands_of_other_engines());
    bad
}

/// The same for the commands of KataGo, Leela Zero, CGOS, KGS and Gomill.
fn bad_commands_of_other_engines() -> Vec<(String, &'static str)> {
    let mut bad: Vec<(String, &'static str)> = Vec::new();
    let mut refuse = |why: &'static str, name: &str, args: &[&str]| {
        bad.extend(args.iter().map(|args| (format!("{name} {args}"), why)));
    };
    let syntax = "syntax error";
    for name in [
        "lz-analyze",
        "kata-analyze",
        "analyze",
        "lz-genmove_analyze",
    ] {
        refuse(
            syntax,
            name,
            &[
                "x",
                "b w",
                "b 50 w",
                "-1",
                "interval",
                "b interval x",
                "maxmoves 0",
                "minmoves -1",
                "ownership 7",
                "avoid b A1",
                "avoid b A1 0",
                "avoid b I1 1",
                "avoid b Z25 1",
                "avoid A1 1",
                "allow w , 1",
                "pvVisits",
                "b 50 pv 3",
            ],
        );
    }
    for name in ["cgos-genmove_analyze", "kgs-genmove_cleanup"] {
        refuse(syntax, name, &["", "x", "b w", "b 50"]);
    }
    refuse(syntax, "gomill-genmove_ex", &["x", "claim"]);
    refuse(syntax, "kata-search", &["x", "b w"]);
    for name in [
        "stop",
        "clear_cache",
        "cputime",
        "kata-get-rules",
        "kgs-game_over",
    ] {
        refuse(syntax, name, &["x"]);
    }
    refuse(
        syntax,
        "kata-set-rules",
        &["", "{", "{]", "{\"ko\":\"SIMPLE\"} x"],
    );
    refuse(
        "unknown rule",
        "kata-set-rules",
        &["x", "[]", "{\"x\":1}", "go go"],
    );
    refuse(
        "bad value",
        "kata-set-rules",
        &[
            "{\"suicide\":true}",
            "{\"ko\":1}",
            "{\"scoring\":\"AREA\",\"tax\":\"ALL\"}",
        ],
    );
    refuse(syntax, "kata-set-rule", &["", "ko", "ko SIMPLE now"]);
    refuse(
        "unknown rule",
        "kata-set-rule",
        &["x 1", "KO SIMPLE", "komi 5"],
    );
    refuse(
        "bad value",
        "kata-set-rule",
        &["ko x", "suicide true", "tax SEKI"],
    );
    refuse("unknown rule", "kgs-rules", &["x", "korean"]);
    refuse(syntax, "kata-set-param", &["", "ponder", "ponder true x"]);
    refuse(
        "unknown parameter",
        "kata-set-param",
        &["x 1", "PONDER true"],
    );
    refuse("unknown parameter", "kata-get-param", &["x"]);
    for (why, arguments) in [
        ("bad value: ponder takes true or false", "ponder 2"),
        ("bad value: threads takes 1 to 256", "threads 0"),
        ("bad value: threads takes 1 to 256", "threads 1.5"),
        ("bad value: time takes 0 to 100000000", "time -1"),
        ("bad value: time_margin takes 0 to 60", "time_margin nan"),
        (
            "bad value: resign_threshold takes 0 to 1",
            "resign_threshold 1.1",
        ),
        ("bad value: use_policy takes true or false", "use_policy 0"),
    ] {
        refuse(why, "kata-set-param", &[arguments]);
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
    let mut wrong = Vec::new();
    for position in POSITIONS {
        let mut engine = engine_at(position);
        let (before, clocks) = (engine.sight(), engine.session.clocks.clone());
        for (line, why) in bad_commands() {
            let answers = [engine.ask(&line), engine.ask(&format!("12 {line}"))];
            let refused = answers.iter().all(|answer| is_failure(answer, why));
            let untouched = engine.sight() == before && engine.session.clocks == clocks;
            if !refused || !untouched {
                wrong.push(format!(
                    "{}: {line}: {answers:?} instead of {why}",
                    position.0
                ));
                engine = engine_at(position);
            }
        }
        let turns = position.1.len();
        assert_eq!(
            engine.ask(&format!("gg-undo {turns}")),
            Ok(String::new()),
            "{position:?}"
        );
        assert_eq!(
            engine.ask("undo"),
            Err("cannot undo".to_owned()),
            "{position:?}"
        );
    }
    let shown: Vec<_> = wrong.iter().take(24).cloned().collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}
