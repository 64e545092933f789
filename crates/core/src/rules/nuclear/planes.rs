//! Inputs of a net for nuclear games: the schedule of the voids.

use super::Voids;
use crate::board::{Cell, Point};
use crate::rules::options::NukeActs;
use crate::rules::position::Position;

/// The planes: voids; empty points that a void will take in 1 to 8 turns, if nothing is placed
/// there; voids by the direction in which they will point at the end of this turn.
pub const PLANES: &[&str] = &[
    "void",
    "void-in-1",
    "void-in-2",
    "void-in-3",
    "void-in-4",
    "void-in-5",
    "void-in-6",
    "void-in-7",
    "void-in-8",
    "void-north",
    "void-north-east",
    "void-east",
    "void-south-east",
    "void-south",
    "void-south-west",
    "void-west",
    "void-north-west",
];

const VOID: usize = 0;
const NORTH: usize = 9;

/// The numbers for the whole board: the void of a nuke acts in the turn of the nuke; there are no
/// voids yet.
pub const GLOBALS: &[&str] = &["nuke-acts-now", "no-voids"];

pub(super) fn note_planes(position: &Position, note: &mut dyn FnMut(usize, Point)) {
    let voids = position.state::<Voids>().as_slice();
    for void in voids {
        note(VOID, void.point);
        note(NORTH + void.arrow(position.situation.turns + 1), void.point);
    }
    if voids.is_empty() {
        return;
    }
    for point in position.board.empties().iter() {
        if let Some(turns) = turns_until_void(position, point) {
            note(VOID + turns, point);
        }
    }
}

/// The number of turns, 1 to 8, until a void takes the empty `point`; `None` if no void comes.
fn turns_until_void(position: &Position, point: Point) -> Option<usize> {
    let (grid, voids) = (position.board.grid(), position.state::<Voids>());
    let next = position.situation.turns + 1;
    let mut soonest = None;
    for eighth in 0..8 {
        let from = grid.neighbour_towards(point, eighth + 4);
        if position.board.cell(from) != Cell::Void {
            continue;
        }
        if voids.contained && !grid.is_within_one(point, voids.at(from).origin) {
            continue;
        }
        let wait = (eighth + 8 - voids.schedule.arrow(from, next)) % 8 + 1;
        soonest = Some(soonest.map_or(wait, |soonest: usize| soonest.min(wait)));
    }
    soonest
}

pub(super) fn note_globals(position: &Position, note: &mut dyn FnMut(usize, f32)) {
    note(0, f32::from(position.situation.rules.nuke_acts == NukeActs::Now));
    note(1, f32::from(position.state::<Voids>().as_slice().is_empty()));
}
