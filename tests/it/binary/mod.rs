//! The program: command line, standard streams, exit status.

mod options;

use crate::client::EngineProcess;
use crate::common::{TIMEOUT, ids, small_size};
use assert_cmd::Command;
use kawari::rules::VARIANTS;
use std::fmt::Write;
use std::io::{Read, Write as _};
use std::process::Stdio;
use std::time::Duration;

fn kawari(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args.split_whitespace()).timeout(TIMEOUT);
    command
}

/// The standard output of the program with these arguments; it must succeed.
fn stdout_of(args: &str, input: &str) -> String {
    let assert = kawari(args).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// The standard error of the program with these arguments; it must exit with status 2
/// and print nothing.
fn error_of(args: &str) -> String {
    let assert = kawari(args).write_stdin("name\n").assert().code(2);
    let output = assert.get_output();
    assert!(output.stdout.is_empty(), "{args}: something on standard output");
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn without_a_subcommand_it_speaks_gtp() {
    let replies = "=1 kawari\n\n=2 2\n\n=3 \n\n";
    for args in ["", "gtp", "--variant no", "--variant no gtp", "gtp --variant sygo --size 5"] {
        assert_eq!(
            stdout_of(args, "1 name\n2 protocol_version\n3 quit\n4 name\n"),
            replies,
            "{args}"
        );
    }
    let version = stdout_of("--version", "");
    assert_eq!(version, format!("kawari {}\n", env!("CARGO_PKG_VERSION")));
    assert!(stdout_of("gtp --version", "").contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(stdout_of("", "version\n"), format!("= {}\n\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_end_of_input_is_the_end() {
    assert_eq!(stdout_of("gtp", "name\nnam"), "= kawari\n\n? unknown command\n\n");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_kawari"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert_eq!(status.expect("a program that starts").code(), Some(0));
}

#[test]
fn each_reply_comes_before_the_next_command() {
    let mut engine = EngineProcess::start("--size 9 --playouts 1");
    assert_eq!(engine.ask("name"), "= kawari");
    assert_eq!(engine.ask("7 play B D4"), "=7");
    assert_eq!(engine.ask("8 kawari-history"), "=8 B D4");
    assert_eq!(engine.ask("quit"), "=");
    assert!(engine.ends());
}

#[test]
fn it_ends_with_its_input() {
    let mut engine = EngineProcess::start("");
    assert_eq!(engine.ask("name"), "= kawari");
    engine.input = None;
    assert!(engine.ends());
}

#[test]
fn a_client_that_disconnects_is_no_error() {
    let mut engine = EngineProcess::start("--size 9");
    assert_eq!(engine.ask("name"), "= kawari");
    engine.output = None;
    // The first write into the broken pipe may still go through.
    let mut input = engine.input.take().expect("an open pipe");
    for _ in 0..100 {
        if writeln!(input, "list_commands").is_err() {
            break;
        }
    }
    drop(input);
    assert!(engine.ends());
}

#[test]
fn variants_are_listed_and_explained() {
    let list = stdout_of("variants", "");
    assert_eq!(list.lines().count(), ids().count());
    for (line, info) in list.lines().zip(VARIANTS) {
        let id = info.id;
        assert_eq!(line.ends_with("(experimental)"), info.experimental, "{line}");
        assert!(line.starts_with(&format!("{id} ")), "{line}");
        let text = stdout_of(&format!("variants {id}"), "");
        assert!(text.starts_with(&format!("{id}: ")), "{text}");
        assert!(info.experimental || text.lines().count() > 10, "{text}");
    }
    assert!(stdout_of("variants no", "").contains("nuke"));
}

#[test]
fn turn_sequences_are_counted() {
    let counts = |args: &str| {
        let text = stdout_of(args, "");
        let counts: Vec<String> = text
            .lines()
            .map(|line| line.split("   ").next().unwrap_or_default().to_owned())
            .collect();
        counts.join(", ")
    };
    // Nine points or a pass; then eight or a pass, and nine after a pass.
    assert_eq!(counts("perft 2 --size 3"), "perft(0) = 1, perft(1) = 10, perft(2) = 91");
    assert_eq!(counts("perft 0 --variant sygo"), "perft(0) = 1");
    // A stone, a pass; Black has a tao stone in hand, as there is no tengen.
    assert_eq!(counts("perft 1 --variant tao --size 2"), "perft(0) = 1, perft(1) = 9");
    assert_eq!(counts("perft 1 --variant 2.5d --size 2 --block A1"), "perft(0) = 1, perft(1) = 8");
}

#[test]
fn the_bench_signature_is_reproducible() {
    let signature = || {
        let text = stdout_of("bench --seconds 0 --variant go-san", "");
        let last = text.lines().last().unwrap_or_default().to_owned();
        assert!(last.starts_with("signature "), "{text}");
        assert!(text.lines().count() > 2, "{text}");
        last
    };
    assert_eq!(signature(), signature());
}

#[test]
fn the_command_reference_is_printed() {
    let printed = stdout_of("commands", "");
    let written = std::fs::read_to_string("gtp-extensions.md").expect("gtp-extensions.md");
    assert!(printed == written, "gtp-extensions.md: write it anew with `kawari commands`");
}

#[test]
fn a_watched_game_can_be_replayed() {
    let dir = std::env::temp_dir().join(format!("kawari-test-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let more =
        [("2.5d", "2 --rule layers=3 --komi 0.5"), ("tao", "4 --rule tao-supply=2 --block A1,D4")];
    let all = VARIANTS.iter().map(|info| (info.id, small_size(info)));
    for (number, (variant, options)) in all.chain(more).enumerate() {
        let path = dir.join(format!("{number}.gtp"));
        let record = path.to_str().expect("a path in plain text");
        let args =
            format!("watch --playouts 2 --variant {variant} --size {options} --record {record}");
        let shown = stdout_of(&args, "");
        let result = shown.lines().rev().find_map(|line| line.strip_prefix("result: "));
        let result = result.unwrap_or_else(|| panic!("{args}: no result in: {shown}"));
        let game = std::fs::read_to_string(&path).expect("a record");
        let replies = stdout_of("", &format!("{game}final_score\nkawari-state\n"));
        assert!(!replies.contains('?'), "{args}: {game}\n{replies}");
        let replies: Vec<&str> = replies.split("\n\n").collect();
        let [.., score, state, ""] = replies.as_slice() else {
            panic!("{replies:?}");
        };
        assert_eq!(*score, format!("= {result}"), "{args}");
        assert!(state.contains(r#""over":true"#), "{args}: {state}");
        assert!(state.contains(&format!(r#""result":"{result}""#)), "{args}: {state}");
    }
    std::fs::remove_dir_all(&dir).expect("a directory of ours");
}

#[test]
fn a_watched_game_can_be_limited() {
    let shown = stdout_of("watch --playouts 1 --size 5 --turns 3", "");
    assert!(shown.contains("turn 3:") && !shown.contains("turn 4:"), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with("result: ")), "{shown}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for info in VARIANTS {
        let (variant, size) = (info.id, small_size(info));
        let game = |player: &str, seed: u32| {
            let mut input = String::new();
            for number in 0..24 {
                let color = if number % 2 == 0 { "b" } else { "w" };
                let _ = writeln!(input, "genmove {color}");
            }
            input +=
                "reg_genmove b\nclear_board\nkawari-genturn b\nkawari-genturn w\nkawari-history\n";
            let args = format!(
                "--variant {variant} --size {size} --playouts 12 --player {player} --seed {seed}"
            );
            stdout_of(&args, &input)
        };
        assert_eq!(game("net", 7), game("net", 7), "{variant}");
        // Nets may agree whatever the seed is.
        let first = game("baseline", 7);
        assert_eq!(first, game("baseline", 7), "{variant}");
        let others = [8, 9, 10].map(|seed| game("baseline", seed));
        assert!(others.iter().any(|other| *other != first), "{variant}: the seed has no effect");
    }
}

/// White of the second game played Black in the first, which began with the same turns.
#[test]
fn a_game_owes_nothing_to_the_game_before() {
    let args = "--variant go --size 7 --playouts 40 --seed 3";
    let second = "clear_board\nplay b D4\nplay w C3\nplay b E3\ngenmove w\nkawari-history\n";
    let first = "play b D4\nplay w C3\ngenmove b\nplay w F6\ngenmove b\n";
    let history = |text: String| text.rsplit("\n\n").nth(1).map(str::to_owned);
    let alone = history(stdout_of(args, second));
    assert!(alone.is_some());
    assert_eq!(history(stdout_of(args, &format!("{first}{second}"))), alone);
}

#[test]
fn only_gtp_is_on_standard_output_and_reasons_on_standard_error() {
    let input =
        "play B D4\nplay W D4\nnuke B D4\nkawari-set-rule ko x\nboardsize 99\nshow\ngenmove w\n";
    let assert = kawari("--size 5 --playouts 2 --log trace").write_stdin(input).assert().success();
    let output = assert.get_output();
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let replies: Vec<&str> = text.split("\n\n").collect();
    let refusals = [
        "? illegal move: occupied: the point is not empty",
        "? illegal move: syntax: go has no turn nuke, only no, go-san",
        "? bad value: ko: expected simple",
        "? unacceptable size",
        "? unknown command",
    ];
    assert_eq!(replies[0], "= ");
    for (reply, refusal) in replies[1..6].iter().zip(refusals) {
        assert!(reply.starts_with(refusal), "{reply}");
    }
    assert!(replies[6].starts_with("= "), "{text}");
    assert_eq!(replies[7..], [""]);
    let reasons = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(reasons.contains("occupied"), "{reasons}");
    assert!(reasons.contains("has no turn nuke"), "{reasons}");

    let quiet =
        kawari("--size 5 --log off").write_stdin("play B D4\nplay W D4\n").assert().success();
    assert!(quiet.get_output().stderr.is_empty());
}

#[test]
fn a_slow_reader_gets_every_reply() {
    let mut engine = EngineProcess::start("--size 5");
    let input = "list_commands\n".repeat(2000);
    let mut pipe = engine.input.take().expect("an open pipe");
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    std::thread::sleep(Duration::from_millis(50));
    let mut output = String::new();
    let pipe = engine.output.as_mut().expect("an open pipe");
    pipe.read_to_string(&mut output).expect("text");
    writer.join().expect("a writer").expect("an open pipe");
    assert_eq!(output.matches("\n\n").count(), 2000);
    assert!(engine.ends());
}

/// A study may take hours: each game is shown, with the estimate so far.
#[test]
fn balance_shows_its_games() {
    let options = "balance --size 3 --games 40 --playouts 20 --threads 1 --seed 1";
    let assert = kawari(options).assert().success();
    let shown = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 40, "{shown}");
    assert!(lines[0].starts_with("1/40  game "), "{shown}");
    assert!(lines[0].contains(" komi ") && lines[0].contains("fair komi: unknown"), "{shown}");
    assert!(lines[39].starts_with("40/40  game "), "{shown}");
    assert!(!lines[39].contains("fair komi: unknown"), "{shown}");
}
