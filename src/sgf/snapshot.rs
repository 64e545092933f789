//! Snapshots of positions: trees of one node that hold the record of a game.

use super::parse::parse;
use super::record_error::RecordError;
use super::tree::{GameTree, NodeId};

/// Root property of a snapshot: the record of the game, an SGF text of its own.
pub const SNAPSHOT: &str = "KGAME";

/// The record within a tree of one node.
fn inner_text(tree: &GameTree) -> Option<String> {
    let value = tree.value(NodeId::ROOT, SNAPSHOT)?;
    tree.child(NodeId::ROOT).is_none().then(|| value.text())
}

/// Whether a file is a snapshot.
pub fn is_snapshot(bytes: &[u8]) -> bool {
    match parse(bytes).as_deref() {
        Ok([tree]) => holds_record(tree),
        _ => false,
    }
}

/// Whether a tree is a snapshot.
pub(super) fn holds_record(tree: &GameTree) -> bool {
    inner_text(tree).is_some()
}

/// Calls `read` with the tree of the game: the one within the tree, if that is a snapshot.
///
/// # Errors
/// The record within a snapshot is not well-formed, or the error of `read`.
pub(super) fn in_record<T>(
    tree: &GameTree,
    read: impl FnOnce(&GameTree) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let Some(text) = inner_text(tree) else {
        return read(tree);
    };
    // A text without trees is an error.
    let trees = parse(text.as_bytes())?;
    read(trees.first().unwrap_or(tree))
}
