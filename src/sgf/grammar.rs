//! The grammar of one node. A parser returns what it has read and the input after it, or `None` if
//! the input does not begin with that.

use super::brackets;
use super::charset::TrailBytes;
use super::parse::ParseErrorKind;
use smallvec::SmallVec;

/// A syntax error and the input from that point on.
#[derive(Debug, PartialEq)]
pub(super) struct NodeError<'a> {
    pub(super) at: &'a [u8],
    pub(super) kind: ParseErrorKind,
}

type Parsed<'a, T = &'a [u8]> = Result<Option<(T, &'a [u8])>, NodeError<'a>>;

/// Skips whitespace and control characters.
#[inline]
pub(super) fn skip_whitespace(input: &[u8]) -> &[u8] {
    let blanks = input.iter().take_while(|&&byte| byte <= b' ').count();
    input.split_at(blanks).1
}

#[cfg(test)]
thread_local! {
    /// Number of bytes that parsing went through.
    pub(super) static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes for the tests that compare the work of files of two sizes.
#[cfg(test)]
pub(super) fn note_work(bytes: usize) {
    WORK.set(WORK.get() + bytes);
}

/// Skips whitespace, and lines of hyphens that some people draw between nodes.
pub(super) fn skip_blanks(text: &[u8]) -> &[u8] {
    let mut rest = skip_whitespace(text);
    loop {
        let hyphens = rest.iter().take_while(|&&byte| byte == b'-').count();
        let behind = rest.get(hyphens..).unwrap_or_default();
        let is_line = hyphens > 2 && behind.first().is_none_or(|&byte| byte <= b' ');
        if !is_line {
            return rest;
        }
        rest = skip_whitespace(behind);
    }
}

/// The properties of a node (after its `;`), and the input after them. Adds the brackets without a
/// backslash to `unescaped`, each with the number of bytes from there on.
pub(super) fn node<'a>(
    trail_bytes: TrailBytes,
    input: &'a [u8],
    unescaped: &mut Vec<usize>,
) -> Result<(&'a [u8], &'a [u8]), NodeError<'a>> {
    let mut tolerant = |name: &'a [u8], input: &'a [u8]| {
        value_with(input, |inside| {
            let Some(end) = trail_bytes.value_end(inside) else {
                return Ok(None);
            };
            let found = brackets::value_end(trail_bytes, name, inside, end);
            let behind = |end| inside.get(end..).unwrap_or_default();
            if found.is_ambiguous {
                return Err(NodeError { at: behind(end), kind: ParseErrorKind::Unescaped });
            }
            unescaped.extend(found.unescaped.iter().map(|&at| behind(at).len()));
            Ok(Some(found.end))
        })
    };
    let mut rest = input;
    let end = loop {
        match property_with(rest, &mut tolerant) {
            Ok(Some((_, behind))) => rest = behind,
            Ok(None) => break Ok(rest),
            Err(error) => break Err(error),
        }
    };
    #[cfg(test)]
    note_work(match &end {
        Err(error) if error.kind != ParseErrorKind::UnclosedValue => input.len() - error.at.len(),
        Err(_) => input.len(),
        Ok(rest) => input.len() - rest.len(),
    });
    end.map(|rest| (before(input, rest), rest))
}

/// The part of `input` before its end `rest`.
fn before<'a>(input: &'a [u8], rest: &[u8]) -> &'a [u8] {
    input.split_at(input.len() - rest.len()).0
}

/// Names, and values with brackets.
pub(super) fn properties(
    mut text: &[u8],
    trail_bytes: TrailBytes,
) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (property, rest) = property(trail_bytes, text).ok()??;
        text = rest;
        Some(property)
    })
}

pub(super) fn values(mut text: &[u8], trail_bytes: TrailBytes) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (value, rest) = value(trail_bytes, text).ok()??;
        text = rest;
        Some(value)
    })
}

/// Splits off a property: its name, and its values with brackets.
#[inline]
pub(super) fn property(trail_bytes: TrailBytes, input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    property_with(input, |_, input| value(trail_bytes, input))
}

/// As [`property`], with a parser of its values, which gets the name of the property.
#[inline]
fn property_with<'a>(
    input: &'a [u8],
    mut value: impl FnMut(&'a [u8], &'a [u8]) -> Parsed<'a>,
) -> Parsed<'a, (&'a [u8], &'a [u8])> {
    let Some((name, behind)) = name(skip_whitespace(input))? else {
        return Ok(None);
    };
    let mut rest = behind;
    while let Some((_, behind)) = value(name, rest)? {
        rest = behind;
    }
    if rest.len() == behind.len() {
        return Err(NodeError { at: skip_whitespace(rest), kind: ParseErrorKind::MissingValue });
    }
    Ok(Some(((name, before(behind, rest)), rest)))
}

/// A property name: a letter, then letters and digits, at least one of them a capital.
#[inline]
fn name(input: &[u8]) -> Parsed<'_> {
    let length = input.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = input.split_at(length);
    if !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return Ok(None);
    }
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Err(NodeError { at: input, kind: ParseErrorKind::LowercaseName });
    }
    Ok(Some((name, rest)))
}

/// Whether a property name and a bracket begin a text.
pub(super) fn begins_property(text: &[u8]) -> bool {
    let name = name(text).ok().flatten();
    name.is_some_and(|(_, behind)| skip_whitespace(behind).first() == Some(&b'['))
}

/// Splits off the raw bytes between the brackets.
#[inline]
pub(super) fn value(trail_bytes: TrailBytes, input: &[u8]) -> Parsed<'_> {
    value_with(input, |inside| Ok(trail_bytes.value_end(inside)))
}

/// As [`value`], with a parser that finds the closing bracket.
#[inline]
fn value_with<'a>(
    input: &'a [u8],
    end: impl FnOnce(&'a [u8]) -> Result<Option<usize>, NodeError<'a>>,
) -> Parsed<'a> {
    let text = skip_whitespace(input);
    let Some(inside) = text.strip_prefix(b"[") else {
        return Ok(None);
    };
    let unclosed = NodeError { at: text, kind: ParseErrorKind::UnclosedValue };
    let (raw, rest) = inside.split_at_checked(end(inside)?.ok_or(unclosed)?).unwrap_or_default();
    Ok(rest.split_first().map(|(_, rest)| (raw, rest)))
}

pub(super) const ROOT_PROPERTIES: &[&str] = &[
    "AN", "AP", "BR", "BT", "CA", "CP", "DT", "EV", "FF", "GM", "GN", "HA", "KAWARI", "KM", "ON",
    "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "ST", "SZ", "TM", "US", "WR", "WT",
];

/// Whether a root with one of these properties follows a parenthesis.
pub(super) fn begins_game(text: &[u8]) -> bool {
    let root = skip_whitespace(text).strip_prefix(b";").map(skip_whitespace);
    let first = |name: &&str| root?.strip_prefix(name.as_bytes()).map(skip_whitespace);
    ROOT_PROPERTIES.iter().filter_map(first).any(|behind| behind.starts_with(b"["))
}

pub(super) fn has_root_property(node: &[u8]) -> bool {
    let mut names = properties(node, TrailBytes::Ascii).map(|(name, _)| name);
    names.any(|name| {
        let capitals = name.iter().filter(|byte| !byte.is_ascii_lowercase());
        let name: SmallVec<[u8; 8]> = capitals.copied().collect();
        ROOT_PROPERTIES.iter().any(|known| known.as_bytes() == name.as_slice())
    })
}
