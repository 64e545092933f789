//! From bytes to game trees.
//!
//! The grammar is that of FF\[4\], with the freedoms of its forerunners: lower-case
//! letters and digits in property names. Nesting is followed with a list of open
//! variations, not by recursion, and text is not copied.

use super::charset::{Charset, Script};
use super::grammar::{node, skip_blanks};
use super::tree::{Node, Tree};
use std::fmt;

/// What is wrong with a text that should hold games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing that looks like `(;`.
    #[error("no game found")]
    NoGame,
    /// The text ends before all parentheses are closed.
    #[error("the text ends within a game tree")]
    OpenTree,
    /// The text ends within a value.
    #[error("a value is not closed")]
    OpenValue,
    /// A parenthesis opened and no node behind it.
    #[error("a variation without a node")]
    EmptyTree,
    /// A node behind the variations of an earlier one.
    #[error("a node after variations")]
    LateNode,
    /// A property name without a value.
    #[error("a property without a value")]
    NoValue,
    /// A property name of small letters and digits only.
    #[error("a property name without a capital letter")]
    SmallName,
    /// A game has ended, and more of one follows.
    #[error("outside of all game trees")]
    Stray,
    /// Anything else.
    #[error("expected a property, a node or a parenthesis")]
    Unexpected,
    /// A game of 4 GiB or more.
    #[error("the game is too long")]
    TooLong,
}

/// A line and a column, both counted from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line; LF, CR, CR LF and LF CR end one.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// Where in `text` the byte number `offset` stands.
    pub fn of(text: &[u8], offset: usize) -> Place {
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
        Place {
            line,
            column: at - start + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A fault, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ParseError {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: Fault,
}

/// All games of a text.
///
/// # Errors
/// The first [`Fault`]; [`Fault::NoGame`] if there is nothing else either.
pub fn parse(text: &[u8]) -> Result<Vec<Tree<'_>>, ParseError> {
    games(text).collect()
}

/// The games of a text one by one, each parsed when it is asked for.
///
/// Whatever stands before the first `(;` is passed over, and so are words
/// between games. After an error nothing follows; a text without any game is an
/// error.
pub fn games(text: &[u8]) -> Games<'_> {
    Games {
        text,
        at: 0,
        stage: Stage::Start,
        plain: std::str::from_utf8(text).is_ok(),
    }
}

/// Iterates over the games of a text; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
    stage: Stage,
    /// Whether the whole text is UTF-8, whatever it says about itself.
    plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Between,
    End,
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<Tree<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.advance().transpose()?;
        if found.is_err() {
            self.stage = Stage::End;
        }
        let text = self.text;
        Some(found.map_err(|(offset, fault)| ParseError {
            place: Place::of(text, offset),
            fault,
        }))
    }
}

impl<'a> Games<'a> {
    /// How many bytes have been read: the latest game ends there.
    pub fn position(&self) -> usize {
        self.at
    }

    fn advance(&mut self) -> Result<Option<Tree<'a>>, (usize, Fault)> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let stage = std::mem::replace(&mut self.stage, Stage::Between);
        match skip_blanks(rest) {
            [b')' | b';' | b'[', ..] if stage == Stage::Between => {
                return Err((offset(self.text, skip_blanks(rest)), Fault::Stray));
            }
            _ if stage == Stage::End => return Ok(None),
            _ => {}
        }
        let Some(opening) = opening(rest) else {
            self.stage = Stage::End;
            return match stage {
                Stage::Start => Err((self.text.len(), Fault::NoGame)),
                _ => Ok(None),
            };
        };
        let start = self.at + opening;
        let charset = match declared(self.text.get(start..).unwrap_or_default()) {
            Some(charset) if self.plain => charset.scanned_as_ascii(),
            Some(charset) => charset,
            None => Charset::default(),
        };
        let (end, tree) = game(self.text, start, charset).or_else(|broken| {
            // Perhaps somebody escaped the second halves of characters.
            match charset.script {
                Script::Ascii => Err(broken),
                _ => game(self.text, start, charset.scanned_as_ascii()).map_err(|_| broken),
            }
        })?;
        self.at = end;
        Ok(Some(tree))
    }
}

/// How many bytes of `text` lie before `rest`, its end.
fn offset(text: &[u8], rest: &[u8]) -> usize {
    text.len() - rest.len()
}

/// Where the first game begins: `(`, blanks perhaps, `;`.
fn opening(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|&byte| byte == b'(')?;
        let behind = text.get(at + 1..)?;
        if skip_blanks(behind).first() == Some(&b';') {
            return Some(at);
        }
        at += 1;
    }
}

/// The character set that the root names, if it names a known one.
fn declared(game: &[u8]) -> Option<Charset> {
    let root = skip_blanks(game.get(1..)?).get(1..)?;
    // A broken root is found broken later on.
    let (_, text) = node(Script::Ascii, root).ok()?;
    let found = super::tree::properties(text, Charset::default()).find(|p| p.is("CA"))?;
    Charset::named(found.values().next()?.raw())
}

/// A variation that waits to be closed.
struct Open {
    /// The node that it follows, [`Node::NONE`] for the game itself.
    parent: u32,
    /// The variation of that node before it.
    elder: u32,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Opening,
    Node,
    Closing,
}

/// The game that begins at `start`, and where it ends.
fn game(text: &[u8], start: usize, charset: Charset) -> Result<(usize, Tree<'_>), (usize, Fault)> {
    let input = text.get(start..).unwrap_or_default();
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    // The node that what follows belongs to, and its latest variation.
    let (mut here, mut elder) = (Node::NONE, Node::NONE);
    let mut after = After::Node;
    let mut rest = input;
    loop {
        rest = skip_blanks(rest);
        let fault = match (rest.split_first(), after) {
            (None, _) => Fault::OpenTree,
            (Some((b'(', _)), After::Opening) | (Some((b')', _)), After::Opening) => {
                Fault::EmptyTree
            }
            (Some((b'(', behind)), _) => {
                open.push(Open {
                    parent: here,
                    elder,
                });
                after = After::Opening;
                rest = behind;
                continue;
            }
            (Some((b')', behind)), _) => {
                // The first node of what is closed is the next one's elder.
                rest = behind;
                let Some(closed) = open.pop() else {
                    return Err((start + offset(input, rest), Fault::Stray));
                };
                if open.is_empty() {
                    return Ok((
                        start + offset(input, rest),
                        Tree::new(text, start, nodes, charset),
                    ));
                }
                elder = match nodes.get(closed.elder as usize) {
                    Some(elder) => elder.next,
                    None => nodes
                        .get(closed.parent as usize)
                        .map_or(Node::NONE, |n| n.child),
                };
                here = closed.parent;
                after = After::Closing;
                continue;
            }
            (Some((b';', _)), After::Closing) => Fault::LateNode,
            (Some((b';', behind)), _) => {
                let (left, text) = node(charset.script, behind).map_err(|error| match error {
                    nom::Err::Error(broken) | nom::Err::Failure(broken) => {
                        (offset(text, broken.at), broken.fault)
                    }
                    nom::Err::Incomplete(_) => (text.len(), Fault::OpenTree),
                })?;
                let span = (offset(input, behind), offset(input, behind) + text.len());
                let (Ok(begin), Ok(end)) = (u32::try_from(span.0), u32::try_from(span.1)) else {
                    return Err((start + span.0, Fault::TooLong));
                };
                // Nodes are fewer than bytes, so their numbers fit too.
                let number = nodes.len() as u32;
                if let Some(elder) = nodes.get_mut(elder as usize) {
                    elder.next = number;
                } else if let Some(parent) = nodes.get_mut(here as usize) {
                    parent.child = number;
                }
                nodes.push(Node::new(begin, end, here));
                (here, elder) = (number, Node::NONE);
                after = After::Node;
                rest = left;
                continue;
            }
            _ => Fault::Unexpected,
        };
        return Err((start + offset(input, rest), fault));
    }
}
