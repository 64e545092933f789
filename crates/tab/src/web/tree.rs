//! The record that is open in a tab, with values of searches.

use super::error_text::ErrorText;
use super::page_report::NodeValue;
use super::{layers, value_notes};
use crate::rules::{Game, Placement, Setup, SetupError};
use crate::sgf::{GameRecord, NodeId};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeView {
    pub id: NodeNumber,
    /// `None` for the root.
    pub parent: Option<NodeNumber>,
    /// The main line first.
    pub children: Vec<NodeNumber>,
    /// The side that made the turn.
    pub color: Option<&'static str>,
    pub turn: Option<String>,
    /// The turn in the coordinates of the page.
    pub caption: Option<String>,
    /// May be empty.
    pub comment: String,
    /// Marks of people on its points: by SGF property, a value in each line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    pub value: Option<NodeValue>,
}

/// The number of a node; it never changes and is never used again.
pub type NodeNumber = NodeId;

pub const ROOT: NodeNumber = NodeId::ROOT;

/// Maximum bytes of a turn in writing: one with a stone on each of 625 points.
pub const MAX_TURN: usize = 8 * 625;

/// Maximum nodes of a tree, so that no page fills the memory.
pub const MAX_NODES: usize = 50_000;

/// Maximum bytes of a file with its record.
pub const MAX_RECORD_BYTES: usize = 3 << 20;

/// The error for a record that is too large for a page.
pub fn record_full() -> ErrorText {
    let megabytes = MAX_RECORD_BYTES >> 20;
    format!("a game on this page has at most {MAX_NODES} positions, and its file {megabytes} MB")
        .into()
}

#[derive(Clone, Debug)]
pub struct OpenRecord {
    pub record: GameRecord,
    /// Values of positions by searches.
    values: HashMap<NodeNumber, NodeValue>,
    /// Bytes of the file around the record.
    bytes_around: usize,
}

impl From<GameRecord> for OpenRecord {
    fn from(record: GameRecord) -> OpenRecord {
        OpenRecord { record, values: HashMap::new(), bytes_around: 0 }
    }
}

impl OpenRecord {
    pub fn new(setup: Setup) -> Result<OpenRecord, SetupError> {
        GameRecord::new(setup).map(OpenRecord::from)
    }

    /// A record of a file that has `bytes_around` it.
    pub fn new_in_file(record: GameRecord, bytes_around: usize) -> Result<OpenRecord, ErrorText> {
        let open = OpenRecord { bytes_around, ..OpenRecord::from(record) };
        open.require_room(0, 0).map(|()| open)
    }

    /// Fails if the record has no room for `nodes` and `bytes` more.
    pub fn require_room(&self, nodes: usize, bytes: usize) -> Result<(), ErrorText> {
        let tree = self.record.tree();
        let bytes = self.bytes_around + tree.size() + bytes;
        let has_room = tree.len() + nodes <= MAX_NODES && bytes <= MAX_RECORD_BYTES;
        if has_room { Ok(()) } else { Err(record_full()) }
    }

    /// All nodes that are positions of the game.
    pub fn numbers(&self) -> impl Iterator<Item = NodeNumber> {
        self.record.tree().nodes().filter(|&id| self.record.is_played(id))
    }

    /// The played nodes of the main line after this one.
    pub fn line_behind(&self, number: NodeNumber) -> impl Iterator<Item = NodeNumber> {
        let first = |&number: &NodeNumber| self.record.children(number).next();
        std::iter::successors(first(&number), first)
    }

    /// The last node of the main line that is a position of the game.
    pub fn end_of_main_line(&self) -> NodeNumber {
        let line = self.record.tree().main_line();
        line.take_while(|&id| self.record.is_played(id)).last().unwrap_or(ROOT)
    }

    pub fn parent(&self, number: NodeNumber) -> Option<NodeNumber> {
        self.record.tree().parent(number)
    }

    /// The index of each node of a path among its siblings.
    pub fn child_indices(&self, path: &[NodeNumber]) -> Vec<u32> {
        let pairs = path.iter().zip(path.iter().skip(1));
        let index = |(&parent, child): (&NodeNumber, &NodeNumber)| {
            let mut siblings = self.record.tree().children(parent).iter();
            siblings.position(|other| other == child)
        };
        pairs.map(|pair| index(pair).unwrap_or_default() as u32).collect()
    }

    /// The node at the end of a path of indices from the root; `None` if there is no such position.
    pub fn node_at(&self, indices: &[u32]) -> Option<NodeNumber> {
        let child = |at, &index: &u32| {
            let child = self.record.tree().children(at).get(index as usize).copied();
            child.filter(|&child| self.record.is_played(child))
        };
        indices.iter().try_fold(ROOT, child)
    }

    /// Adds the newer positions and values of a later state of this record, except those from
    /// `without` on.
    pub fn add_newer(&mut self, later: &OpenRecord, without: Option<NodeNumber>) {
        self.record.add_newer(&later.record, without);
        for (&node, &value) in later.values.iter().filter(|(node, _)| Some(**node) != without) {
            self.note_value(node, value);
        }
    }

    /// Sets up stones at the start; see [`GameRecord::set_up_start`].
    pub fn set_up_start(&mut self, set_up: &Placement) -> Result<bool, SetupError> {
        let is_set_up = self.record.set_up_start(set_up)?;
        if is_set_up {
            self.values.remove(&ROOT);
            value_notes::remove(&mut self.record, ROOT);
        }
        Ok(is_set_up)
    }

    /// The value of a position by a search or in the record.
    pub fn value(&self, number: NodeNumber) -> Option<NodeValue> {
        let value = self.values.get(&number).copied();
        value.or_else(|| value_notes::read(&self.record, number))
    }

    /// Notes the value of a position, unless a longer search has given one.
    pub fn note_value(&mut self, number: NodeNumber, value: NodeValue) {
        let is_longer = |old: NodeValue| old.visits > value.visits;
        if self.record.is_played(number) && !self.value(number).is_some_and(is_longer) {
            self.values.insert(number, value);
            if self.require_room(0, value_notes::MAX_BYTES).is_ok() {
                value_notes::set(&mut self.record, number, &value);
            }
        }
    }

    /// `game` is any game of the record.
    pub fn view(&self, number: NodeNumber, game: &Game) -> Option<NodeView> {
        let record = &self.record;
        if !record.is_played(number) {
            return None;
        }
        let turn = record.turn(number);
        let sets_up = turn.is_none() && !record.changes(number).is_empty();
        let caption = turn.map(|(_, turn)| layers::turn_name(game, turn));
        Some(NodeView {
            id: number,
            parent: record.tree().parent(number),
            children: record.children(number).collect(),
            color: turn.map(|(color, _)| color.name()),
            turn: turn.map(|(_, turn)| game.write(turn)),
            caption: caption.or(sets_up.then(|| "set-up".to_owned())),
            comment: record.tree().comment(number),
            marks: record.marks(number),
            value: self.value(number),
        })
    }
}
