//! The record that is open in a tab, with what no file keeps.

use super::cursor::PlayError;
use super::event::{NodeValue, NodeView};
use super::request::MAX_TURN;
use super::{point_names, value_notes};
use crate::board::Color;
use crate::rules::{AnyGame, SetUp, Setup, SetupError, Turn};
use crate::sgf::{Change, GameRecord, NodeId};
use std::collections::{HashMap, HashSet};

/// The number of a node; it never changes and is never used again.
pub type NodeNumber = NodeId;

/// The node of the start position.
pub const ROOT: NodeNumber = NodeId::ROOT;

/// Most nodes of a tree, so that no page fills the memory.
pub const MAX_NODES: usize = 50_000;

/// Most bytes of a record and of all around it in its file.
pub const MAX_RECORD_BYTES: usize = 3 << 20;

/// The record would be larger than a page keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game on this page has at most {MAX_NODES} positions, and its file {} MB", MAX_RECORD_BYTES >> 20)]
pub struct RecordFull;

/// An open record, with values of its nodes and marks of players.
#[derive(Clone, Debug)]
pub struct OpenRecord {
    pub record: GameRecord,
    /// Values of positions by searches.
    values: HashMap<NodeNumber, NodeValue>,
    /// Nodes after which the next new turn begins the main line, because a player took back the
    /// turn that did.
    pub taken_back: HashSet<NodeNumber>,
    /// Bytes of the file around the record.
    bytes_around: usize,
}

impl From<GameRecord> for OpenRecord {
    fn from(record: GameRecord) -> OpenRecord {
        let (values, taken_back) = Default::default();
        OpenRecord { record, values, taken_back, bytes_around: 0 }
    }
}

impl OpenRecord {
    /// A record without turns.
    pub fn new(setup: Setup) -> Result<OpenRecord, SetupError> {
        GameRecord::new(setup).map(OpenRecord::from)
    }

    /// A record of a file that has `bytes_around` it.
    ///
    /// # Errors
    /// [`RecordFull`]
    pub fn of_file(record: GameRecord, bytes_around: usize) -> Result<OpenRecord, RecordFull> {
        let open = OpenRecord { bytes_around, ..OpenRecord::from(record) };
        open.require_room(0, 0).map(|()| open)
    }

    /// Fails if the record has no room for `nodes` and `bytes` more.
    ///
    /// # Errors
    /// [`RecordFull`]
    pub fn require_room(&self, nodes: usize, bytes: usize) -> Result<(), RecordFull> {
        let tree = self.record.tree();
        let bytes = self.bytes_around + tree.size() + bytes;
        let has_room = tree.len() + nodes <= MAX_NODES && bytes <= MAX_RECORD_BYTES;
        has_room.then_some(()).ok_or(RecordFull)
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

    /// The node before.
    pub fn parent(&self, number: NodeNumber) -> Option<NodeNumber> {
        self.record.tree().parent(number)
    }

    /// The place of each node of a path among its siblings.
    pub fn child_indices(&self, path: &[NodeNumber]) -> Vec<u32> {
        let pairs = path.iter().zip(path.iter().skip(1));
        let index = |(&parent, child): (&NodeNumber, &NodeNumber)| {
            let mut siblings = self.record.tree().children(parent).iter();
            siblings.position(|other| other == child)
        };
        pairs.map(|pair| index(pair).unwrap_or_default() as u32).collect()
    }

    /// The node at the end of a path from the root, the place of each node among its siblings;
    /// `None` if there is no such position.
    pub fn node_at(&self, indices: &[u32]) -> Option<NodeNumber> {
        let child = |at, &index: &u32| {
            let child = self.record.tree().children(at).get(index as usize).copied();
            child.filter(|&child| self.record.is_played(child))
        };
        indices.iter().try_fold(ROOT, child)
    }

    /// Makes a turn after a node, the position of `game`; adds its node unless it exists, as the
    /// main line if a turn was taken back there.
    pub fn play(
        &mut self,
        parent: NodeNumber,
        game: &mut AnyGame,
        color: Color,
        turn: &Turn,
    ) -> Result<NodeNumber, PlayError> {
        let mut known = self.record.children(parent);
        let is_known = known.any(|child| self.record.turn(child) == Some((color, turn)));
        drop(known);
        if !is_known {
            self.require_room(1, MAX_TURN)?;
        }
        let nodes = self.record.tree().len();
        let as_first = self.taken_back.contains(&parent);
        let change = Change::Turn(color, turn.clone());
        let node = self.record.play(parent, game, change, as_first)?;
        if self.record.tree().len() > nodes {
            self.taken_back.remove(&parent);
        }
        Ok(node)
    }

    /// Adds the positions of a later state of this record that came after it, but those from
    /// `without` on, and what was said of positions since.
    pub fn add_newer(&mut self, later: &OpenRecord, without: Option<NodeNumber>) {
        self.record.add_newer(&later.record, without);
        for (&node, &value) in later.values.iter().filter(|(node, _)| Some(**node) != without) {
            self.note_value(node, value);
        }
    }

    /// Sets up stones at the start; see [`GameRecord::set_up_start`].
    pub fn set_up_start(&mut self, set_up: &SetUp) -> Result<bool, SetupError> {
        let is_set_up = self.record.set_up_start(set_up)?;
        if is_set_up {
            self.values.remove(&ROOT);
            value_notes::remove(&mut self.record, ROOT);
        }
        Ok(is_set_up)
    }

    /// Sets the comment of a node.
    ///
    /// # Errors
    /// [`RecordFull`]; nothing is changed.
    pub fn set_comment(&mut self, number: NodeNumber, text: &str) -> Result<(), RecordFull> {
        self.require_room(0, text.len())?;
        self.record.set_comment(number, text);
        Ok(())
    }

    /// The value of a position by a search or in the record.
    pub fn value(&self, number: NodeNumber) -> Option<NodeValue> {
        let known = self.values.get(&number).copied();
        known.or_else(|| value_notes::read(&self.record, number))
    }

    /// Notes the value of a position, unless a longer search has given one.
    pub fn note_value(&mut self, number: NodeNumber, value: NodeValue) {
        let is_longer = |known: NodeValue| known.visits > value.visits;
        if self.record.is_played(number) && !self.value(number).is_some_and(is_longer) {
            self.values.insert(number, value);
            if self.require_room(0, value_notes::MAX_BYTES).is_ok() {
                value_notes::set(&mut self.record, number, &value);
            }
        }
    }

    /// A node as the page shows it. `game` is any game of the record.
    pub fn view(&self, number: NodeNumber, game: &AnyGame) -> Option<NodeView> {
        let record = &self.record;
        if !record.is_played(number) {
            return None;
        }
        let turn = record.turn(number);
        let sets_up = turn.is_none() && !record.changes(number).is_empty();
        let caption = turn.map(|(_, turn)| point_names::turn(game, turn));
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
