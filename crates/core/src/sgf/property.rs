//! The properties of a node, and their values: texts, numbers, colours, points.

use super::grammar;
use super::write::NodeBuilder;
use crate::board::Color;
use crate::rules::parse_color;
use std::borrow::Cow;
use std::str::from_utf8;

/// The properties in the text of a node.
pub(super) fn properties(text: &str) -> impl Iterator<Item = Property<'_>> {
    grammar::properties(text.as_bytes()).map_while(|property| {
        let [text, name, values] = [property.text, property.name, property.values].map(from_utf8);
        Some(Property { text: text.ok()?, name: name.ok()?, values: values.ok()? })
    })
}

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    text: &'a str,
    name: &'a str,
    values: &'a str,
}

impl<'a> Property<'a> {
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Without whitespace around the values.
    pub(super) fn compact(&self) -> String {
        let mut node = NodeBuilder::new();
        node.raw(self.name, self.values().map(PropertyValue::raw));
        node.0
    }

    /// The name without lower-case letters, which have no meaning.
    pub fn name(&self) -> Cow<'a, str> {
        if self.name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            Cow::Owned(self.name.chars().filter(|c| !c.is_ascii_lowercase()).collect())
        } else {
            Cow::Borrowed(self.name)
        }
    }

    /// Whether the property has this name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.name() == name
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = PropertyValue<'a>> + use<'a> {
        let raw = grammar::values(self.values.as_bytes());
        raw.map_while(|raw| Some(PropertyValue { raw: from_utf8(raw).ok()? }))
    }
}

/// Two properties are equal if their names and all values are equal.
impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compact() == other.compact()
    }
}

/// A raw value: the text between its brackets, with escapes.
#[derive(Clone, Copy, Debug)]
pub struct PropertyValue<'a> {
    raw: &'a str,
}

/// A point of an SGF board: column and line from the upper left corner, 0 to 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SgfPoint {
    /// From the left.
    pub column: u8,
    /// From the top.
    pub line: u8,
}

const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl SgfPoint {
    /// `None` if a coordinate exceeds 51.
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
    /// The raw text.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// Whether the value is only whitespace.
    pub fn is_empty(self) -> bool {
        self.raw.trim_ascii().is_empty()
    }

    /// The value as SGF type Text: without escapes, with `\n` for line breaks and spaces for other
    /// whitespace.
    pub fn text(self) -> String {
        self.unescape("\n")
    }

    /// The value as SGF type SimpleText: on one line.
    pub fn simple_text(self) -> String {
        self.unescape(" ")
    }

    fn unescape(self, line_break: &str) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(letter) = rest.chars().next() {
            let is_escape = letter == '\\';
            let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
            let (here, line_break) = if is_escape { (behind, "") } else { (rest, line_break) };
            let length = break_length(here.as_bytes());
            if length > 0 {
                text += line_break;
            }
            let letter = here.chars().next().filter(|_| length == 0);
            text.extend(letter.map(|letter| match letter {
                '\t' | '\x0b' | '\x0c' => ' ',
                letter => letter,
            }));
            rest = here.get(length + letter.map_or(0, char::len_utf8)..).unwrap_or_default();
        }
        text
    }

    /// The two parts of a composed value (`a:b`).
    pub fn composed(self) -> Option<(PropertyValue<'a>, PropertyValue<'a>)> {
        let mut is_escaped = false;
        let at = self.raw.bytes().position(|byte| {
            let is_colon = byte == b':' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_colon
        })?;
        let [before, after] = [self.raw.get(..at)?, self.raw.get(at + 1..)?];
        Some((PropertyValue { raw: before }, PropertyValue { raw: after }))
    }

    /// The value as an integer.
    pub fn number(self) -> Option<i64> {
        self.raw.trim_ascii().parse().ok()
    }

    /// The value as a colour: a letter or a name.
    pub fn color(self) -> Option<Color> {
        parse_color(self.simple_text().trim())
    }

    /// The value as a point.
    pub fn point(self) -> Option<SgfPoint> {
        SgfPoint::parse(self.raw.as_bytes())
    }

    /// The value as a rectangle: two opposite corners (`aa:cc`), or the same point twice.
    pub fn rectangle(self) -> Option<(SgfPoint, SgfPoint)> {
        match self.composed() {
            Some((one, other)) => Some((one.point()?, other.point()?)),
            None => Some((self.point()?, self.point()?)),
        }
    }

    /// The points of a rectangle, line by line.
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

/// Length of the line break at the start of `text`.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Escapes a text for a value.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    escape(text, &['\\', ']'])
}

/// Escapes a text for a part of a composed value.
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
