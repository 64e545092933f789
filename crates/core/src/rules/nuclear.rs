//! The rules that `no` and `go-san` share: nukes, voids that spread by a fixed schedule, and
//! the cascade that follows.
//!
//! The state has no arrows: every void acts once per turn from the turn after its birth on, so the
//! arrow is its age in eighths of a rotation. It has no resolver tokens either: at the end of a
//! turn every void is processed, and carries a token on even turns only.

mod planes;
mod schedule;
mod voids;

use super::illegal::Illegal;
use super::options::NukeActs;
use super::placement::{Piece, Placement};
use super::position::{Ending, Position};
use super::step::{Step, StepKind, StepKindInfo, Target};
use super::variant::{BoardMark, Extras, Variant};
use crate::board::{Board, Cell, Color, Point};
use schedule::BitIndex;
use smallvec::SmallVec;
use std::cmp::Reverse;
use voids::Voids;

pub use planes::{GLOBALS, PLANES};
pub use voids::{ARROWS, Void};

/// The rules of the nuclear variants. The state is the voids.
#[derive(Debug)]
pub struct Nuclear {
    /// Whether voids stay within one row and one column of their origin.
    pub contained: bool,
}

/// A nuke: a stone of the mover becomes a void.
pub const NUKE: StepKind = StepKind::new(1);

/// The kinds of step of all nuclear variants.
pub const KINDS: &[StepKindInfo] = &[
    StepKindInfo::STONE,
    StepKindInfo {
        word: "nuke",
        help: "the own stone on VERTEX becomes a void",
        verb: "nukes",
        key: 'n',
        target: Target::OwnStone,
        leaves: Some(Cell::Void),
        on_panel: true,
        ..StepKindInfo::STONE
    },
];

/// Only own stones can become voids.
pub const NOT_OWN_STONE: Illegal = Illegal::Rule("nuke: there is no stone of yours on this point");

impl Variant for Nuclear {
    fn start(&self, position: &mut Position) {
        position.set_state(Voids::new(self.contained, &position.board));
    }

    /// A void that is set up begins like a nuke: it is its own origin.
    fn set_up(&self, position: &mut Position, set_up: &Placement) {
        let (turns, grid) = (position.situation.turns, *position.board.grid());
        let is_set_up = |void: &Void| set_up.cells.iter().any(|(at, _)| *at == void.point);
        let mut voids = position.state::<Voids>().with_origins(&grid);
        voids.retain(|void| !is_set_up(void));
        voids.extend(set_up.cells.iter().filter_map(|&(point, piece)| match piece {
            Some(Piece::Void(arrow)) => {
                let birth = turns.wrapping_sub(u32::from(arrow));
                Some(Void { point, origin: point, birth })
            }
            _ => None,
        }));
        voids.sort_by_key(|void| Reverse(turns.wrapping_sub(void.birth)));
        self.start(position);
        let state = position.state_mut::<Voids>();
        voids.into_iter().for_each(|void| state.push(void));
        state.schedule_new(&grid);
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::STONE, point) => position.check_stone(color, point),
            (NUKE, point) if position.board.cell(point) == Cell::stone(color) => Ok(()),
            (NUKE, _) => Err(NOT_OWN_STONE),
            _ => self.check_without_point(position, color, step),
        }
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        match step.parts() {
            (StepKind::STONE, point) => {
                position.place_and_capture(color, point);
                let (board, situation, voids) = position.parts::<Voids>();
                voids.schedule.note_occupied(BitIndex::new(board.grid(), point));
                note_vacated(board, voids, situation.latest.captured);
            }
            (NUKE, point) => apply_nuke(position, point),
            _ => {}
        }
        true
    }

    fn turn_ended(&self, position: &mut Position) {
        resolve(position);
        cascade(position);
        if position.board.empties().is_empty() {
            position.situation.ending =
                Some(Ending::Counted("No empty point is left: the game ends."));
        }
    }

    fn extras(&self, position: &Position) -> Extras {
        let voids = position.state::<Voids>().with_origins(position.board.grid()).into_iter();
        Extras {
            voids: voids.map(|v| (v.point, v.arrow(position.situation.turns), v.origin)).collect(),
            ..Extras::default()
        }
    }

    fn hints(&self, position: &Position, note: &mut dyn FnMut(BoardMark)) {
        let grid = position.board.grid();
        for void in position.state::<Voids>().with_origins(grid) {
            let arrow = void.arrow(position.situation.turns + 1);
            let to = grid.neighbour_towards(void.point, arrow);
            if void.reaches(grid, to, self.contained) && position.board.cell(to) == Cell::Empty {
                let from = void.point;
                note(BoardMark::Spreads { from, to, arrow });
            }
        }
    }

    /// Visits the voids next to a point that can still become a void. Where voids are contained,
    /// the first of several that show a point hands on its origin, so the order counts.
    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        let (board, voids) = (&position.board, position.state::<Voids>());
        let grid = board.grid();
        for void in voids.as_slice() {
            let may_take = |eighth| {
                let at = grid.neighbour_towards(void.point, eighth);
                void.reaches(grid, at, self.contained) && !board.cell(at).is_solid()
            };
            if !(0..8).any(may_take) {
                continue;
            }
            note(1 + void.arrow(position.situation.turns) as u64, void.point);
            if self.contained {
                note(0, void.origin);
            }
        }
    }

    fn note_planes(&self, position: &Position, note: &mut dyn FnMut(usize, Point)) {
        planes::note_planes(position, note);
    }

    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        planes::note_globals(position, note);
    }
}

fn apply_nuke(position: &mut Position, point: Point) {
    position.board.make_void(point);
    let (board, situation, voids) = position.parts::<Voids>();
    let turn = situation.turns + 1;
    let birth = match situation.rules.nuke_acts {
        NukeActs::Next => turn,
        NukeActs::Now => turn - 1,
    };
    voids.push(Void { point, origin: point, birth });
    if situation.rules.nuke_acts == NukeActs::Now {
        voids.schedule_new(board.grid());
    }
    // The nuke may leave parts of its group without liberties.
    voids.note_capturing(point, board.groups_without_liberties_around(point));
}

/// Every void older than this turn turns its arrow, and spreads if it points at an empty point.
/// Their order matters only to the origins of new voids.
fn resolve(position: &mut Position) {
    let (board, situation, voids) = position.parts::<Voids>();
    let turn = situation.turns;
    let mut targets = voids.schedule.due_targets(board.grid(), turn);
    if targets.is_empty() {
        return voids.schedule_new(board.grid());
    }
    if voids.contained {
        let ordered = voids.in_order(board.grid(), turn, targets);
        voids.schedule_new(board.grid());
        for &(place, target) in &ordered {
            let origin = voids.as_slice()[usize::from(place)].origin;
            let place = BitIndex::new(board.grid(), target);
            spread(board, voids, (target, place), origin, turn);
        }
    } else {
        voids.schedule_new(board.grid());
        while let Some(target) = targets.next(board.grid()) {
            spread(board, voids, target, Point::NONE, turn);
        }
    }
}

/// Removes all groups without liberties at once. Each of them touches a new void: the parts of a
/// group that a nuke divides touch the nuke.
fn cascade(position: &mut Position) {
    let (board, situation, voids) = position.parts::<Voids>();
    let mut dead: SmallVec<[(Point, Color); 16]> = SmallVec::new();
    for &(at, without_liberties) in voids.capturing_voids() {
        for stone in board.neighbours_in(at, without_liberties) {
            dead.extend(board.cell(stone).color().map(|color| (stone, color)));
        }
    }
    voids.clear_capturing();
    for &(stone, color) in &dead {
        // A group may be listed twice; the second removal finds it gone.
        let removed = board.remove_group(stone);
        note_vacated(board, voids, removed);
        situation.captures[!color as usize] += i32::from(removed);
    }
}

/// Notes the `count` points that became empty last.
fn note_vacated(board: &Board, voids: &mut Voids, count: u16) {
    for &point in board.empties().last_added(usize::from(count)) {
        voids.schedule.note_empty(BitIndex::new(board.grid(), point));
    }
}

fn spread(
    board: &mut Board,
    voids: &mut Voids,
    (point, place): (Point, BitIndex),
    origin: Point,
    birth: u32,
) {
    let without_liberties = board.fill(point, Cell::Void);
    voids.note_capturing(point, without_liberties);
    voids.schedule.note_occupied(place);
    voids.push_scheduled(board.grid(), Void { point, origin, birth }, place);
}
