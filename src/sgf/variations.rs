//! Games with variations: read as the lines from the root to each leaf, written turn by
//! turn.

use super::client::FileDefaults;
use super::decode::RecordReader;
use super::encode::ViewerBoards;
use super::game_record::{GameRecord, RecordError};
use super::tree::{GameTree, NodeId};
use super::write::{PropertyName, Writer};
use crate::board::Color;
use crate::rules::{AnyGame, Illegal, SetupError, Turn};

/// The nodes without a child, in the order of the text: the end of the main line first.
pub fn leaves(tree: &GameTree<'_>) -> impl Iterator<Item = NodeId> {
    tree.nodes().filter(|&id| tree.child(id).is_none())
}

impl GameRecord {
    /// Reads the line from the root to a node, as [`read`](GameRecord::read) reads the main
    /// line. Result and resignation are those of the root, whatever the line.
    ///
    /// # Errors
    /// As [`read`](GameRecord::read).
    pub fn read_line<'b>(
        tree: &GameTree<'_>,
        base: impl Into<FileDefaults<'b>>,
        end: NodeId,
    ) -> Result<GameRecord, RecordError> {
        RecordReader::read_line(tree, base.into(), end)
    }
}

/// Writes a game with variations as SGF, in the order of the text.
///
/// ```
/// use kawari::board::Color;
/// use kawari::rules::{Action, AnyGame, Setup, variant};
/// use kawari::sgf::{GameRecord, VariationWriter, leaves, parse};
///
/// let setup = Setup::new(variant("go").expect("a registered variant"));
/// let game = AnyGame::new(&setup)?;
/// let mut writer = VariationWriter::new(&GameRecord::new(setup.clone()))?;
/// for vertex in ["D4", "Q16"] {
///     let Ok(Action::Turn(turn)) = game.parse(&[vertex]) else { unreachable!() };
///     writer.open();
///     writer.turn(Color::Black, &turn, &[])?;
///     writer.close();
/// }
/// let text = writer.finish();
/// let trees = parse(&text)?;
/// let ends: Vec<_> = leaves(&trees[0]).collect();
/// let second = GameRecord::read_line(&trees[0], &setup, ends[1])?;
/// assert_eq!(game.write(&second.turns[0].1), "Q16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct VariationWriter {
    game: AnyGame,
    viewers: ViewerBoards,
    out: Writer,
    /// Where each open variation began: the number of turns and the boards of viewers.
    open: Vec<(usize, ViewerBoards)>,
}

impl VariationWriter {
    /// Writes the root of a record; its turns are not used.
    ///
    /// # Errors
    /// What is wrong with the setup of the record.
    pub fn new(record: &GameRecord) -> Result<VariationWriter, SetupError> {
        let game = AnyGame::new(&record.setup)?;
        let mut viewers = ViewerBoards::new(&game);
        let mut out = Writer::default();
        out.mark(b'(');
        out.node(record.root(&game, &mut viewers).0.as_bytes());
        out.end_line();
        Ok(VariationWriter { game, viewers, out, open: Vec::new() })
    }

    /// Writes the node of a turn.
    ///
    /// # Errors
    /// The rule that forbids the turn; nothing is written.
    pub fn turn(
        &mut self,
        color: Color,
        turn: &Turn,
        notes: &[(PropertyName, String)],
    ) -> Result<(), Illegal> {
        self.game.play(color, turn)?;
        let node = self.viewers.node(&self.game, color, turn, notes);
        self.out.node(node.0.as_bytes());
        Ok(())
    }

    /// Begins a variation behind the latest node.
    pub fn open(&mut self) {
        self.out.open();
        let depth = self.game.undo_depth();
        self.open.push((depth, self.viewers.clone()));
    }

    /// Ends the latest open variation and returns to the node where it began.
    pub fn close(&mut self) {
        let Some((depth, viewers)) = self.open.pop() else {
            return;
        };
        self.out.mark(b')');
        let steps = self.game.undo_depth().saturating_sub(depth);
        let undone = self.game.undo(steps);
        debug_assert!(undone.is_ok(), "turns that were steps can be taken back");
        self.viewers = viewers;
    }

    /// Ends the game and returns its text.
    pub fn finish(mut self) -> Vec<u8> {
        while !self.open.is_empty() {
            self.close();
        }
        self.out.mark(b')');
        self.out.end_line();
        self.out.into_bytes()
    }
}
