//! Assumptions of a result about the boards before its position.

use super::key::Cells;
use smallvec::SmallVec;

/// A superset of some boards: the cells that may lie on each point, and a Bloom filter of the
/// boards' names. After captures most boards have possible cells, so the names are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct BoardSet {
    pub(super) may_be: Cells,
    /// A bit for each name; symmetric boards share a name.
    pub(super) names: [u64; BoardSet::WORDS],
}

impl BoardSet {
    const WORDS: usize = 4;

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

    pub(super) fn may_hold(&self, board: &Cells, name: u64) -> bool {
        let (word, bit) = place_of(name);
        let mut cells = board.iter().zip(&self.may_be);
        self.names[word] & bit != 0 && cells.all(|(board, set)| board & !set == 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.may_be == Cells::default()
    }
}

/// The word of the filter, and the bit in it, for a name.
fn place_of(name: u64) -> (usize, u64) {
    ((name >> 6) as usize % BoardSet::WORDS, 1 << (name & 63))
}

/// Assumptions of a result. It holds after any line that meets them.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumptions {
    pub(super) absent: BoardSet,
    /// Sorted depths of the waypoints that must be in the line.
    pub(super) present: SmallVec<[u32; 4]>,
    /// Whether the result may hold only after this line.
    pub(super) this_line: bool,
}

impl Assumptions {
    pub(super) fn unite(&mut self, other: &Assumptions) {
        self.absent.unite(&other.absent);
        other.present.iter().for_each(|&depth| self.require(depth));
        self.this_line |= other.this_line;
    }

    pub(super) fn require(&mut self, depth: u32) {
        if let Err(at) = self.present.binary_search(&depth) {
            self.present.insert(at, depth);
        }
    }

    /// Drops a depth of the line, which now belongs to the result itself.
    pub(super) fn release(&mut self, depth: u32) {
        self.present.retain(|at| *at != depth);
    }
}
