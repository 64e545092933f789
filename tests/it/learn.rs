//! `kawari learn`, and the files that it writes.

use crate::common::TempFile;
use assert_cmd::Command;
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
    let text = both.text();
    let head: Vec<_> = text.lines().take(2).collect();
    let remark = format!("# {all} positions of self-play");
    assert_eq!(head, ["kawari-weights 1 no", &remark]);
    assert_ne!(both.text(), first.text());
    assert!(choice(both.path()).starts_with("= "));
}

#[test]
fn families_that_are_not_selected_keep_their_weights() {
    let file = TempFile::new("only.txt");
    learned(&file, &["--only", "pattern-3x3,last-distance"]);
    let built_in = include_str!("../../src/search/policy/weights/no.txt");
    let block = |text: &str, name: &str| -> String {
        let start = text.find(&format!("[{name}]")).expect("a block");
        let rest = &text[start + 1..];
        rest[..rest.find("\n[").expect("another block")].to_owned()
    };
    for name in ["line", "step-kind", "variant", "local-reply"] {
        assert_eq!(block(&file.text(), name), block(built_in, name));
    }
    for name in ["pattern-3x3", "last-distance"] {
        assert_ne!(block(&file.text(), name), block(built_in, name));
    }
}

#[test]
fn invalid_weights_are_refused() {
    let file = TempFile::new("bad.txt");
    for (text, expected) in [
        (
            "",
            "line 1: expected `kawari-weights 1 VARIANT`, found nothing",
        ),
        (
            "kawari-weights 1 go\n[line] learned\nopening-line-1 -1\n[end]\n",
            "line 3: expected a name of [line] and a weight above 0, found `opening-line-1 -1`",
        ),
        (
            "kawari-weights 1 go\n[line] learned\n",
            "line 3: expected `[end]`, found the end of the file",
        ),
        (
            "kawari-weights 1 no\n[end]\n",
            "line 1: expected weights of go, found weights of no",
        ),
    ] {
        std::fs::write(&file.0, text).expect("a file");
        let assert = kawari(&["--weights", file.path()]).assert().failure();
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(error.contains(expected), "{error}");
    }
    for args in [
        &["learn", "--rounds", "0"][..],
        &["learn", "--only", "nothing"],
        &["learn", "--time", "1"],
    ] {
        let args = [args, &["--out", file.path()]].concat();
        kawari(&args).assert().code(2);
    }
}
