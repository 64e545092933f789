//! Game records.

use super::{FILE, done};
use crate::files::{self, FileError, HEAD_BYTES, Replace};
use crate::gtp::arguments::{Arg, ArgType, COUNT, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session};
use crate::sgf::{self, FileDefaults, GameRecord, NodeId};
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
            "writes the game so far as SGF to the reply or to a file, with everything in the \
                loaded file; an unchanged record byte for byte. Replaces an empty file, or a file \
                with only the moves of a game. In a file of the same game with variations, marks, \
                names or comments, the line of the game becomes the main line. Replaces the file \
                of another game only with `--force`. Otherwise fails with `cannot save file` and \
                logs the reason",
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
    let base = FileDefaults { setup: session.setup(), encoding: session.settings.encoding };
    let turn = turn.unwrap_or(usize::MAX);
    let loaded = load(file, base).and_then(|record| Ok((record.game_before(turn)?, record)));
    let (game, record) = loaded.map_err(|error| {
        log::warn!("{file}: {error}");
        let why: String = error.to_string().chars().take(MAX_REASON).collect();
        format!("cannot load file: {why}")
    })?;
    for remark in &record.remarks {
        log::warn!("{file}: {}", remark.text);
    }
    session.load(record, game);
    done()
}

fn load(file: &str, base: FileDefaults<'_>) -> Result<GameRecord, Reason> {
    let path = Path::new(file);
    files::refuse_devices(path)?;
    let bytes = files::read(path)?;
    let text = sgf::decode_file(&bytes);
    let mut first = sgf::games(&text);
    let nothing = || FileError::Io(io::ErrorKind::UnexpectedEof.into());
    let tree = first.next().ok_or_else(nothing)??;
    Ok(GameRecord::view(&tree, base, &|| false)?)
}

/// The record of the game so far, with everything in the file from which it was loaded.
fn record(session: &Session) -> Result<GameRecord, Failure> {
    let (setup, game) = (session.setup(), session.game());
    let record = match session.loaded() {
        Some(loaded) => {
            let mut record = loaded.clone();
            record.follow(setup, game, true).map(|()| record)
        }
        None => GameRecord::from_game(setup, game),
    };
    record.map_err(|error| {
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

fn save(session: &Session, file: &str, record: &GameRecord, force: bool) -> Reply {
    let saved = replace(session, Path::new(file), record, force);
    saved.map_err(|error| {
        log::warn!("{file}: {error}");
        "cannot save file"
    })?;
    done()
}

/// Writes a record to a file and replaces only replaceable content.
fn replace(session: &Session, path: &Path, record: &GameRecord, force: bool) -> Result<(), Reason> {
    files::refuse_devices(path)?;
    let old = match files::read(path) {
        Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    if old.is_empty() {
        return Ok(files::write(path, &record.write(), Replace::Nothing)?);
    }
    let base = FileDefaults { setup: session.setup(), encoding: session.settings.encoding };
    let bytes = sgf::update(&old, record, session.game(), session.loaded(), base, force)?;
    let seen = old.get(..HEAD_BYTES).unwrap_or(&old);
    Ok(files::write(path, &bytes, Replace::Beginning(seen))?)
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
