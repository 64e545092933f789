//! Writes the games of a match as SGF.

use super::results::{EndReason, MatchGame, PlayerRecord};
use super::settings::Settings;
use crate::board::Color;
use crate::rules::{Action, AnyGame, SetupError};
use crate::sgf::{self, GameRecord, JUDGE, PropertyName, RecordError};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a game cannot be written as SGF.
#[derive(Debug, thiserror::Error)]
pub enum WriteSgfError {
    /// A turn of the record cannot be parsed.
    #[error("game {game}: '{turn}' is not a turn of this variant")]
    Turn {
        /// The game.
        game: u64,
        /// The turn.
        turn: String,
    },
    /// The setup is invalid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game cannot be encoded.
    #[error(transparent)]
    GameRecord(#[from] RecordError),
    /// Writing fails.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Encodes a game as SGF.
///
/// # Errors
/// [`WriteSgfError`], if it is no game of this match.
pub fn encode(settings: &Settings, game: &MatchGame) -> Result<Vec<u8>, WriteSgfError> {
    let setup = &settings.setup;
    let reader = AnyGame::new(setup)?;
    let mut record = GameRecord::new(setup.clone());
    for turn in &game.turns {
        let no_turn = || WriteSgfError::Turn {
            game: game.game,
            turn: turn.clone(),
        };
        let mut words = turn.split(' ');
        let color = match words.next() {
            Some("B") => Color::Black,
            Some("W") => Color::White,
            _ => return Err(no_turn()),
        };
        match reader.parse(&words.collect::<Vec<_>>()) {
            Ok(Action::Turn(turn)) => record.turns.push((color, turn)),
            Ok(Action::Resign) | Err(_) => return Err(no_turn()),
        }
    }
    record.result = Some(game.result.to_string());
    if game.reason == EndReason::Resign {
        record.resigned = game.result.winner().map(|winner| !winner);
    }
    let mut note = |turn: usize, name: &str, text: &str| {
        let name = PropertyName::new(name).filter(|_| !text.is_empty());
        // Only reserved names are refused, and these are not reserved.
        name.map(|name| record.notes.add(turn, name, text));
    };
    note(0, "PB", &game.black.name);
    note(0, "PW", &game.white.name);
    note(0, "DT", &sgf::date(game.started));
    note(0, "EV", &game.match_id);
    note(0, "RO", &game.game.to_string());
    note(
        0,
        JUDGE.as_str(),
        game.scores.program.as_deref().unwrap_or_default(),
    );
    record.notes.comment(0, &opening_comment(game));
    let end = record.turns.len();
    record.notes.comment(end, &result_comment(game));
    Ok(record.write()?)
}

/// The comment at the root: the players.
fn opening_comment(game: &MatchGame) -> String {
    let player = |color: &str, player: &PlayerRecord| {
        let PlayerRecord {
            engine,
            version,
            command,
            time,
            ..
        } = player;
        format!("{color}: {engine} {version}, {command}, time {time}")
    };
    let (black, white) = (player("Black", &game.black), player("White", &game.white));
    format!("{black}\n{white}\nThe opening has {} turns.", game.opening)
}

/// The comment at the last turn: the result.
fn result_comment(game: &MatchGame) -> String {
    let mut text = format!("{} ({})", game.result, game.reason.name());
    if let Some(detail) = &game.detail {
        text.push('\n');
        text.push_str(detail);
    }
    if game.disagreement {
        let reported = |score: &Option<String>| score.clone().unwrap_or_else(|| "-".to_owned());
        let (black, white) = (reported(&game.scores.black), reported(&game.scores.white));
        text.push_str(&format!("\nBlack counts {black}, White {white}."));
    }
    text
}

/// The destination of the SGF files of a match.
#[derive(Debug)]
pub enum SgfWriter {
    /// A file for each game in this directory.
    Directory(PathBuf),
    /// One file for all games.
    Collection(PathBuf, File),
}

impl SgfWriter {
    /// Opens a directory, which is created if it does not exist; or, if the name ends in
    /// `.sgf`, a file, which is truncated: games that were played before have to be added
    /// again.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn open(path: &Path) -> Result<SgfWriter, WriteSgfError> {
        let to_error = |error| WriteSgfError::Io {
            path: path.to_owned(),
            error,
        };
        if path.extension().is_some_and(|extension| extension == "sgf") {
            let mut options = OpenOptions::new();
            let file = options.write(true).create(true).truncate(true).open(path);
            return Ok(SgfWriter::Collection(
                path.to_owned(),
                file.map_err(to_error)?,
            ));
        }
        fs::create_dir_all(path).map_err(to_error)?;
        Ok(SgfWriter::Directory(path.to_owned()))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// [`WriteSgfError`].
    pub fn add(&mut self, settings: &Settings, game: &MatchGame) -> Result<(), WriteSgfError> {
        let text = encode(settings, game)?;
        let (path, written) = match self {
            SgfWriter::Directory(path) => {
                let path = path.join(format!("{:05}.sgf", game.game));
                let written = fs::write(&path, text);
                (path, written)
            }
            SgfWriter::Collection(path, file) => (path.clone(), file.write_all(&text)),
        };
        written.map_err(|error| WriteSgfError::Io { path, error })
    }
}
