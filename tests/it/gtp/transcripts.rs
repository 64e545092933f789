//! Transcripts, replayed.
//!
//! A transcript is a file `fixtures/gtp/*.gtp`:
//!
//! - `@ go 9x9 komi=5 playouts=8 seed=3` starts an engine with a net of random
//!   numbers, so that no reply depends on a built-in one (a file begins with one);
//! - `> boardsize 9` is sent, with `\t`, `\r`, `\\` and `\xHH` for odd bytes;
//! - the lines after it, except blank ones, are the expected reply, without the
//!   empty line that ends it and without blanks at the ends of lines;
//! - `#` begins a comment.
//!
//! With `KAWARI_BLESS=1` in the environment the test writes the actual replies into
//! the files instead of comparing them.

use super::client;
use crate::client::{Client, split_replies};
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
            b'x' => (u8::from_str_radix(&escape[1..3], 16).expect("two digits"), 3),
            other => (other, 1),
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}

/// Sends a line and returns the lines of the reply.
fn reply(client: &mut Client, sent: &str) -> Result<Vec<String>, String> {
    let mut bytes = unescape(sent);
    bytes.push(b'\n');
    let output = String::from_utf8(client.send(&bytes)).map_err(|error| error.to_string())?;
    split_replies(&output)?;
    let lines = output.lines().map(str::trim_end);
    Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
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
                    wrong.push(format!("{place}: {sent}\n expected\n  {expected}\n got\n  {got}"));
                }
            }
        }
    }
    (wrong, blessed)
}

#[test]
fn transcripts_are_answered_as_written() {
    let entries = std::fs::read_dir("fixtures/gtp").expect("a directory");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
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
