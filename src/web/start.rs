//! Starts of games: from the settings that a page sends, from game records, from links.

use super::cursor::{Cursor, PlayError};
use super::request::{List, MAX_DEPTH, MAX_TURN, NewGame, Text};
use super::tree::{GameTree, MergeError, Merger, TreeFull};
use crate::rules::{
    Action, AnyGame, Handicap, Illegal, Setup, SetupError, SetupRecord, SetupRecordError, Step,
    TurnError, free_handicap, go, split_color,
};
use crate::sgf::{
    GameRecord, InvalidProperty, ParseError, ParseErrorKind, RecordError, TextPosition, Visited,
    games,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

/// Why a game cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A setting is unknown.
    #[error("{0}: no setting of a game")]
    Surplus(String),
    /// The settings describe no start.
    #[error(transparent)]
    Described(#[from] SetupRecordError),
    /// The start is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The file has nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The text is not SGF; its beginning.
    #[error("this is no Go record; it begins with \u{201c}{0}\u{201d}")]
    NoRecord(String),
    /// The text is SGF that breaks off.
    #[error("the record breaks off: a part of the file is missing")]
    BreaksOff,
    /// The text begins as SGF and goes on as something else.
    #[error("the record is damaged in line {}, column {}", .0.line, .0.column)]
    Damaged(TextPosition),
    /// The record is of another game.
    #[error("this is a record of {0}, not of Go")]
    OtherGame(&'static str),
    /// The record is not a game.
    #[error("the record cannot be played through: {0}")]
    Record(#[from] RecordError),
    /// The rules forbid a turn of the record; its number, from 1.
    #[error("the record cannot be played through: move {0} is not allowed, {1}")]
    Illegal(usize, Illegal),
    /// The record has too many turns.
    #[error(transparent)]
    Full(#[from] TreeFull),
    /// The link is not one.
    #[error("the link cannot be read")]
    Link,
    /// A turn of a link is not legal.
    #[error("link, turn {0}: {1}")]
    Turn(usize, PlayError),
}

/// A game at some position of its tree.
#[derive(Clone, Debug)]
pub struct Started {
    pub tree: GameTree,
    /// The position.
    pub cursor: Cursor,
}

/// Letters of a file that is no record that an error shows.
const MAX_SHOWN: usize = 24;

/// Games that have a number in `GM`.
const OTHER_GAMES: &[(i64, &str)] = &[
    (2, "Othello"),
    (3, "chess"),
    (4, "Gomoku"),
    (6, "backgammon"),
    (7, "Chinese chess"),
    (8, "shogi"),
    (9, "Lines of Action"),
    (11, "Hex"),
    (18, "Amazons"),
];

impl StartError {
    /// Why a text is no record.
    fn of_text(text: &str, error: ParseError) -> StartError {
        match error.kind {
            ParseErrorKind::NoGame => StartError::no_record(text),
            kind if kind.is_end_of_text() => StartError::BreaksOff,
            _ => StartError::Damaged(error.position),
        }
    }

    fn no_record(text: &str) -> StartError {
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let is_shown = |c: &char| !c.is_control();
        let beginning: String = text.chars().take_while(is_shown).take(MAX_SHOWN).collect();
        if text.is_empty() {
            return StartError::Empty;
        }
        StartError::NoRecord(beginning.trim_end().to_owned())
    }

    /// Why a record is no game.
    fn of_record(text: &str, error: RecordError) -> StartError {
        match error {
            RecordError::Parse(error) => StartError::of_text(text, error),
            RecordError::Turn { number, why, .. } => StartError::Illegal(number, why),
            RecordError::Node { why: InvalidProperty::Game(number), .. } => {
                let known = OTHER_GAMES.iter().find(|(known, _)| *known == number);
                StartError::OtherGame(known.map_or("another game", |&(_, name)| name))
            }
            error => StartError::Record(error),
        }
    }
}

impl From<MergeError> for StartError {
    fn from(error: MergeError) -> StartError {
        match error {
            MergeError::Illegal(number, why) => StartError::Illegal(number, why),
            MergeError::Full(full) => StartError::Full(full),
        }
    }
}

impl Started {
    /// A game without turns.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn at_start(setup: Setup) -> Result<Started, SetupError> {
        Ok(Started { cursor: Cursor::new(&setup)?, tree: GameTree::new(setup) })
    }
}

/// The setup that a page describes.
///
/// # Errors
/// [`StartError`]
pub fn setup_of(game: &NewGame) -> Result<Setup, StartError> {
    if let Some(name) = game.surplus.keys().next() {
        return Err(StartError::Surplus(name.clone()));
    }
    let mut setup = game.setup.setup(&Setup::new(&go::INFO))?;
    if game.stones > 0 && setup.info.handicap == Handicap::None {
        return Err(SetupError::NoHandicap.into());
    }
    if setup.handicap.is_empty() && game.stones > 0 {
        setup.handicap = free_handicap(&setup, game.stones.into());
    }
    Ok(setup)
}

/// Reads a game record with its variations; the position is the end of the main line. Also
/// returns the number of variations that could not be read. A record that does not name its
/// variant is one of Go. Reading ends early when `gone` says that nobody wants it any more.
///
/// # Errors
/// [`StartError`], if the main line cannot be read.
pub fn of_sgf(text: &str, gone: &dyn Fn() -> bool) -> Result<(Started, usize), StartError> {
    let defaults = &Setup::new(&go::INFO);
    let mut trees = games(text.as_bytes());
    let file = trees
        .next()
        .ok_or_else(|| StartError::no_record(text))?
        .map_err(|error| StartError::of_text(text, error))?;
    let record =
        GameRecord::read(&file, defaults).map_err(|error| StartError::of_record(text, error))?;
    let mut started = Started::at_start(record.setup.clone())?;
    let mut game = AnyGame::new(&record.setup)?;
    let end = started.tree.merge(&record, &mut game)?;
    if let Some(node) = started.tree.node_mut(end) {
        node.result.clone_from(&record.result);
    }
    started.tree.resigned = record.resigned.map(|color| (end, color));
    let mut merger = Merger::new(&mut started.tree, game);
    let left_out = GameRecord::visit_variations(&file, defaults, &mut |node| {
        if gone() {
            return Visited::Stop;
        }
        merger.visit(node)
    })?;
    started.cursor.go(&started.tree, end);
    if let Some((_, turn)) = &record.unfinished {
        for &point in turn.points() {
            let step = Step::new(turn.kind(), point);
            // A record may end with steps that its rules forbid.
            if started.cursor.step(&mut started.tree, step).is_err() {
                break;
            }
        }
    }
    Ok((started, left_out))
}

/// A game in an old link.
#[derive(Debug, Deserialize)]
struct LinkedGame {
    #[serde(flatten)]
    setup: SetupRecord,
    /// The turns to the position; those out of turn begin with their side.
    turns: List<Text<MAX_TURN>, MAX_DEPTH>,
}

/// The game of a link.
///
/// # Errors
/// [`StartError`].
pub fn of_link(text: &str) -> Result<Started, StartError> {
    let json = URL_SAFE_NO_PAD.decode(text.trim()).map_err(|_| StartError::Link)?;
    let linked: LinkedGame = serde_json::from_slice(&json).map_err(|_| StartError::Link)?;
    let setup = linked.setup.setup(&Setup::new(&go::INFO))?;
    let mut started = Started::at_start(setup)?;
    for (number, text) in linked.turns.iter().enumerate() {
        play(&mut started, text).map_err(|error| match error {
            Some(error) => StartError::Turn(number + 1, error),
            None => StartError::Link,
        })?;
    }
    Ok(started)
}

/// Plays a turn of a link; the error is none if it is no turn.
fn play(started: &mut Started, text: &str) -> Result<(), Option<PlayError>> {
    let game = started.cursor.game();
    let words: Vec<_> = text.split_whitespace().collect();
    let (color, words) = split_color(&words);
    let color = color.unwrap_or(game.to_move());
    let Ok(Action::Turn(turn)) = game.parse(words) else {
        return Err(None);
    };
    let played = started.cursor.play(&mut started.tree, color, &turn);
    played.map_err(Some)
}

/// Reads a turn in writing.
///
/// # Errors
/// See [`AnyGame::parse`].
pub fn parse(game: &AnyGame, text: &str) -> Result<Action, TurnError> {
    let words: Vec<_> = text.split_whitespace().collect();
    game.parse(&words)
}
