//! On what of its past a result depends.

use super::key::Cells;
use smallvec::SmallVec;

/// A superset of some boards, by what may lie on each point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct BoardSet {
    pub(super) may_be: Cells,
}

impl BoardSet {
    /// Adds a board.
    pub(super) fn insert(&mut self, board: &Cells) {
        self.unite(&BoardSet { may_be: *board });
    }

    pub(super) fn unite(&mut self, other: &BoardSet) {
        for (own, other) in self.may_be.iter_mut().zip(&other.may_be) {
            *own |= other;
        }
    }

    /// Whether a board may be among them.
    pub(super) fn may_hold(&self, board: &Cells) -> bool {
        let mut cells = board.iter().zip(&self.may_be);
        cells.all(|(board, set)| board & !set == 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.may_be == Cells::default()
    }
}

/// What a result takes for granted of the boards before it. It holds after any line that
/// agrees.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    /// Boards that were not there before.
    pub(super) absent: BoardSet,
    /// Depths in the line of what was there, in order.
    pub(super) present: SmallVec<[u32; 4]>,
    /// Whether it is known to hold after this very line alone.
    pub(super) this_line: bool,
}

impl Basis {
    /// Takes for granted what another one does, too.
    pub(super) fn unite(&mut self, other: &Basis) {
        self.absent.unite(&other.absent);
        other.present.iter().for_each(|&depth| self.require(depth));
        self.this_line |= other.this_line;
    }

    /// Takes for granted what is at a depth of the line.
    pub(super) fn require(&mut self, depth: u32) {
        if let Err(at) = self.present.binary_search(&depth) {
            self.present.insert(at, depth);
        }
    }

    /// Takes it for granted no more, since it belongs to what the basis is of.
    pub(super) fn release(&mut self, depth: u32) {
        self.present.retain(|at| *at != depth);
    }
}
