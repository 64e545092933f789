//! The grammar of one game: FF\[4\] with the freedoms of its predecessors, lower-case letters and
//! digits in property names. Names and blanks are parsed with nom. A stack of open variations
//! replaces recursion, and text is not copied.

use super::brackets;
use super::parse::ParseErrorKind;
use super::property::Properties;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::combinator::{recognize, verify};
use nom::error::Error;
use nom::sequence::pair;
use nom::{IResult, Parser};
use std::sync::Arc;

/// A syntax error: the text from there on, and the kind.
pub(super) type SyntaxError<'t> = (&'t str, ParseErrorKind);

/// Skips whitespace and control characters.
#[inline]
pub(super) fn skip_whitespace(text: &str) -> &str {
    let blanks: IResult<_, _, Error<_>> = take_till(|c: char| c > ' ').parse(text);
    blanks.map_or(text, |(rest, _)| rest)
}

/// Skips whitespace, and lines of hyphens that some people draw between nodes.
pub(super) fn skip_blanks(text: &str) -> &str {
    let mut rest = skip_whitespace(text);
    loop {
        let behind = rest.trim_start_matches('-');
        let is_line = rest.len() - behind.len() > 2 && !behind.starts_with(|c| c > ' ');
        if !is_line {
            return rest;
        }
        rest = skip_whitespace(behind);
    }
}

/// The name of a property: a letter, and letters and digits.
#[inline]
fn name(text: &str) -> IResult<&str, &str, Error<&str>> {
    let letters = take_while1(|c: char| c.is_ascii_alphabetic());
    recognize(pair(letters, take_while(|c: char| c.is_ascii_alphanumeric()))).parse(text)
}

/// A name with a capital letter: older formats add others between the capitals.
#[inline]
fn has_capital(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Splits off a property: its name and the text after it; `None` if no word begins here.
/// `value_end` finds the end of a value from the name of the property and the text after the
/// opening bracket.
#[inline]
fn property_with<'t>(
    text: &'t str,
    mut value_end: impl FnMut(&'t str, &'t str) -> Result<Option<usize>, SyntaxError<'t>>,
) -> Result<Option<(&'t str, &'t str)>, SyntaxError<'t>> {
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
        let Some(inside) = value.strip_prefix('[') else {
            let is_named = rest.len() < values.len();
            return is_named
                .then_some(Some((name, rest)))
                .ok_or((value, ParseErrorKind::MissingValue));
        };
        let end = value_end(name, inside)?.ok_or((value, ParseErrorKind::UnclosedValue))?;
        rest = inside.get(end + 1..).unwrap_or_default();
    }
}

/// Offset of the closing bracket; `None` without one.
#[inline]
pub(super) fn value_end(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += match text.as_bytes().get(at)? {
            b']' => return Some(at),
            b'\\' => 2,
            _ => 1,
        }
    }
}

/// Splits off a property: its name and the text after it.
#[inline]
pub(super) fn property(text: &str) -> Option<(&str, &str)> {
    property_with(text, |_, inside| Ok(value_end(inside))).ok().flatten()
}

/// Whether a property name and a bracket begin a text.
pub(super) fn begins_property(text: &str) -> bool {
    let name = verify(name, has_capital).parse(text);
    name.is_ok_and(|(behind, _)| skip_whitespace(behind).starts_with('['))
}

/// The properties of a node, which begin after its semicolon, and the text after them. Adds the
/// backslashes that brackets lack.
pub(super) fn node(text: &str) -> Result<(Properties, &str), SyntaxError<'_>> {
    let (mut rest, mut places, mut unescaped) = (text, Vec::new(), Vec::new());
    let place = |begin: usize, length: usize| begin as u32..(begin + length) as u32;
    loop {
        let (named, first) = (skip_whitespace(rest), places.len());
        let property = property_with(named, |name, inside| {
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
            places.push(place(begin, value.end));
            Ok(Some(value.end))
        })?;
        let Some((name, behind)) = property else {
            break;
        };
        let begin = text.len() - named.len();
        places.insert(first, place(begin, name.len()));
        rest = behind;
    }
    let node = text.get(..text.len() - rest.len()).unwrap_or_default();
    Ok((Properties::new(node, places, &unescaped), rest))
}

pub(super) const ROOT_PROPERTIES: &[&str] = &[
    "AN", "AP", "BR", "BT", "CA", "CP", "DT", "EV", "FF", "GM", "GN", "HA", "KAWARI", "KM", "ON",
    "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "ST", "SZ", "TM", "US", "WR", "WT",
];

/// Whether a root with one of these properties follows a parenthesis.
pub(super) fn begins_game(text: &str) -> bool {
    let root = skip_whitespace(text).strip_prefix(';').map(skip_whitespace);
    let first = |name: &&str| root?.strip_prefix(name).map(skip_whitespace);
    ROOT_PROPERTIES.iter().filter_map(first).any(|behind| behind.starts_with('['))
}

pub(super) fn has_root_property(node: &Properties) -> bool {
    node.iter().any(|property| ROOT_PROPERTIES.contains(&&*property.name()))
}

/// A node of a game.
#[derive(Clone, Debug)]
pub(super) struct ParsedNode {
    pub(super) parent: Option<u32>,
    /// Offset of its properties in the game.
    pub(super) at: u32,
    pub(super) properties: Arc<Properties>,
}

/// The nodes of a game in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedGame {
    pub(super) nodes: Vec<ParsedNode>,
    /// Bytes of the game.
    pub(super) length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Opening,
    Node,
    Closing,
}

/// Nodes of a game: a semicolon is a node, and a file of semicolons must not fill the memory.
const MAX_NODES: u32 = 1_000_000;

/// Parses the game at the beginning of a text.
pub(super) fn game(text: &str) -> Result<ParsedGame, SyntaxError<'_>> {
    let mut game = ParsedGame::default();
    // The nodes before open variations.
    let mut open: Vec<Option<u32>> = Vec::new();
    let mut parent = None;
    let mut last = LastToken::Node;
    let mut rest = skip_blanks(text);
    loop {
        // A root may lack its semicolon.
        let is_root = last == LastToken::Opening && game.nodes.is_empty();
        let properties = match rest.strip_prefix(';') {
            Some(properties) if last != LastToken::Closing => Some(properties),
            _ => Some(rest).filter(|text| is_root && begins_property(text)),
        };
        if let Some(properties) = properties {
            let (node, behind) = node(properties)?;
            let end = u32::try_from(text.len() - behind.len());
            let end = end.map_err(|_| (properties, ParseErrorKind::GameTooLong))?;
            let at = end - (properties.len() - behind.len()) as u32;
            let number = game.nodes.len() as u32;
            if number == MAX_NODES {
                return Err((rest, ParseErrorKind::TooManyNodes));
            }
            game.nodes.push(ParsedNode { parent, at, properties: node.into() });
            (parent, rest, last) = (Some(number), skip_blanks(behind), LastToken::Node);
            continue;
        }
        let behind = rest.get(1..).unwrap_or_default();
        let error = match (rest.as_bytes().first(), last) {
            (Some(b'(' | b')'), LastToken::Opening) => ParseErrorKind::EmptyVariation,
            (Some(b'('), _) => {
                open.push(parent);
                (last, rest) = (LastToken::Opening, skip_blanks(behind));
                continue;
            }
            (Some(b')'), _) => {
                parent = open.pop().ok_or((behind, ParseErrorKind::OutsideGame))?;
                if open.is_empty() {
                    game.length = text.len() - behind.len();
                    return Ok(game);
                }
                (last, rest) = (LastToken::Closing, skip_blanks(behind));
                continue;
            }
            (None, _) => ParseErrorKind::UnclosedTree,
            (Some(b';'), LastToken::Closing) => ParseErrorKind::NodeAfterVariations,
            _ => ParseErrorKind::Unexpected,
        };
        return Err((rest, error));
    }
}
