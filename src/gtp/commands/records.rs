//! Game records.

use super::{FILE, done};
use crate::files::{self, FileError, HEAD_BYTES, Replace};
use crate::gtp::arguments::{Arg, ArgType, COUNT, arg};
use crate::gtp::session::SessionFile;
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session};
use crate::sgf::{self, Cursor, FileDefaults, GameRecord, NodeId};
use crate::time;
use std::io;
use std::path::Path;

const PROPERTY: Arg = arg(
    "property",
    ArgType::Matching("a property such as PB=Name", |word| parse_property(word).is_some()),
);

const FORCE: Arg = arg("--force", ArgType::OneOf(&["--force"]));

pub const GROUP: CommandGroup = CommandGroup {
    title: "Records",
    commands: &[
        CommandSpec::new(
            "loadsgf",
            &[FILE, arg("turn", COUNT).optional()],
            "loads the first game of an SGF file with its size, komi and rules, up to the position \
                before TURN or to its end. A file of another program is a game of the current \
                variant, with vertices in the current encoding, and with the current size, komi \
                and rules unless it states them. Stones that a node sets up in the middle, and \
                illegal moves that the file forces (`KO`), are not turns. The log names ignored \
                properties, such as unknown rules. A name with blanks may be quoted. Fails with \
                `cannot load file` and the reason",
            |session, args| loadsgf(session, args.take()?, args.take()?),
        )
        .effect(Effect::Loads),
        CommandSpec::new(
            "printsgf",
            &[FILE.optional(), FORCE.optional()],
            "writes the record of the game as SGF to the reply or to a file: the loaded file with \
                everything in it, and the turns of the session as its main line. Turns of the file \
                that are taken back stay in it. An unchanged record of a UTF-8 file is written byte for byte; all \
                else is written as UTF-8. \
                Replaces the file that the session loaded or wrote, and an empty one; any other \
                file only with `--force`. Otherwise fails with `cannot save file` and the reason",
            |session, args| printsgf(session, args.take()?, args.take()?),
        ),
        CommandSpec::new(
            "gomill-savesgf",
            &[FILE, PROPERTY.any()],
            "`printsgf FILE` with today's date and these root properties, which replace the engine's own; `\\_` stands for a blank and `\\\\` for a \
                backslash",
            |session, args| savesgf(session, args.take()?, args.take()?),
        ),
    ],
};

/// The reason for the log and the client.
type Reason = Box<dyn std::error::Error>;

/// Maximum characters of the reason why a file cannot be loaded; it may quote a long value.
const MAX_REASON: usize = 200;

fn loadsgf(session: &mut Session, file: &str, turn: Option<usize>) -> Reply {
    let base = FileDefaults {
        encoding: session.settings.encoding,
        rules_are_chosen: false,
        ..session.setup().into()
    };
    let turn = turn.unwrap_or(usize::MAX);
    let loaded = load(file, base).and_then(|(record, own)| {
        let cursor = Cursor::before(&record, turn)?;
        Ok((record, cursor, own))
    });
    let (record, cursor, own) = loaded.map_err(|error| {
        log::warn!("{file}: {error}");
        let why: String = error.to_string().chars().take(MAX_REASON).collect();
        format!("cannot load file: {why}")
    })?;
    for remark in record.remarks.iter().chain(&sgf::remarks_on_repetition(cursor.game())) {
        log::warn!("{file}: {}", remark.text);
    }
    session.load(record, cursor, own);
    done()
}

/// Reads a record, and its file if nothing else is in it.
fn load(file: &str, base: FileDefaults<'_>) -> Result<(GameRecord, Option<SessionFile>), Reason> {
    let path = Path::new(file);
    files::refuse_devices(path)?;
    let content = files::read(path)?;
    let nothing = || FileError::Io(io::ErrorKind::UnexpectedEof.into());
    let mut games = sgf::games(&content);
    let tree = games.next().ok_or_else(nothing)??;
    let record = GameRecord::view(&tree, base, &|| false)?;
    let game = games.text().get(games.span()).unwrap_or_default();
    let is_alone = holds_only(games.text().as_bytes(), game.as_bytes());
    let own = is_alone.then(|| SessionFile::new(path, &content));
    Ok((record, own.transpose()?))
}

/// Whether a file is a game and blanks around it.
fn holds_only(file: &[u8], game: &[u8]) -> bool {
    files::without_mark(file).trim_ascii() == game.trim_ascii()
}

fn record(session: &Session) -> Result<GameRecord, Failure> {
    session.saved().map_err(|error| {
        log::error!("{error}");
        "cannot write the game".into()
    })
}

fn printsgf(session: &mut Session, file: Option<&str>, force: Option<&str>) -> Reply {
    let record = record(session)?;
    if let Some(file) = file {
        return save(session, file, &record, force.is_some());
    }
    Ok(escape_blank_lines(&record.write_text()))
}

fn savesgf(session: &mut Session, file: &str, properties: Vec<&str>) -> Reply {
    const DATE: &str = "DT";
    let mut record = record(session)?;
    if record.note(NodeId::ROOT, DATE).is_none() {
        record.set_note(NodeId::ROOT, DATE, &time::today());
    }
    for (name, value) in properties.into_iter().filter_map(parse_property) {
        if let Err(error) = record.set_by_name(&name, &unescape_gomill(value)) {
            log::warn!("{value}: {error}");
        }
    }
    save(session, file, &record, false)
}

/// Splits `KEY=VALUE`.
fn parse_property(word: &str) -> Option<(String, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(|c| c.is_ascii_alphabetic());
    is_name.then(|| (name.to_ascii_uppercase(), value))
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

fn save(session: &mut Session, file: &str, record: &GameRecord, force: bool) -> Reply {
    let saved = replace(session, Path::new(file), record, force);
    let charset = saved.map_err(|error| {
        log::warn!("{file}: {error}");
        format!("cannot save file: {error}")
    })?;
    let Some(charset) = charset else {
        return done();
    };
    let words = format!("the file was {charset} and is UTF-8 now");
    log::warn!("{file}: {words}");
    Ok(words)
}

/// Writes a record to a file; returns the character set of the session's own file there if that was
/// not UTF-8. Without `force` it replaces no other file, and not this one if somebody else has
/// changed it.
fn replace(
    session: &mut Session,
    path: &Path,
    record: &GameRecord,
    force: bool,
) -> Result<Option<&'static str>, FileError> {
    files::refuse_devices(path)?;
    let bytes = record.write();
    let content = files::read(path).ok();
    let is_own = |content: &&Vec<u8>| session.has_file(path, content);
    let own = content.as_ref().filter(is_own);
    if own.is_some_and(|own| holds_only(own, &bytes)) {
        return Ok(None);
    }
    let old = own.and_then(|own| sgf::games(own).next()?.ok());
    let charset = old.filter(|tree| !tree.is_as_read()).map(|tree| tree.charset());
    let replace = match own {
        _ if force => Replace::Anything,
        Some(own) => Replace::Beginning(own.get(..HEAD_BYTES).unwrap_or(own)),
        None => Replace::Nothing,
    };
    files::write(path, &bytes, replace)?;
    session.wrote(SessionFile::new(path, &bytes)?);
    Ok(charset)
}

/// Escapes the first blank of each blank line: an empty line ends a GTP response. Only texts of SGF
/// have blank lines; an empty one gets a blank.
fn escape_blank_lines(text: &str) -> String {
    let lines = text.trim_end().split('\n');
    let marked = lines.map(|line| {
        if line.trim().is_empty() {
            format!("\\ {}", line.get(1..).unwrap_or_default())
        } else {
            line.to_owned()
        }
    });
    marked.collect::<Vec<_>>().join("\n")
}
