//! Game records.

use super::{done, whole};
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Setup, go};
use crate::sgf::{self, GameRecord, PropertyName, RecordError};
use std::io;
use std::path::Path;

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Records",
    commands: &[
        CommandSpec {
            name: "loadsgf",
            args: "FILE [N]",
            summary: "loads the first game of an SGF file with its size, komi and rules, up to the \
                position before turn N or to its end: a record of any variant, or plain Go by any \
                program (stones set up in the middle of the game make a new start). Properties that a \
                plain record leaves out keep their values if the current variant is `go`. A name with blanks may \
                be quoted. Fails with `cannot load file`; the reason is logged",
            handler: Immediate(loadsgf),
        },
        CommandSpec {
            name: "printsgf",
            args: "[FILE]",
            summary: "writes the game so far as SGF to the reply or to a file, with the names and \
                comments of the record that it was loaded from",
            handler: Immediate(printsgf),
        },
        CommandSpec {
            name: "gomill-savesgf",
            args: "FILE [KEY=VALUE…]",
            summary: "`printsgf FILE` with today's date and these root properties, which replace those \
                that the engine would write; `\\_` stands for a blank and `\\\\` for a backslash",
            handler: Immediate(savesgf),
        },
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

fn loadsgf(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (file, turn) = file_and_turn(args.rest())?;
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

/// Splits the arguments of `loadsgf` into a file name, quoted or not, and an
/// optional turn number.
fn file_and_turn(text: &str) -> Result<(&str, Option<usize>), Failure> {
    let (file, rest) = match quoted(text)? {
        Some(split) => split,
        None => match text.rsplit_once(' ') {
            Some((file, last)) if whole(last).is_ok() && !Path::new(text).exists() => {
                (file.trim_end(), last)
            }
            _ => (text, ""),
        },
    };
    let turn = match rest {
        "" => None,
        rest => Some(usize::try_from(whole(rest)?).map_err(|_| Failure::Syntax)?),
    };
    match file {
        "" => Err(Failure::Syntax),
        file => Ok((file, turn)),
    }
}

/// Splits a text that begins with a quote into the quoted name and the rest.
fn quoted(text: &str) -> Result<Option<(&str, &str)>, Failure> {
    let Some(inside) = text.strip_prefix('"') else {
        return Ok(None);
    };
    let (file, rest) = inside.split_once('"').ok_or(Failure::Syntax)?;
    Ok(Some((file, rest.trim_start())))
}

/// The record of the game so far, with the notes of the file that it was loaded from.
fn record(session: &Session) -> GameRecord {
    let mut record = GameRecord::of(session.setup(), session.game());
    if let Some(loaded) = session.loaded() {
        record.take_notes(loaded);
    }
    record
}

/// Reads a file name, quoted or not; `None` if there are no arguments.
pub(super) fn optional_file<'a>(args: &Args<'a>) -> Result<Option<&'a str>, Failure> {
    let file = match quoted(args.rest())? {
        Some((file, "")) => file,
        Some(_) => return Err(Failure::Syntax),
        None => args.rest(),
    };
    Ok(Some(file).filter(|file| !file.is_empty()))
}

fn printsgf(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let record = record(session);
    if let Some(file) = optional_file(args)? {
        return save(file, &record);
    }
    let bytes = write(&record)?;
    Ok(escape_blank_lines(&String::from_utf8_lossy(&bytes)))
}

fn savesgf(session: &mut Session, args: &mut Args<'_>) -> Reply {
    const DATE: PropertyName = PropertyName::from_static("DT");
    let mut record = record(session);
    if record.notes.get(0, DATE.as_str()).is_none() {
        // The date is well formed, so adding it cannot fail.
        let _ = record.notes.add(0, DATE, &sgf::today());
    }
    let text = args.rest();
    let (file, rest) = match quoted(text)? {
        Some(split) => split,
        None => {
            let mut blanks = text.match_indices(' ').map(|(at, _)| text.split_at(at));
            blanks
                .find(|(_, rest)| is_property(rest))
                .unwrap_or((text, ""))
        }
    };
    if file.is_empty() || is_property(file) {
        return Err(Failure::Syntax);
    }
    for word in Args::new(rest) {
        let (name, value) = word.split_once('=').ok_or(Failure::Syntax)?;
        let name = PropertyName::new(&name.to_ascii_uppercase()).ok_or(Failure::Syntax)?;
        if let Err(error) = record.notes.add(0, name, &unescape_gomill(value)) {
            log::warn!("{word}: {error}");
        }
    }
    save(file.trim_end(), &record)
}

/// Whether the text begins with `KEY=`.
fn is_property(text: &str) -> bool {
    let name = text.trim_start().split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| PropertyName::new(&name.to_ascii_uppercase()).is_some())
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
