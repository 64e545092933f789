//! Features of steps of Sygo.

use super::{GROW, Sygo};
use crate::board::{Cell, Lattice, Point, contains_point};
use crate::rules::{Position, Step, StepKind, feature_enum};
use smallvec::SmallVec;

feature_enum! {
    /// The features of growths, placements and the end of a growth.
    pub enum SygoFeature {
        /// A growth of one own group.
        GrowsOneGroup = "grows-one-group",
        /// A growth that joins two own groups.
        GrowsTwoGroups = "grows-two-groups",
        /// A growth that joins three or more own groups.
        GrowsManyGroups = "grows-many-groups",
        /// The first growth of the turn.
        FirstGrowth = "first-growth",
        /// A growth that flips a group.
        GrowthFlips = "growth-flips",
        /// A growth of a single stone.
        GrowsSingleStone = "grows-single-stone",
        /// A growth of groups with eight or more stones together.
        GrowsLargeGroup = "grows-large-group",
        /// A placement next to an enemy stone.
        PlacementNextToEnemy = "placement-next-to-enemy",
        /// A placement that flips a group.
        PlacementFlips = "placement-flips",
        /// A placement while there are at least as many own groups as enemy ones.
        AsManyGroups = "placement-as-many-groups",
        /// A placement while there are fewer own groups.
        FewerGroups = "placement-fewer-groups",
        /// A placement that ends a balance turn.
        EndsBalanceTurn = "placement-ends-balance-turn",
        /// The end of a growth after all groups have grown.
        AllGroupsHaveGrown = "end-all-groups-grown",
        /// The end of a growth after fewer than half of the groups have grown.
        FewGroupsHaveGrown = "end-few-groups-grown",
    }
}

impl<L: Lattice<GroupLabel = u64>> Position<Sygo<L>> {
    pub(super) fn note_step_features(&self, step: Step, note: &mut dyn FnMut(usize)) {
        let mut note_one = |feature: SygoFeature| note(feature as usize);
        match step.parts() {
            (GROW, point) => self.note_growth(point, &mut note_one),
            (StepKind::STONE, point) => self.note_placement(point, &mut note_one),
            (StepKind::END, _) => self.note_end(&mut note_one),
            _ => {}
        }
    }

    fn note_growth(&self, point: Point, note: &mut dyn FnMut(SygoFeature)) {
        let (board, color) = (&self.board, self.to_move);
        let mut heads: SmallVec<[Point; 4]> = SmallVec::new();
        let mut size = 0;
        for n in board.neighbours(point).filter(|&n| board.cell(n) == Cell::stone(color)) {
            if !contains_point(&heads, board.head(n)) {
                heads.push(board.head(n));
                size += board.group(n).map_or(0, |group| group.size);
            }
        }
        note(match heads.len() {
            0 | 1 => SygoFeature::GrowsOneGroup,
            2 => SygoFeature::GrowsTwoGroups,
            _ => SygoFeature::GrowsManyGroups,
        });
        if !self.is_mid_turn() {
            note(SygoFeature::FirstGrowth);
        }
        if board.would_capture(point, color) {
            note(SygoFeature::GrowthFlips);
        }
        match size {
            1 => note(SygoFeature::GrowsSingleStone),
            8.. => note(SygoFeature::GrowsLargeGroup),
            _ => {}
        }
    }

    fn note_placement(&self, point: Point, note: &mut dyn FnMut(SygoFeature)) {
        let (board, color) = (&self.board, self.to_move);
        if board.touches(point, !color) {
            note(SygoFeature::PlacementNextToEnemy);
        }
        if board.would_capture(point, color) {
            note(SygoFeature::PlacementFlips);
        }
        if board.groups(color) < board.groups(!color) {
            note(SygoFeature::FewerGroups);
        } else {
            note(SygoFeature::AsManyGroups);
        }
        if self.is_mid_turn() {
            note(SygoFeature::EndsBalanceTurn);
        }
    }

    fn note_end(&self, note: &mut dyn FnMut(SygoFeature)) {
        let board = &self.board;
        let has_grown = |&p: &Point| board.head(p) == p && self.state.grown_heads.contains(p);
        let grown = board.grid().points().filter(has_grown).count();
        let groups = usize::from(board.groups(self.to_move));
        if grown >= groups {
            note(SygoFeature::AllGroupsHaveGrown);
        } else if grown * 2 < groups {
            note(SygoFeature::FewGroupsHaveGrown);
        }
    }
}
