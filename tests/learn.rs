//! `kawari learn`, and what is made of its files.

mod common;

use assert_cmd::Command;
use common::TempFile;
use std::time::Duration;

fn kawari(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawari"));
    command.args(args).timeout(Duration::from_secs(60));
    command
}

/// Learns a little of a small board; what is printed.
fn learned(out: &TempFile, more: &[&str]) -> String {
    let plain = "learn --variant no --size 5 --playouts 60 --games 2 --seed 1 --out";
    let mut args: Vec<&str> = plain.split(' ').collect();
    args.push(out.path());
    args.extend(more);
    let assert = kawari(&args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// What a search with these weights chooses.
fn choice(weights: &str) -> String {
    let options = "--variant no --size 5 --playouts 100 --seed 1 --weights";
    let mut args: Vec<&str> = options.split(' ').collect();
    args.push(weights);
    let assert = kawari(&args).write_stdin("genmove b\n").assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn rounds_begin_with_what_was_learned_before() {
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
fn what_is_not_to_be_learned_stays() {
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
fn weights_that_are_none_are_refused() {
    let file = TempFile::new("bad.txt");
    for (text, told) in [
        ("prior line 0 -1\n", "line 1 is no weight"),
        ("# a remark\nprior nothing 0 1\n", "line 2 is no weight"),
    ] {
        std::fs::write(&file.0, text).expect("a file");
        let assert = kawari(&["--weights", file.path()]).assert().failure();
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(error.contains(told), "{error}");
    }
    for args in [
        &["learn", "--rounds", "0"][..],
        &["learn", "--only", "nothing"],
    ] {
        let args = [args, &["--out", file.path()]].concat();
        kawari(&args).assert().code(2);
    }
}
