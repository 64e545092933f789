//! Unconditional life (Benson, "Life in the game of Go", Information Sciences 10, 1976).

use super::point::{Cell, Color, Point, PointSet};
use super::stones::Board;
use smallvec::SmallVec;

/// The possessions of a colour if it only passes from now on and only captures remove stones.
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
    /// Points that must be liberties of a group: the empty ones. Where the other colour may remove
    /// its own stones by suicide, their points are among them.
    inner: u16,
    /// Heads of the groups around it, each with the number of inner points next to it.
    around: SmallVec<[(Point, u16); 8]>,
}

impl Region {
    /// Whether each inner point is next to the group: then the other colour cannot fill the
    /// region while the group has another vital region.
    fn is_vital_to(&self, head: Point) -> bool {
        let is_it = |&(one, beside): &(Point, u16)| one == head && beside == self.inner;
        self.inner > 0 && self.around.iter().any(is_it)
    }

    /// Adds a point next to groups with these heads to the region.
    fn add_point(&mut self, heads: &[Point], is_inner: bool) {
        let inner = u16::from(is_inner);
        self.size += 1;
        self.inner += inner;
        for &head in heads {
            match self.around.iter_mut().find(|(one, _)| *one == head) {
                Some((_, beside)) => *beside += inner,
                None => self.around.push((head, inner)),
            }
        }
    }
}

impl Board {
    /// See [`UnconditionalLife`]. `suicide` of two or more stones may be legal; that of one stone is
    /// not.
    pub fn unconditional_life(&self, color: Color, suicide: bool) -> UnconditionalLife {
        let mut life = UnconditionalLife::default();
        if self.stones(color) < 2 {
            return life;
        }
        let own = Cell::stone(color);
        let stones = self.grid().span().filter(|&at| self.cell(at) == own);
        let mut heads: SmallVec<[Point; 8]> = stones.filter(|&at| self.head(at) == at).collect();
        let mut regions = self.regions_without(color, suicide);
        // The loop ends with the largest set of groups that have two vital regions each, which
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

    fn regions_without(&self, color: Color, suicide: bool) -> Vec<Region> {
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
                region.add_point(&heads, suicide || self.cell(point).is_open());
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

    fn life_with(rows: &[&str], suicide: bool) -> (u16, u16, u16) {
        let (board, _) = board_from_diagram(rows);
        let UnconditionalLife { stones, eyes, regions } =
            board.unconditional_life(Color::Black, suicide);
        (stones, eyes, regions)
    }

    fn life(rows: &[&str]) -> (u16, u16, u16) {
        life_with(rows, false)
    }

    #[test]
    fn groups_with_two_vital_regions_live() {
        assert_eq!(life(&[".X.X", "XXXX", "OOOO", "...."]), (6, 2, 0));
        assert_eq!(life(&[".X..", "XXXX", "OOOO", "...."]), (5, 1, 1));
        // One eye, and a region with a point that is not a liberty of the group.
        assert_eq!(life(&[".X...", "XX...", "OXXXX", "OOOOO"]), (0, 0, 0));
        assert_eq!(life(&[".X..", "XX..", "OOOO", "...."]), (0, 0, 0));
        // An enemy stone inside, next to which every empty point is a liberty.
        assert_eq!(life(&[".X.O.", "XXXXX", "OOOOO", "....."]), (6, 1, 1));
        assert_eq!(life(&["....", ".XX.", ".XX.", "...."]), (0, 0, 0));
    }

    #[test]
    fn suicide_empties_points_that_are_no_liberties() {
        let open = [".X...", "XX.X.", "OXXXX", "OOOOO"];
        let filled = [".X..O", "XX.X.", "OXXXX", "OOOOO"];
        assert_eq!((life_with(&open, false), life_with(&open, true)), ((0, 0, 0), (0, 0, 0)));
        assert_eq!((life_with(&filled, false), life_with(&filled, true)), ((8, 1, 1), (0, 0, 0)));
        let beside = [".X.O.", "XXXXX", "OOOOO", "....."];
        assert_eq!(life_with(&beside, true), (6, 1, 1));
    }

    #[test]
    fn groups_live_together_or_not_at_all() {
        let shared = [".X.XX", "X.XX.", "OX.XO", "OOXOO", "OOOOO"];
        assert_eq!(life(&shared), (0, 0, 0));
        let both = [".X.X.", "XX.XX", "OX.XO", "OXXXO", "OOOOO"];
        assert_eq!(life(&both), (11, 2, 1));
    }
}
