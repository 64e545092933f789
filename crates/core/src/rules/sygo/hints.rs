//! Hints for a picture of Sygo.

use super::Sygo;
use crate::board::{Cell, Lattice, Point, PointSet};
use crate::rules::{BoardMark, Position, StepKind};

impl<L: Lattice<GroupLabel = u64>> Position<Sygo<L>> {
    /// Notes the right to a balance turn, and the groups that may still grow in the unfinished turn.
    pub(super) fn note_hints(&self, note: &mut dyn FnMut(BoardMark)) {
        let (board, color) = (&self.board, self.situation.to_move);
        if self.state.may_balance(color) {
            note(BoardMark::Closes {
                kind: StepKind::STONE,
                name: "balance stone",
                advice: "A balance stone may follow if you grow in this turn.",
            });
        }
        if !self.is_mid_turn() {
            return;
        }
        let own = Cell::stone(color);
        let unchanged =
            |&n: &Point| board.cell(n) == own && !self.state.grown_heads.contains(board.head(n));
        let mut heads = PointSet::default();
        for point in board.empties().iter() {
            if self.check_growth(color, point).is_ok() {
                let grown = board.neighbours(point).filter(unchanged);
                grown.for_each(|n| {
                    heads.insert(board.head(n));
                });
            }
        }
        let stones = board.grid().points().filter(|&p| board.cell(p) == own);
        for stone in stones.filter(|&stone| heads.contains(board.head(stone))) {
            note(BoardMark::Continues(stone));
        }
    }
}
