//! Writes a record to a file that holds a game.
//!
//! Clients save a game again and again under the same name, so a game without additions is
//! replaced. Where variations, marks or comments would be lost, the file stays, unless it holds the
//! same game: then the line of the game becomes its main line.

use super::client::FileDefaults;
use super::decode::inner_text;
use super::decode_file;
use super::edit::notes;
use super::grammar::ROOT_PROPERTIES;
use super::marks::is_mark;
use super::parse::games;
use super::property::Property;
use super::record::GameRecord;
use super::tree::{GameTree, NodeId};
use super::value::PropertyValue;
use super::write::spliced;
use crate::files::without_mark;
use crate::rules::{AnyGame, Setup};
use std::collections::HashSet;

/// The new content of a file that holds `file`, for `record` of `game`. If the game went on from a
/// file, `loaded` is that record. With `force`, any game of Go is replaced.
///
/// # Errors
/// The reason why the file must stay as it is.
pub fn update(
    file: &[u8],
    record: &GameRecord,
    game: &AnyGame,
    loaded: Option<&GameRecord>,
    defaults: FileDefaults<'_>,
    force: bool,
) -> Result<Vec<u8>, String> {
    let text = decode_file(file);
    let plain = without_mark(&text);
    let mut trees = games(plain);
    let first = trees.next();
    let span = trees.span();
    let (Some(Ok(tree)), true, None) =
        (first, plain.trim_ascii_start().starts_with(b"("), trees.next())
    else {
        return Err("the file exists and is not a single game".to_owned());
    };
    let written = |game: Vec<u8>| {
        let same = plain.get(span.clone()) == Some(game.as_slice());
        if same { file.to_vec() } else { spliced(plain, span, &game) }
    };
    let number = tree.value(NodeId::ROOT, "GM").and_then(PropertyValue::number);
    if let Some(number) = number.filter(|&number| number != 1) {
        return Err(format!("the file holds a game that is not Go (GM[{number}])"));
    }
    let old = GameRecord::view(&tree, defaults, &|| false).ok();
    let is_snapshot = inner_text(&tree).is_some();
    let held = old.as_ref().filter(|_| !is_snapshot).map_or(&tree, GameRecord::tree);
    if force || holds_no_more(held, old.as_ref(), record) {
        return Ok(written(record.write()));
    }
    let is_same = |old: &GameRecord| !is_snapshot && is_same_game(old, record, game, loaded);
    let mut old = old.filter(is_same).ok_or(
        "the file holds another game, of which variations, marks, names or comments would be lost",
    )?;
    old.follow(&record.setup, game, false).map_err(|error| error.to_string())?;
    Ok(written(old.write()))
}

/// Properties that a new record may lose, besides those of the game.
const WRITTEN: &[&str] = &["AP", "DT", "OT", "RU", "ST", "TM"];

/// The same in files of ours.
const WRITTEN_BY_US: &[&str] = &["KJUDGE", "N"];

/// Whether a file holds one line of turns, and no mark, name or comment that the record lacks.
/// `old` is the game of the file. Names in a file of ours are those of an earlier game.
fn holds_no_more(tree: &GameTree, old: Option<&GameRecord>, record: &GameRecord) -> bool {
    let is_ours = tree.property(NodeId::ROOT, "KAWARI").is_some();
    let own = record.tree.nodes().flat_map(|id| record.tree.properties(id));
    let own: HashSet<String> = own.map(|property| property.compact()).collect();
    let is_lost = |id: NodeId, property: &Property<'_>| {
        let name = &*property.name();
        let is_root = || id == NodeId::ROOT && ROOT_PROPERTIES.contains(&name);
        let is_drawn = || old.is_some_and(|old| old.marks(id).is_empty());
        let is_anew = WRITTEN.contains(&name)
            || is_ours && (WRITTEN_BY_US.contains(&name) || is_root())
            || is_mark(name) && is_drawn();
        !is_anew
            && !own.contains(&property.compact())
            && !property.values().all(PropertyValue::is_empty)
    };
    tree.nodes().all(|id| {
        let mut notes = notes(tree.text(id));
        tree.children(id).len() < 2 && !notes.any(|note| is_lost(id, &note))
    })
}

/// Whether the file holds the game that went on from `loaded`, or its beginning.
fn is_same_game(
    old: &GameRecord,
    record: &GameRecord,
    game: &AnyGame,
    loaded: Option<&GameRecord>,
) -> bool {
    let is_written_alike = old.is_ours || record.setup.info.is_plain();
    if !begins_alike(&old.setup, &record.setup) || !is_written_alike || game.is_mid_turn() {
        return false;
    }
    let (own, goes_on) = (old.turns(), |own: &[_]| game.turns().starts_with(own));
    let Some(loaded) = loaded else {
        return !own.is_empty() && goes_on(&own);
    };
    let line = loaded.turns();
    has_root_notes_of(&old.tree, &loaded.tree)
        && (own.starts_with(&line)
            || line.starts_with(&own)
            || own.starts_with(game.turns())
            || goes_on(&own))
}

/// Whether two roots are the same, except for properties that a save may change.
fn has_root_notes_of(one: &GameTree, other: &GameTree) -> bool {
    let is_note = |property: &Property<'_>| {
        let name = &*property.name();
        !WRITTEN.contains(&name) && !WRITTEN_BY_US.contains(&name)
    };
    let notes = |tree: &GameTree| -> Vec<String> {
        let notes = notes(tree.text(NodeId::ROOT)).filter(is_note);
        notes.map(|property| property.compact()).collect()
    };
    notes(one) == notes(other)
}

/// Whether two games begin with the same position under the same rules, except for komi.
fn begins_alike(one: &Setup, other: &Setup) -> bool {
    let mut other = other.clone();
    other.rules.komi = one.rules.komi;
    let start = |setup| AnyGame::new(setup).ok().map(|game| game.state());
    one.rules == other.rules && start(one) == start(&other)
}
