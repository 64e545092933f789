//! Finds the games of a file: where each begins and ends.

use super::charset::Charset;
use super::detect::skip_marks;
use super::grammar::{
    self, SyntaxError, begins_property, game, has_root_property, skip_whitespace,
};
use super::property::Properties;
use super::tree::GameTree;
use std::borrow::Cow;
use std::fmt;
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
    /// The game has more nodes than a reader keeps in memory.
    #[error("the game has more than a million nodes")]
    TooManyNodes,
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

/// The position of a byte: a line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// LF, CR, CR LF and LF CR end a line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl TextPosition {
    /// The position of the first byte.
    pub const START: TextPosition = TextPosition { line: 1, column: 1 };

    /// The position after a text that begins here.
    pub fn behind(self, before: &[u8]) -> TextPosition {
        let (mut line, mut start, mut at) = (self.line, None, 0);
        while let Some(&byte) = before.get(at) {
            at += 1;
            if let b'\n' | b'\r' = byte {
                let pair = before.get(at).filter(|&&next| next != byte);
                at += usize::from(pair.is_some_and(|next| b"\n\r".contains(next)));
                (line, start) = (line + 1, Some(at));
            }
        }
        let column = start.map_or(self.column + at, |start| at - start + 1);
        TextPosition { line, column }
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
    /// The position.
    pub position: TextPosition,
    /// The kind.
    pub kind: ParseErrorKind,
}

/// Parses all games of a file; see [`games`].
///
/// # Errors
/// The first syntax error; [`ParseErrorKind::NoGame`] for a text without a game.
pub fn parse(file: &[u8]) -> Result<Vec<GameTree>, ParseError> {
    games(file).collect()
}

/// Parses the games of a file of any character set lazily. Text before and between games is skipped.
/// The iterator ends after an error; a file without a game is an error.
pub fn games(file: &[u8]) -> Games<'_> {
    Games::decoded(file, Charset::of(file))
}

/// As [`games`], in the character set of this name.
pub fn games_in<'t>(file: &'t [u8], charset: &str) -> Option<Games<'t>> {
    Some(Games::decoded(file, Some(Charset::by_name(file, charset)?)))
}

/// As [`games`], for a text that was decoded before. `is_as_read` if its bytes were UTF-8.
pub fn games_of(text: Cow<'_, str>, charset: Charset, is_as_read: bool) -> Games<'_> {
    let (latest, stage) = ((0, TextPosition::START), Progress::Start);
    Games { text, charset, is_as_read, at: 0, latest, siblings_end: 0, stage }
}

/// Iterator over the games of a file; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'t> {
    text: Cow<'t, str>,
    charset: Charset,
    is_as_read: bool,
    at: usize,
    /// The offset and the position of the latest game, so that no line is counted twice.
    latest: (usize, TextPosition),
    /// No tree up to here is a variation of a game without a beginning.
    siblings_end: usize,
    stage: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// No character set fits the file.
    Undecoded,
    Start,
    Between,
    End,
}

impl Iterator for Games<'_> {
    type Item = Result<GameTree, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.advance().transpose()?;
        if game.is_err() {
            self.stage = Progress::End;
        }
        Some(game.map_err(|(at, kind)| {
            let before = self.text.as_bytes().get(..at).unwrap_or_default();
            ParseError { position: TextPosition::START.behind(before), kind }
        }))
    }
}

/// A kind of error, and its offset.
type ErrorAt = (usize, ParseErrorKind);

impl<'t> Games<'t> {
    fn decoded(file: &'t [u8], charset: Option<Charset>) -> Games<'t> {
        let Some(charset) = charset else {
            let games = games_of("".into(), Charset::default(), true);
            return Games { stage: Progress::Undecoded, ..games };
        };
        let text = charset.decode(file);
        let is_as_read = matches!(text, Cow::Borrowed(_));
        games_of(text, charset, is_as_read)
    }

    /// Goes on at an offset after a game: the rest may have no game, and a stray part of one is an
    /// error.
    pub fn after(self, at: usize) -> Games<'t> {
        Games { at, stage: Progress::Between, ..self }
    }

    /// The file in UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of the latest game in the text.
    pub fn span(&self) -> Range<usize> {
        self.latest.0..self.at
    }

    /// The end of the latest game.
    pub fn position(&self) -> usize {
        self.at
    }

    fn advance(&mut self) -> Result<Option<GameTree>, ErrorAt> {
        let text = &*self.text;
        let behind = |at: usize| text.get(at..).unwrap_or_default();
        let part = |begin: usize, end: usize| text.get(begin..end).unwrap_or_default();
        let error = |(rest, kind): SyntaxError<'_>| (offset(text, rest), kind);
        let Some(start) = next_start(text, self.at, &mut self.stage).map_err(error)? else {
            return Ok(None);
        };
        let before = part(self.at, start);
        let game = game(behind(start)).map_err(error)?;
        let end = start + game.length;
        let is_root = game.nodes.first().is_some_and(|root| has_root_property(&root.properties));
        if end > self.siblings_end && !is_root {
            if before.trim_ascii_end().ends_with([']', ')', ';']) {
                return Err((start, ParseErrorKind::HeadMissing));
            }
            let siblings = siblings_end(behind(end));
            let rest = siblings.map_err(|rest| error((rest, ParseErrorKind::OutsideGame)))?;
            self.siblings_end = offset(text, rest);
        }
        self.at = end;
        let (earlier, position) = self.latest;
        let origin = position.behind(part(earlier, start).as_bytes());
        self.latest = (start, origin);
        let from = (self.charset, self.is_as_read);
        Ok(Some(GameTree::from_parsed(part(start, end), game.nodes, from, origin)))
    }
}

/// The offset of the next game; `None` after the last.
fn next_start<'t>(
    text: &'t str,
    at: usize,
    stage: &mut Progress,
) -> Result<Option<usize>, SyntaxError<'t>> {
    let rest = text.get(at..).unwrap_or_default();
    let before = std::mem::replace(stage, Progress::Between);
    match before {
        Progress::Undecoded => return Err((text, ParseErrorKind::Charset)),
        Progress::End => return Ok(None),
        Progress::Between => {
            // A parenthesis or a semicolon too many does no harm.
            let stray = skip_whitespace(rest);
            let behind = stray.trim_start_matches(|c| c <= ' ' || c == ')' || c == ';');
            let is_part = behind.len() < stray.len() && begins_property(behind);
            if is_part || behind.starts_with('[') {
                return Err((stray, ParseErrorKind::OutsideGame));
            }
        }
        Progress::Start => {}
    }
    let Some(opening) = opening(rest, before) else {
        *stage = Progress::End;
        return match before {
            Progress::Start => Err(("", ParseErrorKind::NoGame)),
            _ => Ok(None),
        };
    };
    let skipped = rest.get(..opening).unwrap_or_default();
    match rest_of_game(skipped).and_then(|at| rest.get(at..)) {
        Some(part) => Err((part, ParseErrorKind::HeadMissing)),
        None => Ok(Some(at + opening)),
    }
}

/// Number of bytes of `text` before its end `rest`.
fn offset(text: &str, rest: &str) -> usize {
    text.len() - rest.len()
}

/// Offset of the first game's parenthesis. Skips other text, also smileys such as `(;-)`: a game
/// has a property.
pub fn game_start(text: &str) -> Option<usize> {
    let (mut trials, mut places) = (0, parentheses(text));
    places.find(|&at| {
        let tree = text.get(at..).unwrap_or_default();
        let behind = skip_whitespace(tree.get(1..).unwrap_or_default());
        let is_bare = begins_property(behind);
        let inside = behind.strip_prefix(';').map(skip_whitespace);
        let is_empty = inside.is_some_and(|inside| inside.starts_with([';', '(']));
        if !is_bare && !is_empty {
            return begins_root(behind);
        }
        trials += 1;
        trials <= TRIALS && (begins_root(behind) || is_empty && has_property(tree))
    })
}

/// Offset of the next game, else of the next `(;`. After a game, `(;` must be followed by a
/// property, so that a smiley does not count.
fn opening(text: &str, stage: Progress) -> Option<usize> {
    let is_node = |&at: &usize| {
        let behind = skip_whitespace(text.get(at + 1..).unwrap_or_default());
        let inside = behind.strip_prefix(';').map(skip_whitespace);
        inside.is_some_and(|inside| {
            stage == Progress::Start
                || inside.is_empty()
                || inside.starts_with([';', '(', ')', '['])
        })
    };
    game_start(text).or_else(|| parentheses(text).find(is_node))
}

fn parentheses(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('(').map(|(at, _)| at)
}

/// Whether a tree begins here and has a property in any node.
fn has_property(text: &str) -> bool {
    game(text).is_ok_and(|game| game.nodes.iter().any(|node| !node.properties.is_empty()))
}

/// Maximum number of parentheses tried as beginnings of games without a semicolon or property:
/// people write parentheses for other things, too.
const TRIALS: usize = 16;

/// Whether a root with a property begins here. Some programs leave out its semicolon.
fn begins_root(text: &str) -> bool {
    let mut rest = text;
    while let Some(behind) = rest.strip_prefix(';') {
        rest = skip_whitespace(behind);
    }
    if !begins_property(rest) {
        return false;
    }
    rest.len() < text.len()
        || grammar::node(rest).is_ok_and(|(root, behind)| {
            skip_whitespace(behind).starts_with([';', '(', ')']) && has_root_property(&root)
        })
}

/// Where text before a game has a node or property: the rest of a game whose beginning is missing.
fn rest_of_game(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find([';', ']'])?;
        let behind = skip_marks(text.get(at + 1..)?);
        if begins_property(behind) {
            return Some(at);
        }
        at = offset(text, behind);
    }
}

/// The text after the trees that begin `text`, after one that may be a variation. Fails at a token
/// that proves that all of them are variations of a game whose beginning is missing.
fn siblings_end(text: &str) -> Result<&str, &str> {
    let mut rest = text;
    loop {
        let next = skip_whitespace(rest);
        if next.starts_with([')', ';', '[', ']']) {
            return Err(next);
        }
        let root = next.strip_prefix('(').map(skip_whitespace);
        let is_tree = offset(text, rest) < SIBLING_BYTES && root.is_some_and(begins_root);
        if !is_tree || first_node(next).is_some_and(|node| has_root_property(&node)) {
            return Ok(rest);
        }
        match game(next) {
            Ok(tree) => rest = next.get(tree.length..).unwrap_or_default(),
            Err(_) => return Ok(rest),
        }
    }
}

/// The properties of the first node of a game.
pub(super) fn first_node(game: &str) -> Option<Properties> {
    let root = skip_whitespace(game.get(1..)?);
    let root = root.strip_prefix(';').unwrap_or(root);
    grammar::node(root).ok().map(|(node, _)| node)
}

/// How far [`siblings_end`] looks.
const SIBLING_BYTES: usize = 1 << 16;
