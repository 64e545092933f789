//! Edits of the game tree, with undo and redo. Turns are not edits: they stay when an earlier edit
//! is undone.

use super::{NO_NODE, TabGame};
use crate::board::Color;
use crate::rules::{Illegal, NoPiece, Piece, Placement, TurnError, parse_color, parse_point};
use crate::sgf::NodeId;
use crate::sgf::{Cursor, GameRecord, mark_named};
use crate::web::error_text::ErrorText;
use crate::web::event::Event;
use crate::web::header::Header;
use crate::web::open_game::OpenGame;
use crate::web::request::{MAX_COMMENT, SetUpArgument};
use std::collections::BTreeMap;

/// Maximum number of edits that can be undone.
const MAX_EDITS: usize = 100;

/// Maximum number of positions in all trees kept for undo.
const MAX_POSITIONS: usize = 400_000;

/// Maximum bytes of the records in all trees kept for undo.
const MAX_BYTES: usize = 32 << 20;

/// The trees around the edits of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    undo: Vec<Before>,
    redo: Vec<Before>,
    /// The node whose comment the person types: a whole comment is one edit.
    typed_node: Option<NodeId>,
}

/// A tree before an edit, and the node that was shown.
#[derive(Clone, Debug)]
pub(super) struct Before {
    record: GameRecord,
    node: NodeId,
    head: NodeId,
    /// The node of a set-up: undo removes it with everything after it.
    set_up: Option<NodeId>,
}

impl TabGame {
    /// Whether a node is a position of the game.
    pub(super) fn require(&self, node: NodeId) -> Result<(), ErrorText> {
        if self.open_game.record.is_played(node) { Ok(()) } else { Err(NO_NODE.into()) }
    }

    pub(super) fn before_edit(&self) -> Before {
        let OpenGame { record, cursor, .. } = &self.open_game;
        Before { record: record.clone(), node: cursor.node(), head: self.head, set_up: None }
    }

    pub(super) fn comment(&mut self, node: NodeId, text: &str) -> Result<(), ErrorText> {
        self.require(node)?;
        if text.len() > MAX_COMMENT {
            return Err(format!("the comment is too long: at most {MAX_COMMENT} bytes").into());
        }
        self.open_game.require_room(0, text.len())?;
        let before = self.before_edit();
        self.open_game.record.set_comment(node, text);
        self.send_nodes(false, &[node], Vec::new());
        self.edited(before, Some(node));
        Ok(())
    }

    /// Makes the line through a node the main line.
    pub(super) fn promote(&mut self, node: NodeId) -> Result<(), ErrorText> {
        self.require(node)?;
        let before = self.before_edit();
        let changed = self.open_game.record.promote(node);
        self.send_nodes(false, &changed, Vec::new());
        self.edited(before, None);
        Ok(())
    }

    pub(super) fn set_header(&mut self, header: &Header) -> Result<(), ErrorText> {
        self.open_game.require_room(0, Header::MAX_BYTES)?;
        let before = self.before_edit();
        header.write(&mut self.open_game.record);
        self.send_game();
        self.edited(before, None);
        Ok(())
    }

    /// Notes an edit. `typed_node` is the node whose comment it changed.
    pub(super) fn edited(&mut self, before: Before, typed_node: Option<NodeId>) {
        let Edits { undo, redo, typed_node: last } = &mut self.edits;
        redo.clear();
        if typed_node.is_none() || *last != typed_node {
            undo.push(before);
        }
        *last = typed_node;
        let sizes = undo.iter().rev().map(|before| {
            let tree = before.record.tree();
            (tree.len(), tree.size())
        });
        let count = kept_count(sizes);
        undo.drain(..undo.len() - count);
        self.send_edits();
    }

    /// Sets marks on the points of a position.
    pub(super) fn mark(
        &mut self,
        node: NodeId,
        marks: &BTreeMap<String, String>,
    ) -> Result<(), ErrorText> {
        let mark = |(name, text): (&String, &String)| {
            let name = mark_named(name)?;
            let lines = text.lines().all(|line| is_mark_value(name, line));
            lines.then(|| (name, text.clone()))
        };
        let marks: Option<Vec<_>> = marks.iter().map(mark).collect();
        let marks = marks.ok_or("a mark is TR, SQ, CR, MA or SL with points, AR or LN with two, or LB with points and labels")?;
        self.require(node)?;
        let bytes = marks.iter().map(|(_, text)| 2 * text.len()).sum();
        self.open_game.require_room(0, bytes)?;
        let before = self.before_edit();
        for (name, text) in marks {
            self.open_game.record.set_marks(node, name, &text);
        }
        self.send_nodes(false, &[node], Vec::new());
        self.edited(before, None);
        Ok(())
    }

    /// Sets up stones in the position that is shown. The game continues there if a person is to
    /// move.
    pub(super) fn set_up(&mut self, stones: &SetUpArgument) -> Result<(), ErrorText> {
        let grid = *self.game().grid();
        let SetUpArgument { black, white, empty, pieces, to_move } = stones;
        let stone = |color| Some(Piece::Stone(color));
        let lists = [(black, stone(Color::Black)), (white, stone(Color::White)), (empty, None)];
        let points = lists.iter().flat_map(|(list, piece)| list.iter().map(|at| (at, *piece)));
        let mut placements: Vec<_> = points.collect();
        for (at, symbol) in pieces.iter() {
            let piece = symbol.parse().map_err(|error: NoPiece| error.to_string())?;
            placements.push((at, Some(piece)));
        }
        let cells = placements.into_iter().map(|(at, piece)| Ok((parse_point(&grid, at)?, piece)));
        let cells: Result<Vec<_>, TurnError> = cells.collect();
        let cells = cells.map_err(|_| Illegal::OffBoard)?;
        let color = |word: &String| parse_color(word).ok_or("a side is black or white");
        let set_up = Placement { cells, to_move: to_move.as_ref().map(color).transpose()? };
        if self.game().changed_by(&set_up) == Placement::default() {
            return Ok(());
        }
        let before = self.before_edit();
        self.open_game.set_up(&set_up)?;
        let OpenGame { record, cursor, .. } = &self.open_game;
        let here = cursor.node();
        let is_removed = |node: &NodeId| !record.is_played(*node);
        let removed: Vec<_> = before.record.positions().filter(is_removed).collect();
        let changed: Vec<_> = record.parent(here).into_iter().chain([here]).collect();
        // A variation may have set up the same stones before.
        let is_edit = here == NodeId::ROOT || !removed.is_empty() || !before.record.is_played(here);
        let continues = before.node == self.head && self.player().is_human();
        if continues || removed.contains(&self.head) {
            self.set_head(here);
        }
        if here == NodeId::ROOT {
            self.send_game();
        }
        self.send_nodes(false, &changed, removed);
        self.send_position(false);
        if is_edit {
            self.edited(Before { set_up: Some(here), ..before }, None);
        }
        Ok(())
    }

    pub(super) fn undo_edit(&mut self) -> Result<(), ErrorText> {
        let before = self.edits.undo.pop().ok_or("there is no edit to undo")?;
        let now = self.exchange(before)?;
        self.edits.redo.push(now);
        self.send_edits();
        Ok(())
    }

    pub(super) fn redo_edit(&mut self) -> Result<(), ErrorText> {
        let after = self.edits.redo.pop().ok_or("there is no edit to redo")?;
        let now = self.exchange(after)?;
        self.edits.undo.push(now);
        self.send_edits();
        Ok(())
    }

    /// Replaces the present tree, and returns it. Newer positions of the present tree stay.
    fn exchange(&mut self, other: Before) -> Result<Before, ErrorText> {
        let Before { mut record, node, head, set_up } = other;
        let now = Before { set_up, ..self.before_edit() };
        record.add_newer(&now.record, set_up);
        if set_up == Some(NodeId::ROOT) {
            self.open_game.values.remove(&NodeId::ROOT);
        }
        self.open_game.write_values(&mut record);
        // Shows a position that comes back; otherwise stays at the present one if it still exists.
        let either = |other: NodeId, present: NodeId| {
            let is_left = now.record.is_played(other) && record.is_played(present);
            if is_left { present } else { other }
        };
        let shown = either(node, now.node);
        let head = either(head, now.head);
        let removed = now.record.positions().filter(|&node| !record.is_played(node)).collect();
        let view = |record, node| self.open_game.view_in(record, node);
        let differs = |&node: &NodeId| view(&record, node) != view(&now.record, node);
        let changed: Vec<_> = record.positions().filter(differs).collect();
        self.edits.typed_node = None;
        let OpenGame { record: present, cursor, .. } = &mut self.open_game;
        if set_up == Some(NodeId::ROOT) {
            *cursor = Cursor::new(&record)?;
        }
        cursor.go(&record, shown);
        *present = record;
        self.set_head(head);
        self.send_game();
        self.send_nodes(false, &changed, removed);
        self.send_position(false);
        Ok(now)
    }

    fn send_edits(&mut self) {
        let Edits { undo, redo, .. } = &self.edits;
        self.events.push(Event::Edits { undo: undo.len(), redo: redo.len() });
    }
}

/// The number of latest edits that undo keeps, by the positions and bytes of their trees.
fn kept_count(latest_first: impl Iterator<Item = (usize, usize)>) -> usize {
    let (mut positions, mut bytes) = (0, 0);
    let fits = |size: &(usize, usize)| {
        positions += size.0;
        bytes += size.1;
        positions <= MAX_POSITIONS && bytes <= MAX_BYTES
    };
    latest_first.take(MAX_EDITS).take_while(fits).count()
}

/// Whether a line is a value of a property of marks: a point, two points, or a labelled point.
fn is_mark_value(name: &str, line: &str) -> bool {
    let is_point = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_alphabetic());
    match line.split_once(':') {
        Some((point, label)) if name == "LB" => is_point(point) && !label.is_empty(),
        Some((from, to)) => is_point(from) && is_point(to),
        None => !["LB", "AR", "LN"].contains(&name) && is_point(line),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, MAX_EDITS, MAX_POSITIONS, kept_count};
    use crate::web::node_view::MAX_RECORD_BYTES;

    #[test]
    fn undo_is_bounded_in_edits_positions_and_bytes() {
        let all = |size| kept_count(std::iter::repeat_n(size, 1000));
        assert_eq!(all((10, 1000)), MAX_EDITS);
        assert_eq!(all((50_000, 1000)), MAX_POSITIONS / 50_000);
        assert_eq!(all((10, MAX_RECORD_BYTES)), MAX_BYTES / MAX_RECORD_BYTES);
        assert_eq!(kept_count([(1, MAX_BYTES), (1, 1)].into_iter()), 1);
    }
}
