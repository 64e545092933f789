//! `kawari analysis`: the process, and its numbers beside those of `kata-analyze`.

use crate::common::{TIMEOUT, ids};
use crate::fuzz::targets::Mutator;
use assert_cmd::Command;
use kawari::analysis::AnalysisSettings;
use kawari::analysis::request::{self, Request};
use kawari::gtp::Settings;
use kawari::rules::{VARIANTS, variant};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn started(args: &[&str]) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_kawari"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a program that starts")
}

/// The answers to these queries, and standard error.
fn answers(args: &[&str], queries: &[Value]) -> (Vec<Value>, String) {
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    let command = command.arg("analysis").args(args).timeout(TIMEOUT);
    let assert = command.write_stdin(input).assert().success();
    let output = assert.get_output();
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let parse = |line| serde_json::from_str(line).expect("a line of JSON");
    let errors = String::from_utf8(output.stderr.clone()).expect("text");
    (text.lines().map(parse).collect(), errors)
}

/// The first report of `kata-analyze` after these moves. Playouts depend only on the seed; a net sees
/// each game of a session under other symmetries.
fn kata_analyze(variant: &str, moves: &[(&str, &str)]) -> String {
    let mut child = started(&[
        "--variant",
        variant,
        "--size",
        "5",
        "--seed",
        "7",
        "--memory",
        "16",
        "--encoding",
        "panel",
        "--player",
        "baseline",
    ]);
    let mut input = child.stdin.take().expect("a pipe");
    for (color, vertex) in moves {
        writeln!(input, "play {color} {vertex}").expect("a reader");
    }
    writeln!(input, "kata-analyze 50 maxmoves 1000 rootInfo true").expect("a reader");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut lines = output.lines().map(|line| line.expect("text"));
    let line = lines.find(|line| line.starts_with("info"));
    writeln!(input, "\nquit").expect("a reader");
    child.wait().expect("an exit status");
    line.expect("a report")
}

/// The numbers under this name in each part of a report.
fn reported(part: &str, name: &str) -> f64 {
    let mut words = part.split(' ').skip_while(|word| *word != name);
    let number = words.nth(1).expect("a number");
    number.parse().expect("a number")
}

#[test]
fn numbers_are_those_of_kata_analyze() {
    let moves = [("B", "D4"), ("W", "B2")];
    for variant in ids() {
        let report = kata_analyze(variant, &moves);
        let (infos, root) = report.split_once(" rootInfo ").expect("the root");
        let query = json!({
            "id": "q", "variant": variant, "boardXSize": 5, "boardYSize": 5, "moves": moves,
            "maxVisits": reported(root, "visits") as u64,
        });
        let (answers, _) =
            answers(&["--seed", "7", "--memory", "16", "--player", "baseline"], &[query]);
        let answer = &answers[0];
        let near = |name: &str, found: &Value, expected: f64| {
            let found = found[name].as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-4, "{variant}: {name} {found} {expected}");
        };
        for name in ["visits", "winrate", "scoreLead"] {
            near(name, &answer["rootInfo"], reported(root, name));
        }
        let infos: Vec<_> = infos.split("info ").skip(1).collect();
        let found = answer["moveInfos"].as_array().expect("moves");
        assert_eq!(found.len(), infos.len(), "{variant}");
        for (info, found) in infos.iter().zip(found) {
            for name in ["visits", "winrate", "scoreLead", "prior", "lcb", "order"] {
                near(name, found, reported(info, name));
            }
            let turn = found["move"].as_str().expect("a turn");
            let is_stone = !turn.contains(' ');
            assert!(!is_stone || info.starts_with(&format!("move {turn} ")), "{info} {turn}");
        }
    }
}

#[test]
fn options_of_katago_are_ignored_with_a_warning() {
    let query = json!({
        "id": "a", "rules": "chinese", "boardXSize": 5, "boardYSize": 5, "moves": [],
    });
    let args = [
        "-model",
        "net.bin.gz",
        "-config",
        "analysis.cfg",
        "-override-config",
        "homeDataDir=/x",
        "-analysis-threads",
        "1",
        "--playouts",
        "2",
        "--report-winrates-as",
        "BLACK",
    ];
    let (answers, errors) = answers(&args, &[query]);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["rootInfo"]["visits"], 2);
    assert!(errors.contains("-model, -config, -override-config"), "{errors}");
    // KaTrain takes these words as the end of the engine.
    assert!(!errors.contains("Uncaught exception") && !errors.contains("what()"));
}

#[test]
fn the_end_of_input_leaves_nothing_unanswered() {
    let query = |number: usize| {
        json!({
            "id": format!("q{number}"), "variant": VARIANTS[number % VARIANTS.len()].id, "moves": [],
            "boardXSize": 4, "boardYSize": 4, "maxVisits": 20,
        })
    };
    let queries: Vec<_> = (0..30).map(query).collect();
    for threads in ["1", "3"] {
        let (answers, _) = answers(&["--analysis-threads", threads], &queries);
        let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].to_string()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), answers.len()), (30, 30));
    }
    let endless = json!({
        "id": "endless", "variant": "go", "moves": [], "maxVisits": 1_u64 << 40,
    });
    let (answers, _) = self::answers(&["--quit-without-waiting"], &[endless]);
    assert!(answers.len() <= 1);
}

#[test]
fn a_client_that_is_gone_ends_the_program() {
    let mut child = started(&["analysis", "--analysis-threads", "1"]);
    let mut input = child.stdin.take().expect("a pipe");
    let endless = json!({
        "id": "endless", "variant": "go", "moves": [], "maxVisits": 1_u64 << 40,
    });
    writeln!(input, "{endless}").expect("a reader");
    drop((child.stdout.take(), input));
    let since = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if since.elapsed() > TIMEOUT {
            child.kill().expect("a process");
            panic!("the program goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Resident memory of a process in kilobytes, where the system tells.
fn resident_memory(child: &Child) -> Option<u64> {
    let path = format!("/proc/{}/status", child.id());
    let status = std::fs::read_to_string(path).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The answers that a line brings, reports of searches under way apart.
fn answers_to(line: &[u8], settings: &AnalysisSettings) -> u64 {
    match request::parse(line, settings) {
        Ok(None) => 0,
        Ok(Some(Request::Query(query))) => (query.turns.len() + query.warnings.len()) as u64,
        Ok(Some(Request::Action(..))) | Err(_) => 1,
    }
}

/// Sends `count` mutated queries to one process, and returns its memory after a tenth of them
/// and at the end.
fn send_mutations(count: u64) -> [Option<u64>; 2] {
    let mut seeds: Vec<Vec<u8>> = ids()
        .map(|id| {
            let query = json!({
                "id": "q", "variant": id, "boardXSize": 5, "boardYSize": 5, "rules": "chinese",
                "komi": 6.5, "maxVisits": 2, "analyzeTurns": [1], "moves": [["B", "D4"]],
                "initialStones": [["W", "A1"]], "blocks": ["E5"], "includeOwnership": true,
                "avoidMoves": [{"player": "W", "moves": ["B2"], "untilDepth": 2}],
                "overrideSettings": {"wideRootNoise": 0.04}, "reportDuringSearchEvery": 10,
            });
            query.to_string().into_bytes()
        })
        .collect();
    seeds.push(br#"{"id":"t","action":"terminate","terminateId":"q"}"#.to_vec());
    let limits = ["analysis", "--time", "0.02", "--memory", "4", "--analysis-threads", "2"];
    let mut child = started(&limits);
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let counted = std::thread::spawn(move || {
        let lines = output.lines().map(|line| line.expect("text"));
        let finals = lines.filter(|line| !line.contains(r#""isDuringSearch":true"#));
        finals.count() as u64
    });
    let info = variant("go").expect("a variant");
    let settings = AnalysisSettings::new(Settings::default(), info);
    let mut mutator = Mutator::new(49);
    let (mut expected, mut early) = (0, None);
    for number in 0..count {
        let mut line = mutator.next(&seeds);
        line.retain(|&byte| byte != b'\n');
        expected += answers_to(&line, &settings);
        line.push(b'\n');
        input.write_all(&line).expect("a reader");
        if number == count / 10 {
            early = resident_memory(&child);
        }
    }
    let late = resident_memory(&child);
    drop(input);
    assert!(child.wait().expect("an exit status").success());
    assert_eq!(counted.join().expect("a reader"), expected);
    [early, late]
}

#[test]
fn mutated_queries_do_not_end_the_process() {
    send_mutations(500);
}

/// `cargo test --release --test it -- --ignored --nocapture million`
#[test]
#[ignore = "takes an hour"]
fn a_million_mutated_queries_need_no_more_memory_than_a_few() {
    let [early, late] = send_mutations(1_000_000);
    println!("{early:?} kB after a tenth, {late:?} kB at the end");
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late < early + early / 4, "{early} kB, then {late} kB");
    }
}
