//! Writes the games of a match as SGF.

use super::results::{EndReason, MatchGame, PlayerRecord};
use super::settings::Settings;
use super::time_control::parse_time;
use crate::clock::TimeSystem;
use crate::files::{self, FileError, NewFile, Replace};
use crate::line_file::in_file;
use crate::rules::{Action, Game, split_color};
use crate::sgf::{Cursor, GameRecord, JUDGE, NodeId};
use crate::time;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub fn encode(settings: &Settings, game: &MatchGame) -> Result<Vec<u8>, String> {
    let setup = &settings.setup;
    let reader = Game::new(setup).map_err(|error| error.to_string())?;
    let mut record = GameRecord::new(setup.clone()).map_err(|error| error.to_string())?;
    let mut cursor = Cursor::new(&record).map_err(|error| error.to_string())?;
    for turn in &game.turns {
        let no_turn = || format!("game {}: '{turn}' is not a turn of this variant", game.game);
        let words: Vec<_> = turn.split(' ').collect();
        let (color, words) = split_color(&words);
        let (Some(color), Ok(Action::Turn(turn))) = (color, reader.parse_words(words)) else {
            return Err(no_turn());
        };
        cursor.play(&mut record, color, &turn).map_err(|_| no_turn())?;
    }
    cursor.write_nodes(&mut record);
    let end = cursor.node();
    record.set_result(end, Some(game.result.to_string()));
    if game.reason == EndReason::Resign {
        record.set_resigned(game.result.winner().map(|winner| (end, !winner)));
    }
    let [main_time, overtime] = time_control(game);
    for (name, text) in [
        ("PB", game.black.name.as_str()),
        ("PW", &game.white.name),
        ("DT", &time::date(game.started)),
        ("EV", &game.match_id),
        ("RO", &game.game.to_string()),
        ("TM", &main_time),
        ("OT", &overtime),
        (JUDGE, game.scores.program.as_deref().unwrap_or_default()),
    ] {
        record.set_note(NodeId::ROOT, name, text);
    }
    for (at, text) in [(NodeId::ROOT, opening_comment(game)), (end, result_comment(game))] {
        record.add_comment(at, &text, &text);
    }
    Ok(record.write())
}

/// Main time and overtime, if both players have the same.
fn time_control(game: &MatchGame) -> [String; 2] {
    let time = parse_time(&game.black.time).ok().filter(|_| game.black.time == game.white.time);
    match time.filter(|time| *time != TimeSystem::None) {
        None => [String::new(), String::new()],
        Some(TimeSystem::Absolute { main }) => [main.as_secs_f64().to_string(), String::new()],
        Some(time) => [time.main().as_secs_f64().to_string(), time.to_string()],
    }
}

fn opening_comment(game: &MatchGame) -> String {
    let player = |color: &str, player: &PlayerRecord| {
        let PlayerRecord { engine, version, command, time, .. } = player;
        format!("{color}: {engine} {version}, {command}, time {time}")
    };
    let (black, white) = (player("Black", &game.black), player("White", &game.white));
    format!("{black}\n{white}\nThe opening has {} turns.", game.opening)
}

fn result_comment(game: &MatchGame) -> String {
    let mut text = format!("{} ({})", game.result, game.reason);
    if let Some(detail) = &game.detail {
        text.push('\n');
        text.push_str(detail);
    }
    if game.disagreement {
        text.push_str(&format!("\n{}.", game.reported_scores()));
    }
    text
}

#[derive(Debug)]
pub struct SgfWriter {
    /// Marks the files of this match.
    event: String,
    force: bool,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// One file per game.
    Directory(PathBuf),
    /// With its length. There is no file before the first game.
    Collection(PathBuf, Option<File>, u64),
}

impl SgfWriter {
    /// Opens a file if the name ends in `.sgf`, else a directory. `earlier` passes each earlier
    /// game to its argument; these are written again. Only `force` replaces files of other matches.
    pub fn open(
        path: &Path,
        settings: &Settings,
        force: bool,
        earlier: impl FnOnce(&mut EarlierGame<'_>) -> Result<(), String>,
    ) -> Result<SgfWriter, String> {
        let event = format!("EV[{}]", settings.id());
        if path.extension().is_some_and(|extension| extension == "sgf") {
            let replace = replace(&event, force);
            files::check_writable(path, replace).map_err(in_file(path))?;
            let (mut new, mut length) = (None, 0);
            earlier(&mut |game| {
                let text = encode(settings, game)?;
                length += text.len() as u64;
                let file = match &mut new {
                    Some(file) => file,
                    None => new.insert(NewFile::create(path, replace).map_err(in_file(path))?),
                };
                file.write_all(&text).map_err(in_file(path))
            })?;
            if length == 0 && !force {
                files::check_writable(path, Replace::Nothing).map_err(in_file(path))?;
            }
            let file = match new {
                Some(file) => {
                    file.commit().map_err(in_file(path))?;
                    Some(to_append(path)?)
                }
                None => None,
            };
            let target = Target::Collection(path.to_owned(), file, length);
            return Ok(SgfWriter { event, force, target });
        }
        let mut writer = SgfWriter { event, force, target: Target::Directory(path.to_owned()) };
        // The first game always exists, so its file shows whether the others fit.
        let first = file_of_game(path, 1);
        files::check_writable(&first, replace(&writer.event, force)).map_err(in_file(&first))?;
        earlier(&mut |game| writer.add(settings, game))?;
        Ok(writer)
    }

    pub fn add(&mut self, settings: &Settings, game: &MatchGame) -> Result<(), String> {
        let text = encode(settings, game)?;
        let replace = replace(&self.event, self.force);
        match &mut self.target {
            Target::Directory(path) => {
                let path = file_of_game(path, game.game);
                if read_existing(&path).is_ok_and(|written| written == text) {
                    return Ok(());
                }
                files::write(&path, &text, replace).map_err(in_file(&path))
            }
            Target::Collection(path, Some(file), length) => {
                append(file, length, &text).map_err(in_file(path))
            }
            Target::Collection(path, file, length) => {
                files::write(path, &text, replace).map_err(in_file(path))?;
                (*file, *length) = (Some(to_append(path)?), text.len() as u64);
                Ok(())
            }
        }
    }
}

fn to_append(path: &Path) -> Result<File, String> {
    File::options().append(true).open(path).map_err(in_file(path))
}

/// The name of the file of a game, if each game has one.
pub fn file_name(path: &Path, game: u64) -> PathBuf {
    match path.extension() {
        Some(extension) if extension == "sgf" => path.to_owned(),
        _ => file_of_game(path, game),
    }
}

pub type EarlierGame<'a> = dyn FnMut(&MatchGame) -> Result<(), String> + 'a;

fn replace(event: &str, force: bool) -> Replace<'_> {
    if force { Replace::Anything } else { Replace::Containing(event) }
}

/// Devices and pipes may never end.
fn read_existing(path: &Path) -> Result<Vec<u8>, FileError> {
    files::refuse_devices(path)?;
    files::read(path)
}

fn file_of_game(directory: &Path, game: u64) -> PathBuf {
    directory.join(format!("{game:05}.sgf"))
}

/// If the disk is full, no part of the game stays.
fn append(file: &mut File, length: &mut u64, text: &[u8]) -> io::Result<()> {
    let written = file.write_all(text);
    if written.is_err() {
        // Otherwise the next run of the match rewrites the file.
        let _ = file.set_len(*length);
    }
    written.map(|()| *length += text.len() as u64)
}
