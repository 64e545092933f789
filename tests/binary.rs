//! The program: command line, standard streams, exit status.

use assert_cmd::Command;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Longer than any of these tests takes on any machine.
const TIMEOUT: Duration = Duration::from_secs(60);

const VARIANTS: &[&str] = &["go", "no", "go-san", "tao", "sygo", "stoical", "2.5d"];

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
    assert!(
        output.stdout.is_empty(),
        "{args}: something on standard output"
    );
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A running engine process.
struct EngineProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl EngineProcess {
    fn start(args: &str) -> EngineProcess {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kawari"))
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a program that starts");
        EngineProcess {
            input: child.stdin.take().expect("a pipe"),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    /// Sends a line and reads the reply.
    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("an open pipe");
        let mut reply = String::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("text");
            if length == 0 || line == "\n" {
                return reply.trim_end().to_owned();
            }
            reply += &line;
        }
    }
}

#[test]
fn without_a_subcommand_it_speaks_gtp() {
    let replies = "=1 kawari\n\n=2 2\n\n=3 \n\n";
    for args in ["", "gtp", "--variant no", "gtp --variant sygo --size 5"] {
        assert_eq!(
            stdout_of(args, "1 name\n2 protocol_version\n3 quit\n4 name\n"),
            replies,
            "{args}"
        );
    }
    let version = stdout_of("--version", "");
    assert_eq!(version, format!("kawari {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(
        stdout_of("", "version\n"),
        format!("= {}\n\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn the_end_of_input_is_the_end() {
    assert_eq!(stdout_of("", ""), "");
    assert_eq!(stdout_of("gtp", "name"), "= kawari\n\n");
    assert_eq!(
        stdout_of("gtp", "name\nnam"),
        "= kawari\n\n? unknown command\n\n"
    );
    assert_eq!(stdout_of("gtp", "# nothing\n\n"), "");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_kawari"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert_eq!(status.expect("a program that starts").code(), Some(0));
}

#[test]
fn invalid_utf8_does_not_end_the_session() {
    let input: &[u8] = b"1 na\xffme\n2 name\r\n\0\n3\tname # \xfe\n";
    let assert = kawari("").write_stdin(input).assert().success();
    let output = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    assert_eq!(output, "?1 unknown command\n\n=2 kawari\n\n=3 kawari\n\n");
}

#[test]
fn each_reply_comes_before_the_next_command() {
    let mut engine = EngineProcess::start("--size 9 --playouts 1");
    assert_eq!(engine.ask("name"), "= kawari");
    assert_eq!(engine.ask("7 play B D4"), "=7");
    assert_eq!(engine.ask("8 kawari-history"), "=8 B D4");
    assert_eq!(engine.ask("quit"), "=");
    assert!(engine.child.wait().expect("an end").success());
}

#[test]
fn it_starts_and_ends_at_once() {
    let started = Instant::now();
    let mut engine = EngineProcess::start("");
    assert_eq!(engine.ask("name"), "= kawari");
    drop(engine.input);
    assert!(engine.child.wait().expect("an end").success());
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_client_that_disconnects_is_no_error() {
    let mut engine = EngineProcess::start("--size 9");
    assert_eq!(engine.ask("name"), "= kawari");
    let EngineProcess {
        mut child,
        mut input,
        output,
    } = engine;
    drop(output);
    // The first write into the broken pipe may still go through.
    for _ in 0..100 {
        if writeln!(input, "list_commands").is_err() {
            break;
        }
    }
    drop(input);
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(0), "{status:?}");
}

#[test]
fn options_set_the_start() {
    let state = |args: &str| stdout_of(args, "kawari-state\n");
    let rules = |args: &str| stdout_of(args, "kawari-rules\n");
    assert!(
        state("").starts_with(r#"= {"variant":"go","width":19,"height":19,"layers":1,"turn":0"#)
    );
    for variant in VARIANTS {
        let start = format!(r#"= {{"variant":"{variant}","#);
        assert!(
            state(&format!("--variant {variant}")).starts_with(&start),
            "{variant}"
        );
        assert!(
            state(&format!("gtp --variant {variant} --size 4")).starts_with(&start),
            "{variant}"
        );
    }
    assert!(state("--size 7").contains(r#""width":7,"height":7"#));
    assert!(state("--size 7x4").contains(r#""width":7,"height":4"#));
    assert!(state("--size 25X2").contains(r#""width":25,"height":2"#));
    assert!(state("--variant 2.5d").contains(r#""width":19,"height":9,"layers":2"#));
    assert!(state("--variant 2.5d --size 12").contains(r#""width":25,"height":12"#));
    assert!(
        state("--variant 2.5d --rule layers=4").contains(r#""width":23,"height":5,"layers":4"#)
    );
    assert!(state("--komi 5").contains(r#""komi":5,"#));
    assert!(state("--komi -5.5").contains(r#""komi":-5.5,"#));
    assert!(state("--komi=-0.5").contains(r#""komi":-0.5,"#));
    assert!(state("--size 3x2 --block A1,c2").contains(r##""board":["..#","#.."]"##));
    assert!(
        state("--variant 2.5d --size 2 --block A1,E2").contains(r##""board":["..#.#","#.#.."]"##)
    );
    assert!(state("--variant tao --size 3 --block B2").contains(r#""hand":{"black":1,"white":0}"#));
    assert!(state("--variant sygo --rule first=black").contains(r#""to_move":"black""#));
    let two = "--variant tao --rule ko=none --rule tao-cost=points:1.5 --rule tao-supply=2";
    let expected =
        "= {\"ko\":\"none\",\"scoring\":\"area\",\"tao-cost\":\"points:1.5\",\"tao-supply\":2}\n\n";
    assert_eq!(rules(two), expected);
    // What the command line says of walls outlives clear_board.
    let replies = stdout_of(
        "--size 3x2 --block A1",
        "kawari-block B1\nclear_board\nplay B A1\nplay B B1\n",
    );
    assert_eq!(replies, "= \n\n= \n\n? illegal move\n\n= \n\n");
}

#[test]
fn options_set_parameters() {
    let params = |args: &str| stdout_of(args, "kata-get-params\n");
    let set = params("--ponder --resign --threads 2 --memory 20 --playouts 5 --time 1.5");
    for entry in [
        r#""ponder":true"#,
        r#""allow_resign":true"#,
        r#""threads":2,"#,
        r#""memory":20,"#,
        r#""playouts":5,"#,
        r#""time":1.5,"#,
    ] {
        assert!(set.contains(entry), "{entry}: {set}");
    }
    let by_name =
        params("--param ponder=true --param time_margin=0.25 --param cpuct_exploration=0.75");
    for entry in [
        r#""ponder":true"#,
        r#""time_margin":0.25,"#,
        r#""cpuct_exploration":0.75,"#,
    ] {
        assert!(by_name.contains(entry), "{entry}: {by_name}");
    }
    let usual = params("");
    assert!(usual.contains(r#""ponder":false"#) && usual.contains(r#""allow_resign":false"#));
}

#[test]
fn bad_options_are_named_with_what_is_allowed() {
    let cases: &[(&str, &[&str])] = &[
        (
            "--variant chess",
            &[
                "--variant",
                "chess",
                "go",
                "no",
                "go-san",
                "tao",
                "sygo",
                "stoical",
                "2.5d",
            ],
        ),
        ("--variant GO", &["--variant", "go-san"]),
        ("--size 1", &["--size", "2 to 25"]),
        ("--size 26", &["--size", "2 to 25"]),
        ("--size 9x", &["--size", "2 to 25"]),
        ("--size x9", &["--size", "2 to 25"]),
        ("--size 9x9x9", &["--size", "2 to 25"]),
        ("--size -9", &["--size"]),
        ("--size nine", &["--size", "2 to 25"]),
        ("--variant 2.5d --size 13", &["--size"]),
        ("--variant 2.5d --size 9x8", &["--size"]),
        ("--variant 2.5d --rule layers=4 --size 9", &["--size"]),
        ("--komi nan", &["--komi", "number"]),
        ("--komi inf", &["--komi", "number"]),
        ("--komi six", &["--komi", "number"]),
        ("--rule ko", &["--rule", "KEY=VALUE"]),
        (
            "--rule ko=super",
            &[
                "--rule",
                "ko",
                "simple",
                "positional",
                "situational",
                "none",
            ],
        ),
        (
            "--rule scoring=stones",
            &["--rule", "scoring", "area", "territory"],
        ),
        ("--rule layers=2", &["--rule", "layers", "ko", "scoring"]),
        ("--rule komi=5", &["--rule", "komi", "ko", "scoring"]),
        (
            "--variant no --rule nuke-acts=soon",
            &["--rule", "nuke-acts", "next", "now"],
        ),
        (
            "--variant tao --rule tao-cost=1",
            &["--rule", "tao-cost", "prisoner", "points"],
        ),
        (
            "--variant tao --rule tao-supply=-1",
            &["--rule", "tao-supply", "0"],
        ),
        (
            "--variant sygo --rule first=green",
            &["--rule", "first", "white", "black"],
        ),
        (
            "--variant stoical --rule stoical-rule=x",
            &["--rule", "stoical-rule", "basic", "snapback", "refined"],
        ),
        (
            "--variant 2.5d --rule layers=5",
            &["--rule", "layers", "1 to 4"],
        ),
        ("--size 9 --block Z1", &["--block", "Z1"]),
        ("--size 9 --block I1", &["--block", "I1"]),
        ("--size 9 --block A1,,B1", &["--block"]),
        ("--size 9 --block A1,A1", &["--block"]),
        ("--variant 2.5d --block K1", &["--block", "K1"]),
        ("--playouts -1", &["--playouts"]),
        ("--playouts many", &["--playouts"]),
        ("--threads 0", &["--threads", "1"]),
        ("--memory 0", &["--memory", "1"]),
        ("--time 0", &["--time", "above 0"]),
        ("--time -1", &["--time"]),
        ("--time nan", &["--time", "seconds"]),
        ("--seed x", &["--seed"]),
        ("--param ponder", &["--param", "NAME=VALUE"]),
        (
            "--param x=1",
            &["--param", "x", "playouts", "cpuct_exploration"],
        ),
        ("--param ponder=2", &["--param", "ponder", "true", "false"]),
        (
            "--param time_margin=-1",
            &["--param", "time_margin", "0 to 60"],
        ),
        (
            "--param cpuct_exploration=nan",
            &["--param", "cpuct_exploration", "to"],
        ),
        (
            "watch --param threads=0",
            &["--param", "threads", "1 to 256"],
        ),
        ("--encoding morse", &["--encoding", "native"]),
        ("--log loud", &["--log"]),
        ("--colour b", &["--colour"]),
        ("chess", &["chess"]),
        ("gtp --size 1", &["--size", "2 to 25"]),
        ("variants chess", &["chess", "go", "2.5d"]),
        ("perft", &["DEPTH"]),
        ("perft x", &["DEPTH"]),
        ("perft 1 --size 99", &["--size", "2 to 25"]),
        ("bench --variant chess", &["--variant", "chess", "go"]),
        ("bench --seconds -1", &["--seconds"]),
        ("bench --seconds nan", &["--seconds", "0 to 3600"]),
        ("watch --variant chess", &["--variant", "chess", "go"]),
    ];
    let mut unclear = Vec::new();
    for (args, words) in cases {
        let error = error_of(args).to_lowercase();
        let missing = words
            .iter()
            .filter(|word| !error.contains(&word.to_lowercase()));
        unclear.extend(missing.map(|word| format!("{args}: no {word} in: {error}")));
        assert!(!error.contains("panicked"), "{args}: {error}");
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

#[test]
fn help_names_every_option() {
    for args in ["--help", "gtp --help"] {
        let help = stdout_of(args, "");
        for option in [
            "--variant",
            "--size",
            "--komi",
            "--rule",
            "--block",
            "--threads",
            "--playouts",
            "--time",
            "--memory",
            "--seed",
            "--param",
            "--ponder",
            "--resign",
            "--encoding",
            "--log",
        ] {
            assert!(help.contains(option), "{args}: {option}");
        }
        assert!(
            help.matches("[default: ").count() >= 12,
            "{args}: an option without a default"
        );
    }
}

#[test]
fn variants_are_listed_and_explained() {
    let list = stdout_of("variants", "");
    assert_eq!(list.lines().count(), VARIANTS.len());
    for (line, id) in list.lines().zip(VARIANTS) {
        assert!(line.starts_with(&format!("{id} ")), "{line}");
        let text = stdout_of(&format!("variants {id}"), "");
        assert!(text.starts_with(&format!("# `{id}`")), "{text}");
        assert!(text.lines().count() > 10, "{text}");
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
    assert_eq!(
        counts("perft 2 --size 3"),
        "perft(0) = 1, perft(1) = 10, perft(2) = 91"
    );
    assert_eq!(counts("perft 0 --variant sygo"), "perft(0) = 1");
    // A stone, a pass; Black has a tao stone in hand, as there is no tengen.
    assert_eq!(
        counts("perft 1 --variant tao --size 2"),
        "perft(0) = 1, perft(1) = 9"
    );
    assert_eq!(
        counts("perft 1 --variant 2.5d --size 2 --block A1"),
        "perft(0) = 1, perft(1) = 8"
    );
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
    assert!(
        printed == written,
        "gtp-extensions.md: write it anew with `kawari commands`"
    );
}

/// A small board of each variant.
const SMALL: &[(&str, &str)] = &[
    ("go", "4"),
    ("no", "5x4"),
    ("go-san", "5"),
    ("tao", "3"),
    ("sygo", "4"),
    ("stoical", "3"),
    ("2.5d", "2"),
];

#[test]
fn a_watched_game_can_be_replayed() {
    let dir = std::env::temp_dir().join(format!("kawari-test-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let more = [
        ("2.5d", "2 --rule layers=3 --komi 0.5"),
        ("tao", "4 --rule tao-supply=2 --block A1,D4"),
    ];
    for (number, (variant, options)) in SMALL.iter().chain(&more).enumerate() {
        let path = dir.join(format!("{number}.gtp"));
        let record = path.to_str().expect("a path in plain text");
        let args =
            format!("watch --playouts 2 --variant {variant} --size {options} --record {record}");
        let shown = stdout_of(&args, "");
        let result = shown
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("result: "));
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
        assert!(
            state.contains(&format!(r#""result":"{result}""#)),
            "{args}: {state}"
        );
    }
    std::fs::remove_dir_all(&dir).expect("a directory of ours");
}

#[test]
fn a_watched_game_can_be_limited() {
    let shown = stdout_of("watch --playouts 1 --size 5 --turns 3", "");
    assert!(
        shown.contains("turn 3:") && !shown.contains("turn 4:"),
        "{shown}"
    );
    assert!(
        shown.lines().any(|line| line.starts_with("result: ")),
        "{shown}"
    );
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for (variant, size) in SMALL {
        let game = |seed: u32| {
            let mut input = String::new();
            for number in 0..24 {
                let color = if number % 2 == 0 { "b" } else { "w" };
                let _ = writeln!(input, "genmove {color}");
            }
            input +=
                "reg_genmove b\nclear_board\nkawari-genturn b\nkawari-genturn w\nkawari-history\n";
            let args = format!("--variant {variant} --size {size} --playouts 12 --seed {seed}");
            stdout_of(&args, &input)
        };
        let first = game(7);
        assert_eq!(first, game(7), "{variant}");
        let others = [game(8), game(9), game(10)];
        assert!(
            others.iter().any(|other| *other != first),
            "{variant}: the seed has no effect"
        );
    }
}

#[test]
fn only_gtp_is_on_standard_output_and_reasons_on_standard_error() {
    let input =
        "play B D4\nplay W D4\nnuke B D4\nkawari-set-rule ko x\nboardsize 99\nshow\ngenmove w\n";
    let assert = kawari("--size 5 --playouts 2 --log trace")
        .write_stdin(input)
        .assert()
        .success();
    let output = assert.get_output();
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let replies: Vec<&str> = text.split("\n\n").collect();
    let refusals = [
        "? illegal move",
        "? illegal move",
        "? bad value",
        "? unacceptable size",
        "? unknown command",
    ];
    assert_eq!(replies[0], "= ");
    assert_eq!(&replies[1..6], &refusals);
    assert!(replies[6].starts_with("= "), "{text}");
    assert_eq!(replies[7..], [""]);
    let reasons = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(reasons.contains("occupied"), "{reasons}");
    assert!(reasons.contains("no such turn"), "{reasons}");

    let quiet = kawari("--size 5 --log off")
        .write_stdin("play B D4\nplay W D4\n")
        .assert()
        .success();
    assert!(quiet.get_output().stderr.is_empty());
}

#[test]
fn standard_error_gives_the_reason_of_an_illegal_move() {
    let cases = [
        ("--size 5", "play B D9", "off the board"),
        (
            "--size 5",
            "play B C3\nplay W resign\nplay B D4",
            "game over",
        ),
        (
            "--variant sygo --size 5",
            "play W A1\nplay W pass\nplay B E5\nplay B A1",
            "occupied",
        ),
        (
            "--variant sygo --size 5",
            "play W A1\nplay W E5\nplay W A2\nplay W pass",
            "finished first",
        ),
        ("--variant tao --size 5", "tao B A1", "nothing to pay"),
        ("--variant no --size 5", "nuke B A1", "not an own stone"),
        (
            "--size 5x3",
            "play B B3\nplay W C3\nplay B A2\nplay W D2\nplay B B1\nplay W C1\nplay W B2\nplay B C2\nplay W B2",
            "superko",
        ),
        (
            "--size 5x3 --variant stoical",
            "play B B3\nplay W C3\nplay B A2\nplay W D2\nplay B B1\nplay W C1\nplay W B2\nplay B C2\nplay W B2",
            "stoical",
        ),
        ("--size 3", "play B A2\nplay B B1\nplay W A1", "suicide"),
    ];
    for (args, input, reason) in cases {
        let assert = kawari(args).write_stdin(input).assert().success();
        let reasons = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(reasons.contains(reason), "{args}: {input}: {reasons}");
    }
}

#[test]
fn a_slow_reader_gets_every_reply() {
    let mut engine = EngineProcess::start("--size 5");
    let input = "list_commands\n".repeat(2000);
    let mut pipe = engine.input;
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    std::thread::sleep(Duration::from_millis(50));
    let mut output = String::new();
    engine.output.read_to_string(&mut output).expect("text");
    writer.join().expect("a writer").expect("an open pipe");
    assert_eq!(output.matches("\n\n").count(), 2000);
    assert!(engine.child.wait().expect("an end").success());
}
