//! Parses bytes into game trees.
//!
//! The grammar is FF\[4\] with the freedoms of its predecessors: lower-case letters and digits in
//! property names. A stack of open variations replaces recursion, and text is not copied.

use super::charset::{Charset, TrailBytes};
use super::detect::{charset_of, skip_marks};
use super::grammar::{
    self, begins_game, begins_property, has_root_property, node, skip_blanks, skip_whitespace,
};
use super::text_position::TextPosition;
use super::tree::GameTree;
use std::ops::Range;

/// The kinds of syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// No `(;`.
    #[error("no game found, expected '(;'")]
    NoGame,
    /// A parenthesis is not closed.
    #[error("the text ends within a game tree, expected ';', '(' or ')'")]
    UnclosedTree,
    /// A value is not closed.
    #[error("a value is not closed, expected ']'")]
    UnclosedValue,
    /// No node follows a parenthesis.
    #[error("a variation without a node, expected ';'")]
    EmptyVariation,
    /// A node follows variations.
    #[error("a node after variations, expected '(' or ')'")]
    NodeAfterVariations,
    /// A property without a value.
    #[error("a property without a value, expected '['")]
    MissingValue,
    /// A property name without a capital letter.
    #[error("a property name without a capital letter (A-Z)")]
    LowercaseName,
    /// A part of a game outside of all games.
    #[error("text outside of all game trees, expected '(;'")]
    OutsideGame,
    /// Any other character.
    #[error("expected a property, a node or a parenthesis")]
    Unexpected,
    /// The beginning of the game is missing.
    #[error("the beginning of this game is missing")]
    HeadMissing,
    /// In no character set can all properties be read.
    #[error("no character set (CA) is stated, and no known one can read every property")]
    Charset,
    /// A bracket without a backslash can be read in two ways.
    #[error("a ']' in a text has no backslash before it, and the game can be read in two ways")]
    Unescaped,
    /// The game is too long.
    #[error("the game has 4 GiB or more")]
    GameTooLong,
}

impl ParseErrorKind {
    /// Whether more text might complete the game.
    pub fn is_end_of_text(self) -> bool {
        matches!(self, ParseErrorKind::UnclosedTree | ParseErrorKind::UnclosedValue)
    }
}

/// The offset of a syntax error, and its kind.
pub(super) type ErrorAt = (usize, ParseErrorKind);

/// A syntax error and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct ParseError {
    /// The position.
    pub position: TextPosition,
    /// The kind.
    pub kind: ParseErrorKind,
}

/// Parses all games of a text.
///
/// # Errors
/// The first syntax error; [`ParseErrorKind::NoGame`] for a text without a game.
pub fn parse(text: &[u8]) -> Result<Vec<GameTree>, ParseError> {
    games(text).collect()
}

/// Parses the games of a text lazily. Text before and between games is skipped. The iterator ends
/// after an error; a text without a game is an error.
pub fn games(text: &[u8]) -> Games<'_> {
    let seen = (0, TextPosition::new(text, 0));
    Games {
        text,
        at: 0,
        seen,
        charset: None,
        chosen: None,
        siblings_end: 0,
        stage: Progress::Start,
    }
}

/// As [`games`], for text after a game of the same file: it may have no game, and a stray part of
/// one is an error.
pub fn more_games(text: &[u8]) -> Games<'_> {
    Games { stage: Progress::Between, ..games(text) }
}

/// As [`games`], in the character set of this name.
pub fn games_in<'t>(text: &'t [u8], charset: &str) -> Option<Games<'t>> {
    let charset = Some(Charset::named(charset.as_bytes())?);
    Some(Games { charset, ..games(text) })
}

/// Iterator over the games of a text; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'t> {
    text: &'t [u8],
    at: usize,
    /// An offset and its position, so that no line is counted twice.
    seen: (usize, TextPosition),
    /// `None` for the character set of each game.
    charset: Option<Charset>,
    /// The character set of games that begin before an offset.
    chosen: Option<(usize, Charset)>,
    /// No tree up to here is a variation of a game without a beginning.
    siblings_end: usize,
    stage: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Start,
    Between,
    End,
}

impl Iterator for Games<'_> {
    type Item = Result<GameTree, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.advance().transpose()?;
        if found.is_err() {
            self.stage = Progress::End;
        }
        let text = self.text;
        Some(found.map_err(|(offset, kind)| ParseError {
            position: TextPosition::new(text, offset),
            kind,
        }))
    }
}

impl<'t> Games<'t> {
    /// The bytes of the latest game.
    pub fn span(&self) -> Range<usize> {
        self.seen.0..self.at
    }

    /// The end of the latest game.
    pub fn position(&self) -> usize {
        self.at
    }

    fn advance(&mut self) -> Result<Option<GameTree>, ErrorAt> {
        let Some(start) = self.next_start()? else {
            return Ok(None);
        };
        let charset = self.charset_at(start)?;
        let mut found = game(self.text, start, charset.trail_bytes)?;
        let read = self.text.get(start..found.end).unwrap_or_default();
        let repaired = found.repair(read);
        let root = found.texts_in(repaired.as_deref().unwrap_or(read)).next().unwrap_or_default();
        if found.end > self.siblings_end && !has_root_property(root) {
            let before = self.text.get(self.at..start).unwrap_or_default();
            if let Some(b']' | b')' | b';') = before.trim_ascii_end().last() {
                return Err((start, ParseErrorKind::HeadMissing));
            }
            let siblings = siblings_end(self.text, found.end);
            self.siblings_end = siblings.map_err(|at| (at, ParseErrorKind::OutsideGame))?;
        }
        self.at = found.end;
        let (seen, position) = self.seen;
        let origin = position.behind(self.text.get(seen..start).unwrap_or_default());
        self.seen = (start, origin);
        Ok(Some(GameTree::from_parsed(read, repaired.as_deref(), &found.nodes, charset, origin)))
    }

    /// The character set of the game that begins at `start`: the stated one if its bytes fit, else
    /// UTF-8, else the most likely one.
    fn charset_at(&mut self, start: usize) -> Result<Charset, ErrorAt> {
        let chosen = self.chosen.filter(|(end, _)| start < *end).map(|(_, charset)| charset);
        if let Some(charset) = self.charset.or(chosen) {
            return Ok(charset);
        }
        let text = self.behind(start);
        let is_next = |&at: &usize| begins_game(text.get(at + 1..).unwrap_or_default());
        let length = parentheses(text).skip(1).find(is_next).unwrap_or(text.len());
        let bytes = text.get(..length).unwrap_or_default();
        let parses = |scheme| game(bytes, 0, scheme).is_ok();
        let charset = charset_of(bytes, declared_charset(bytes), parses);
        let charset = charset.ok_or((start, ParseErrorKind::Charset))?;
        self.chosen = Some((start + length, charset));
        Ok(charset)
    }

    /// `None` after the last game.
    fn next_start(&mut self) -> Result<Option<usize>, ErrorAt> {
        let rest = self.behind(self.at);
        let stage = std::mem::replace(&mut self.stage, Progress::Between);
        match skip_whitespace(rest) {
            [b')' | b';' | b'[', ..] if stage == Progress::Between => {
                let at = offset(self.text, skip_whitespace(rest));
                return Err((at, ParseErrorKind::OutsideGame));
            }
            _ if stage == Progress::End => return Ok(None),
            _ => {}
        }
        let Some(opening) = opening(rest, stage) else {
            self.stage = Progress::End;
            return match stage {
                Progress::Start => Err((self.text.len(), ParseErrorKind::NoGame)),
                _ => Ok(None),
            };
        };
        match rest_of_game(rest.get(..opening).unwrap_or_default()) {
            Some(at) => Err((self.at + at, ParseErrorKind::HeadMissing)),
            None => Ok(Some(self.at + opening)),
        }
    }

    fn behind(&self, at: usize) -> &'t [u8] {
        self.text.get(at..).unwrap_or_default()
    }
}

/// Number of bytes of `text` before its end `rest`.
fn offset(text: &[u8], rest: &[u8]) -> usize {
    text.len() - rest.len()
}

/// Offset of the first game's parenthesis. Skips other text, also smileys such as `(;-)`: a game
/// has a property.
pub fn game_start(text: &[u8]) -> Option<usize> {
    let (mut trials, mut places) = (0, parentheses(text));
    places.find(|&at| {
        let behind = skip_whitespace(text.get(at + 1..).unwrap_or_default());
        let is_bare = begins_property(behind);
        let is_empty = behind
            .strip_prefix(b";")
            .is_some_and(|behind| matches!(skip_whitespace(behind).first(), Some(b';' | b'(')));
        if !is_bare && !is_empty {
            return begins_root(behind);
        }
        trials += 1;
        trials <= TRIALS && (begins_root(behind) || is_empty && has_property(text, at))
    })
}

/// Offset of the next game, else of the next `(;`. After a game, `(;` must be followed by a
/// property, so that a smiley does not count.
fn opening(text: &[u8], stage: Progress) -> Option<usize> {
    let is_node = |&at: &usize| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let inside = skip_whitespace(behind).strip_prefix(b";");
        inside.is_some_and(|inside| {
            let first = skip_whitespace(inside).first();
            stage == Progress::Start || matches!(first, None | Some(b';' | b'(' | b')' | b'['))
        })
    };
    game_start(text).or_else(|| parentheses(text).find(is_node))
}

fn parentheses(text: &[u8]) -> impl Iterator<Item = usize> {
    let bytes = text.iter().enumerate();
    bytes.filter(|(_, byte)| **byte == b'(').map(|(at, _)| at)
}

/// Whether a tree at `at` has a property in any node.
fn has_property(text: &[u8], at: usize) -> bool {
    let game = game(text, at, TrailBytes::Ascii);
    let text = text.get(at..).unwrap_or_default();
    game.is_ok_and(|game| game.texts_in(text).any(|node| !node.trim_ascii().is_empty()))
}

/// Maximum number of parentheses tried as beginnings of games without a semicolon or property:
/// people write parentheses for other things, too.
const TRIALS: usize = 16;

/// Whether a root with a property begins here. Some programs leave out its semicolon.
fn begins_root(text: &[u8]) -> bool {
    let mut rest = text;
    while let [b';', behind @ ..] = rest {
        rest = skip_whitespace(behind);
    }
    if !begins_property(rest) {
        return false;
    }
    rest.len() < text.len()
        || node(TrailBytes::Ascii, rest, &mut Vec::new()).is_ok_and(|(root, behind)| {
            let follows = matches!(skip_whitespace(behind).first(), Some(b';' | b'(' | b')'));
            follows && has_root_property(root)
        })
}

/// Where text before a game has a node or property: the rest of a game whose beginning is missing.
fn rest_of_game(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|byte| matches!(byte, b';' | b']'))?;
        let behind = skip_marks(text.get(at + 1..)?);
        if begins_property(behind) {
            return Some(at);
        }
        at = offset(text, behind);
    }
}

/// The end of the trees after one that may be a variation. Fails at a token that proves that all of
/// them are variations of a game whose beginning is missing.
fn siblings_end(text: &[u8], mut end: usize) -> Result<usize, usize> {
    let limit = end.saturating_add(SIBLING_BYTES);
    loop {
        let next = skip_whitespace(text.get(end..).unwrap_or_default());
        let start = offset(text, next);
        match next {
            [b'(', root @ ..] if end < limit && begins_root(skip_whitespace(root)) => {
                if node_behind(next).is_some_and(has_root_property) {
                    return Ok(end);
                }
                match game(text, start, TrailBytes::Ascii) {
                    Ok(behind) => end = behind.end,
                    Err(_) => return Ok(end),
                }
            }
            [b')' | b';' | b'[' | b']', ..] => return Err(start),
            _ => return Ok(end),
        }
    }
}

fn node_behind(game: &[u8]) -> Option<&[u8]> {
    let root = skip_whitespace(game.get(1..)?);
    let root = root.strip_prefix(b";").unwrap_or(root);
    node(TrailBytes::Ascii, root, &mut Vec::new()).ok().map(|(text, _)| text)
}

/// How far [`siblings_end`] looks.
const SIBLING_BYTES: usize = 1 << 16;

/// The character set of `CA`; `None` if it is missing or unknown.
fn declared_charset(game: &[u8]) -> Option<Charset> {
    // `game` reports a syntax error in the root.
    let text = node_behind(game)?;
    let mut properties = grammar::properties(text, TrailBytes::Ascii);
    let (_, values) = properties.find(|(name, _)| *name == b"CA")?;
    Charset::named(grammar::values(values, TrailBytes::Ascii).next()?)
}

/// Where the properties of a node are in the text of the game, and the node before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) parent: Option<u32>,
}

/// Where a game is in its text, and its nodes in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParsedGame {
    start: usize,
    pub(super) end: usize,
    pub(super) nodes: Vec<Span>,
    /// Brackets without a backslash.
    unescaped: Vec<u32>,
}

impl ParsedGame {
    /// Adds the node whose properties begin `input`, the end of `text`. Returns its number and the
    /// text after it.
    fn add_node<'t>(
        &mut self,
        text: &[u8],
        input: &'t [u8],
        parent: Option<u32>,
        trail_bytes: TrailBytes,
    ) -> Result<(Option<u32>, &'t [u8]), ErrorAt> {
        let at = |rest: &[u8]| offset(text, rest);
        let mut unescaped = Vec::new();
        let (node, rest) =
            node(trail_bytes, input, &mut unescaped).map_err(|error| (at(error.at), error.kind))?;
        let begin = at(input) - self.start;
        let (Ok(begin), Ok(end)) = (u32::try_from(begin), u32::try_from(begin + node.len())) else {
            return Err((at(input), ParseErrorKind::GameTooLong));
        };
        let in_game = |behind: usize| (text.len() - behind - self.start) as u32;
        self.unescaped.extend(unescaped.into_iter().map(in_game));
        // There are fewer nodes than bytes, so node numbers fit too.
        let number = self.nodes.len() as u32;
        self.nodes.push(Span { begin, end, parent });
        Ok((Some(number), skip_blanks(rest)))
    }

    /// The text of the game with its missing backslashes, in which the nodes are from now on;
    /// `None` if no backslash is missing.
    fn repair(&mut self, read: &[u8]) -> Option<Vec<u8>> {
        let unescaped = std::mem::take(&mut self.unescaped);
        let (mut text, mut done) = (Vec::new(), 0);
        for &at in &unescaped {
            text.extend(read.get(done..at as usize)?);
            text.push(b'\\');
            done = at as usize;
        }
        text.extend(read.get(done..)?);
        for span in &mut self.nodes {
            let moved = |at: u32| at + unescaped.partition_point(|&other| other < at) as u32;
            (span.begin, span.end) = (moved(span.begin), moved(span.end));
        }
        (!unescaped.is_empty()).then_some(text)
    }

    /// The properties of the nodes in the text of the game.
    fn texts_in<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        let part = |span: &Span| text.get(span.begin as usize..span.end as usize);
        self.nodes.iter().map(move |span| part(span).unwrap_or_default())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Opening,
    Node,
    Closing,
}

pub(super) fn game(
    text: &[u8],
    start: usize,
    trail_bytes: TrailBytes,
) -> Result<ParsedGame, ErrorAt> {
    let input = text.get(start..).unwrap_or_default();
    let mut game = ParsedGame { start, end: start, nodes: Vec::new(), unescaped: Vec::new() };
    // The nodes before open variations.
    let mut open: Vec<Option<u32>> = Vec::new();
    let mut here = None;
    let mut last = LastToken::Node;
    let mut rest = skip_blanks(input);
    loop {
        // A root may lack its semicolon.
        let is_root = last == LastToken::Opening && game.nodes.is_empty();
        let node = match rest {
            [b';', node @ ..] if last != LastToken::Closing => Some(node),
            node => Some(node).filter(|node| is_root && begins_property(node)),
        };
        if let Some(node) = node {
            (here, rest) = game.add_node(text, node, here, trail_bytes)?;
            last = LastToken::Node;
            continue;
        }
        let fault = match (rest, last) {
            ([b'(' | b')', ..], LastToken::Opening) => ParseErrorKind::EmptyVariation,
            ([b'(', behind @ ..], _) => {
                open.push(here);
                (last, rest) = (LastToken::Opening, skip_blanks(behind));
                continue;
            }
            ([b')', behind @ ..], _) => {
                game.end = start + offset(input, behind);
                here = open.pop().ok_or((game.end, ParseErrorKind::OutsideGame))?;
                if open.is_empty() {
                    return Ok(game);
                }
                (last, rest) = (LastToken::Closing, skip_blanks(behind));
                continue;
            }
            ([], _) => ParseErrorKind::UnclosedTree,
            ([b';', ..], LastToken::Closing) => ParseErrorKind::NodeAfterVariations,
            _ => ParseErrorKind::Unexpected,
        };
        return Err((start + offset(input, rest), fault));
    }
}
