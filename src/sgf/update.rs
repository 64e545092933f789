//! Writes a record in the place of a file that holds a game.
//!
//! Clients save a game again and again under the same name, so a file that holds nothing
//! but a game is replaced. Where variations, marks or comments would be lost, the file stays as
//! it is, unless it holds the same game: then the line of the game becomes its main line.

use super::client::FileDefaults;
use super::decode_file;
use super::parse::{ROOT_PROPERTIES, games};
use super::property::Property;
use super::record::GameRecord;
use super::record_error::RecordError;
use super::snapshot::holds_record;
use super::tree::{GameTree, NodeId};
use super::value::PropertyValue;
use super::write::spliced;
use crate::files::without_mark;
use crate::rules::{AnyGame, Setup};
use std::collections::HashSet;

/// Why a file is not replaced by a record.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// It does not hold one game of SGF and nothing else.
    #[error("the file exists and holds something else than one game")]
    NotOneGame,
    /// It holds a game that is not Go; the value of `GM`.
    #[error("the file holds a game that is not Go (GM[{0}])")]
    NotGo(i64),
    /// Something would be lost, and the game of the file is another one.
    #[error(
        "the file holds another game, of which variations, marks, names or comments would be lost"
    )]
    OtherGame,
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The new content of a file that holds `file`, in which `record` of `game` is to be written: a
/// game that went on from `loaded`, if it was loaded from a file. With `force`, any game of Go
/// is replaced.
///
/// # Errors
/// [`UpdateError`]: the file must stay as it is.
pub fn update(
    file: &[u8],
    record: &GameRecord,
    game: &AnyGame,
    loaded: Option<&GameRecord>,
    defaults: FileDefaults<'_>,
    force: bool,
) -> Result<Vec<u8>, UpdateError> {
    let text = decode_file(file);
    let plain = without_mark(&text);
    let mut trees = games(plain);
    let first = trees.next();
    let span = trees.span();
    let (Some(Ok(tree)), true, None) =
        (first, plain.trim_ascii_start().starts_with(b"("), trees.next())
    else {
        return Err(UpdateError::NotOneGame);
    };
    let written = |game: Vec<u8>| {
        let same = plain.get(span.clone()) == Some(game.as_slice());
        if same { file.to_vec() } else { spliced(plain, span, &game) }
    };
    let number = tree.value(NodeId::ROOT, "GM").and_then(PropertyValue::number);
    if let Some(number) = number.filter(|&number| number != 1) {
        return Err(UpdateError::NotGo(number));
    }
    if force || holds_no_more(&tree, record) {
        return Ok(written(record.write()));
    }
    let mut old = same_game(&tree, record, game, loaded, defaults).ok_or(UpdateError::OtherGame)?;
    old.follow(&record.setup, game, false)?;
    Ok(written(old.write()))
}

/// Properties of which nothing is lost where a record is written anew, in any file.
const WRITTEN: &[&str] = &[
    "AB", "AP", "AW", "B", "CA", "DT", "FF", "GM", "HA", "KM", "OT", "PL", "RE", "RU", "ST", "SZ",
    "TM", "W",
];

/// The same in files of ours.
const WRITTEN_BY_US: &[&str] =
    &["KAWARI", "KBEGUN", "KBLOCK", "KGROW", "KJUDGE", "KRESIGN", "KRULE", "KTURN", "N"];

/// Marks and changes that our files have where a position is not one of plain Go.
const DRAWN_BY_US: &[&str] = &["AE", "CR", "LB", "MA", "TR"];

/// Whether a file holds one line of turns, and no mark, name or comment that the record
/// lacks. Names in a file of ours are those of an earlier game.
fn holds_no_more(tree: &GameTree, record: &GameRecord) -> bool {
    let of_us = |name| tree.property(NodeId::ROOT, name).is_some();
    let is_ours = of_us("KAWARI");
    let is_drawn = is_ours && (!record.setup.info.is_plain() || of_us("KBLOCK"));
    let own = record.tree.nodes().flat_map(|id| record.tree.properties(id));
    let own: HashSet<String> = own.map(|property| property.compact()).collect();
    let has_note = |property: &Property<'_>| {
        property.values().all(PropertyValue::is_empty) || own.contains(&property.compact())
    };
    tree.nodes().all(|id| {
        tree.children(id).len() < 2
            && tree.properties(id).all(|property| {
                let name = &*property.name();
                WRITTEN.contains(&name)
                    || is_ours && WRITTEN_BY_US.contains(&name)
                    || is_ours && id == NodeId::ROOT && ROOT_PROPERTIES.contains(&name)
                    || is_drawn && DRAWN_BY_US.contains(&name)
                    || has_note(&property)
            })
    })
}

/// The record in a file, if it is of the game that went on from `loaded`, or of its beginning.
fn same_game(
    tree: &GameTree,
    record: &GameRecord,
    game: &AnyGame,
    loaded: Option<&GameRecord>,
    defaults: FileDefaults<'_>,
) -> Option<GameRecord> {
    if holds_record(tree) {
        return None;
    }
    let old = GameRecord::read(tree, defaults).ok()?;
    let is_written_alike = old.is_ours || record.setup.info.is_plain();
    if !begins_alike(&old.setup, &record.setup) || !is_written_alike || game.is_mid_turn() {
        return None;
    }
    let own = old.turns();
    let is_same = match loaded {
        Some(loaded) => {
            let line = loaded.turns();
            has_root_notes_of(&old.tree, &loaded.tree)
                && (own.starts_with(&line)
                    || line.starts_with(&own)
                    || own.starts_with(game.turns())
                    || game.turns().starts_with(&own))
        }
        None => !own.is_empty() && game.turns().starts_with(&own),
    };
    is_same.then_some(old)
}

/// Whether two roots say the same of their games, apart from what a save may change.
fn has_root_notes_of(one: &GameTree, other: &GameTree) -> bool {
    let is_note = |property: &Property<'_>| {
        let name = &*property.name();
        !WRITTEN.contains(&name) && !WRITTEN_BY_US.contains(&name)
    };
    let notes = |tree: &GameTree| -> Vec<String> {
        let notes = tree.properties(NodeId::ROOT).filter(is_note);
        notes.map(|property| property.compact()).collect()
    };
    notes(one) == notes(other)
}

/// Whether two games begin with the same position under the same rules, but for komi.
fn begins_alike(one: &Setup, other: &Setup) -> bool {
    let mut other = other.clone();
    other.rules.komi = one.rules.komi;
    let start = |setup| AnyGame::new(setup).ok().map(|game| game.state());
    one.rules == other.rules && start(one) == start(&other)
}
