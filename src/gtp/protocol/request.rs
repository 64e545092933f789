//! Parses a line of bytes into a request.
//!
//! Lines are bytes until control characters are removed: Latin-1 in a file name or a stray NUL must
//! not end the engine.

use crate::inbox::{MAX_LINE, without_controls};
use nom::bytes::complete::is_not;
use nom::character::complete::space0;
use nom::combinator::{opt, verify};
use nom::sequence::terminated;
use nom::{IResult, Parser};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// An id without a command; the reply is `?ID syntax error`.
    IdOnly(String),
    Command(Command),
    /// A line of more than `MAX_LINE` bytes, with its id.
    TooLong(Option<String>),
}

impl Request {
    /// The id to echo, exactly as received (`007` stays `007`).
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::IdOnly(id) => Some(id),
            Self::Command(command) => command.id.as_deref(),
            Self::TooLong(id) => id.as_deref(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub id: Option<String>,
    /// Never empty, without spaces.
    pub name: String,
    /// The argument text, trimmed; runs of spaces stay.
    pub rest: String,
}

impl Command {
    pub fn args(&self) -> Args<'_> {
        Args::new(&self.rest)
    }
}

/// Parses a line; `None` for a blank line or a comment, which gets no response. Invalid UTF-8
/// becomes replacement characters.
pub fn parse_line(raw: &[u8]) -> Option<Request> {
    let beginning = raw.get(..MAX_LINE).unwrap_or(raw);
    let request = parse_request(beginning)?;
    let is_whole = beginning.len() == raw.len() || beginning.contains(&b'#');
    Some(match (is_whole, request) {
        (true, request) => request,
        (false, Request::Command(command)) => Request::TooLong(command.id),
        // The id itself may be cut off.
        (false, _) => Request::TooLong(None),
    })
}

fn parse_request(raw: &[u8]) -> Option<Request> {
    let bytes: Vec<u8> = without_controls(raw)
        .take_while(|&byte| byte != b'#')
        .map(|byte| match byte {
            b'\t' | b'\n' => b' ',
            other => other,
        })
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let (rest, (id, name)) = (opt(id), opt(word)).parse(text.trim_matches(' ')).ok()?;
    let id = id.map(str::to_owned);
    let Some(name) = name.map(str::to_owned) else {
        return id.map(Request::IdOnly);
    };
    Some(Request::Command(Command { id, name, rest: rest.to_owned() }))
}

/// A word, and the spaces after it.
fn word(text: &str) -> IResult<&str, &str> {
    terminated(is_not(" "), space0).parse(text)
}

/// The number of a request. Another number is the name of an unknown command, as is one with a sign.
fn id(text: &str) -> IResult<&str, &str> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    verify(word, |word: &str| is_number(word) && word.parse::<i32>().is_ok()).parse(text)
}

/// A cursor over the space-separated arguments of a command; iterates over words.
#[derive(Debug, Clone)]
pub struct Args<'a> {
    /// Without spaces around it.
    text: &'a str,
}

impl<'a> Args<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text: text.trim_matches(' ') }
    }

    /// The unread text with its runs of spaces.
    pub fn rest(&self) -> &'a str {
        self.text
    }

    pub fn take_rest(&mut self) -> &'a str {
        std::mem::take(&mut self.text)
    }
}

impl<'a> Iterator for Args<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (rest, word) = word(self.text).ok()?;
        self.text = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(raw: &[u8]) -> (Option<String>, Option<String>, String) {
        match parse_line(raw).expect("not a blank line") {
            Request::IdOnly(id) => (Some(id), None, String::new()),
            Request::Command(Command { id, name, rest }) => (id, Some(name), rest),
            Request::TooLong(id) => (id, None, "too long".to_owned()),
        }
    }

    fn triple(
        id: Option<&str>,
        name: Option<&str>,
        rest: &str,
    ) -> (Option<String>, Option<String>, String) {
        (id.map(str::to_owned), name.map(str::to_owned), rest.to_owned())
    }

    #[test]
    fn arguments_are_read_in_order() {
        let mut args = Args::new(" b  19   tail  of it ");
        assert_eq!((args.next(), args.next()), (Some("b"), Some("19")));
        assert_eq!(args.rest(), "tail  of it");
        assert_eq!(args.take_rest(), "tail  of it");
        assert_eq!((args.next(), args.take_rest()), (None, ""));
    }

    #[test]
    fn a_line_that_is_too_long_is_no_command() {
        let mut line = b"7 name ".to_vec();
        line.resize(MAX_LINE, b'x');
        assert_eq!(parsed(&line).1.as_deref(), Some("name"));
        line.push(b'x');
        assert_eq!(parsed(&line), triple(Some("7"), None, "too long"));
        assert_eq!(parsed(&vec![b'0'; MAX_LINE + 1]), triple(None, None, "too long"));
        // A line that is too long may be a comment.
        line[7] = b'#';
        assert_eq!(parsed(&line), triple(Some("7"), Some("name"), ""));
        line.fill(b' ');
        assert_eq!(parse_line(&line), None);
    }

    proptest! {
        #[test]
        fn every_line_with_visible_characters_is_a_request(raw: Vec<u8>) {
            let code = raw.split(|&byte| byte == b'#').next().unwrap_or_default();
            let visible = code.iter().any(|byte| *byte > b' ' && *byte != 0x7f);
            prop_assert_eq!(parse_line(&raw).is_some(), visible);
        }
    }
}
