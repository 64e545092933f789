//! Writes the games of a match as SGF.

use super::results::{EndReason, MatchGame, PlayerRecord};
use super::settings::Settings;
use crate::files::{self, FileError, NewFile, Replace};
use crate::rules::{Action, AnyGame, SetupError, split_color};
use crate::sgf::{GameRecord, JUDGE, NodeId};
use crate::time;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a game cannot be written as SGF.
#[derive(Debug, thiserror::Error)]
pub enum WriteSgfError {
    /// A turn of the record cannot be parsed.
    #[error("game {game}: '{turn}' is not a turn of this variant")]
    Turn { game: u64, turn: String },
    /// The setup is invalid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Writing fails.
    #[error("{}: {error}", path.display())]
    Io {
        path: PathBuf,
        /// Why.
        error: FileError,
    },
}

impl WriteSgfError {
    fn io<E: Into<FileError>>(path: &Path) -> impl FnOnce(E) -> WriteSgfError {
        let path = path.to_owned();
        move |error| WriteSgfError::Io { path, error: error.into() }
    }
}

/// Encodes a game as SGF.
///
/// # Errors
/// [`WriteSgfError`], if it is no game of this match.
pub fn encode(settings: &Settings, game: &MatchGame) -> Result<Vec<u8>, WriteSgfError> {
    let setup = &settings.setup;
    let reader = AnyGame::new(setup)?;
    let mut record = GameRecord::new(setup.clone())?;
    let (mut played, mut end) = (reader.clone(), NodeId::ROOT);
    for turn in &game.turns {
        let no_turn = || WriteSgfError::Turn { game: game.game, turn: turn.clone() };
        let words: Vec<_> = turn.split(' ').collect();
        let (color, words) = split_color(&words);
        let (Some(color), Ok(Action::Turn(turn))) = (color, reader.parse(words)) else {
            return Err(no_turn());
        };
        let made = record.play(end, &mut played, color, &turn, false);
        end = made.map_err(|_| no_turn())?;
    }
    record.set_result(end, Some(game.result.to_string()));
    if game.reason == EndReason::Resign {
        record.set_resigned(game.result.winner().map(|winner| (end, !winner)));
    }
    for (name, text) in [
        ("PB", game.black.name.as_str()),
        ("PW", &game.white.name),
        ("DT", &time::date(game.started)),
        ("EV", &game.match_id),
        ("RO", &game.game.to_string()),
        (JUDGE, game.scores.program.as_deref().unwrap_or_default()),
    ] {
        record.set_note(NodeId::ROOT, name, text);
    }
    for (at, text) in [(NodeId::ROOT, opening_comment(game)), (end, result_comment(game))] {
        record.add_comment(at, &text, &text);
    }
    Ok(record.write())
}

/// The comment at the root: the players.
fn opening_comment(game: &MatchGame) -> String {
    let player = |color: &str, player: &PlayerRecord| {
        let PlayerRecord { engine, version, command, time, .. } = player;
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
pub struct SgfWriter {
    /// The property by which the files of this match are known.
    event: String,
    /// Whether other files are replaced, too.
    force: bool,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A file for each game in this directory.
    Directory(PathBuf),
    /// One file for all games, and its length.
    Collection(PathBuf, File, u64),
}

impl SgfWriter {
    /// Opens a directory, which is created if it does not exist; or, if the name ends in
    /// `.sgf`, a file. `earlier` calls the function that it gets with each game that was
    /// played before; their files are written anew. Files of other matches are replaced
    /// only by `force`.
    ///
    /// # Errors
    /// A file holds something else, or cannot be written.
    pub fn open<E: From<WriteSgfError>>(
        path: &Path,
        settings: &Settings,
        force: bool,
        earlier: impl FnOnce(&mut EarlierGame<'_>) -> Result<(), E>,
    ) -> Result<SgfWriter, E> {
        let event = format!("EV[{}]", settings.id());
        if path.extension().is_some_and(|extension| extension == "sgf") {
            let replace = replace(&event, force);
            let mut file = NewFile::create(path, replace).map_err(WriteSgfError::io(path))?;
            let mut length = 0;
            earlier(&mut |game| {
                let text = encode(settings, game)?;
                length += text.len() as u64;
                file.write_all(&text).map_err(WriteSgfError::io(path))
            })?;
            if length == 0 && !force {
                // A match that begins has no file yet.
                files::check_writable(path, Replace::Nothing).map_err(WriteSgfError::io(path))?;
            }
            file.commit().map_err(WriteSgfError::io(path))?;
            let file = File::options().append(true).open(path).map_err(WriteSgfError::io(path))?;
            let target = Target::Collection(path.to_owned(), file, length);
            return Ok(SgfWriter { event, force, target });
        }
        fs::create_dir_all(path).map_err(WriteSgfError::io(path))?;
        let mut writer = SgfWriter { event, force, target: Target::Directory(path.to_owned()) };
        // The first game is played in any case, so its file tells whether the others fit.
        let first = file_of_game(path, 1);
        files::check_writable(&first, writer.replace()).map_err(WriteSgfError::io(&first))?;
        earlier(&mut |game| writer.add(settings, game))?;
        Ok(writer)
    }

    fn replace(&self) -> Replace<'_> {
        replace(&self.event, self.force)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// [`WriteSgfError`].
    pub fn add(&mut self, settings: &Settings, game: &MatchGame) -> Result<(), WriteSgfError> {
        let text = encode(settings, game)?;
        let replace = replace(&self.event, self.force);
        match &mut self.target {
            Target::Directory(path) => {
                let path = file_of_game(path, game.game);
                if read_existing(&path).is_ok_and(|written| written == text) {
                    return Ok(());
                }
                files::write(&path, &text, replace).map_err(WriteSgfError::io(&path))
            }
            Target::Collection(path, file, length) => {
                append(file, length, &text).map_err(WriteSgfError::io(path))
            }
        }
    }
}

/// Takes a game that was played before.
pub type EarlierGame<'a> = dyn FnMut(&MatchGame) -> Result<(), WriteSgfError> + 'a;

fn replace(event: &str, force: bool) -> Replace<'_> {
    if force { Replace::Anything } else { Replace::Containing(event) }
}

/// The content of a file; an error for devices and pipes, which may never end.
fn read_existing(path: &Path) -> Result<Vec<u8>, FileError> {
    files::refuse_devices(path)?;
    files::read(path)
}

fn file_of_game(directory: &Path, game: u64) -> PathBuf {
    directory.join(format!("{game:05}.sgf"))
}

/// Appends a game, or nothing if the disk is full.
fn append(file: &mut File, length: &mut u64, text: &[u8]) -> io::Result<()> {
    let written = file.write_all(text);
    if written.is_err() {
        // If this fails, too, the next run of the match writes the file anew.
        let _ = file.set_len(*length);
    }
    written.map(|()| *length += text.len() as u64)
}
