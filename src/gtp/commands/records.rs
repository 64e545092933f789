//! Game records.

use super::{FILE, done};
use crate::gtp::arguments::{Arg, ArgType, COUNT, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Setup, go};
use crate::sgf::{self, GameRecord, PropertyName, RecordError};
use std::io;

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
                position before TURN or to its end: a record of any variant, or plain Go by any \
                program (stones set up in the middle of the game make a new start). Properties \
                that a plain record leaves out keep their values if the current variant is `go`. \
                A name with blanks may be quoted. Fails with `cannot load file`; the reason is \
                logged",
            Immediate(|session, args| loadsgf(session, args.take()?, args.take()?)),
        )
        .effect(Effect::Loads),
        CommandSpec::new(
            "printsgf",
            &[FILE.optional()],
            "writes the game so far as SGF to the reply or to a file, with the names and \
                comments of the record that it was loaded from",
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
    File(#[from] io::Error),
    #[error(transparent)]
    GameRecord(#[from] RecordError),
}

impl From<sgf::ParseError> for LoadError {
    fn from(error: sgf::ParseError) -> Self {
        LoadError::GameRecord(error.into())
    }
}

fn loadsgf(session: &mut Session, file: &str, turn: Option<usize>) -> Reply {
    let base = match session.setup() {
        setup if setup.info.id == go::INFO.id => setup.clone(),
        _ => Setup::new(&go::INFO),
    };
    let loaded = load(file, turn, &base).and_then(|record| Ok((record.game()?, record)));
    let (game, record) = loaded.map_err(|error| {
        log::warn!("{file}: {error}");
        Failure::CannotLoadFile
    })?;
    session.load(record, game);
    done()
}

fn load(file: &str, turn: Option<usize>, base: &Setup) -> Result<GameRecord, LoadError> {
    // A device or a pipe may never end.
    if !std::fs::metadata(file)?.is_file() {
        return Err(io::Error::other("not a file").into());
    }
    let bytes = std::fs::read(file)?;
    let text = sgf::decode_utf16(&bytes);
    let mut first = sgf::games(&text);
    // A text without games yields an error, so there is a first item.
    let tree = first.next().ok_or(io::ErrorKind::UnexpectedEof.into());
    let tree = tree.map_err(LoadError::File)??;
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
    std::fs::write(file, write(record)?).map_err(|error| {
        log::warn!("{file}: {error}");
        Failure::Other("cannot save file")
    })?;
    done()
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
