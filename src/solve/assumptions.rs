//! The boards before a position on which a result depends.

use super::key::Cells;
use smallvec::SmallVec;

/// A superset of some boards: by what may lie on each point, and by a Bloom filter of their
/// names. After captures nearly every board may lie on the points, and the names tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct BoardSet {
    pub(super) may_be: Cells,
    /// A bit for each name, which all mirrors and turns of a board share.
    pub(super) names: [u64; BoardSet::WORDS],
}

impl BoardSet {
    const WORDS: usize = 4;

    pub(super) const EMPTY: BoardSet = BoardSet { may_be: [0; 4], names: [0; BoardSet::WORDS] };

    /// Adds a board with the name that its mirrors and turns share.
    pub(super) fn insert(&mut self, board: &Cells, name: u64) {
        let (word, bit) = place_of(name);
        let mut names = [0; BoardSet::WORDS];
        names[word] = bit;
        self.unite(&BoardSet { may_be: *board, names });
    }

    pub(super) fn unite(&mut self, other: &BoardSet) {
        for (own, other) in self.may_be.iter_mut().zip(&other.may_be) {
            *own |= other;
        }
        for (own, other) in self.names.iter_mut().zip(&other.names) {
            *own |= other;
        }
    }

    /// Whether a board with this name may be among them.
    pub(super) fn may_hold(&self, board: &Cells, name: u64) -> bool {
        let (word, bit) = place_of(name);
        let mut cells = board.iter().zip(&self.may_be);
        self.names[word] & bit != 0 && cells.all(|(board, set)| board & !set == 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.may_be == Cells::default()
    }
}

/// The word of a filter and the bit in it that stand for a name.
fn place_of(name: u64) -> (usize, u64) {
    ((name >> 6) as usize % BoardSet::WORDS, 1 << (name & 63))
}

/// A result's assumptions about the boards before it. The result holds after any line that meets
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumptions {
    pub(super) absent: BoardSet,
    /// Depths of the waypoints that must be in the line, in order.
    pub(super) present: SmallVec<[u32; 4]>,
    /// Whether it is known to hold after this very line alone.
    pub(super) this_line: bool,
}

impl Assumptions {
    pub(super) fn unite(&mut self, other: &Assumptions) {
        self.absent.unite(&other.absent);
        other.present.iter().for_each(|&depth| self.require(depth));
        self.this_line |= other.this_line;
    }

    /// Adds the waypoint at this depth of the line.
    pub(super) fn require(&mut self, depth: u32) {
        if let Err(at) = self.present.binary_search(&depth) {
            self.present.insert(at, depth);
        }
    }

    /// Drops a depth of the line: it now belongs to the result itself.
    pub(super) fn release(&mut self, depth: u32) {
        self.present.retain(|at| *at != depth);
    }
}
