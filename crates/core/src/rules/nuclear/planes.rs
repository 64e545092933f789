//! Inputs of a net for nuclear games: the schedule of the voids.

use super::{Nuclear, NuclearGame};
use crate::board::{Cell, Lattice, Point};
use crate::rules::feature_enum;
use crate::rules::options::NukeActs;
use crate::rules::position::Position;

feature_enum! {
    /// Input planes of a net.
    pub enum NuclearPlane {
        /// Voids.
        Void = "void",
        /// Empty points that a void will take in 1 turn, if nothing is placed there.
        VoidIn1 = "void-in-1",
        /// Empty points that a void will take in 2 turns, if nothing is placed there.
        VoidIn2 = "void-in-2",
        /// Empty points that a void will take in 3 turns, if nothing is placed there.
        VoidIn3 = "void-in-3",
        /// Empty points that a void will take in 4 turns, if nothing is placed there.
        VoidIn4 = "void-in-4",
        /// Empty points that a void will take in 5 turns, if nothing is placed there.
        VoidIn5 = "void-in-5",
        /// Empty points that a void will take in 6 turns, if nothing is placed there.
        VoidIn6 = "void-in-6",
        /// Empty points that a void will take in 7 turns, if nothing is placed there.
        VoidIn7 = "void-in-7",
        /// Empty points that a void will take in 8 turns, if nothing is placed there.
        VoidIn8 = "void-in-8",
        /// Voids that will point north at the end of this turn.
        North = "void-north",
        /// Voids that will point north-east at the end of this turn.
        NorthEast = "void-north-east",
        /// Voids that will point east at the end of this turn.
        East = "void-east",
        /// Voids that will point south-east at the end of this turn.
        SouthEast = "void-south-east",
        /// Voids that will point south at the end of this turn.
        South = "void-south",
        /// Voids that will point south-west at the end of this turn.
        SouthWest = "void-south-west",
        /// Voids that will point west at the end of this turn.
        West = "void-west",
        /// Voids that will point north-west at the end of this turn.
        NorthWest = "void-north-west",
    }
}

feature_enum! {
    /// Inputs of a net that concern the whole board.
    pub enum NuclearGlobal {
        /// The void of a nuke acts in the turn of the nuke.
        ActsNow = "nuke-acts-now",
        /// There are no voids yet.
        NoVoids = "no-voids",
    }
}

impl<G: NuclearGame, L: Lattice> Position<Nuclear<G, L>> {
    pub(super) fn note_planes(&self, mut note: impl FnMut(usize, Point)) {
        let voids = self.state.voids.as_slice();
        for void in voids {
            note(NuclearPlane::Void as usize, void.point);
            let arrow = void.arrow(self.situation.turns + 1);
            note(NuclearPlane::North as usize + arrow, void.point);
        }
        if voids.is_empty() {
            return;
        }
        for point in self.board.empties().iter() {
            if let Some(turns) = self.turns_until_void(point) {
                note(NuclearPlane::Void as usize + turns, point);
            }
        }
    }

    /// The number of turns, 1 to 8, until a void takes the empty `point`; `None` if no void comes.
    fn turns_until_void(&self, point: Point) -> Option<usize> {
        let grid = self.board.grid();
        let next = self.situation.turns + 1;
        let mut soonest = None;
        for eighth in 0..8 {
            let from = grid.neighbour_towards::<L>(point, eighth + 4);
            if self.board.cell(from) != Cell::Void {
                continue;
            }
            let voids = &self.state.voids;
            if G::CONTAINED && !grid.is_within_one::<L>(point, voids.at(from).origin) {
                continue;
            }
            let wait = (eighth + 8 - voids.schedule.arrow(from, next)) % 8 + 1;
            soonest = Some(soonest.map_or(wait, |soonest: usize| soonest.min(wait)));
        }
        soonest
    }

    pub(super) fn note_globals(&self, mut note: impl FnMut(usize, f32)) {
        if self.situation.rules.nuke_acts == NukeActs::Now {
            note(NuclearGlobal::ActsNow as usize, 1.0);
        }
        if self.state.voids.as_slice().is_empty() {
            note(NuclearGlobal::NoVoids as usize, 1.0);
        }
    }
}
