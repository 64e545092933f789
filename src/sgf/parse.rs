//! Parses bytes into game trees.
//!
//! The grammar is that of FF\[4\] with the freedoms of its predecessors: lower-case letters
//! and digits in property names. An explicit stack of open variations replaces recursion,
//! and text is not copied.

use super::charset::{Charset, TrailBytes};
use super::grammar::{node, skip_whitespace};
use super::tree::{GameTree, Node};
use std::fmt;

/// The kinds of syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// The text contains no `(;`.
    #[error("no game found, expected '(;'")]
    NoGame,
    /// The text ends before all parentheses are closed.
    #[error("the text ends within a game tree, expected ';', '(' or ')'")]
    UnclosedTree,
    /// The text ends within a value.
    #[error("a value is not closed, expected ']'")]
    UnclosedValue,
    /// A parenthesis opens and no node follows.
    #[error("a variation without a node, expected ';'")]
    EmptyVariation,
    /// A node follows the variations of an earlier node.
    #[error("a node after variations, expected '(' or ')'")]
    NodeAfterVariations,
    /// A property has no value.
    #[error("a property without a value, expected '['")]
    MissingValue,
    /// A property name has no capital letter.
    #[error("a property name without a capital letter (A-Z)")]
    LowercaseName,
    /// A game has ended and more of one follows.
    #[error("text outside of all game trees, expected '(;'")]
    OutsideGame,
    /// Any other character.
    #[error("expected a property, a node or a parenthesis")]
    Unexpected,
    /// The game has 4 GiB or more.
    #[error("the game has 4 GiB or more")]
    GameTooLong,
}

impl ParseErrorKind {
    /// Whether the text ended too early, so that more of it might be a game.
    pub fn is_end_of_text(self) -> bool {
        matches!(
            self,
            ParseErrorKind::UnclosedTree | ParseErrorKind::UnclosedValue
        )
    }
}

/// A line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The line; LF, CR, CR LF and LF CR end one.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl TextPosition {
    /// The position of byte number `offset` of `text`.
    pub fn of(text: &[u8], offset: usize) -> TextPosition {
        let before = text.get(..offset).unwrap_or(text);
        let (mut line, mut start, mut at) = (1, 0, 0);
        while let Some(&byte) = before.get(at) {
            at += 1;
            if let b'\n' | b'\r' = byte {
                let pair = before.get(at).filter(|&&next| next != byte);
                at += usize::from(pair.is_some_and(|next| b"\n\r".contains(next)));
                (line, start) = (line + 1, at);
            }
        }
        TextPosition {
            line,
            column: at - start + 1,
        }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A syntax error and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct ParseError {
    /// Where the error is.
    pub position: TextPosition,
    /// What the error is.
    pub kind: ParseErrorKind,
}

/// Parses all games of a text.
///
/// # Errors
/// The first syntax error; [`ParseErrorKind::NoGame`] for a text without a game.
pub fn parse(text: &[u8]) -> Result<Vec<GameTree<'_>>, ParseError> {
    games(text).collect()
}

/// Parses the games of a text lazily, one by one.
///
/// Text before the first `(;` and between games is skipped. The iterator ends after an
/// error; a text without a game yields an error.
pub fn games(text: &[u8]) -> Games<'_> {
    Games {
        text,
        at: 0,
        stage: Progress::Start,
    }
}

/// As [`games`], of a text that follows a game of the same file: what can only belong to a
/// game is an error, and there need not be a game.
pub fn more_games(text: &[u8]) -> Games<'_> {
    Games {
        stage: Progress::Between,
        ..games(text)
    }
}

/// Iterator over the games of a text; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
    stage: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Start,
    Between,
    End,
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<GameTree<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.advance().transpose()?;
        if found.is_err() {
            self.stage = Progress::End;
        }
        let text = self.text;
        Some(found.map_err(|(offset, kind)| ParseError {
            position: TextPosition::of(text, offset),
            kind,
        }))
    }
}

impl<'a> Games<'a> {
    /// Number of bytes consumed: the end of the latest game.
    pub fn position(&self) -> usize {
        self.at
    }

    fn advance(&mut self) -> Result<Option<GameTree<'a>>, (usize, ParseErrorKind)> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let stage = std::mem::replace(&mut self.stage, Progress::Between);
        match skip_whitespace(rest) {
            [b')' | b';' | b'[', ..] if stage == Progress::Between => {
                return Err((
                    offset(self.text, skip_whitespace(rest)),
                    ParseErrorKind::OutsideGame,
                ));
            }
            _ if stage == Progress::End => return Ok(None),
            _ => {}
        }
        let Some(opening) = opening(rest) else {
            self.stage = Progress::End;
            return match stage {
                Progress::Start => Err((self.text.len(), ParseErrorKind::NoGame)),
                _ => Ok(None),
            };
        };
        let start = self.at + opening;
        let charset = declared_charset(self.text.get(start..).unwrap_or_default());
        let (end, tree) = game_in_charset(self.text, start, charset.unwrap_or_default())?;
        self.at = end;
        Ok(Some(tree))
    }
}

/// Number of bytes of `text` before `rest`, which is its end.
fn offset(text: &[u8], rest: &[u8]) -> usize {
    text.len() - rest.len()
}

/// Offset of the first game: `(`, optional whitespace, `;`.
fn opening(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|&byte| byte == b'(')?;
        let after_token = text.get(at + 1..)?;
        if skip_whitespace(after_token).first() == Some(&b';') {
            return Some(at);
        }
        at += 1;
    }
}

/// The character set of `CA` in the root; `None` if it is missing or unknown.
fn declared_charset(game: &[u8]) -> Option<Charset> {
    let root = skip_whitespace(game.get(1..)?).get(1..)?;
    // A syntax error in the root is reported by `parse_game`.
    let (_, text) = node(TrailBytes::Ascii, root).ok()?;
    let found = super::tree::properties(text, Charset::default()).find(|p| p.is("CA"))?;
    Charset::named(found.values().next()?.raw())
}

/// Parses a game in a charset that may have double-byte characters. UTF-8 has none,
/// whatever `CA` states, and some programs escape the trail bytes of those that there are.
fn game_in_charset(
    text: &[u8],
    start: usize,
    charset: Charset,
) -> Result<(usize, GameTree<'_>), (usize, ParseErrorKind)> {
    let single = game(text, start, charset.single_byte());
    let end = match &single {
        Ok((end, _)) => *end,
        Err((end, _)) => *end,
    };
    let parsed = text.get(start..end).unwrap_or_default();
    if charset.trail_bytes == TrailBytes::Ascii || std::str::from_utf8(parsed).is_ok() {
        return single;
    }
    game(text, start, charset).or_else(|broken| single.map_err(|_| broken))
}

/// A variation whose parenthesis is not yet closed.
struct OpenVariation {
    /// The parent node, [`Node::NONE`] for the game itself.
    parent: u32,
    /// The previous variation of the same parent.
    previous_sibling: u32,
}

/// The latest token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Opening,
    Node,
    Closing,
}

/// Parses the game that begins at `start`; also returns its end.
fn game(
    text: &[u8],
    start: usize,
    charset: Charset,
) -> Result<(usize, GameTree<'_>), (usize, ParseErrorKind)> {
    let input = text.get(start..).unwrap_or_default();
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<OpenVariation> = Vec::new();
    // The parent of the next node, and the previous variation of that parent.
    let (mut here, mut previous_sibling) = (Node::NONE, Node::NONE);
    let mut after = LastToken::Node;
    let mut rest = input;
    loop {
        rest = skip_whitespace(rest);
        let kind = match (rest.split_first(), after) {
            (None, _) => ParseErrorKind::UnclosedTree,
            (Some((b'(', _)), LastToken::Opening) | (Some((b')', _)), LastToken::Opening) => {
                ParseErrorKind::EmptyVariation
            }
            (Some((b'(', after_token)), _) => {
                open.push(OpenVariation {
                    parent: here,
                    previous_sibling,
                });
                after = LastToken::Opening;
                rest = after_token;
                continue;
            }
            (Some((b')', after_token)), _) => {
                // The first node of the closed variation becomes the previous sibling of the
                // next one.
                rest = after_token;
                let Some(closed) = open.pop() else {
                    return Err((start + offset(input, rest), ParseErrorKind::OutsideGame));
                };
                if open.is_empty() {
                    return Ok((
                        start + offset(input, rest),
                        GameTree::new(text, start, nodes, charset),
                    ));
                }
                previous_sibling = match nodes.get(closed.previous_sibling as usize) {
                    Some(previous_sibling) => previous_sibling.next,
                    None => nodes
                        .get(closed.parent as usize)
                        .map_or(Node::NONE, |n| n.child),
                };
                here = closed.parent;
                after = LastToken::Closing;
                continue;
            }
            (Some((b';', _)), LastToken::Closing) => ParseErrorKind::NodeAfterVariations,
            (Some((b';', after_token)), _) => {
                let (left, text) =
                    node(charset.trail_bytes, after_token).map_err(|error| match error {
                        nom::Err::Error(broken) | nom::Err::Failure(broken) => {
                            (offset(text, broken.at), broken.kind)
                        }
                        nom::Err::Incomplete(_) => (text.len(), ParseErrorKind::UnclosedTree),
                    })?;
                let span = (
                    offset(input, after_token),
                    offset(input, after_token) + text.len(),
                );
                let (Ok(begin), Ok(end)) = (u32::try_from(span.0), u32::try_from(span.1)) else {
                    return Err((start + span.0, ParseErrorKind::GameTooLong));
                };
                // There are fewer nodes than bytes, so node numbers fit too.
                let number = nodes.len() as u32;
                if let Some(previous_sibling) = nodes.get_mut(previous_sibling as usize) {
                    previous_sibling.next = number;
                } else if let Some(parent) = nodes.get_mut(here as usize) {
                    parent.child = number;
                }
                nodes.push(Node::new(begin, end, here));
                (here, previous_sibling) = (number, Node::NONE);
                after = LastToken::Node;
                rest = left;
                continue;
            }
            _ => ParseErrorKind::Unexpected,
        };
        return Err((start + offset(input, rest), kind));
    }
}
