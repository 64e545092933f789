//! What values mean: texts, numbers, colours, points.

use super::charset::Charset;
use crate::board::Color;
use crate::rules::parse_color;
use std::borrow::Cow;

/// A value as it stands between its brackets, escapes and all.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    raw: &'a [u8],
    charset: Charset,
}

/// A point of an SGF board: column and line from 0 at the upper left corner,
/// both up to 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The column, from the left.
    pub column: u8,
    /// The line, from the top.
    pub line: u8,
}

/// Letters of columns and lines.
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Spot {
    /// The point as two letters; what lies off every board has none.
    pub(super) fn letters(self) -> Option<[char; 2]> {
        let letter = |at: u8| LETTERS.get(usize::from(at)).copied().map(char::from);
        Some([letter(self.column)?, letter(self.line)?])
    }

    fn parse(text: &[u8]) -> Option<Spot> {
        let [column, line] = text.trim_ascii() else {
            return None;
        };
        let number = |letter: u8| match letter {
            b'a'..=b'z' => Some(letter - b'a'),
            b'A'..=b'Z' => Some(letter - b'A' + 26),
            _ => None,
        };
        Some(Spot {
            column: number(*column)?,
            line: number(*line)?,
        })
    }
}

impl<'a> Value<'a> {
    pub(super) fn new(raw: &'a [u8], charset: Charset) -> Value<'a> {
        Value { raw, charset }
    }

    /// The bytes as they stand.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Whether nothing but blanks is there.
    pub fn is_empty(self) -> bool {
        self.raw.trim_ascii().is_empty()
    }

    /// A Text: escapes are resolved, every line break is `\n`, other blanks are
    /// spaces.
    pub fn text(self) -> String {
        self.unescaped("\n")
    }

    /// A SimpleText: as [`text`](Value::text) on one line.
    pub fn simple_text(self) -> String {
        self.unescaped(" ")
    }

    fn unescaped(self, line_break: &str) -> String {
        let mut bytes = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some((&byte, behind)) = rest.split_first() {
            if byte == b'\\' {
                let length = break_length(behind);
                rest = behind.get(length..).unwrap_or_default();
                if length == 0 {
                    rest = self.take_character(rest, &mut bytes);
                }
            } else if let length @ 1.. = break_length(rest) {
                bytes.extend(line_break.bytes());
                rest = rest.get(length..).unwrap_or_default();
            } else {
                rest = self.take_character(rest, &mut bytes);
            }
        }
        self.charset.decode(&bytes).into_owned()
    }

    /// Copies one character; what follows it.
    fn take_character(self, text: &'a [u8], bytes: &mut Vec<u8>) -> &'a [u8] {
        let length = self.charset.script.step(text).min(text.len());
        let (character, rest) = text.split_at(length);
        match character {
            b"\t" | b"\x0b" | b"\x0c" => bytes.push(b' '),
            _ => bytes.extend(character),
        }
        rest
    }

    /// The two halves of a composed value; none if no colon stands there.
    pub fn halves(self) -> Option<(Value<'a>, Value<'a>)> {
        let mut at = 0;
        loop {
            at += match self.raw.get(at)? {
                b':' => break,
                b'\\' => 2,
                _ => self.charset.script.step(self.raw.get(at..)?),
            };
        }
        let half = |raw| Value { raw, ..self };
        Some((half(self.raw.get(..at)?), half(self.raw.get(at + 1..)?)))
    }

    /// A whole number.
    pub fn number(self) -> Option<i64> {
        let text = std::str::from_utf8(self.raw.trim_ascii()).ok()?;
        text.parse().ok()
    }

    /// A finite number; a comma is as good as a point.
    pub fn real(self) -> Option<f64> {
        let text = self.simple_text().trim().replace(',', ".");
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A colour, by its letter or its name.
    pub fn color(self) -> Option<Color> {
        parse_color(self.simple_text().trim())
    }

    /// A point.
    pub fn spot(self) -> Option<Spot> {
        Spot::parse(self.raw)
    }

    /// A point, or all points of the rectangle between two corners (`aa:cc`).
    pub fn spots(self) -> Option<impl Iterator<Item = Spot> + use<>> {
        let (one, other) = match self.halves() {
            Some((one, other)) => (one.spot()?, other.spot()?),
            None => (self.spot()?, self.spot()?),
        };
        let span = |a: u8, b: u8| a.min(b)..=a.max(b);
        let columns = span(one.column, other.column);
        let lines = span(one.line, other.line);
        Some(lines.flat_map(move |line| {
            let columns = columns.clone();
            columns.map(move |column| Spot { column, line })
        }))
    }
}

/// Length of the line break at the start of `text`, 0 if there is none.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// A text with the escapes that it needs between brackets.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    escape(text, &['\\', ']'])
}

/// The same for half of a composed value.
pub(super) fn escaped_half(text: &str) -> Cow<'_, str> {
    escape(text, &['\\', ']', ':'])
}

fn escape<'t>(text: &'t str, special: &[char]) -> Cow<'t, str> {
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let escaped = text.chars().flat_map(|c| {
        let backslash = special.contains(&c).then_some('\\');
        backslash.into_iter().chain([c])
    });
    Cow::Owned(escaped.collect())
}
