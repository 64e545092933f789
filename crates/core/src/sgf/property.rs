//! The properties of a node, and their values: texts, numbers, colours, points.

use super::detect::unambiguous;
use crate::board::Color;
use crate::rules::parse_color;
use std::borrow::Cow;
use std::ops::Range;

/// The properties of a node: their text, and where their names and values stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Properties {
    text: String,
    /// Each name, then its values: a value follows a bracket, and a name does not.
    places: Vec<Range<u32>>,
}

/// A node without properties.
pub(super) static NO_PROPERTIES: Properties =
    Properties { text: String::new(), places: Vec::new() };

impl Properties {
    /// The properties of a text below 4 GiB, with a backslash before each `unescaped` byte.
    pub(super) fn new(text: &str, mut places: Vec<Range<u32>>, unescaped: &[usize]) -> Properties {
        let (mut escaped, mut done) = (String::with_capacity(text.len() + unescaped.len()), 0);
        for &at in unescaped {
            escaped += text.get(done..at).unwrap_or_default();
            escaped.push('\\');
            done = at;
        }
        escaped += text.get(done..).unwrap_or_default();
        let moved = |at| at + unescaped.partition_point(|&before| before < at as usize) as u32;
        for place in places.iter_mut().filter(|_| !unescaped.is_empty()) {
            *place = moved(place.start)..moved(place.end);
        }
        // A file may have millions of nodes.
        places.shrink_to_fit();
        Properties { text: escaped, places }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Property<'_>> {
        let is_value = |place: &Range<u32>| {
            let before = place.start.checked_sub(1);
            before.is_some_and(|at| self.text.as_bytes().get(at as usize) == Some(&b'['))
        };
        let properties = self.places.chunk_by(move |_, next| is_value(next));
        properties.map(|places| Property { node: &self.text, places })
    }

    /// The values of the first property with this name.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = PropertyValue<'_>> {
        let property = self.iter().find(|property| property.is(name));
        property.into_iter().flat_map(|property| property.values())
    }

    /// Adds a property of another node as it stands there.
    pub(super) fn copy(&mut self, property: Property<'_>) {
        let (from, to) = (property.start(), self.text.len() as u32);
        let places = property.places.iter();
        self.places.extend(places.map(|at| at.start - from + to..at.end - from + to));
        self.text += property.text();
    }

    /// Adds a property with escaped values; nothing without values.
    pub(super) fn raw<S: AsRef<str>>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = S>,
    ) -> &mut Self {
        for (number, value) in values.into_iter().enumerate() {
            if number == 0 {
                self.push(name);
            }
            self.text.push('[');
            self.push(&unambiguous(value.as_ref()));
            self.text.push(']');
        }
        self
    }

    fn push(&mut self, part: &str) {
        let start = self.text.len() as u32;
        self.text += part;
        self.places.push(start..self.text.len() as u32);
    }

    /// Adds a property with a text.
    pub(super) fn text(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.raw(name, [escaped(text)])
    }

    /// Adds a list of points; nothing if it is empty.
    pub(super) fn points(
        &mut self,
        name: &'static str,
        points: impl IntoIterator<Item = SgfPoint>,
    ) -> &mut Self {
        let letters = points.into_iter().filter_map(SgfPoint::letters);
        self.raw(name, letters.map(String::from_iter))
    }

    /// Adds labels at points; nothing without any.
    pub(super) fn labels<S: AsRef<str>>(
        &mut self,
        name: &'static str,
        labels: impl IntoIterator<Item = (SgfPoint, S)>,
    ) -> &mut Self {
        let values = labels.into_iter().filter_map(|(point, label)| {
            let [column, line] = point.letters()?;
            Some(format!("{column}{line}:{}", escaped(label.as_ref())))
        });
        self.raw(name, values)
    }
}

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The text of its node.
    node: &'a str,
    /// Its name and its values.
    places: &'a [Range<u32>],
}

impl<'a> Property<'a> {
    fn part(&self, place: &Range<u32>) -> &'a str {
        self.node.get(place.start as usize..place.end as usize).unwrap_or_default()
    }

    fn start(&self) -> u32 {
        self.places.first().map_or(0, |name| name.start)
    }

    /// Without whitespace around it.
    pub(super) fn text(&self) -> &'a str {
        let end = self.places.last().map_or(0, |value| value.end + 1);
        self.part(&(self.start()..end))
    }

    /// Without whitespace around the values.
    pub(super) fn compact(&self) -> String {
        let values = self.values().map(|value| format!("[{}]", value.raw));
        self.written_name().to_owned() + &values.collect::<String>()
    }

    fn written_name(&self) -> &'a str {
        self.places.first().map_or("", |name| self.part(name))
    }

    /// The name without lower-case letters, which have no meaning.
    pub fn name(&self) -> Cow<'a, str> {
        let name = self.written_name();
        if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            Cow::Owned(name.chars().filter(|c| !c.is_ascii_lowercase()).collect())
        } else {
            Cow::Borrowed(name)
        }
    }

    /// Whether the property has this name.
    pub fn is(&self, name: &str) -> bool {
        self.written_name() == name || self.name() == name
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = PropertyValue<'a>> + use<'a> {
        let property = *self;
        let values = self.places.get(1..).unwrap_or_default().iter();
        values.map(move |place| PropertyValue { raw: property.part(place) })
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
