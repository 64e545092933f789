//! Property values: texts, numbers, colours, points.

use super::charset::Charset;
use crate::board::Color;
use crate::rules::parse_color;
use std::borrow::Cow;

/// A raw value: the bytes between its brackets, with escapes.
#[derive(Clone, Copy, Debug)]
pub struct PropertyValue<'a> {
    raw: &'a [u8],
    charset: Charset,
}

/// A point of an SGF board: column and line from 0 at the upper left corner, both at most
/// 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SgfPoint {
    /// Column, from the left.
    pub column: u8,
    /// Line, from the top.
    pub line: u8,
}

/// The letters of columns and lines.
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl SgfPoint {
    /// The point as two letters; `None` if a coordinate exceeds 51.
    pub(super) fn letters(self) -> Option<[char; 2]> {
        let letter = |at: u8| LETTERS.get(usize::from(at)).copied().map(char::from);
        Some([letter(self.column)?, letter(self.line)?])
    }

    fn parse(text: &[u8]) -> Option<SgfPoint> {
        let [column, line] = text.trim_ascii() else {
            return None;
        };
        let number = |letter: u8| match letter {
            b'a'..=b'z' => Some(letter - b'a'),
            b'A'..=b'Z' => Some(letter - b'A' + 26),
            _ => None,
        };
        Some(SgfPoint { column: number(*column)?, line: number(*line)? })
    }
}

impl<'a> PropertyValue<'a> {
    pub(super) fn new(raw: &'a [u8], charset: Charset) -> PropertyValue<'a> {
        PropertyValue { raw, charset }
    }

    /// The raw bytes.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Whether the value has nothing but whitespace.
    pub fn is_empty(self) -> bool {
        self.raw.trim_ascii().is_empty()
    }

    /// The value as SGF type Text: escapes are resolved, every line break becomes `\n`,
    /// other whitespace becomes spaces.
    pub fn text(self) -> String {
        self.unescape("\n")
    }

    /// The value as SGF type SimpleText: as [`text`](PropertyValue::text), but on one line.
    pub fn simple_text(self) -> String {
        self.unescape(" ")
    }

    fn unescape(self, line_break: &str) -> String {
        let bytes = self.unescaped_bytes(line_break);
        self.charset.decode(&bytes).into_owned()
    }

    /// The value with its escapes, as it stands between brackets of UTF-8.
    pub(super) fn raw_text(self) -> String {
        // Where bytes of characters are escaped, too, all escapes are made anew.
        let charset = self.charset;
        if charset.escapes_bytes() {
            escaped(&self.text()).into_owned()
        } else {
            charset.decode(self.raw).into_owned()
        }
    }

    /// The bytes of the text without escapes.
    pub(super) fn unescaped_bytes(self, line_break: &str) -> Vec<u8> {
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
        bytes
    }

    /// Copies one character to `bytes`; returns the rest of the text.
    fn take_character(self, text: &'a [u8], bytes: &mut Vec<u8>) -> &'a [u8] {
        let length = self.charset.trail_bytes.char_len(text).min(text.len());
        let (character, rest) = text.split_at(length);
        match character {
            b"\t" | b"\x0b" | b"\x0c" => bytes.push(b' '),
            _ => bytes.extend(character),
        }
        rest
    }

    /// The two parts of a composed value (`a:b`); `None` without a colon.
    pub fn composed(self) -> Option<(PropertyValue<'a>, PropertyValue<'a>)> {
        let mut at = 0;
        loop {
            at += match self.raw.get(at)? {
                b':' => break,
                b'\\' => 2,
                _ => self.charset.trail_bytes.char_len(self.raw.get(at..)?),
            };
        }
        let half = |raw| PropertyValue { raw, ..self };
        Some((half(self.raw.get(..at)?), half(self.raw.get(at + 1..)?)))
    }

    /// The value as an integer.
    pub fn number(self) -> Option<i64> {
        let text = std::str::from_utf8(self.raw.trim_ascii()).ok()?;
        text.parse().ok()
    }

    /// The value as a finite number; the decimal separator is `.` or `,`.
    pub fn real(self) -> Option<f64> {
        let text = self.simple_text().trim().replace(',', ".");
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The value as a colour, a letter or a name.
    pub fn color(self) -> Option<Color> {
        parse_color(self.simple_text().trim())
    }

    /// The value as a point.
    pub fn point(self) -> Option<SgfPoint> {
        SgfPoint::parse(self.raw)
    }

    /// The value as a rectangle: two opposite corners (`aa:cc`), or the same point twice.
    pub fn rectangle(self) -> Option<(SgfPoint, SgfPoint)> {
        match self.composed() {
            Some((one, other)) => Some((one.point()?, other.point()?)),
            None => Some((self.point()?, self.point()?)),
        }
    }

    /// The value as a point list: the points of its rectangle, line by line.
    pub fn points(self) -> Option<impl Iterator<Item = SgfPoint> + use<>> {
        let (one, other) = self.rectangle()?;
        let span = |a: u8, b: u8| a.min(b)..=a.max(b);
        let columns = span(one.column, other.column);
        let lines = span(one.line, other.line);
        Some(lines.flat_map(move |line| {
            let columns = columns.clone();
            columns.map(move |column| SgfPoint { column, line })
        }))
    }
}

/// Length of the line break at the start of `text`; 0 if there is none.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Escapes a text for use between brackets.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    escape(text, &['\\', ']'])
}

/// Escapes a text for use as part of a composed value.
pub(super) fn escaped_composed(text: &str) -> Cow<'_, str> {
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
