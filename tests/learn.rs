//! `kawari learn`, and the files that it writes.

mod common;

use assert_cmd::Command;
use common::TempFile;
use std::time::Duration;

fn kawari(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args).timeout(Duration::from_secs(60));
    command
}

/// Learns from two games on a small board; returns the output.
fn learned(out: &TempFile, more: &[&str]) -> String {
    let plain = "learn --variant no --size 5 --playouts 60 --games 2 --seed 1 --out";
    let mut args: Vec<&str> = plain.split(' ').collect();
    args.push(out.path());
    args.extend(more);
    let assert = kawari(&args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// The reply to `genmove` with these weights.
fn choice(weights: &str) -> String {
    let options = "--variant no --size 5 --playouts 100 --seed 1 --weights";
    let mut args: Vec<&str> = options.split(' ').collect();
    args.push(weights);
    let assert = kawari(&args).write_stdin("genmove b\n").assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn rounds_start_from_the_weights_of_the_round_before() {
    let (first, both) = (TempFile::new("first.txt"), TempFile::new("both.txt"));
    let one = learned(&first, &[]);
    let two = learned(&both, &["--rounds", "2"]);
    let rest = two.strip_prefix(&one).expect("the first round again");
    assert!(
        rest.contains("positions") && rest.lines().count() == 1,
        "{two}"
    );
    let count = |printed: &str| {
        let word = printed.split(' ').next().expect("a word");
        word.parse::<u32>().expect("a number")
    };
    let all = count(&one) + count(rest);
    let head = format!("# no: learned from {all} positions of games with itself.");
    assert_eq!(both.text().lines().next(), Some(head.as_str()));
    assert_ne!(both.text(), first.text());
    assert!(choice(both.path()).starts_with("= "));
}

#[test]
fn families_that_are_not_selected_keep_their_weights() {
    let file = TempFile::new("only.txt");
    learned(&file, &["--only", "pattern,last"]);
    let built_in = include_str!("../src/search/policy/weights/no.txt");
    let lines = |text: &str, part: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with(part));
        lines.map(str::to_owned).collect()
    };
    for part in ["prior line", "prior kind", "prior shape", "anywhere"] {
        assert_eq!(lines(&file.text(), part), lines(built_in, part), "{part}");
    }
    for part in ["prior pattern", "prior last"] {
        assert_ne!(lines(&file.text(), part), lines(built_in, part), "{part}");
    }
}

#[test]
fn invalid_weights_are_refused() {
    let file = TempFile::new("bad.txt");
    for (text, expected) in [
        ("prior line 0 -1\n", "line 1 is no weight"),
        ("# a remark\nprior nothing 0 1\n", "line 2 is no weight"),
    ] {
        std::fs::write(&file.0, text).expect("a file");
        let assert = kawari(&["--weights", file.path()]).assert().failure();
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(error.contains(expected), "{error}");
    }
    for args in [
        &["learn", "--rounds", "0"][..],
        &["learn", "--only", "nothing"],
    ] {
        let args = [args, &["--out", file.path()]].concat();
        kawari(&args).assert().code(2);
    }
}
