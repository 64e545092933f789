//! Unconditional life (Benson, "Life in the game of Go", Information Sciences 10, 1976).

use super::lattice::Lattice;
use super::point::{Cell, Color, Point, PointSet};
use super::stones::Board;
use smallvec::SmallVec;

/// The possessions of a colour if it only passes from now on, only captures remove stones, and
/// suicide is illegal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnconditionalLife {
    /// Stones of living groups.
    pub stones: u16,
    /// Single points between living groups, on which the other colour cannot play.
    pub eyes: u16,
    /// Larger regions that the other colour cannot fill.
    pub regions: u16,
}

/// A maximal connected set of points without stones of a colour.
#[derive(Default)]
struct Region {
    size: u16,
    empty: u16,
    /// Heads of the groups around it, each with its number of liberties inside.
    around: SmallVec<[(Point, u16); 8]>,
}

impl Region {
    /// Whether each empty point is a liberty of the group: then the other colour cannot fill the
    /// region while the group has another vital region.
    fn is_vital_to(&self, head: Point) -> bool {
        let is_it = |&(one, liberties): &(Point, u16)| one == head && liberties == self.empty;
        self.empty > 0 && self.around.iter().any(is_it)
    }

    /// Adds a point to the region; `liberty` if it is empty.
    fn note(&mut self, heads: &[Point], liberty: u16) {
        for &head in heads {
            match self.around.iter_mut().find(|(one, _)| *one == head) {
                Some((_, liberties)) => *liberties += liberty,
                None => self.around.push((head, liberty)),
            }
        }
    }
}

impl<L: Lattice> Board<L> {
    /// See [`UnconditionalLife`].
    pub fn unconditional_life(&self, color: Color) -> UnconditionalLife {
        let mut life = UnconditionalLife::default();
        if self.stones(color) < 2 {
            return life;
        }
        let own = Cell::stone(color);
        let stones = self.grid().span().filter(|&at| self.cell(at) == own);
        let mut heads: SmallVec<[Point; 8]> = stones.filter(|&at| self.head(at) == at).collect();
        let mut regions = self.regions_without(color);
        // The loop ends with the greatest set of groups that have two vital regions each, which
        // only groups of the set border.
        loop {
            let (groups, left) = (heads.len(), regions.len());
            heads.retain(|&mut head| {
                let vital = regions.iter().filter(|region| region.is_vital_to(head));
                vital.count() >= 2
            });
            regions.retain(|region| region.around.iter().all(|(head, _)| heads.contains(head)));
            if (heads.len(), regions.len()) == (groups, left) {
                break;
            }
        }
        let sizes = heads.iter().filter_map(|&head| self.group(head));
        life.stones = sizes.map(|group| group.size).sum();
        for region in regions {
            if heads.iter().any(|&head| region.is_vital_to(head)) {
                let is_eye = region.size == 1;
                life.eyes += u16::from(is_eye);
                life.regions += u16::from(!is_eye);
            }
        }
        life
    }

    fn regions_without(&self, color: Color) -> Vec<Region> {
        let own = Cell::stone(color);
        let mut seen = PointSet::default();
        let mut regions = Vec::new();
        let outside = |at: Point| self.cell(at) == own || self.cell(at).is_solid();
        for start in self.grid().span() {
            if outside(start) || !seen.insert(start) {
                continue;
            }
            let mut region = Region::default();
            let mut open: SmallVec<[Point; 32]> = SmallVec::from_slice(&[start]);
            while let Some(point) = open.pop() {
                let mut heads: SmallVec<[Point; 8]> = SmallVec::new();
                for n in self.neighbours(point) {
                    if self.cell(n) == own && !heads.contains(&self.head(n)) {
                        heads.push(self.head(n));
                    } else if !outside(n) && seen.insert(n) {
                        open.push(n);
                    }
                }
                let liberty = u16::from(self.cell(point).is_open());
                region.size += 1;
                region.empty += liberty;
                region.note(&heads, liberty);
            }
            regions.push(region);
        }
        regions
    }
}

#[cfg(test)]
mod tests {
    use super::UnconditionalLife;
    use crate::board::{Color, board_from_diagram};

    fn life(rows: &[&str]) -> (u16, u16, u16) {
        let (board, _) = board_from_diagram(rows);
        let UnconditionalLife { stones, eyes, regions } = board.unconditional_life(Color::Black);
        (stones, eyes, regions)
    }

    #[test]
    fn groups_with_two_vital_regions_live() {
        assert_eq!(life(&[".X.X", "XXXX", "OOOO", "...."]), (6, 2, 0));
        assert_eq!(life(&[".X..", "XXXX", "OOOO", "...."]), (5, 1, 1));
        // One eye, and a region with a point that is no liberty of the group.
        assert_eq!(life(&[".X...", "XX...", "OXXXX", "OOOOO"]), (0, 0, 0));
        assert_eq!(life(&[".X..", "XX..", "OOOO", "...."]), (0, 0, 0));
        // An enemy stone inside, next to which every empty point is a liberty.
        assert_eq!(life(&[".X.O.", "XXXXX", "OOOOO", "....."]), (6, 1, 1));
        assert_eq!(life(&["....", ".XX.", ".XX.", "...."]), (0, 0, 0));
    }

    #[test]
    fn groups_live_together_or_not_at_all() {
        let shared = [".X.XX", "X.XX.", "OX.XO", "OOXOO", "OOOOO"];
        assert_eq!(life(&shared), (0, 0, 0));
        let both = [".X.X.", "XX.XX", "OX.XO", "OXXXO", "OOOOO"];
        assert_eq!(life(&both), (11, 2, 1));
    }
}
