//! The grammar of one game: FF\[4\] with the freedoms of its predecessors, lower-case letters and
//! digits in property names. Names and blanks are parsed with nom. A stack of open variations
//! replaces recursion, and text is not copied.

use super::brackets;
use super::parse::ParseErrorKind;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::combinator::{recognize, verify};
use nom::error::Error;
use nom::sequence::pair;
use nom::{IResult, Parser};
use smallvec::SmallVec;
use std::borrow::Cow;

/// A syntax error: the text from there on, and the kind.
pub(super) type SyntaxError<'t> = (&'t [u8], ParseErrorKind);

/// Skips whitespace and control characters.
#[inline]
pub(super) fn skip_whitespace(text: &[u8]) -> &[u8] {
    let blanks: IResult<_, _, Error<_>> = take_till(|byte: u8| byte > b' ').parse(text);
    blanks.map_or(text, |(rest, _)| rest)
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

/// A property in bytes.
pub(super) struct RawProperty<'t> {
    /// The property, with the whitespace before it.
    pub(super) text: &'t [u8],
    pub(super) name: &'t [u8],
    /// With their brackets.
    pub(super) values: &'t [u8],
    /// The text after the property.
    pub(super) rest: &'t [u8],
}

/// The name of a property: a letter, and letters and digits.
#[inline]
fn name(text: &[u8]) -> IResult<&[u8], &[u8], Error<&[u8]>> {
    let letters = take_while1(|byte: u8| byte.is_ascii_alphabetic());
    recognize(pair(letters, take_while(|byte: u8| byte.is_ascii_alphanumeric()))).parse(text)
}

/// A name with a capital letter: older formats add others between the capitals.
#[inline]
fn has_capital(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase)
}

/// Splits off a property; `None` if no word begins here. `value_end` finds the end of a value from
/// the name of the property and the text after the opening bracket.
#[inline]
fn property_with<'t>(
    text: &'t [u8],
    mut value_end: impl FnMut(&'t [u8], &'t [u8]) -> Result<Option<usize>, SyntaxError<'t>>,
) -> Result<Option<RawProperty<'t>>, SyntaxError<'t>> {
    let begin = skip_whitespace(text);
    let Ok((values, name)) = name(begin) else {
        return Ok(None);
    };
    if !has_capital(name) {
        return Err((begin, ParseErrorKind::LowercaseName));
    }
    let mut rest = values;
    loop {
        let value = skip_whitespace(rest);
        match value {
            [b'[', inside @ ..] => {
                let end = value_end(name, inside)?;
                let end = end.ok_or((value, ParseErrorKind::UnclosedValue))?;
                rest = inside.get(end + 1..).unwrap_or_default();
            }
            _ if rest.len() == values.len() => return Err((value, ParseErrorKind::MissingValue)),
            _ => break,
        }
    }
    let before = |all: &'t [u8]| all.get(..all.len() - rest.len()).unwrap_or_default();
    Ok(Some(RawProperty { text: before(text), name, values: before(values), rest }))
}

/// Offset of the closing bracket; `None` without one.
#[inline]
pub(super) fn value_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += match text.get(at)? {
            b']' => return Some(at),
            b'\\' => 2,
            _ => 1,
        }
    }
}

/// Splits off a property.
#[inline]
pub(super) fn property(text: &[u8]) -> Option<RawProperty<'_>> {
    property_with(text, |_, inside| Ok(value_end(inside))).ok().flatten()
}

/// The properties that begin a text.
pub(super) fn properties(mut text: &[u8]) -> impl Iterator<Item = RawProperty<'_>> {
    std::iter::from_fn(move || {
        let property = property(text)?;
        text = property.rest;
        Some(property)
    })
}

/// The raw values that begin a text, without their brackets.
pub(super) fn values(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let inside = skip_whitespace(text).strip_prefix(b"[")?;
        let (value, bracket) = inside.split_at_checked(value_end(inside)?)?;
        text = bracket.get(1..)?;
        Some(value)
    })
}

/// Whether a property name and a bracket begin a text.
pub(super) fn begins_property(text: &[u8]) -> bool {
    let name = verify(name, has_capital).parse(text);
    name.is_ok_and(|(behind, _)| skip_whitespace(behind).first() == Some(&b'['))
}

/// The properties of a node, which begin after its semicolon, and the text after them. Adds the
/// backslashes that brackets lack.
pub(super) fn node(text: &[u8]) -> Result<(Cow<'_, [u8]>, &[u8]), SyntaxError<'_>> {
    let (mut rest, mut unescaped) = (text, Vec::new());
    while let Some(property) = property_with(rest, |name, inside| {
        let Some(first) = value_end(inside) else {
            return Ok(None);
        };
        let value = brackets::value_end(name, inside, first);
        if value.is_ambiguous {
            let bracket = inside.get(first..).unwrap_or_default();
            return Err((bracket, ParseErrorKind::Unescaped));
        }
        let begin = text.len() - inside.len();
        unescaped.extend(value.unescaped.iter().map(|at| begin + at));
        Ok(Some(value.end))
    })? {
        rest = property.rest;
    }
    let node = text.get(..text.len() - rest.len()).unwrap_or_default();
    Ok((escaped_at(node, &unescaped), rest))
}

/// The text with a backslash before each of these bytes.
fn escaped_at<'t>(text: &'t [u8], places: &[usize]) -> Cow<'t, [u8]> {
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut escaped, mut done) = (Vec::with_capacity(text.len() + places.len()), 0);
    for &at in places {
        escaped.extend(text.get(done..at).unwrap_or_default());
        escaped.push(b'\\');
        done = at;
    }
    escaped.extend(text.get(done..).unwrap_or_default());
    Cow::Owned(escaped)
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
    properties(node).any(|property| {
        let capitals = property.name.iter().filter(|byte| !byte.is_ascii_lowercase());
        let name: SmallVec<[u8; 8]> = capitals.copied().collect();
        ROOT_PROPERTIES.iter().any(|root| root.as_bytes() == name.as_slice())
    })
}

/// A node of a game in bytes.
#[derive(Clone, Debug)]
pub(super) struct ParsedNode<'t> {
    pub(super) parent: Option<u32>,
    /// Offset of its properties in the game.
    pub(super) at: u32,
    /// Its properties, with the backslashes that brackets lacked.
    pub(super) text: Cow<'t, [u8]>,
}

/// The nodes of a game in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedGame<'t> {
    pub(super) nodes: Vec<ParsedNode<'t>>,
    /// Bytes of the game.
    pub(super) length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Opening,
    Node,
    Closing,
}

/// Parses the game at the beginning of a text.
pub(super) fn game(text: &[u8]) -> Result<ParsedGame<'_>, SyntaxError<'_>> {
    let mut game = ParsedGame::default();
    // The nodes before open variations.
    let mut open: Vec<Option<u32>> = Vec::new();
    let mut parent = None;
    let mut last = LastToken::Node;
    let mut rest = skip_blanks(text);
    loop {
        // A root may lack its semicolon.
        let is_root = last == LastToken::Opening && game.nodes.is_empty();
        let properties = match rest {
            [b';', properties @ ..] if last != LastToken::Closing => Some(properties),
            properties => Some(properties).filter(|text| is_root && begins_property(text)),
        };
        if let Some(properties) = properties {
            let (node, behind) = node(properties)?;
            // There are fewer nodes than bytes, so node numbers fit too.
            let number = game.nodes.len() as u32;
            let at = u32::try_from(text.len() - properties.len());
            let at = at.map_err(|_| (properties, ParseErrorKind::GameTooLong))?;
            game.nodes.push(ParsedNode { parent, at, text: node });
            (parent, rest, last) = (Some(number), skip_blanks(behind), LastToken::Node);
            continue;
        }
        let error = match (rest, last) {
            ([b'(' | b')', ..], LastToken::Opening) => ParseErrorKind::EmptyVariation,
            ([b'(', behind @ ..], _) => {
                open.push(parent);
                (last, rest) = (LastToken::Opening, skip_blanks(behind));
                continue;
            }
            ([b')', behind @ ..], _) => {
                parent = open.pop().ok_or((behind, ParseErrorKind::OutsideGame))?;
                if open.is_empty() {
                    game.length = text.len() - behind.len();
                    return Ok(game);
                }
                (last, rest) = (LastToken::Closing, skip_blanks(behind));
                continue;
            }
            ([], _) => ParseErrorKind::UnclosedTree,
            ([b';', ..], LastToken::Closing) => ParseErrorKind::NodeAfterVariations,
            _ => ParseErrorKind::Unexpected,
        };
        return Err((rest, error));
    }
}
