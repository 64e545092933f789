//! Game records.

use super::{FILE, done};
use crate::files::{self, FileError, Replace};
use crate::gtp::arguments::{Arg, ArgType, COUNT, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::sgf::{self, FileDefaults, GameRecord, PropertyName, RecordError};
use std::io;
use std::path::Path;

/// A property of the root.
const PROPERTY: Arg = arg(
    "property",
    ArgType::Matching("a property such as PB=Name", |word| {
        parse_property(word).is_some()
    }),
);

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Records",
    commands: &[
        CommandSpec::new(
            "loadsgf",
            &[FILE, arg("turn", COUNT).optional()],
            "loads the first game of an SGF file with its size, komi and rules, up to the \
                position before TURN or to its end: a record of any variant, or a file by any \
                other program. Such a file is a game of the current variant, its moves are \
                vertices in the current encoding, and size, komi and rules that it leaves out \
                are the current ones (in games of plain stones, stones set up in the middle make \
                a new start). A name with blanks may be quoted. Fails with `cannot load file` \
                and the reason",
            Immediate(|session, args| loadsgf(session, args.take()?, args.take()?)),
        )
        .effect(Effect::Loads),
        CommandSpec::new(
            "printsgf",
            &[FILE.optional()],
            "writes the game so far as SGF to the reply or to a file, with the names and \
                comments of the record that it was loaded from. A file that exists is replaced if \
                it is empty or holds one game of SGF, and otherwise kept: `cannot save file`; the \
                reason is logged",
            Immediate(|session, args| printsgf(session, args.take()?)),
        ),
        CommandSpec::new(
            "gomill-savesgf",
            &[FILE, PROPERTY.any()],
            "`printsgf FILE` with today's date and these root properties, which replace \
                those that the engine would write; `\\_` stands for a blank and `\\\\` for a \
                backslash",
            Immediate(|session, args| savesgf(session, args.take()?, args.take()?)),
        ),
    ],
};

/// Why a game could not be loaded.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    GameRecord(#[from] RecordError),
}

impl From<sgf::ParseError> for LoadError {
    fn from(error: sgf::ParseError) -> Self {
        LoadError::GameRecord(error.into())
    }
}

/// Most characters of the reason why a file cannot be loaded.
const LONGEST_REASON: usize = 200;

fn loadsgf(session: &mut Session, file: &str, turn: Option<usize>) -> Reply {
    let base = FileDefaults {
        setup: session.setup(),
        encoding: session.settings.encoding,
    };
    let loaded = load(file, turn, base).and_then(|record| Ok((record.game()?, record)));
    let (game, record) = loaded.map_err(|error| {
        log::warn!("{file}: {error}");
        // A value that the reason quotes may be long.
        let why = error.to_string().chars().take(LONGEST_REASON).collect();
        Failure::CannotLoadFile(why)
    })?;
    session.load(record, game);
    done()
}

fn load(file: &str, turn: Option<usize>, base: FileDefaults<'_>) -> Result<GameRecord, LoadError> {
    let path = Path::new(file);
    files::refuse_devices(path)?;
    let bytes = files::read(path)?;
    let text = sgf::decode_utf16(&bytes);
    let mut first = sgf::games(&text);
    // A text without games yields an error, so there is a first item.
    let nothing = || FileError::Io(io::ErrorKind::UnexpectedEof.into());
    let tree = first.next().ok_or_else(nothing)??;
    Ok(match turn {
        Some(turn) => GameRecord::read_before(&tree, base, turn)?,
        None => GameRecord::read(&tree, base)?,
    })
}

/// The record of the game so far, with the notes of the file that it was loaded from.
fn record(session: &Session) -> GameRecord {
    let mut record = GameRecord::of(session.setup(), session.game());
    if let Some(loaded) = session.loaded() {
        record.take_notes(loaded);
    }
    record
}

fn printsgf(session: &mut Session, file: Option<&str>) -> Reply {
    let record = record(session);
    if let Some(file) = file {
        return save(file, &record);
    }
    let bytes = write(&record)?;
    Ok(escape_blank_lines(&String::from_utf8_lossy(&bytes)))
}

fn savesgf(session: &mut Session, file: &str, properties: Vec<&str>) -> Reply {
    const DATE: PropertyName = PropertyName::from_static("DT");
    let mut record = record(session);
    if record.notes.get(0, DATE.as_str()).is_none() {
        // The date is well formed, so adding it cannot fail.
        let _ = record.notes.add(0, DATE, &sgf::today());
    }
    for (name, value) in properties.into_iter().filter_map(parse_property) {
        if let Err(error) = record.notes.add(0, name, &unescape_gomill(value)) {
            log::warn!("{value}: {error}");
        }
    }
    save(file, &record)
}

/// Splits `KEY=VALUE`.
fn parse_property(word: &str) -> Option<(PropertyName, &str)> {
    let (name, value) = word.split_once('=')?;
    Some((PropertyName::new(&name.to_ascii_uppercase())?, value))
}

/// Unescapes a value as Gomill writes it: `\_` is a blank, `\\` a backslash.
fn unescape_gomill(text: &str) -> String {
    let mut letters = text.chars();
    std::iter::from_fn(|| match letters.next()? {
        '\\' => match letters.next() {
            Some('_') => Some(' '),
            other => other.or(Some('\\')),
        },
        letter => Some(letter),
    })
    .collect()
}

fn write(record: &GameRecord) -> Result<Vec<u8>, Failure> {
    record.write().map_err(|error| {
        log::error!("{error}");
        Failure::Other("cannot write the game")
    })
}

fn save(file: &str, record: &GameRecord) -> Reply {
    let (path, bytes) = (Path::new(file), write(record)?);
    let saved = files::refuse_devices(path)
        .and_then(|()| files::write(path, &bytes, Replace::Recognized(is_one_game)));
    saved.map_err(|error| {
        log::warn!("{file}: {error}");
        Failure::Other("cannot save file")
    })?;
    done()
}

/// Whether a file is one game of SGF. Clients save a game again and again under the same
/// name; a whole collection would be lost.
fn is_one_game(bytes: &[u8]) -> bool {
    let text = sgf::decode_utf16(bytes);
    let plain = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let starts_at_once = plain.trim_ascii_start().starts_with(b"(");
    let mut games = sgf::games(&text);
    starts_at_once && matches!(games.next(), Some(Ok(_))) && games.next().is_none()
}

/// Escapes the first blank on each blank line, which ends a GTP response. Blank
/// lines occur only within SGF texts, so the meaning stays.
fn escape_blank_lines(text: &str) -> String {
    let lines = text.trim_end().split('\n');
    let marked = lines.map(|line| match line.trim().is_empty() {
        true => format!("\\ {}", line.get(1..).unwrap_or_default()),
        false => line.to_owned(),
    });
    marked.collect::<Vec<_>>().join("\n")
}
