//! Writes a record in the place of a file that holds a game.
//!
//! Clients save a game again and again under the same name, so a file that holds nothing
//! but a game is replaced. Where variations, marks or comments would be lost, the tree is
//! kept: if the file holds the game of the record, its line is updated and becomes the main
//! line, and otherwise the file stays as it is.

use super::client::{FileBoard, FileDefaults};
use super::decode_utf16;
use super::encode::ViewerBoards;
use super::game_record::{GameRecord, RecordError};
use super::parse::{ROOT_PROPERTIES, games};
use super::snapshot::holds_record;
use super::tree::{GameTree, NodeId, Property};
use super::value::{PropertyValue, escaped};
use super::write::{NodeBuilder, Writer};
use crate::board::Color;
use crate::files::without_mark;
use crate::rules::{AnyGame, Setup, Turn};
use std::borrow::Cow;

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

/// The new content of a file that holds `file`, in which `record` is to be written: a game
/// that went on from `loaded`, if it was loaded from a file. With `force`, any game of Go is
/// replaced.
///
/// # Errors
/// [`UpdateError`]: the file must stay as it is.
pub fn update(
    file: &[u8],
    record: &GameRecord,
    loaded: Option<&GameRecord>,
    defaults: FileDefaults<'_>,
    force: bool,
) -> Result<Vec<u8>, UpdateError> {
    let text = decode_utf16(file);
    let plain = without_mark(&text);
    let mut trees = games(plain);
    let (Some(Ok(tree)), true, None) =
        (trees.next(), plain.trim_ascii_start().starts_with(b"("), trees.next())
    else {
        return Err(UpdateError::NotOneGame);
    };
    let game = tree.value(NodeId::ROOT, "GM").and_then(PropertyValue::number);
    if let Some(game) = game.filter(|&game| game != 1) {
        return Err(UpdateError::NotGo(game));
    }
    if force || holds_no_more(&tree, record) {
        return Ok(record.write()?);
    }
    let updater = Updater::new(&tree, record, loaded, defaults).ok_or(UpdateError::OtherGame)?;
    let updated = updater.write()?;
    let again = games(&updated)
        .next()
        .and_then(Result::ok)
        .and_then(|tree| GameRecord::read(&tree, defaults).ok());
    let is_same = again.is_some_and(|again| again.turns.starts_with(&record.turns));
    is_same.then_some(updated).ok_or(UpdateError::OtherGame)
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
fn holds_no_more(tree: &GameTree<'_>, record: &GameRecord) -> bool {
    let of_us = |name| tree.property(NodeId::ROOT, name).is_some();
    let is_ours = of_us("KAWARI");
    let is_drawn = is_ours && (!record.setup.info.is_plain() || of_us("KBLOCK"));
    let has_note = |name: &str, property: &Property<'_>| {
        let mut values = property.values().map(PropertyValue::text);
        let text = values.next().unwrap_or_default();
        let turns = 0..=record.turns.len();
        let mut notes = turns.filter_map(|turn| record.notes.get(turn, name));
        values.next().is_none() && (text.is_empty() || notes.any(|note| note == text))
    };
    tree.nodes().all(|id| {
        let is_single = tree.child(id).is_none_or(|child| tree.sibling(child).is_none());
        is_single
            && tree.properties(id).all(|property| {
                let name = &*property.name();
                WRITTEN.contains(&name)
                    || is_ours && WRITTEN_BY_US.contains(&name)
                    || is_ours && id == NodeId::ROOT && ROOT_PROPERTIES.contains(&name)
                    || is_drawn && DRAWN_BY_US.contains(&name)
                    || has_note(name, &property)
            })
    })
}

/// Writes a tree anew with a line of turns in it.
struct Updater<'t, 'a> {
    tree: &'t GameTree<'a>,
    /// The main line of the tree.
    old: GameRecord,
    record: &'t GameRecord,
    /// The node of the last turn of the record that the tree has.
    end: NodeId,
    /// The number of turns of the record that the tree has.
    known: usize,
}

impl<'t, 'a> Updater<'t, 'a> {
    /// `None` if the tree is not of the game of the record.
    fn new(
        tree: &'t GameTree<'a>,
        record: &'t GameRecord,
        loaded: Option<&GameRecord>,
        defaults: FileDefaults<'_>,
    ) -> Option<Updater<'t, 'a>> {
        if holds_record(tree) {
            return None;
        }
        let old = GameRecord::read(tree, defaults).ok()?;
        let is_ours = tree.property(NodeId::ROOT, "KAWARI").is_some();
        let is_written_alike = is_ours || record.setup.info.is_plain();
        let has_moves = |name| tree.property(NodeId::ROOT, name).is_some();
        if !begins_alike(&old.setup, &record.setup)
            || !is_written_alike
            || record.unfinished.is_some()
            || has_moves("B")
            || has_moves("W")
        {
            return None;
        }
        let game = AnyGame::new(&record.setup).ok()?;
        let walk = |turns: &[(Color, Turn)]| {
            let (mut at, mut known) = (NodeId::ROOT, 0);
            for (color, turn) in turns {
                let Some(next) = child_of_turn(tree, &game, at, *color, turn) else {
                    break;
                };
                (at, known) = (next, known + 1);
            }
            (at, known)
        };
        let is_same = match loaded {
            Some(loaded) => {
                begins_alike(&loaded.setup, &old.setup)
                    && loaded.notes.at(0) == old.notes.at(0)
                    && walk(&loaded.turns).1 == loaded.turns.len()
            }
            None => !old.turns.is_empty() && record.turns.starts_with(&old.turns),
        };
        let (end, known) = walk(&record.turns);
        is_same.then_some(Updater { tree, old, record, end, known })
    }

    fn write(&self) -> Result<Vec<u8>, UpdateError> {
        let new = self.new_nodes()?;
        let line: Vec<_> =
            std::iter::successors(Some(self.end), |&id| self.tree.parent(id)).collect();
        let is_utf8 = self.is_utf8();
        let mut out = Writer::default();
        out.mark(b'(');
        let mut visits = vec![Visit::Node(NodeId::ROOT, false)];
        while let Some(visit) = visits.pop() {
            let (id, is_varied) = match visit {
                Visit::Node(id, is_varied) => (id, is_varied),
                Visit::New(is_varied) => {
                    if is_varied {
                        out.open();
                    }
                    new.iter().for_each(|node| out.node(node.0.as_bytes()));
                    if is_varied {
                        out.mark(b')');
                    }
                    continue;
                }
                Visit::Close => {
                    out.mark(b')');
                    continue;
                }
            };
            if is_varied {
                out.open();
                visits.push(Visit::Close);
            }
            out.node(&self.node_text(id, is_utf8));
            let is_end = id == self.end && !new.is_empty();
            let (first, others): (Vec<_>, Vec<_>) =
                self.tree.children(id).partition(|child| line.contains(child));
            let is_varied = first.len() + others.len() + usize::from(is_end) > 1;
            let children = others.into_iter().rev().chain(first);
            visits.extend(children.map(|child| Visit::Node(child, is_varied)));
            visits.extend(is_end.then_some(Visit::New(is_varied)));
        }
        out.mark(b')');
        out.end_line();
        Ok(out.into_bytes())
    }

    /// The nodes of the turns that the tree lacks.
    fn new_nodes(&self) -> Result<Vec<NodeBuilder>, UpdateError> {
        let record = self.record;
        record.game()?;
        let mut game = AnyGame::new(&record.setup).map_err(RecordError::from)?;
        let mut viewers = ViewerBoards::new(&game);
        record.root(&game, &mut viewers);
        let is_ours = self.tree.property(NodeId::ROOT, "KAWARI").is_some();
        let mut nodes = Vec::new();
        for (number, (color, turn)) in record.turns.iter().enumerate() {
            // `record.game()` has accepted the same turns above.
            let _ = game.play(*color, turn);
            let notes = record.notes.at(number + 1);
            nodes.push(if is_ours {
                viewers.node(&game, *color, turn, notes)
            } else {
                viewers.plain_node(&game, *color, turn, notes)
            });
        }
        Ok(nodes.split_off(self.known.min(nodes.len())))
    }

    /// Whether all texts are UTF-8.
    fn is_utf8(&self) -> bool {
        let mut nodes = self.tree.nodes();
        self.tree.charset().is_utf8()
            && nodes.all(|id| std::str::from_utf8(self.tree.text(id)).is_ok())
    }

    /// The properties of a node as UTF-8; those of the root with the new result and komi.
    fn node_text(&self, id: NodeId, is_utf8: bool) -> Cow<'a, [u8]> {
        let mut changes = match id {
            NodeId::ROOT => self.root_changes(is_utf8),
            _ => Vec::new(),
        };
        if is_utf8 && changes.is_empty() {
            return Cow::Borrowed(self.tree.text(id));
        }
        let mut node = NodeBuilder::new();
        for property in self.tree.properties(id) {
            let name = property.name();
            let change = changes.iter_mut().find(|(changed, _)| *changed == name);
            let values: Vec<String> = match change {
                Some((_, text)) => {
                    text.take().map(|text| escaped(&text).into_owned()).into_iter().collect()
                }
                None => property.values().map(PropertyValue::raw_text).collect(),
            };
            node.raw_named(&String::from_utf8_lossy(property.raw_name()), values);
        }
        for (name, text) in &changes {
            node.raw_named(name, text.iter().map(|text| escaped(text)));
        }
        Cow::Owned(node.0.into_bytes())
    }

    /// Properties of the root that get another text, or none.
    fn root_changes(&self, is_utf8: bool) -> Vec<(&'static str, Option<String>)> {
        let (old, record) = (&self.old, self.record);
        let mut changes = Vec::new();
        if !is_utf8 {
            changes.push(("CA", Some("UTF-8".to_owned())));
        }
        let goes_on = old.turns != record.turns && self.known < record.turns.len();
        let result = record.result.clone().or(old.result.clone().filter(|_| !goes_on));
        if result != old.result {
            changes.push(("RE", result));
        }
        let is_counted = record.setup.info.is_counted();
        if is_counted && record.setup.rules.komi != old.setup.rules.komi {
            changes.push(("KM", Some(record.setup.rules.komi.to_string())));
        }
        if record.resigned != old.resigned {
            let loser = record.resigned.map(|color| color.letter().to_string());
            changes.push(("KRESIGN", loser));
        }
        changes
    }
}

/// A part of the tree to be written.
enum Visit {
    /// A node, and whether it begins a variation.
    Node(NodeId, bool),
    /// The new nodes, and whether they are a variation.
    New(bool),
    /// The end of a variation.
    Close,
}

/// Whether two games begin with the same position under the same rules, but for komi.
fn begins_alike(one: &Setup, other: &Setup) -> bool {
    let sorted = |places: &[(u8, u8)]| {
        let mut places = places.to_vec();
        places.sort_unstable();
        places
    };
    let stones = |setup: &Setup| {
        let black = [setup.handicap.as_slice(), &setup.stones[0]].concat();
        (sorted(&black), sorted(&setup.stones[1]), sorted(&setup.blocked_points))
    };
    let mut rules = one.rules;
    rules.komi = other.rules.komi;
    one.info.id == other.info.id
        && one.size == other.size
        && rules == other.rules
        && stones(one) == stones(other)
        && one.to_move == other.to_move
}

/// The node behind `at` that makes a turn and nothing else; nodes without a turn may come
/// before it.
fn child_of_turn(
    tree: &GameTree<'_>,
    game: &AnyGame,
    at: NodeId,
    color: Color,
    turn: &Turn,
) -> Option<NodeId> {
    tree.children(at).find_map(|child| {
        let mut lines = std::iter::successors(Some(child), |&id| tree.child(id));
        let id = lines.find(|&id| !is_silent(tree, id))?;
        makes_turn(tree, game, id, color, turn).then_some(id)
    })
}

/// Whether a node leaves the position as it is.
fn is_silent(tree: &GameTree<'_>, id: NodeId) -> bool {
    let mut properties = tree.properties(id);
    properties.all(|property| {
        !matches!(
            &*property.name(),
            "B" | "W" | "AB" | "AW" | "AE" | "PL" | "KTURN" | "KBEGUN" | "KGROW"
        )
    })
}

fn makes_turn(tree: &GameTree<'_>, game: &AnyGame, id: NodeId, color: Color, turn: &Turn) -> bool {
    let value = |name| tree.value(id, name);
    let [own, other] = match color {
        Color::Black => ["B", "W"],
        Color::White => ["W", "B"],
    };
    if let Some(words) = value("KTURN") {
        let next = value("PL").and_then(PropertyValue::color);
        let is_own = value(own).is_some() || value(other).is_none() && next == Some(!color);
        return is_own && words.simple_text() == game.write(turn);
    }
    let sets_up = ["AB", "AW", "AE"].iter().any(|name| value(name).is_some());
    let Some(vertex) = value(own).filter(|_| !sets_up && value(other).is_none()) else {
        return false;
    };
    let board = FileBoard::of(*game.grid());
    let place = vertex.point().and_then(|point| board.place(point));
    let point = place.and_then(|(column, row)| game.grid().point(column, row));
    match point {
        Some(point) => *turn == Turn::stone(point),
        None => turn.is_pass() && (vertex.is_empty() || vertex.raw().trim_ascii() == b"tt"),
    }
}
