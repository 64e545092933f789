//! Replies and their writer.
//!
//! An empty line ends a response. Handlers therefore return a [`Reply`] and never print.

use super::session_log::SessionLog;
use crate::playing::params::ParamError;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use thiserror::Error;

use crate::gtp::arguments::SyntaxError;
use crate::rules::{Illegal, ReplayError};

/// The text after `= `, or the reason after `? `.
pub type Reply = Result<String, Failure>;

/// The error texts that a client sees; details belong in the log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error: {0}")]
    Syntax(#[from] SyntaxError),
    #[error("unacceptable size")]
    UnacceptableSize,
    #[error("illegal move")]
    IllegalMove,
    #[error("illegal move: {0}")]
    Forbidden(Illegal),
    /// The words are not a turn of this game on this board.
    #[error("illegal move: {0}")]
    NoTurn(String),
    /// A vertex is not on this board.
    #[error("illegal move: {0}")]
    OffBoard(String),
    #[error("illegal move: out of turn")]
    OutOfTurn,
    #[error("illegal move: the game so far breaks the new rules: {0}")]
    ForbiddenTurn(ReplayError),
    #[error("cannot undo")]
    CannotUndo,
    #[error("cannot undo: no typed turn is the last turn")]
    NoTypedTurn,
    #[error("board not empty")]
    BoardNotEmpty,
    #[error("bad vertex list")]
    BadVertexList,
    #[error("invalid number of stones")]
    InvalidStoneCount,
    #[error("unknown rule")]
    UnknownRule,
    #[error(transparent)]
    Parameter(#[from] ParamError),
    #[error("bad value")]
    BadValue,
    /// Any other reason, in lower case and on one line.
    #[error("{0}")]
    Other(Cow<'static, str>),
}

impl From<&'static str> for Failure {
    fn from(reason: &'static str) -> Failure {
        Failure::Other(reason.into())
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Failure {
        Failure::Other(reason.into())
    }
}

impl Failure {
    /// Reduces an illegal move to the bare text.
    pub fn without_reason(self) -> Failure {
        match self {
            Failure::Forbidden(_)
            | Failure::NoTurn(_)
            | Failure::OffBoard(_)
            | Failure::OutOfTurn
            | Failure::ForbiddenTurn(_) => Failure::IllegalMove,
            other => other,
        }
    }
}

/// Writes responses and flushes after each.
#[derive(Debug)]
pub struct ReplyWriter<W> {
    out: W,
    log: Option<SessionLog>,
}

impl<W: Write> ReplyWriter<W> {
    /// A response is a single write: `out` needs no buffer.
    pub fn new(out: W, log: Option<SessionLog>) -> Self {
        Self { out, log }
    }

    pub fn log_request(&mut self, line: &[u8]) {
        if let Some(log) = &mut self.log {
            log.sent(line);
        }
    }

    pub fn log_reply(&mut self, lines: &str) {
        if let Some(log) = &mut self.log {
            log.replied(lines);
        }
    }

    /// Writes a whole response, `=ID TEXT` or `?ID TEXT` and an empty line. Removes empty lines and
    /// control characters; the text of a failure becomes one line. A newline at the start of the
    /// text stays: a board begins below the `=`.
    pub fn respond(&mut self, id: Option<&str>, reply: &Reply) -> io::Result<()> {
        let (mark, text) = match reply {
            Ok(text) => ('=', without_empty_lines(text)),
            Err(failure) => ('?', one_line(&failure.to_string())),
        };
        let id = id.unwrap_or_default();
        self.send(&format!("{mark}{id} {text}\n\n"))
    }

    /// Starts a response that is written line by line and can no longer fail.
    pub fn begin(&mut self, id: Option<&str>) -> io::Result<()> {
        let id = id.unwrap_or_default();
        self.send(&format!("={id}\n"))
    }

    /// Adds one line to a begun response: joins several lines, and skips blank text, which would
    /// end the response.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        match one_line(text) {
            line if line.is_empty() => Ok(()),
            line => self.send(&format!("{line}\n")),
        }
    }

    /// Writes lines for a person, outside of responses.
    pub fn write_notice(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(format!("{text}\n\n").as_bytes())?;
        self.out.flush()
    }

    /// Ends a begun response.
    pub fn finish(&mut self) -> io::Result<()> {
        self.send("\n")
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.log_reply(text);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

pub fn joined(items: impl IntoIterator<Item: fmt::Display>, separator: &str) -> String {
    let texts: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    texts.join(separator)
}

/// Keeps line feeds as the only control characters.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|&c| c == '\n' || !c.is_control())
        .collect()
}

/// Drops blank lines except the first line, which follows the mark of the response.
fn without_empty_lines(text: &str) -> String {
    let text = printable(text);
    let mut lines = text.split('\n');
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !is_blank(line)) {
        text.push('\n');
        text.push_str(line);
    }
    text
}

/// Joins lines by single spaces and drops blank ones.
fn one_line(text: &str) -> String {
    let text = printable(text);
    joined(text.split('\n').filter(|line| !is_blank(line)).map(str::trim), " ")
}

/// Whether a client that trims lines reads this one as empty.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(write: impl FnOnce(&mut ReplyWriter<&mut Vec<u8>>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut ReplyWriter::new(&mut out, None)).expect("writing to a vector");
        String::from_utf8(out).expect("UTF-8")
    }

    fn success(id: Option<&str>, text: &str) -> String {
        written(|writer| writer.respond(id, &Ok(text.to_owned())))
    }

    fn failure(failure: Failure) -> String {
        written(|writer| writer.respond(Some("7"), &Err(failure)))
    }

    #[test]
    fn empty_lines_are_dropped() {
        assert_eq!(success(None, "a\n\n \n\r\nb\n\n"), "= a\nb\n\n");
    }

    #[test]
    fn a_board_may_start_below_the_mark() {
        assert_eq!(success(None, "\n\n   A B\n 1 . .\n"), "= \n   A B\n 1 . .\n\n");
    }

    #[test]
    fn control_characters_are_stripped() {
        assert_eq!(success(None, "a\tb\r\0c\x7f\u{9b}é"), "= a bcé\n\n");
    }

    #[test]
    fn failures_take_one_line() {
        assert_eq!(failure(" no\n\n net\r\n".into()), "?7 no net\n\n");
        assert_eq!(failure("".into()), "?7 \n\n");
    }

    #[test]
    fn a_streamed_response_grows_by_lines() {
        let text = written(|writer| {
            writer.begin(Some("3"))?;
            writer.line("info move D4\n\npv D4")?;
            writer.line(" \n")?;
            writer.line("play D4")?;
            writer.finish()
        });
        assert_eq!(text, "=3\ninfo move D4 pv D4\nplay D4\n\n");
    }

    #[test]
    fn every_response_is_one_write_and_one_flush() {
        #[derive(Default)]
        struct Counter {
            writes: u32,
            flushes: u32,
        }
        impl Write for Counter {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.writes += 1;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                self.flushes += 1;
                Ok(())
            }
        }
        let mut writer = ReplyWriter::new(Counter::default(), None);
        writer.respond(None, &Ok("2".to_owned())).expect("a counting writer");
        writer.begin(None).expect("a counting writer");
        writer.line("x").expect("a counting writer");
        writer.finish().expect("a counting writer");
        assert_eq!((writer.out.writes, writer.out.flushes), (4, 4));
    }

    #[test]
    fn a_broken_pipe_is_reported() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = ReplyWriter::new(Broken, None);
        let error = writer.respond(None, &Ok(String::new())).expect_err("the pipe is broken");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    proptest! {
        #[test]
        fn only_the_end_is_an_empty_line(text in "[ \\t\\r\\n\\x00a\\u{85}]{0,12}") {
            let response = success(None, &text);
            prop_assert_eq!(response.find("\n\n"), Some(response.len() - 2));
        }
    }
}
