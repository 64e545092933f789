//! The grammar of one node, with nom.

use super::brackets;
use super::charset::TrailBytes;
use super::parse::ParseErrorKind;
use nom::bytes::complete::{tag, take, take_while, take_while1};
use nom::combinator::{recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Parser};
use smallvec::SmallVec;

/// A syntax error and the input from that point on.
#[derive(Debug, PartialEq)]
pub(super) struct NodeError<'a> {
    pub(super) at: &'a [u8],
    pub(super) kind: ParseErrorKind,
}

impl<'a> ParseError<&'a [u8]> for NodeError<'a> {
    fn from_error_kind(at: &'a [u8], _: ErrorKind) -> Self {
        NodeError { at, kind: ParseErrorKind::Unexpected }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) type ParseResult<'a, T = &'a [u8]> = IResult<&'a [u8], T, NodeError<'a>>;

/// Skips whitespace and control characters.
#[inline]
pub(super) fn whitespace(input: &[u8]) -> ParseResult<'_> {
    // Fast path: usually there is no whitespace.
    if input.first().is_some_and(|&byte| byte > b' ') {
        return Ok((input, &[]));
    }
    take_while(|byte: u8| byte <= b' ').parse(input)
}

#[inline]
pub(super) fn skip_whitespace(input: &[u8]) -> &[u8] {
    whitespace(input).map_or(input, |(rest, _)| rest)
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
    let mut tolerant = |name: &[u8], input| {
        let inside = opening_bracket(input)?;
        let end = value_end(trail_bytes, input, inside)?;
        let found = brackets::value_end(trail_bytes, name, inside, end);
        let behind = |end| inside.get(end..).unwrap_or_default();
        if found.is_ambiguous {
            let kind = ParseErrorKind::Unescaped;
            return Err(Err::Failure(NodeError { at: behind(end), kind }));
        }
        unescaped.extend(found.unescaped.iter().map(|&at| behind(at).len()));
        terminated(take(found.end), tag("]")).parse(inside)
    };
    let mut properties = recognize(many0_count(|input| property_with(input, &mut tolerant)));
    let parsed = properties.parse(input);
    #[cfg(test)]
    note_work(match &parsed {
        Ok((rest, _)) => input.len() - rest.len(),
        Err(Err::Error(error) | Err::Failure(error))
            if error.kind != ParseErrorKind::UnclosedValue =>
        {
            input.len() - error.at.len()
        }
        Err(_) => input.len(),
    });
    match parsed {
        Ok((rest, node)) => Ok((node, rest)),
        Err(Err::Error(error) | Err::Failure(error)) => Err(error),
        Err(Err::Incomplete(_)) => Err(NodeError { at: &[], kind: ParseErrorKind::UnclosedTree }),
    }
}

/// Names, and values with brackets.
pub(super) fn properties(
    mut text: &[u8],
    trail_bytes: TrailBytes,
) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (rest, found) = property(trail_bytes, text).ok()?;
        text = rest;
        Some(found)
    })
}

pub(super) fn values(mut text: &[u8], trail_bytes: TrailBytes) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (rest, found) = value(trail_bytes, text).ok()?;
        text = rest;
        Some(found)
    })
}

/// Splits off a property: its name, and its values with brackets.
#[inline]
pub(super) fn property(trail_bytes: TrailBytes, input: &[u8]) -> ParseResult<'_, (&[u8], &[u8])> {
    property_with(input, |_, input| value(trail_bytes, input))
}

/// As [`property`], with a parser of its values, which gets the name of the property.
#[inline]
fn property_with<'a>(
    input: &'a [u8],
    mut value: impl FnMut(&'a [u8], &'a [u8]) -> ParseResult<'a>,
) -> ParseResult<'a, (&'a [u8], &'a [u8])> {
    let (rest, name) = preceded(whitespace, name).parse(input)?;
    let mut values = recognize(many1_count(|input| value(name, input)));
    match values.parse(rest) {
        Ok((rest, values)) => Ok((rest, (name, values))),
        Err(Err::Error(_)) => Err(Err::Failure(NodeError {
            at: skip_whitespace(rest),
            kind: ParseErrorKind::MissingValue,
        })),
        Err(failure) => Err(failure),
    }
}

/// Recognizes a property name: a letter, then letters and digits, at least one of them a
/// capital.
#[inline]
fn name(input: &[u8]) -> ParseResult<'_> {
    let word = take_while1(|byte: u8| byte.is_ascii_alphanumeric());
    let (rest, name) =
        verify(word, |name: &[u8]| name.first().is_some_and(u8::is_ascii_alphabetic))
            .parse(input)?;
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Err(Err::Failure(NodeError { at: input, kind: ParseErrorKind::LowercaseName }));
    }
    Ok((rest, name))
}

/// Whether a property name and a bracket begin a text.
pub(super) fn begins_property(text: &[u8]) -> bool {
    name(text).is_ok_and(|(behind, _)| skip_whitespace(behind).first() == Some(&b'['))
}

/// Splits off the raw bytes between the brackets.
#[inline]
pub(super) fn value(trail_bytes: TrailBytes, input: &[u8]) -> ParseResult<'_> {
    let inside = opening_bracket(input)?;
    let end = value_end(trail_bytes, input, inside)?;
    terminated(take(end), tag("]")).parse(inside)
}

#[inline]
fn opening_bracket(input: &[u8]) -> Result<&[u8], Err<NodeError<'_>>> {
    preceded(whitespace, tag("[")).parse(input).map(|(inside, _)| inside)
}

/// The first bracket `inside` a value that begins `input`.
#[inline]
fn value_end<'a>(
    trail_bytes: TrailBytes,
    input: &'a [u8],
    inside: &[u8],
) -> Result<usize, Err<NodeError<'a>>> {
    trail_bytes.value_end(inside).ok_or_else(|| {
        Err::Failure(NodeError { at: skip_whitespace(input), kind: ParseErrorKind::UnclosedValue })
    })
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
