//! The nodes of a record as the page shows them, and how large a record may be.

use super::error_text::ErrorText;
use super::layers;
use super::page_report::NodeValue;
use crate::rules::Game;
use crate::sgf::{GameRecord, NodeId};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeView {
    pub id: NodeId,
    /// `None` for the root.
    pub parent: Option<NodeId>,
    /// The main line first.
    pub children: Vec<NodeId>,
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

impl NodeView {
    /// A position of a record; `game` is any game of it.
    pub fn new(
        record: &GameRecord,
        value: Option<NodeValue>,
        number: NodeId,
        game: &Game,
    ) -> Option<NodeView> {
        if !record.is_played(number) {
            return None;
        }
        let turn = record.turn(number);
        let sets_up = turn.is_none() && !record.changes(number).is_empty();
        let caption = turn.map(|(_, turn)| layers::turn_name(game, turn));
        Some(NodeView {
            id: number,
            parent: record.parent(number),
            children: record.children(number).collect(),
            color: turn.map(|(color, _)| color.name()),
            turn: turn.map(|(_, turn)| game.write(turn)),
            caption: caption.or(sets_up.then(|| "set-up".to_owned())),
            comment: record.tree().comment(number),
            marks: record.marks(number),
            value,
        })
    }
}
